"""Counting in Spark: one scan leaves the different rows with the workers; all that is counted comes from them.

What comes to the driver is the different combinations of values: its memory grows with these, not with rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import Counted
from sfumato.engines.protocol import Codes
from sfumato.engines.spark import typed
from sfumato.engines.spark.combinations import Combinations, fetched_combinations
from sfumato.engines.spark.frames import Frame, counted, fetched, joined, made, quiet, sql
from sfumato.engines.spark.source import Source
from sfumato.engines.spark.units import unit_sql, units_of, weight_sql
from sfumato.errors import DataError
from sfumato.settings.memory import available, left_of, readable_bytes, resident
from sfumato.settings.wording import setting

CHANGED = "{} has changed since it was counted; read it again."
_EACH_CODE, _EACH_ROW = 8, 64  # bytes of the driver: for a code, and for a row, while rows are fetched and put in order
_LEAST_MEMORY = 64 << 20


class Counting(Source):
    """What an engine says about rows without showing one."""

    def __init__(self, source: Any, *, memory_limit: int | None = None) -> None:
        super().__init__(source)
        self._memory_limit = memory_limit
        self._scanned: tuple[str, ...] | None = None
        self._different: Frame = None
        self._fetched: tuple[tuple[str, ...], Combinations] | None = None
        self._size = (-1, -1)  # of these: different rows, and all; not known yet
        self.progress: Callable[[float], object] | None = None

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        """For each column, its different values with their number of rows; not if they are more than `most`."""
        if not columns:
            return {}
        if most is None and self._fit(tuple(columns)):
            return dict(zip(columns, self._combinations(tuple(columns)).records(), strict=True))
        plain = [name for name in columns if most is None or typed.is_plain(self._kinds[name])]
        if not plain:
            return {}
        with quiet(self.name, self._session):
            if most is None:
                texts = [self._text_of_key(f"c{i}", column) for i, column in enumerate(plain)]
                values = _values(self._scan(plain), texts, "n")
            else:
                values = _values(self._rows, [self._text(name) for name in plain], "1L")
                sizes = counted(values, ["i"], "count(1) AS size").filter(f"size <= {int(most)}")
                values = joined(values, sizes.selectExpr("i AS j"), "i = j", len(plain))
            cells = fetched(values.select("i", "t", "n"))
        by_column: dict[str, dict[str | None, int]] = {}
        for i, text, rows_there in zip(*(cells[name] for name in ("i", "t", "n")), strict=True):
            by_column.setdefault(plain[i], {})[text] = rows_there
        if most is None:
            return {name: by_column.get(name, {}) for name in plain}
        return {name: by_column[name] for name in plain if name in by_column and most > 0}

    def repeats(self, columns: Sequence[str]) -> dict[str, int]:
        """For each column, how many rows repeat a value of another."""
        if not columns:
            return {}
        plain = {name: typed.is_plain(self._kinds[name]) for name in columns}
        texts = [self._text(x) if plain[x] else typed.printed(self._cell(x), self._kinds[x]) for x in columns]
        with quiet(self.name, self._session):
            counts = [f"count({text}) - count(DISTINCT {text}) AS r{i}" for i, text in enumerate(texts)]
            cells = fetched(self._rows.agg(*(sql(self._rows, one) for one in counts)))
        return {name: cells[f"r{i}"][0] for i, name in enumerate(columns)}

    def count(self, codes: Codes, *, unit: str | None = None, weight: str | None = None) -> Counted:
        """The different combinations of codes, the number of rows of each, and their units and weights if asked for."""
        fit = self._fit(tuple(codes))
        recoded = (self._combinations(tuple(codes)) if fit else self._coarser(codes)).recoded(
            codes if fit else {name: {str(code): code for code in code_of.values()} for name, code_of in codes.items()}
        )
        self._fetched = None  # its codes have been replaced
        if recoded is None:  # a value that was not there, or is no more
            raise DataError(CHANGED.format(self.name))
        result = Counted(*recoded)
        return result if unit is None and weight is None else self._with_rows(result, codes, unit, weight)

    def combinations(self, codes: Codes) -> int:
        """How many different combinations of codes there are; none is fetched."""
        with quiet(self.name, self._session):
            return _size(self._coded(codes))[0]

    def _combinations(self, columns: tuple[str, ...]) -> Combinations:
        """The different rows as far as these columns go, fetched."""
        if self._fetched is None or self._fetched[0] != columns:
            self._fetched = None
            texts = [self._text_of_key(f"c{i}", column) for i, column in enumerate(columns)]
            self._fetched = (columns, self._fetch(self._scan(columns), texts, self._size[0]))
        return self._fetched[1]

    def _coarser(self, codes: Codes) -> Combinations:
        """The different combinations of codes, whose texts are numbers: of rows that are too many to be fetched."""
        coded = self._coded(codes)
        with quiet(self.name, self._session):
            size, records = _size(coded)
        if records != self._size[1]:  # a value without a code
            raise DataError(CHANGED.format(self.name))
        if size > self._room(len(codes)):
            self._refuse(size, len(codes))
        return self._fetch(coded, [f"cast(c{i} AS string)" for i in range(len(codes))], size)

    def _coded(self, codes: Codes) -> Frame:
        """The different combinations c0, c1, … of codes, and how many rows n have each; they stay with the workers."""
        keys = [f"k{i}" for i in range(len(codes))]
        coded = counted(self._encoded(codes), keys, "sum(n) AS n")
        return coded.selectExpr(*(f"{key} AS c{i}" for i, key in enumerate(keys)), "n")

    def _fetch(self, rows: Frame, texts: Sequence[str], size: int) -> Combinations:
        with quiet(self.name, self._session):
            combinations = fetched_combinations(rows, texts, size)
        if combinations is None:
            raise DataError(CHANGED.format(self.name))
        return combinations

    def _fit(self, columns: tuple[str, ...]) -> bool:
        """Whether the driver has room for the different rows as far as these columns go."""
        with quiet(self.name, self._session):
            rows = self._scan(columns)
            if self._size == (-1, -1):
                self._size = _size(rows)
        return self._size[0] <= self._room(len(columns))

    def _scan(self, columns: Sequence[str]) -> Frame:
        """The different rows c0, c1, …, n, as far as these columns go; they stay with the workers until the next."""
        if self._scanned != tuple(columns):
            if self._different is not None:
                self._different.unpersist()
            keys = [f"{self._key(column)} AS c{i}" for i, column in enumerate(columns)]
            names = [f"c{i}" for i in range(len(columns))]
            different = counted(self._rows.selectExpr(*keys), names, "count(1) AS n")
            self._different = (different if columns else different.filter("n > 0")).persist()
            self._scanned, self._size = tuple(columns), (-1, -1)
        return self._different

    def _encoded(self, codes: Codes) -> Frame:
        """The different rows with the code of each of their values, k0, k1, …; rows without one are missing."""
        rows = self._scan(tuple(codes))
        for i, (column, code_of) in enumerate(codes.items()):
            dictionary = made(
                self._session,
                {f"t{i}": list(code_of), f"k{i}": np.fromiter(code_of.values(), np.int32, len(code_of))},
            )
            same = f"{self._text_of_key(f'c{i}', column)} <=> t{i}"
            rows = joined(rows, dictionary, same, len(code_of)).drop(f"t{i}")
        return rows

    def _with_rows(self, result: Counted, codes: Codes, unit: str | None, weight: str | None) -> Counted:
        """What was counted, with the units and the weights of its rows: one more scan, one row per unit and place."""
        columns = {f"m{i}": np.ascontiguousarray(result.combinations[:, i]) for i in range(len(codes))}
        ids = np.arange(len(result.counts), dtype=np.int64)
        placed = joined(self._keyed(codes, unit, weight), self._homes(codes, columns | {"id": ids}), self._same(codes))
        keys = ["id"] if unit is None else ["id", "u"]
        more = ["count(1) AS n"] if weight is None else ["count(1) AS n", "sum(w) AS w", "count(w) AS m"]
        with quiet(self.name, self._session):
            cells = fetched(counted(placed, keys, *more))
        id_of, rows = np.array(cells["id"], dtype=np.int64), np.array(cells["n"], dtype=np.int64)
        if rows.sum() != result.counts.sum():
            raise DataError(CHANGED.format(self.name))
        if unit is not None:
            result = replace(result, units=units_of(cells["u"], id_of, rows, len(result.counts)))
        if weight is not None:
            weights = np.zeros(len(result.counts))
            np.add.at(weights, id_of, np.array([w or 0.0 for w in cells["w"]]))
            result = replace(result, weights=weights, weightless=int(rows.sum() - sum(cells["m"])))
        return result

    def _keyed(self, codes: Mapping[str, object], unit: str | None = None, weight: str | None = None) -> Frame:
        """Rows with what they are put together by, q0, q1, …, their unit u and their weight w."""
        cells = [f"{self._key(column)} AS q{i}" for i, column in enumerate(codes)]
        cells += [] if unit is None else [f"{unit_sql(self._text(unit))} AS u"]
        cells += [] if weight is None else [f"{weight_sql(self._text(weight))} AS w"]
        return self._rows.selectExpr(*cells)

    def _homes(self, codes: Codes, combined: Mapping[str, NDArray[Any]]) -> Frame:
        """The different rows c0, c1, … with what is said of their combination of codes m0, m1, …"""
        same = " AND ".join(f"k{i} = m{i}" for i in range(len(codes))) or "true"
        rows = len(next(iter(combined.values())))
        dropped = [*(f"k{i}" for i in range(len(codes))), *(f"m{i}" for i in range(len(codes))), "n"]
        return joined(self._encoded(codes), made(self._session, combined), same, rows).drop(*dropped)

    @staticmethod
    def _same(codes: Mapping[str, object]) -> str:
        """Whether a row has the values of a home."""
        return " AND ".join(f"q{i} <=> c{i}" for i in range(len(codes))) or "true"

    def _room(self, columns: int) -> int:
        """How many combinations the driver has room for."""
        room = available() if self._memory_limit is None else left_of(self._memory_limit, _LEAST_MEMORY)
        return room // (_EACH_CODE * columns + _EACH_ROW)

    def _refuse(self, combinations: int, columns: int) -> None:
        needed = resident() + combinations * (_EACH_CODE * columns + _EACH_ROW)
        limit = readable_bytes(needed)
        more = f"a driver with {limit}" if self._memory_limit is None else setting("memory_limit", limit)
        coarser = setting("pre_generalise", self._room(columns))
        raise DataError(
            f"{self.name}: {combinations:,} different combinations do not fit into the memory of the driver; give "
            f"{more}, name fewer quasi-identifiers, or count values at coarser nodes: {coarser}."
        )


def _size(rows: Frame) -> tuple[int, int]:
    """How many different rows these are, and how many rows n they stand for."""
    cells = fetched(rows.agg(sql(rows, "count(1) AS size"), sql(rows, "coalesce(sum(n), 0L) AS n")))
    return cells["size"][0], cells["n"][0]


def _values(rows: Frame, texts: Sequence[str], times: str) -> Frame:
    """The different texts t of several columns, numbered i, and how many rows n have each."""
    cells = ", ".join(f"named_struct('i', {i}, 't', {text})" for i, text in enumerate(texts))
    each = rows.selectExpr(f"{times} AS n", f"explode(array({cells})) AS v").selectExpr("v.i AS i", "v.t AS t", "n")
    return counted(each, ["i", "t"], "sum(n) AS n")
