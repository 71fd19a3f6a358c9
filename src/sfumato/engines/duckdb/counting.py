"""Counting: one scan of the source leaves its different rows behind; all that is counted comes from them.

Memory grows with the number of different rows; what does not fit goes to disk.
"""

# ruff: noqa: S608 - names in the SQL are our own, and values travel as parameters or quoted

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import Counted
from sfumato.engines.duckdb.database import CHANGED, Database
from sfumato.engines.duckdb.recoded import coded
from sfumato.engines.duckdb.units import unit_sql, units_placed, weight_sql, weights_placed
from sfumato.engines.protocol import Codes
from sfumato.errors import DataError

_MOST_SETS = 30  # columns whose values are counted in one scan
_EACH_CODE, _EACH_ROW = 4, 48  # bytes: of a code, and of a row while rows are put in order
_MOST_JOINS = 20  # in one query: the time to plan it grows much faster than their number


class Counting(Database):
    """What an engine says about rows without showing one."""

    def __init__(self, source: object, *, memory_limit: int | None = None) -> None:
        super().__init__(source, memory_limit=memory_limit)
        self._counted: tuple[str, ...] | None = None

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        """For each column, its different values with their number of rows; not if they are more than `most`."""
        values: dict[str, dict[str | None, int]] = {}
        if most is None:
            self._scan(columns)
            for i, column in enumerate(columns):
                values[column] = self._values(f"c{i}", column, "counted")
            return values
        for start in range(0, len(columns), _MOST_SETS):
            values |= self._distinct_apart(columns[start : start + _MOST_SETS], most)
        return {column: counts for column, counts in values.items() if len(counts) <= most}

    def _distinct_apart(self, columns: Sequence[str], most: int) -> dict[str, dict[str | None, int]]:
        """The values of each column by itself, in one scan; grouped together, they might make every row a group."""
        self._source.show(self._connection, columns)
        plain = [column for column in columns if self._source.is_plain(column)]
        if not plain:
            return {}
        cells = ", ".join(self._cell(column) for column in plain)
        sets = ", ".join(f"({self._cell(column)})" for column in plain)
        self._read(
            f"CREATE OR REPLACE TEMP TABLE apart AS SELECT {cells}, grouping({cells}) AS rest, count(*) AS n "
            f"FROM source GROUP BY GROUPING SETS ({sets})",
            "apart",
            times=len(plain),
        )
        everything = (1 << len(plain)) - 1
        values = {}
        for i, column in enumerate(plain):
            own = f"apart WHERE rest = {everything ^ 1 << len(plain) - 1 - i}"
            values[column] = self._values(self._cell(column), column, own, most + 1)
        self._run("DROP TABLE apart")
        return values

    def _values(self, cell: str, column: str, rows: str, limit: int | None = None) -> dict[str | None, int]:
        """The different texts of a column of counted rows, with their number of rows."""
        text = self._source.text(cell, column)
        least = "" if limit is None else f" LIMIT {limit}"
        return dict(self._execute(f"SELECT {text}, sum(n)::BIGINT FROM {rows} GROUP BY ALL{least}").fetchall())

    def repeats(self, columns: Sequence[str]) -> dict[str, int]:
        """For each column, how many rows repeat a value of another."""
        if not columns:
            return {}
        self._source.show(self._connection, columns)
        cells = {column: self._cell(column) for column in columns}
        texts = [
            self._source.text(cell, column) if self._source.is_plain(column) else f"{cell}::VARCHAR"
            for column, cell in cells.items()
        ]
        counts = ", ".join(f"count({text}) - count(DISTINCT {text})" for text in texts)
        return dict(zip(columns, self._execute(f"SELECT {counts} FROM source").fetchall()[0], strict=True))

    def rows_of(self, columns: Sequence[str], most: int | None = None) -> list[list[str | None]]:
        """For each column, the texts of all rows, or of the first so many, in the order of the source, in memory."""
        self._source.show(self._connection, columns)
        texts = [f"{self._source.text(self._cell(name), name)} AS c{i}" for i, name in enumerate(columns)]
        limit = "" if most is None else f" LIMIT {most}"
        cells = self._execute(f"SELECT {', '.join(texts)} FROM source{limit}").fetchnumpy()
        every: list[Any] = [cells[f"c{i}"] for i in range(len(columns))]  # masked where a cell is missing
        return [texts.tolist() for texts in every]

    def types(self, columns: Sequence[str]) -> dict[str, str]:
        """The type of each column that has one, by the names of `Typed`."""
        known = {column: self._source.kind(column) for column in columns}
        return {column: kind for column, kind in known.items() if kind is not None}

    def count(self, codes: Codes, *, unit: str | None = None, weight: str | None = None) -> Counted:
        """The different combinations of codes, the number of rows of each, and their units and weights if asked for."""
        groups = self._combinations(codes, encoded=unit is not None or weight is not None)
        combinations = np.empty((len(groups["n"]), len(codes)), dtype=np.int32, order="F")
        for i in range(len(codes)):  # column by column, so that none is there twice for long
            combinations[:, i] = groups.pop(f"k{i}")
        counted = Counted(combinations, np.asarray(groups.pop("n"), dtype=np.int64))
        self._give_back()
        return counted if unit is None and weight is None else self._with_rows(counted, codes, unit, weight)

    def combinations(self, codes: Codes) -> int:
        """How many different combinations of codes there are; none is fetched."""
        self._encode(codes)
        keys = ", ".join(["true", *(f"k{i}" for i in range(len(codes)))])
        there: int = self._execute(f"SELECT count(*) FROM (SELECT DISTINCT {keys} FROM encoded)").fetchall()[0][0]
        return there

    def _combinations(self, codes: Codes, *, encoded: bool) -> dict[str, Any]:
        """The different combinations of codes k0, k1, … with their rows n; encoded: the table of that name stays."""
        keys = ", ".join(f"k{i}" for i in range(len(codes)))
        if encoded or len(codes) > _MOST_JOINS:
            self._encode(codes)
            return self._execute(f"SELECT {keys}, sum(n)::BIGINT AS n FROM encoded GROUP BY ALL").fetchnumpy()
        self._scan(tuple(codes))
        query = coded(self._source, "counted", list(enumerate(codes.items())), "n")
        # Different rows have different codes, unless there are cells of one text, or texts of one value.
        if any(self._source.text("x", x) != "x" or len(set(codes[x].values())) < len(codes[x]) for x in codes):
            query = f"SELECT {keys}, sum(n)::BIGINT AS n FROM ({query}) GROUP BY ALL"
        with self._dictionaries(codes):
            return self._execute(query).fetchnumpy()

    def _scan(self, columns: Sequence[str]) -> None:
        """Reads the source: its different rows, as far as these columns go, stay behind as a table."""
        if self._counted == tuple(columns):
            return
        self._make_room()
        chosen = ", ".join([*(f"{self._cell(column)} AS c{i}" for i, column in enumerate(columns)), "count(*) AS n"])
        for column in columns:
            self._source.text("", column)  # refuses what is not a single value
        self._source.show(self._connection, columns)
        self._read(f"CREATE OR REPLACE TEMP TABLE counted AS SELECT {chosen} FROM source GROUP BY ALL", "counted")
        self._counted = tuple(columns)
        if self._memory_limit is not None:
            ((rows,),) = self._run("SELECT count(*) FROM counted")
            self._require_room(rows * (_EACH_CODE * len(columns) + _EACH_ROW), f"{rows:,} distinct rows")

    def _encode(self, codes: Codes) -> None:
        """The different rows with the code of each of their values, k0, k1, …, as a table."""
        self._scan(tuple(codes))
        numbered = list(enumerate(codes.items()))
        if len(numbered) <= _MOST_JOINS:
            with self._dictionaries(codes):
                self._run(f"CREATE OR REPLACE TEMP TABLE encoded AS {coded(self._source, 'counted', numbered, 't.*')}")
            return
        # A table of codes for each group of columns, in the order of the rows; they are put side by side in the end.
        starts = range(0, len(numbered), _MOST_JOINS)
        with self._dictionaries(codes):
            for start in starts:
                some = numbered[start : start + _MOST_JOINS]
                query = coded(self._source, "counted", some, f"t.rowid AS row{start}", outer=True)
                self._run(f"CREATE OR REPLACE TEMP TABLE codes{start} AS {query} ORDER BY row{start}")
        keys = ", ".join(f"k{i}" for i, _ in numbered)
        beside = " ".join(f"POSITIONAL JOIN codes{start}" for start in starts)
        whole = " AND ".join(f"k{i} IS NOT NULL" for i, _ in numbered)
        self._run(
            f"CREATE OR REPLACE TEMP TABLE encoded AS SELECT counted.*, {keys} FROM counted {beside} WHERE {whole}"
        )
        for start in starts:
            self._run(f"DROP TABLE codes{start}")

    def _dictionaries(self, codes: Codes) -> AbstractContextManager[None]:
        """Tables d0, d1, … of texts and their codes."""
        return self._registered({f"d{i}": dictionary(coded) for i, coded in enumerate(codes.values())})

    def _with_rows(self, counted: Counted, codes: Codes, unit: str | None, weight: str | None) -> Counted:
        """What was counted, with the units and the weights of its rows: one more scan, one row per unit and place."""
        self._source.show(self._connection, [*codes, *(column for column in (unit, weight) if column is not None)])
        texts = " AND ".join(f"{self._cell(x)} IS NOT DISTINCT FROM encoded.c{i}" for i, x in enumerate(codes))
        same = " AND ".join(f"encoded.k{i} = numbered.k{i}" for i in range(len(codes)))
        chosen = ["numbered.id", "count(*) AS n"]
        if unit is not None:
            chosen.append(f"{unit_sql(self._source.text(self._cell(unit), unit))} AS u")
        if weight is not None:
            number = weight_sql(self._source.text(self._cell(weight), weight))
            chosen += [f"fsum({number}) AS w", f"count({number}) AS m"]
        numbered: dict[str, NDArray[Any]] = {"id": np.arange(len(counted.counts))}
        numbered |= {f"k{i}": np.ascontiguousarray(counted.combinations[:, i]) for i in range(len(codes))}
        with self._registered({"numbered": numbered}):
            self._run(
                f"CREATE OR REPLACE TEMP TABLE placed AS SELECT {', '.join(chosen)} "
                f"FROM source JOIN encoded ON {texts} JOIN numbered ON {same} GROUP BY ALL"
            )
        placed = self._execute("SELECT coalesce(sum(n), 0)::BIGINT FROM placed").fetchall()[0][0]
        if placed != counted.counts.sum():
            raise DataError(CHANGED.format(self.name))
        if unit is not None:
            counted = replace(counted, units=units_placed(self._execute, len(counted.counts)))
        if weight is not None:
            weights, weightless = weights_placed(self._execute, len(counted.counts))
            counted = replace(counted, weights=weights, weightless=weightless)
        self._run("DROP TABLE placed")
        return counted


def dictionary(column: Mapping[str | None, int]) -> dict[str, NDArray[Any]]:
    """Texts and their codes, as a table."""
    texts = np.empty(len(column), dtype=object)
    texts[:] = list(column)
    return {"text": texts, "code": np.fromiter(column.values(), np.int32, len(column))}
