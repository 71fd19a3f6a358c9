"""PlainEngine: the engine protocol over a list of rows, in plain Python. Slow, short, and obviously right."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sfumato.engines import Codes, Counted, ReleasePlan, UnitCounts
from sfumato.engines.counted import unit_text, weight_of
from sfumato.engines.set_cells import MARK, require_divided
from sfumato.engines.workspace import drafted
from sfumato.testing.plain_release import (
    Cells,
    Row as ReleasedRow,
    in_order,
    in_turn,
    labels_of,
    published_rows,
    spreadsheet_safe,
    write_csv,
    write_parquet,
)

_MOST_LISTED = 1000  # values of a column that Parquet files list, sorted
Row = dict[str, Any]  # texts, or lists of them; None where a cell is missing


class PlainEngine:
    """Rows as dictionaries; every cell a text, a list of texts, or None. What it releases is an engine too."""

    formats: ClassVar[tuple[str, ...]] = (".csv", ".parquet")
    writes_folders: ClassVar[bool] = False

    def __init__(
        self, source: Sequence[Row], columns: Sequence[str] | None = None, *, memory_limit: int | None = None
    ) -> None:
        self.rows = [dict(row) for row in source]
        self.columns = tuple(columns if columns is not None else self.rows[0] if self.rows else ())
        self.name = "the list"
        self.progress: Callable[[float], object] | None = None
        self._sets: frozenset[str] = frozenset()
        self._lists: frozenset[str] = frozenset()
        self._between = " "

    def drafted(self, path: str | os.PathLike[str]) -> AbstractContextManager[Path]:
        return drafted(Path(path))

    @staticmethod
    def accepts(source: object) -> bool:
        return isinstance(source, list)

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        values = {column: dict(Counter(self._text(row, column) for row in self.rows)) for column in columns}
        return {column: counts for column, counts in values.items() if most is None or len(counts) <= most}

    def rows_of(self, columns: Sequence[str], most: int | None = None) -> list[list[str | None]]:
        return [[self._text(row, column) for row in self.rows[:most]] for column in columns]

    def repeats(self, columns: Sequence[str]) -> dict[str, int]:
        values = {
            column: [self._text(row, column) for row in self.rows if self._text(row, column)] for column in columns
        }
        return {column: len(cells) - len(set(cells)) for column, cells in values.items()}

    def count(self, codes: Codes, *, unit: str | None = None, weight: str | None = None) -> Counted:
        members: dict[tuple[int, ...], list[Row]] = defaultdict(list)
        for row in self.rows:
            members[self._combination(row, codes)].append(row)
        combinations = np.array(list(members), dtype=np.int32).reshape(len(members), len(codes))
        counted = Counted(combinations, np.array([len(rows) for rows in members.values()], dtype=np.int64))
        if unit is not None:
            counted = replace(
                counted, units=_units([[unit_text(self._text(row, unit)) for row in x] for x in members.values()])
            )
        if weight is not None:
            weights = [[weight_of(self._text(row, weight)) for row in rows] for rows in members.values()]
            sums = np.array([fsum(w for w in some if w is not None) for some in weights])
            counted = replace(counted, weights=sums, weightless=sum(some.count(None) for some in weights))
        return counted

    def read_sets(self, columns: Sequence[str], between: str) -> frozenset[str]:
        self._sets = frozenset(columns)
        self._lists = frozenset(name for name in columns if any(isinstance(row[name], list) for row in self.rows))
        self._between = between
        return self._lists

    def recode(
        self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False
    ) -> PlainEngine | str | os.PathLike[str]:
        released = in_order(plan, self._placed(plan) if plan.kept else published_rows(plan))
        lists = self._lists.intersection(plan.order)
        if path is None or Path(path).suffix == ".parquet":
            rows = [
                [(x.split(MARK) if x else []) if n in lists else x for n, x in zip(plan.order, cells, strict=True)]
                for cells in released
            ]
            if path is None:
                return PlainEngine([dict(zip(plan.order, cells, strict=True)) for cells in rows], plan.order)
            listed = {
                name: {x for x in cells if x is not None} for name, *cells in zip(plan.order, *released, strict=True)
            }
            few = {name for name in set(plan.columns) - lists if 0 < len(listed[name]) <= _MOST_LISTED}
            kinds = {name: "VARCHAR[]" if name in lists else "VARCHAR" for name in plan.order}
            write_parquet(path, kinds, rows, few)
            return path
        for name in lists:
            require_divided(plan.labels[name], self._between, name)
        texts = [
            [
                (x or "").replace(MARK, self._between) if n in lists else x
                for n, x in zip(plan.order, cells, strict=True)
            ]
            for cells in released
        ]
        if safe:
            between = dict.fromkeys(self._sets, self._between)
            texts = [
                [spreadsheet_safe(x, between.get(n)) for n, x in zip(plan.order, cells, strict=True)] for cells in texts
            ]
        write_csv(path, plan.order, texts)
        return path

    def _placed(self, plan: ReleasePlan) -> Counter[ReleasedRow]:
        """Each row in the place of one copy of its combination; rows that get none are suppressed."""
        members: dict[tuple[int, ...], Counter[Cells]] = defaultdict(Counter)
        codes = {column: plan.codes[column] for column in plan.columns}
        for row in self.rows:
            members[self._combination(row, codes)][tuple(self._cell(row, name) for name in plan.kept)] += 1
        waiting = {combination: in_turn(plan.seed, kept) for combination, kept in members.items()}
        released: Counter[ReleasedRow] = Counter()
        for entry, published, copies in zip(plan.entry, plan.published.tolist(), plan.copies.tolist(), strict=True):
            records = waiting[tuple(plan.combinations[entry].tolist())]
            for _ in range(copies):
                released[labels_of(plan, published), next(records)] += 1
        return released

    def _combination(self, row: Row, codes: Codes) -> tuple[int, ...]:
        return tuple(codes[column][self._text(row, column)] for column in codes)

    def _text(self, row: Row, column: str) -> str | None:
        """What a value is known by."""
        return self._cell(row, column) or None

    @staticmethod
    def _cell(row: Row, column: str) -> str | None:
        cell = row[column]
        return MARK.join(sorted(set(cell))) if isinstance(cell, list) else cell


def _units(members: list[list[str | None]]) -> UnitCounts:
    """The units of combinations, each given by the units of its rows."""
    places: dict[str, set[int]] = defaultdict(set)
    for combination, units in enumerate(members):
        for unit in units:
            if unit is not None:
                places[unit].add(combination)
    alone = Counter(min(combinations) for combinations in places.values() if len(combinations) == 1)
    shared = [combinations for combinations in places.values() if len(combinations) > 1]
    pairs = [
        (person, combination) for person, combinations in enumerate(shared) for combination in sorted(combinations)
    ]
    return UnitCounts(
        np.array([alone[combination] for combination in range(len(members))], dtype=np.int64),
        np.array([person for person, _ in pairs], dtype=np.int64),
        np.array([combination for _, combination in pairs], dtype=np.int64),
        sum(units.count(None) for units in members),
    )
