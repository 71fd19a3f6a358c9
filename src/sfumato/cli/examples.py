"""Examples: what became of values, and a few released rows, so that one sees at once what was published.

Nothing is shown but what is published, and values that hierarchies name or that are made up of their labels.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines import Ordered, open_engine
from sfumato.errors import SfumatoError
from sfumato.hierarchies.illustration import illustration
from sfumato.hierarchies.tree import count_of

if TYPE_CHECKING:
    from sfumato.data.frequencies import QuasiIdentifier
    from sfumato.solution import Solution

_ROWS = 3
_DELIMITERS = ",;\t|"
_NUMBERS = ("", "One", "Two", "Three")
_WIDEST_CELL = 28
_INDENT = "  "


def examples(solution: Solution, released: Path) -> list[str]:
    """Lines about a released table, with a blank one above and below; a blank one about transactions."""
    if solution.question.column is not None:
        return [""]
    return [*_values(solution), *_rows(solution, released), ""]


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
    # Numbers of records are far from where doubles begin to round.
    times = np.bincount(plan.published[:, plan.columns.index(attribute.name)], weights=plan.copies)
    for place in np.flatnonzero(times).tolist():
        if (label := labels[place]) is not None:
            rows[label] = rows.get(label, 0) + int(times[place])
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


def _rows(solution: Solution, released: Path) -> Iterator[str]:
    """The first rows of what was written, which are in an order that says nothing; as many columns as fit."""
    names = solution.plan().order
    rows: Sequence[Sequence[str | None]] = []
    rows = _of_csv(released, names) if released.suffix.lower() == ".csv" else _of_engine(released, names)
    if not rows:
        return
    columns = [[_shown(text or "(missing)") for text in texts] for texts in zip(names, *rows, strict=True)]
    widths = [max(map(len, column)) for column in columns]
    room = int(os.environ.get("COLUMNS", "100"))
    many = next((i for i in range(len(widths)) if sum(widths[: i + 1]) + 2 * (i + 1) > room), len(widths))
    rest = len(widths) - many
    more = f" ({count_of(rest, 'more column')}):" if rest else ":"
    yield from ("", f"{_NUMBERS[len(rows)]} of the released rows{more}")
    for i in range(len(rows) + 1):
        texts = (f"{column[i]:<{width}}" for column, width in zip(columns[:many], widths[:many], strict=True))
        yield f"{_INDENT}{'  '.join(texts).rstrip()}"


def _of_csv(released: Path, names: Sequence[str]) -> list[list[str]]:
    """The first rows of a CSV file, which is read as far as that alone; none if its header is not these names."""
    with open(released, newline="", encoding="utf-8") as file:
        for delimiter in _DELIMITERS:
            file.seek(0)
            lines = csv.reader(file, delimiter=delimiter)
            if next(lines, []) == list(names):
                return list(islice(lines, _ROWS))
    return []


def _of_engine(released: Path, names: Sequence[str]) -> list[tuple[str | None, ...]]:
    """The first rows of another file; none if it can be written and not be read back as one table."""
    try:
        engine = open_engine(released)
        cells = engine.rows_of(names, _ROWS) if isinstance(engine, Ordered) else []
    except SfumatoError:
        return []
    return list(zip(*cells, strict=True))


def _shown(text: str) -> str:
    """A text as a terminal can show it."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in text)
    return plain if len(plain) <= _WIDEST_CELL else f"{plain[: _WIDEST_CELL - 1]}…"
