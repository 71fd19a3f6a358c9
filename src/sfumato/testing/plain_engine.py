"""PlainEngine: the engine protocol over a list of rows, in plain Python. Slow, short, and obviously right."""

from __future__ import annotations

import csv
import hashlib
import os
import re
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
from sfumato.engines.workspace import drafted

Row = dict[str, str | None]


class PlainEngine:
    """Rows as dictionaries; every cell a text, or None where it is missing. What it releases is an engine too."""

    def __init__(
        self, source: Sequence[Row], columns: Sequence[str] | None = None, *, memory_limit: int | None = None
    ) -> None:
        self.rows = [dict(row) for row in source]
        self.columns = tuple(columns if columns is not None else self.rows[0] if self.rows else ())
        self.name = "the list"
        self.progress: Callable[[float], object] | None = None

    formats: ClassVar[tuple[str, ...]] = (".csv",)

    def drafted(self, path: str | os.PathLike[str]) -> AbstractContextManager[Path]:
        return drafted(Path(path))

    @staticmethod
    def accepts(source: object) -> bool:
        return isinstance(source, list)

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        values = {column: dict(Counter(row[column] or None for row in self.rows)) for column in columns}
        return {column: found for column, found in values.items() if most is None or len(found) <= most}

    def rows_of(self, columns: Sequence[str]) -> list[list[str | None]]:
        return [[row[column] or None for row in self.rows] for column in columns]

    def repeats(self, columns: Sequence[str]) -> dict[str, int]:
        values = {column: [row[column] for row in self.rows if row[column]] for column in columns}
        return {column: len(found) - len(set(found)) for column, found in values.items()}

    def count(self, codes: Codes, *, unit: str | None = None, weight: str | None = None) -> Counted:
        members: dict[tuple[int, ...], list[Row]] = defaultdict(list)
        for row in self.rows:
            members[self._combination(row, codes)].append(row)
        combinations = np.array(list(members), dtype=np.int32).reshape(len(members), len(codes))
        counted = Counted(combinations, np.array([len(rows) for rows in members.values()], dtype=np.int64))
        if unit is not None:
            counted = replace(counted, units=_units([[unit_text(row[unit]) for row in x] for x in members.values()]))
        if weight is not None:
            weights = [[weight_of(row[weight]) for row in rows] for rows in members.values()]
            sums = np.array([fsum(w for w in some if w is not None) for some in weights])
            counted = replace(counted, weights=sums, weightless=sum(some.count(None) for some in weights))
        return counted

    def recode(
        self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False
    ) -> PlainEngine | str | os.PathLike[str]:
        released = self._dealt(plan) if plan.kept else [self._cells(plan, row) for row in plan.rows().tolist()]
        released = [{column: row[column] for column in plan.order} for row in released]
        if plan.kept:
            released.sort(key=lambda row: _hash(plan, list(row.values())))
        if path is None:
            return PlainEngine(released, plan.order)
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, plan.order, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows({name: _safe(cell) if safe else cell for name, cell in row.items()} for row in released)
        return path

    def _dealt(self, plan: ReleasePlan) -> list[Row]:
        """Each row in the place of one copy of its combination; rows that get none are suppressed."""
        places: dict[tuple[int, ...], list[list[int]]] = defaultdict(list)
        for entry, published, copies in zip(plan.entry, plan.published.tolist(), plan.copies.tolist(), strict=True):
            places[tuple(plan.combinations[entry].tolist())] += [published] * copies
        by_hash = sorted(self.rows, key=lambda row: _hash(plan, [row[column] for column in plan.kept]))
        released = []
        for row in by_hash:
            waiting = places[self._combination(row, {column: plan.codes[column] for column in plan.columns})]
            if waiting:
                released.append({**row, **self._cells(plan, waiting.pop(0))})
        return released

    @staticmethod
    def _combination(row: Row, codes: Codes) -> tuple[int, ...]:
        return tuple(codes[column][row[column] or None] for column in codes)

    @staticmethod
    def _cells(plan: ReleasePlan, published: Sequence[int]) -> Row:
        return {column: plan.labels[column][p] for column, p in zip(plan.columns, published, strict=True)}


def _units(members: list[list[str | None]]) -> UnitCounts:
    """The units of combinations, each given by the units of its rows."""
    places: dict[str, set[int]] = defaultdict(set)
    for combination, units in enumerate(members):
        for unit in units:
            if unit is not None:
                places[unit].add(combination)
    alone = Counter(min(found) for found in places.values() if len(found) == 1)
    shared = [found for found in places.values() if len(found) > 1]
    pairs = [(person, combination) for person, found in enumerate(shared) for combination in sorted(found)]
    return UnitCounts(
        np.array([alone[combination] for combination in range(len(members))], dtype=np.int64),
        np.array([person for person, _ in pairs], dtype=np.int64),
        np.array([combination for _, combination in pairs], dtype=np.int64),
        sum(units.count(None) for units in members),
    )


def _safe(cell: str | None) -> str | None:
    """The cell, with an apostrophe in front if a spreadsheet would take it for a formula; -5 is a number."""
    number = r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?"
    formula = re.match(r"[=+@\t\r\n＝＋－＠-]", cell or "") and not re.fullmatch(number, cell or "")
    return f"'{cell}" if formula else cell


def _hash(plan: ReleasePlan, cells: Sequence[Any]) -> int:
    text = "\x1f".join([str(plan.seed), *("\x1e" if cell is None else cell for cell in cells)])
    return int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[8:], "little")
