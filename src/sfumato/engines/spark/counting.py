"""Counting in Spark: one scan leaves the different rows with the workers; all that is counted comes from them.

What comes to the driver is the values of single columns, and combinations of codes: it grows with these, not with rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import WEIGHT, Counted, UnitCounts
from sfumato.engines.protocol import Codes
from sfumato.engines.read_by import called
from sfumato.engines.spark import typed
from sfumato.engines.spark.frames import (
    Frame,
    counted,
    fetched,
    joined,
    made,
    numbers,
    opened,
    quiet,
    sql,
)
from sfumato.errors import DataError
from sfumato.settings.memory import left_of, readable_bytes
from sfumato.settings.wording import setting

CHANGED = "{} has changed since it was counted; read it again."
_EACH_CODE, _EACH_ROW = 8, 64  # bytes of the driver: for a code, and for a row, while rows are fetched and put in order
_LEAST_MEMORY = 64 << 20
_MOST_COMBINATIONS = (1 << 31) - 2  # one more can still be asked for


class Counting:
    """What an engine says about rows without showing one. Columns are x0, x1, …, so that any name will do."""

    def __init__(self, source: Any, *, memory_limit: int | None = None) -> None:
        session, place = source if isinstance(source, tuple) else (None, None)
        self._frame: Frame = source if session is None else opened(session, place)
        self._session = self._frame.sparkSession
        self.name = "the Spark frame" if place is None else called(place)
        with quiet(self.name, self._session):
            fields = list(self._frame.schema.fields)
        self.columns = tuple(field.name for field in fields)
        if len(set(self.columns)) < len(self.columns):
            raise DataError(f"{self.name} has two columns of one name; give each its own.")
        self._kinds = {field.name: field.dataType.simpleString() for field in fields}
        self._position = {column: i for i, column in enumerate(self.columns)}
        self._rows = self._frame.toDF(*(f"x{i}" for i in range(len(self.columns))))
        self._memory_limit = memory_limit
        self._scanned: tuple[str, ...] | None = None
        self._different: Frame = None
        self._sets: frozenset[str] = frozenset()
        self.progress: Callable[[float], object] | None = None

    def read_sets(self, columns: Sequence[str], between: str) -> frozenset[str]:
        """From now on lists in these columns are texts, items divided by chr(31); says which columns hold lists."""
        self._sets = frozenset(name for name in columns if typed.item_kind(self._kinds[name]) is not None)
        return self._sets

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        """For each column, its different values with their number of rows; not if they are more than `most`."""
        if not columns:
            return {}
        with quiet(self.name, self._session):
            if most is None:
                rows = self._scan(columns)
                texts = [self._text_of_key(f"c{i}", column) for i, column in enumerate(columns)]
                values = _values(rows, texts, "n")
            else:
                plain = [(i, name) for i, name in enumerate(columns) if typed.is_plain(self._kinds[name])]
                values = _values(self._rows, [self._text(name) for _, name in plain], "1L")
                sizes = counted(values, ["i"], "count(1) AS size").filter(f"size <= {int(most)}")
                values = joined(values, sizes.selectExpr("i AS j"), "i = j", len(plain))
                columns = [name for _, name in plain]
            cells = fetched(values.select("i", "t", "n"))
        by_column: dict[str, dict[str | None, int]] = {}
        for i, text, rows_there in zip(*(cells[name] for name in ("i", "t", "n")), strict=True):
            by_column.setdefault(columns[i], {})[text] = rows_there
        if most is not None:
            return {name: by_column[name] for name in columns if name in by_column and most > 0}
        return {name: by_column.get(name, {}) for name in columns}

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
        keys = [f"k{i}" for i in range(len(codes))]
        with quiet(self.name, self._session):
            coded = counted(self._encoded(codes), keys, "sum(n) AS n")
            most = self._most(len(codes))
            groups = numbers(coded.limit(most + 1))
            ((rows,),) = fetched(self._scan(tuple(codes)).agg(sql(self._rows, "coalesce(sum(n), 0L) AS n"))).values()
        counts = np.asarray(groups.pop("n"), dtype=np.int64)
        if len(counts) > most:
            self._refuse(most)
        if counts.sum() != rows:  # a value that was not there, or is no more
            raise DataError(CHANGED.format(self.name))
        combinations = np.empty((len(counts), len(codes)), dtype=np.int32, order="F")
        for i, key in enumerate(keys):
            combinations[:, i] = groups.pop(key)
        result = Counted(combinations, counts)
        return result if unit is None and weight is None else self._with_rows(result, codes, unit, weight)

    def _scan(self, columns: Sequence[str]) -> Frame:
        """The different rows c0, c1, …, n, as far as these columns go; they stay with the workers until the next."""
        if self._scanned != tuple(columns):
            if self._different is not None:
                self._different.unpersist()
            keys = [f"{self._key(column)} AS c{i}" for i, column in enumerate(columns)]
            names = [f"c{i}" for i in range(len(columns))]
            self._different = counted(self._rows.selectExpr(*keys), names, "count(1) AS n").persist()
            self._scanned = tuple(columns)
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
            result = replace(result, units=_units(cells["u"], id_of, rows, len(result.counts)))
        if weight is not None:
            weights = np.zeros(len(result.counts))
            np.add.at(weights, id_of, np.array([w or 0.0 for w in cells["w"]]))
            result = replace(result, weights=weights, weightless=int(rows.sum() - sum(cells["m"])))
        return result

    def _keyed(self, codes: Mapping[str, object], unit: str | None = None, weight: str | None = None) -> Frame:
        """Rows with what they are put together by, q0, q1, …, their unit u and their weight w."""
        cells = [f"{self._key(column)} AS q{i}" for i, column in enumerate(codes)]
        cells += [] if unit is None else [f"{_unit(self._text(unit))} AS u"]
        cells += [] if weight is None else [f"{_weight(self._text(weight))} AS w"]
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

    def _cell(self, column: str) -> str:
        return f"x{self._position[column]}"

    def _text(self, column: str) -> str:
        self._require_plain(column)
        kind, cell = self._kinds[column], self._cell(column)
        return typed.list_text(cell, kind) if column in self._sets else typed.text_of(cell, kind)

    def _key(self, column: str) -> str:
        """What rows are put together by."""
        self._require_plain(column)
        kind = self._kinds[column]
        return self._text(column) if column in self._sets else typed.key_of(self._cell(column), kind)

    def _text_of_key(self, key: str, column: str) -> str:
        return key if column in self._sets else typed.text_of_key(key, self._kinds[column])

    def _require_plain(self, column: str) -> None:
        kind = self._kinds[column]
        if column not in self._sets and not typed.is_plain(kind):
            raise DataError(f"Column '{column}' of {self.name} holds {kind} values, not single ones; convert it.")

    def _most(self, columns: int) -> int:
        """How many combinations the driver has room for."""
        if self._memory_limit is None:
            return _MOST_COMBINATIONS
        return left_of(self._memory_limit, _LEAST_MEMORY) // (_EACH_CODE * columns + _EACH_ROW)

    def _refuse(self, most: int) -> None:
        more = setting("memory_limit", readable_bytes(2 * (self._memory_limit or 1)))
        raise DataError(
            f"{self.name}: more than {most:,} different combinations do not fit into the memory of the driver; "
            f"give {more}, name fewer quasi-identifiers, or make coarse columns of fine ones first."
        )


def _values(rows: Frame, texts: Sequence[str], times: str) -> Frame:
    """The different texts t of several columns, numbered i, and how many rows n have each."""
    cells = ", ".join(f"named_struct('i', {i}, 't', {text})" for i, text in enumerate(texts))
    each = rows.selectExpr(f"{times} AS n", f"explode(array({cells})) AS v").selectExpr("v.i AS i", "v.t AS t", "n")
    return counted(each, ["i", "t"], "sum(n) AS n")


def _unit(text: str) -> str:
    """`unit_text` of a text."""
    trimmed = f"trim(BOTH concat(' ', chr(9)) FROM {text})"
    return f"nullif(regexp_replace({trimmed}, '^(-?[0-9]+)[.]0+$', '$1'), '')"


def _weight(text: str) -> str:
    """`weight_of` a text; NULL where it says none."""
    trimmed = f"trim(BOTH concat(' ', chr(9)) FROM {text})"
    written = "^(" + WEIGHT.replace(r"\d", "[0-9]").replace(r"\.", "[.]").replace(r"\+", "[+]") + ")$"
    number = f"try_cast({trimmed} AS double)"
    return f"CASE WHEN {trimmed} rlike '{written}' AND {number} < double('inf') THEN {number} END"


def _units(
    names: Sequence[str | None], combination: NDArray[np.int64], rows: NDArray[np.int64], combinations: int
) -> UnitCounts:
    """The units of rows that were counted: one entry for each unit and combination."""
    known = np.array([name is not None for name in names], dtype=bool)
    number: dict[str, int] = {}
    persons = np.array([number.setdefault(n, len(number)) for n in names if n is not None], dtype=np.int64)
    places = np.bincount(persons, minlength=len(number))
    there, alone = combination[known], places[persons] == 1
    own = np.bincount(there[alone], minlength=combinations).astype(np.int64)
    shared = np.unique(persons[~alone], return_inverse=True)[1].astype(np.int64)
    return UnitCounts(own, shared, there[~alone], int(rows[~known].sum()))
