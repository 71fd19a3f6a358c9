"""Examples: what became of values, and a few released rows, so that one sees at once what was published.

Nothing is shown but what is published, and values that hierarchies name or that are made up of their labels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.engines import Ordered, open_engine
from sfumato.errors import SfumatoError
from sfumato.hierarchies.illustration import illustration
from sfumato.hierarchies.tree import count_of

if TYPE_CHECKING:
    from sfumato.data.frequencies import QuasiIdentifier
    from sfumato.solution import Solution

_ROWS = 3
_NUMBERS = ("", "One", "Two", "Three")
_WIDEST_CELL = 28
_INDENT = "  "


def examples(solution: Solution, released: Path) -> list[str]:
    """Lines about a released table; none about transactions."""
    if solution.question.column is not None:
        return []
    return [*_values(solution), *_rows(released)]


def _values(solution: Solution) -> list[str]:
    attributes = solution.problem.data.frequencies.quasi_identifiers
    if not attributes:
        return []
    width = max(len(_shown(attribute.name)) for attribute in attributes)
    lines = [f"{_INDENT}{_shown(one.name):<{width}}  {_became(solution, one)}" for one in attributes]
    return ["", "What became of a value, for example:", *lines]


def _became(solution: Solution, attribute: QuasiIdentifier) -> str:
    """What became of the values of a column: of one that is published as its most frequent blurred label."""
    plan = solution.plan()
    labels = plan.labels[attribute.name]
    rows: dict[str, int] = {}
    places = plan.published[:, plan.columns.index(attribute.name)].tolist()
    for place, copies in zip(places, plan.copies.tolist(), strict=True):
        if (label := labels[place]) is not None:
            rows[label] = rows.get(label, 0) + copies
    if attribute.name in plan.unchanged or not rows:
        return "as it is"
    # A label that is a value as well may stand for others too, such as other spellings of it.
    blurred = {label: times for label, times in rows.items() if label not in attribute.labels} or rows
    label = max(sorted(blurred), key=blurred.__getitem__)
    value = illustration(solution.problem.data.sources[attribute.name], attribute.hierarchy, label)
    if value == "…" and label in attribute.labels:
        return "as it is"
    others = "; some as they are" if len(blurred) < len(rows) else ""
    return f"{_shown(value)} → {_shown(label)}{others}"


def _rows(released: Path) -> Iterator[str]:
    """The first rows of what was written, which are in an order that says nothing; as many columns as fit."""
    try:
        engine = open_engine(released)
        cells = engine.rows_of(engine.columns, _ROWS) if isinstance(engine, Ordered) else []
    except SfumatoError:  # a kind of file that can be written and not be read back as one table
        return
    if not cells or not cells[0]:
        return
    named = zip(engine.columns, cells, strict=True)
    columns = [[_shown(text or "(missing)") for text in (name, *texts)] for name, texts in named]
    widths = [max(map(len, column)) for column in columns]
    room = int(os.environ.get("COLUMNS", "100"))
    many = next((i for i in range(len(widths)) if sum(widths[: i + 1]) + 2 * (i + 1) > room), len(widths))
    rest = len(widths) - many
    more = f" ({count_of(rest, 'more column')}):" if rest else ":"
    yield from ("", f"{_NUMBERS[len(cells[0])]} of the released rows{more}")
    for i in range(len(cells[0]) + 1):
        texts = (f"{column[i]:<{width}}" for column, width in zip(columns[:many], widths[:many], strict=True))
        yield f"{_INDENT}{'  '.join(texts).rstrip()}"


def _shown(text: str) -> str:
    """A text as a terminal can show it."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in text)
    return plain if len(plain) <= _WIDEST_CELL else f"{plain[: _WIDEST_CELL - 1]}…"
