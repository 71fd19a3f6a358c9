"""PlainEngine: the engine protocol over a list of rows, in plain Python. Slow, short, and obviously right."""

from __future__ import annotations

import csv
import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines import Codes, ReleasePlan

Row = dict[str, str | None]


class PlainEngine:
    """Rows as dictionaries; every cell a text, or None where it is missing. What it releases is an engine too."""

    def __init__(self, source: Sequence[Row], columns: Sequence[str] | None = None) -> None:
        self.rows = [dict(row) for row in source]
        self.columns = tuple(columns if columns is not None else self.rows[0] if self.rows else ())
        self.name = "the list"

    @staticmethod
    def accepts(source: object) -> bool:
        return isinstance(source, list)

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        values = {column: dict(Counter(row[column] or None for row in self.rows)) for column in columns}
        return {column: found for column, found in values.items() if most is None or len(found) <= most}

    def count(self, codes: Codes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        found = Counter(self._combination(row, codes) for row in self.rows)
        combinations = np.array(list(found), dtype=np.int32).reshape(len(found), len(codes))
        return combinations, np.array(list(found.values()), dtype=np.int64)

    def recode(
        self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False
    ) -> PlainEngine | None:
        released = self._dealt(plan) if plan.kept else [self._cells(plan, row) for row in plan.rows().tolist()]
        released = [{column: row[column] for column in plan.order} for row in released]
        if plan.kept:
            released.sort(key=lambda row: _hash(plan, list(row.values())))
        if path is None:
            return PlainEngine(released, plan.order)
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, plan.order, lineterminator="\n")
            writer.writeheader()
            writer.writerows(released)
        return None

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


def _hash(plan: ReleasePlan, cells: Sequence[Any]) -> int:
    text = "\x1f".join([str(plan.seed), *("\x1e" if cell is None else cell for cell in cells)])
    return int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[8:], "little")
