"""What a draft says: roles and reasons, what singles people out, and what to look at; no value of the data."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from sfumato.evaluate import Ranking
from sfumato.profile.draft import Draft

_NUMBERS = {2: "two", 3: "three"}
_SETS = ("single items", "pairs of items")


def draft_lines(draft: Draft) -> list[str]:
    """All that a draft has to say; the last line is blank."""
    return [
        f"{draft.profile.engine.name}: {draft.profile.records:,} records, {len(draft.profile.columns)} columns. "
        "No value of the data is shown.",
        "",
        *_table(draft),
        "",
        *_together(draft),
        *_rare(draft),
        *_remarked(draft),
    ]


def _table(draft: Draft) -> list[str]:
    """The columns, one line each, aligned."""
    rows = [("column", "kind", "values", "missing", "alone", "role", "why")]
    for name, column in draft.profile.columns.items():
        guess, single = draft.guesses[name], column.singling_out
        values = f"{column.many - 1:,}+" if column.distinct is None else f"{column.distinct:,}"
        missing = f"{column.missing / column.records:.1%}" if column.missing else "–"
        role = f"{guess.role} + sensitive" if guess.role == "target" and name in draft.diversity else str(guess.role)
        alone = "?" if single is None else _percent(single.alone_share)
        rows.append((_shown(name), column.kind, values, missing, alone, role, guess.why))
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    aligned = ("<", "<", ">", ">", ">", "<")
    return [
        "  ".join([*(f"{cell:{side}{width}}" for cell, side, width in zip(row, aligned, widths)), row[-1]])  # noqa: B905
        for row in rows
    ]


def _together(draft: Draft) -> Iterator[str]:
    """How much several quasi-identifiers give away."""
    if several := {size: ranking for size, ranking in draft.rankings.items() if size > 1}:
        what = "What columns that others may know give away together"
        yield f"{what} (the only record with its values; one of fewer than 5):"
        yield from (line for size, ranking in several.items() for line in _ranked(size, ranking))
        yield ""


def _rare(draft: Draft) -> Iterator[str]:
    """How much the items of sets give away."""
    for name, rare in draft.rare.items():
        yield f"What items of {_shown(name)} give away (no item is shown):"
        yield from (f"  {n:,} {sets} are in fewer than 5 records" for sets, n in zip(_SETS, rare, strict=False))
        yield ""


def _ranked(size: int, ranking: Ranking) -> list[str]:
    """The sets of so many columns that single out most people."""
    if not any(one.small for one in ranking.sets):
        return [f"  no {_NUMBERS[size]} columns: all groups have {ranking.sets[0].k} or more"]
    note = "" if ranking.complete else f" (of {ranking.examined:,} sets that were counted; there are many more)"
    return [f"  {_NUMBERS[size]} columns{note}"] + [
        f"  {_percent(one.alone_share):>7} {_percent(one.small_share):>7}  {' + '.join(map(_shown, one.columns))}"
        for one in ranking.sets
        if one.small
    ]


def _remarked(draft: Draft) -> list[str]:
    """What to look at before anything is published."""
    if not (listed := draft.remarks):
        return []
    lines = (
        wrap(f"{_shown(one.column)}: {one.text}", 100, initial_indent="  ", subsequent_indent="    ") for one in listed
    )
    return ["To look at before anything is published:", *(line for block in lines for line in block), ""]


def _shown(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def _percent(share: float) -> str:
    return "0" if share == 0 else "<0.1%" if share < 0.001 else f"{share:.1%}"
