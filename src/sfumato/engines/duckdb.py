"""DuckDB: the embedded engine. Any source that it can see is scanned once to count and at most once to recode.

Memory grows with the number of different rows; what does not fit goes to disk.
"""

# ruff: noqa: S608 - names in the SQL are our own, and values travel as parameters or quoted

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import Counted, dictionary, unit_sql, units_placed, weight_sql, weights_placed
from sfumato.engines.ordered_rows import OrderedRows
from sfumato.engines.plan import ReleasePlan, hash_sql
from sfumato.engines.protocol import Codes
from sfumato.engines.recoded import coded, matched_rows, outputs
from sfumato.engines.source import literal
from sfumato.engines.writers import columns, ending, is_parquet, is_plain_csv, write, write_copies, written
from sfumato.errors import DataError

_MOST_LISTED = 1000  # values of a column that are written with every block of its rows
_MOST_SETS = 30  # columns whose values are counted in one scan
_FEW_TIMES = 4  # copies of a row, on average, that make it worth while to print it once
_CHANGED = "{} has changed since it was counted; read it again."
_MOST_JOINS = 20  # in one query: the time to plan it grows much faster than their number


class DuckDBEngine(OrderedRows):
    """One table, seen through an in-memory DuckDB."""

    def __init__(self, source: object, *, memory_limit: int | None = None) -> None:
        super().__init__(source, memory_limit=memory_limit)
        self._counted: tuple[str, ...] | None = None
        self._releases = count()

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
        return {column: found for column, found in values.items() if len(found) <= most}

    def _distinct_apart(self, columns: Sequence[str], most: int) -> dict[str, dict[str | None, int]]:
        """The values of each column for itself, found in one scan: together, they might tell all rows apart."""
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
        found = {}
        for i, column in enumerate(plain):
            own = f"apart WHERE rest = {everything ^ 1 << len(plain) - 1 - i}"
            found[column] = self._values(self._cell(column), column, own, most + 1)
        self._run("DROP TABLE apart")
        return found

    def _values(self, cell: str, column: str, rows: str, limit: int | None = None) -> dict[str | None, int]:
        """The different texts of a column of counted rows, with their number of rows."""
        text = self._source.text(cell, column)
        least = "" if limit is None else f" LIMIT {limit}"
        return dict(self._execute(f"SELECT {text}, sum(n)::BIGINT FROM {rows} GROUP BY ALL{least}").fetchall())

    def read_sets(self, columns: Sequence[str], between: str) -> frozenset[str]:
        """From now on lists in these columns are texts, items divided by chr(31); says which columns hold lists."""
        self._source.lists = frozenset(column for column in columns if self._source.holds_lists(column))
        self._source.between = between
        return self._source.lists

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

    def count(self, codes: Codes, *, unit: str | None = None, weight: str | None = None) -> Counted:
        """The different combinations of codes, the number of rows of each, and their units and weights if asked for."""
        found = self._combinations(codes, encoded=unit is not None or weight is not None)
        combinations = np.empty((len(found["n"]), len(codes)), dtype=np.int32)
        for i in range(len(codes)):
            combinations[:, i] = found[f"k{i}"]
        counted = Counted(combinations, np.asarray(found["n"], dtype=np.int64))
        return counted if unit is None and weight is None else self._with_rows(counted, codes, unit, weight)

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

    def recode(self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False) -> Any:
        """The released rows: written to the path in the format of its ending, or else in the kind of the source."""
        if path is not None and is_plain_csv(Path(path)) and not plan.kept:
            different, copies = plan.printed
            if len(different) * _FEW_TIMES <= copies.sum():
                self._copy_rows(plan, different, copies, Path(path), safe)
                return written(Path(path), self._source)
        listed = frozenset(plan.order if path is not None and is_parquet(Path(path)) else ())
        with self._released(plan, listed) as (query, parameters):
            if path is None:
                rows = f"released{next(self._releases)}"
                found = self._run(f"CREATE TABLE {rows} AS {query}", parameters)[0][0]
            else:
                named = f"SELECT {columns(Path(path), plan, self._source, safe)} FROM ({query})"
                found = write(self._run, Path(path), named, parameters, self._source)
        if found != plan.copies.sum():
            raise DataError(_CHANGED.format(self.name))
        return self._returned(rows, plan) if path is None else written(Path(path), self._source)

    def _copy_rows(
        self, plan: ReleasePlan, different: NDArray[np.int64], copies: NDArray[np.int64], path: Path, safe: bool
    ) -> None:
        """Writes a CSV file of rows that are repeated: DuckDB prints each once, and the text is copied."""
        self._print(plan, different)
        once = self._spill.file(f"printed{ending(path)}")
        cells = f"SELECT r, {outputs(plan, self._source, ())} FROM printed"
        named = f"SELECT {columns(path, plan, self._source, safe)} FROM ({cells}) ORDER BY r"
        write(self._run, once, named, {}, self._source)
        write_copies(path, once.read_bytes(), plan.shuffled(copies, self._spill.path), self.progress)
        once.unlink()

    def _returned(self, rows: str, plan: ReleasePlan) -> Any:
        """The released rows in the kind of the source; a relation reads them later, so it gets a cursor for itself."""
        released = self._source.returned(self._connection.cursor(), rows, plan)
        if not self._source.lazy:
            self._run(f"DROP TABLE {rows}")
        return released

    def _scan(self, columns: Sequence[str]) -> None:
        """Reads the source: its different rows, as far as these columns go, stay behind as a table."""
        if self._counted == tuple(columns):
            return
        chosen = ", ".join([*(f"{self._cell(column)} AS c{i}" for i, column in enumerate(columns)), "count(*) AS n"])
        for column in columns:
            self._source.text("", column)  # says no to what is no single value
        self._source.show(self._connection, columns)
        self._read(f"CREATE OR REPLACE TEMP TABLE counted AS SELECT {chosen} FROM source GROUP BY ALL", "counted")
        self._counted = tuple(columns)

    def _read(self, query: str, table: str, times: int = 1) -> None:
        """Makes a table of all rows of the source, each counted so many times, and has the source confirm it."""
        while True:
            self._run(query)
            rows = self._run(f"SELECT coalesce(sum(n), 0)::BIGINT FROM {table}")[0][0] // times
            if self._source.read_all(rows):
                return
            if not self._source.try_otherwise(self._connection):
                raise DataError(f"{self.name}: its lines are not its records; check quotation marks and line ends.")

    def _encode(self, codes: Codes) -> None:
        """The different rows with the code of each of their values, k0, k1, …, as a table."""
        self._scan(tuple(codes))
        numbered = list(enumerate(codes.items()))
        with self._dictionaries(codes):
            for start in range(0, len(numbered), _MOST_JOINS):
                query = coded(
                    self._source, "encoded" if start else "counted", numbered[start : start + _MOST_JOINS], "t.*"
                )
                self._run(f"CREATE OR REPLACE TEMP TABLE encoded AS {query}")

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
            raise DataError(_CHANGED.format(self.name))
        if unit is not None:
            counted = replace(counted, units=units_placed(self._execute, len(counted.counts)))
        if weight is not None:
            weights, weightless = weights_placed(self._execute, len(counted.counts))
            counted = replace(counted, weights=weights, weightless=weightless)
        self._run("DROP TABLE placed")
        return counted

    @contextmanager
    def _released(self, plan: ReleasePlan, listed: frozenset[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """A query for the released rows o0, o1, … in their order, with its parameters.

        Columns that are `listed` stay enumerations, if their values are few: Parquet lists the values of texts itself.
        """
        if not plan.kept:
            different, copies = plan.printed
            listed &= self._print(plan, different)
            order = {"r": plan.shuffled(copies, self._spill.path)}
            with self._registered({"released": order}), self._joins_as_written(len(order["r"])):
                yield f"SELECT {outputs(plan, self._source, listed)} FROM released JOIN printed USING (r)", {}
            return
        listed &= self._print(plan, np.arange(len(plan.entry)))
        self._encode({column: plan.codes[column] for column in plan.columns})
        self._source.show(self._connection, [*plan.columns, *plan.kept])
        rows = matched_rows(plan, self._source, self._cell)
        ordered = hash_sql([f"o{i}" for i in range(len(plan.order))])
        yield f"SELECT {outputs(plan, self._source, listed)} FROM ({rows}) ORDER BY {ordered}", {"seed": str(plan.seed)}

    def _print(self, plan: ReleasePlan, chosen: NDArray[np.int64]) -> frozenset[str]:
        """What these entries of the plan publish, as a table: a number r, their codes, their cells o0, o1, …

        Texts are enumerations of what is published, for numbers are faster to move; says which have few values.
        """
        keys = range(len(plan.columns))
        place = {column: i for i, column in enumerate(plan.order)}
        start = plan.starts
        entries = {f"k{i}": np.ascontiguousarray(plan.combinations[plan.entry[chosen], i]) for i in keys}
        entries |= {f"p{i}": np.ascontiguousarray(plan.published[chosen, i]) for i in keys}
        entries |= {"r": np.arange(len(chosen), dtype=np.int32), "start": start[chosen]}
        entries |= {"stop": (start + plan.copies)[chosen]}
        labels: dict[str, list[str | None]] = {}
        cells, few = [], set()
        self._run("DROP TABLE IF EXISTS printed")  # the types below were its
        for i, column in enumerate(plan.columns):
            own = column in plan.unchanged
            labels[f"l{i}"] = [self._source.printed(label) if own else label for label in plan.labels[column]]
            cell = f"list_extract($l{i}::VARCHAR[], p{i} + 1)"
            typed = self._source.value(cell, column) if own else self._source.shaped(cell, column)
            published = (labels[f"l{i}"][label] for label in np.unique(entries[f"p{i}"]))
            if typed == cell and (texts := sorted({label for label in published if label is not None})):
                few |= {column} if len(texts) <= _MOST_LISTED else set()
                self._run(f"CREATE OR REPLACE TYPE e{i} AS ENUM ({', '.join(map(literal, texts))})")
                typed = f"{cell}::e{i}"
            cells.append(f"{typed} AS o{place[column]}")
        every = ", ".join([*(f"k{i}" for i in keys), "r", '"start"', "stop", *cells])
        with self._registered({"entries": entries}):
            self._run(f"CREATE OR REPLACE TEMP TABLE printed AS SELECT {every} FROM entries", labels)
        return frozenset(few)
