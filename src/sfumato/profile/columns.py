"""A profile of a table: what its columns look like, counted by an engine. No value leaves it but in hierarchies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.engines import Engine, open_engine
from sfumato.engines.set_cells import MARK, lists_among
from sfumato.errors import DataError
from sfumato.evaluate import SinglingOut, singled_out
from sfumato.hierarchies import Suggestion
from sfumato.hierarchies.hierarchy import number
from sfumato.profile.cleaning import Cleaned, cleaned, suggestion
from sfumato.profile.sets import Sets, listed_sets, written_sets

_CELL = re.compile(r"@|\d+([-./])\d+\1\d+", re.ASCII)  # addresses and dates are not names of columns
MOST_VALUES = 50_000  # a column with more different values is not looked into


@dataclass(frozen=True, eq=False)
class ColumnProfile:
    """One column: its values with their rows, if they are not too many."""

    name: str
    records: int
    missing: int
    rows: Mapping[str, int] | None = field(repr=False)  # by the value's label; None: more than MOST_VALUES
    sets: Sets | None = field(default=None, repr=False)  # if its values are sets of items

    @property
    def distinct(self) -> int | None:
        """The number of different values, without the missing one; None if there are too many to look into."""
        return None if self.rows is None else len(self.rows)

    @property
    def many(self) -> int:
        """The number of different values, or a lower bound."""
        return MOST_VALUES + 1 if self.rows is None else len(self.rows)

    @property
    def uniqueness(self) -> float:
        """Different values per record that has one."""
        return self.many / max(self.records - self.missing, 1)

    @cached_property
    def cleaned(self) -> Cleaned | None:
        """The values as they were probably meant, if they were looked into."""
        return None if self.rows is None else cleaned(self.name, self.rows)

    @cached_property
    def suggestion(self) -> Suggestion | None:
        """A hierarchy for the values as they were meant, if they were looked into."""
        return None if self.cleaned is None else suggestion(self.name, self.cleaned)

    @property
    def kind(self) -> str:
        """Numbers, codes, dates, categories, constant or sets of items."""
        if self.sets is not None:
            return "sets of items"
        return "many values" if self.suggestion is None else self.suggestion.kind

    @property
    def singling_out(self) -> SinglingOut | None:
        """How much the column alone singles people out; a missing value counts as a value."""
        if self.rows is None:
            return None
        counts = np.array([*self.rows.values(), *([self.missing] if self.missing else [])], dtype=np.int64)
        return singled_out([self.name], np.arange(len(counts)).reshape(-1, 1), counts)

    @cached_property
    def shares(self) -> list[float]:
        """The shares of the values in the records, the largest first; a missing value counts as a value."""
        rows = [*(self.rows or {}).values(), *([self.missing] if self.missing else [])]
        return sorted((n / self.records for n in rows), reverse=True)


@dataclass(frozen=True, eq=False)
class Profile:
    """A table's columns, and the engine that holds its rows."""

    engine: Engine
    records: int
    columns: Mapping[str, ColumnProfile]
    values: Mapping[str, Mapping[str | None, int]] = field(repr=False)

    def spaced(self, columns: Iterable[str]) -> bool:
        """Whether values of these columns have spaces around them."""
        texts = (text for name in columns for text in self.values[name])
        return any(text is not None and text != text.strip() for text in texts)

    def frequencies(self, columns: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The different combinations of these columns' values, as codes, with their records."""
        codes = {name: {text: code for code, text in enumerate(self.values[name])} for name in columns}
        counted = self.engine.count(codes)
        return counted.combinations, counted.counts


def profile(source: object) -> Profile:
    """The profile of a CSV file, a frame or an engine."""
    engine = open_engine(source)
    lists = sorted(lists_among(engine, engine.columns, None))
    lists_among(engine, lists, None)
    values = engine.distinct(engine.columns, MOST_VALUES)
    if lacking := [name for name in lists if name not in values]:
        values |= engine.distinct(lacking)
    if not values:
        raise DataError(
            f"{engine.name} has more than {MOST_VALUES:,} different values in every column; "
            "there is nothing that could be blurred as it is."
        )
    records = sum(next(iter(values.values())).values())
    if not records:
        raise DataError(f"{engine.name} has a header, but no records; there is nothing to look at.")
    _require_header(engine, values)
    columns = {name: _column(name, records, values.get(name), name in lists) for name in engine.columns}
    return Profile(engine, records, columns, values)


def _column(name: str, records: int, values: Mapping[str | None, int] | None, listed: bool) -> ColumnProfile:
    if values is None:
        return ColumnProfile(name, records, 0, None)
    if sets := listed_sets(values) if listed else written_sets(values):
        different = {MARK.join(items): n for items, n in sets.records.items() if items}
        return ColumnProfile(name, records, sets.records.get((), 0), different, sets)
    rows: dict[str, int] = {}
    missing = 0
    for text, count in values.items():
        if label := (text or "").strip():
            label = re.sub(r"^(-?\d+)\.0+$", r"\1", label)  # as Table reads it
            rows[label] = rows.get(label, 0) + count
        else:
            missing += count
    return ColumnProfile(name, records, missing, rows)


def _require_header(engine: Engine, values: Mapping[str, Mapping[str | None, int]]) -> None:
    """Names that look like a record are not shown: they would be cells."""
    own = sum(name in values.get(name, ()) for name in engine.columns)
    if 4 * own >= len(engine.columns) or any(number(name) is not None or _CELL.search(name) for name in engine.columns):
        raise DataError(
            f"The first line of {engine.name} looks like a record, not like the names of columns; "
            "add a line with a name for each, none of them a number, a date or a value of its column.",
            hidden_values=engine.columns,
        )
