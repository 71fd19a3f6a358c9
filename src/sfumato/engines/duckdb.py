"""DuckDB: the embedded engine. CSV files and pandas frames, scanned once to count and at most once to recode.

DuckDB sees texts only: every column of the source is x0, x1, … of type VARCHAR, whatever it is called or was.
"""

# ruff: noqa: S608 - names in the SQL are our own, and values travel as parameters or quoted

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import WEIGHT, Counted, UnitCounts
from sfumato.engines.csv_dialect import CsvDialect, odd_line_end, quotes_close, read_header
from sfumato.engines.pandas_frame import PandasFrame, is_frame
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.protocol import Codes
from sfumato.errors import DataError

# Nothing is ever fetched, and columns of texts are not searched for numbers.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "pandas_analyze_sample": 0,
}
_MOST_JOINS = 20  # in one query: the time to plan it grows much faster than their number


class DuckDBEngine:
    """One table, seen through an in-memory DuckDB."""

    def __init__(self, source: object) -> None:
        # What does not fit into memory goes to a folder that nobody else can read, and that does not stay.
        spill = tempfile.mkdtemp(prefix="sfumato-")
        weakref.finalize(self, shutil.rmtree, spill, ignore_errors=True)
        self._connection = duckdb.connect(config=_CONFIG | {"temp_directory": spill})
        self._dialect = CsvDialect()
        self._frame = PandasFrame(cast("Any", source)) if is_frame(source) else None
        self._path = Path() if self._frame else Path(cast("str", source))
        self.name = f"the {type(source).__name__}" if self._frame else self._path.name
        self._parallel = False
        if self._frame:
            self._columns = self._frame.columns
        else:
            self._dialect, self._columns = read_header(self._path)
            self._view_csv(parallel=True)
        self._position = {column: i for i, column in enumerate(self._columns)}
        self._counted: tuple[str, ...] | None = None

    @staticmethod
    def accepts(source: object) -> bool:
        """Whether the source is a path or a pandas frame."""
        return isinstance(source, str | os.PathLike) or is_frame(source)

    @property
    def columns(self) -> tuple[str, ...]:
        """The source's columns, in order."""
        return self._columns

    def distinct(self, columns: Sequence[str]) -> dict[str, dict[str | None, int]]:
        """For each column, its different values with their number of rows."""
        self._scan(columns)
        return {
            column: dict(self._execute(f"SELECT c{i}, sum(n)::BIGINT FROM counted GROUP BY ALL").fetchall())
            for i, column in enumerate(columns)
        }

    def repeats(self, columns: Sequence[str]) -> dict[str, int]:
        """For each column, how many rows repeat a value of another."""
        if not columns:
            return {}
        self._view(columns)
        texts = [self._text(column) for column in columns]
        counts = ", ".join(f"count({text}) - count(DISTINCT {text})" for text in texts)
        return dict(zip(columns, self._execute(f"SELECT {counts} FROM source").fetchall()[0], strict=True))

    def count(self, codes: Codes, *, unit: str | None = None, weight: str | None = None) -> Counted:
        """The different combinations of codes, the number of rows of each, and their units and weights if asked for."""
        self._encode(codes)
        chosen = ", ".join([*(f"k{i}" for i in range(len(codes))), "sum(n)::BIGINT AS n"])
        found = self._execute(f"SELECT {chosen} FROM encoded GROUP BY ALL").fetchnumpy()
        combinations = np.empty((len(found["n"]), len(codes)), dtype=np.int32)
        for i in range(len(codes)):
            combinations[:, i] = found[f"k{i}"]
        counted = Counted(combinations, np.asarray(found["n"], dtype=np.int64))
        return counted if unit is None and weight is None else self._with_rows(counted, codes, unit, weight)

    def recode(self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None) -> Any:
        """The released rows: written to the path as CSV, or else returned as a pandas frame."""
        with self._published(plan) as (query, parameters):
            if path is None:
                released = self._to_frame(plan, query, parameters)
                rows = len(released)
            else:
                released, rows = None, self._to_csv(plan, query, parameters, path)
        if rows != plan.copies.sum():
            raise DataError(f"{self.name} has changed since it was counted; read it again.")
        return released

    def _to_frame(self, plan: ReleasePlan, query: str, parameters: dict[str, Any]) -> Any:
        try:
            released = self._execute(query, parameters).df()
        except ImportError:
            raise DataError("A release in memory needs pandas; install it, or write the release to a file.") from None
        released.columns = list(plan.order)
        return self._frame.typed(released, plan.unchanged.union(plan.kept)) if self._frame else released

    def _to_csv(self, plan: ReleasePlan, query: str, parameters: dict[str, Any], path: str | os.PathLike[str]) -> int:
        if len({name.lower() for name in plan.order}) < len(plan.order):
            raise DataError(f"{self.name} has two columns that differ in capital letters alone; rename one of them.")
        options = (
            f"FORMAT csv, HEADER, DELIMITER {_literal(self._dialect.delimiter)}, COMPRESSION none, USE_TMP_FILE false"
        )
        written = self._execute(f"COPY ({query}) TO {_literal(os.fspath(path))} ({options})", parameters).fetchone()
        return int(written[0]) if written else 0

    def _view_csv(self, *, parallel: bool) -> None:
        self._parallel = parallel
        columns = ", ".join(f"'x{i}': 'VARCHAR'" for i in range(len(self._columns)))
        # A path is no pattern: each of DuckDB's wildcards stands for itself inside brackets.
        exactly = re.sub(r"([*?\[])", r"[\1]", os.fspath(self._path.absolute()))
        self._connection.execute(
            f"CREATE OR REPLACE VIEW source AS SELECT * FROM read_csv({_literal(exactly)}, auto_detect=false, "
            f"header=true, columns={{{columns}}}, delim={_literal(self._dialect.delimiter)}, quote='\"', escape='\"', "
            f"nullstr='', compression='{'gzip' if self._dialect.compressed else 'none'}', hive_partitioning=false, "
            f"parallel={str(parallel).lower()})"
        )

    def _view(self, columns: Sequence[str]) -> None:
        """Makes these columns of the source visible."""
        if self._frame:
            texts = {f"x{self._position[column]}": self._frame.texts(column) for column in columns}
            self._connection.register("source", texts)

    def _cell(self, column: str) -> str:
        """A column's cells, as SQL."""
        return f"x{self._position[column]}"

    def _text(self, column: str) -> str:
        """A column's values, as SQL; the missing value is NULL, and so is the empty text."""
        return f"nullif({self._cell(column)}, '')"

    def _scan(self, columns: Sequence[str]) -> None:
        """Reads the source: its different rows, as far as these columns go, stay behind as a table."""
        if self._counted == tuple(columns):
            return
        chosen = ", ".join([*(f"{self._text(column)} AS c{i}" for i, column in enumerate(columns)), "count(*) AS n"])
        self._view(columns)
        self._execute(f"CREATE OR REPLACE TEMP TABLE counted AS SELECT {chosen} FROM source GROUP BY ALL")
        self._counted = tuple(columns)

    def _execute(self, query: str, parameters: Mapping[str, Any] | None = None) -> duckdb.DuckDBPyConnection:
        """Runs a query. What DuckDB says about a broken file quotes cells, and stays in here."""
        try:
            return self._interruptible(query, parameters)
        except duckdb.Error as error:
            fault = self._fault(error)
            again = self._parallel and not isinstance(error, duckdb.IOException)
        # Several threads take some large files with line breaks in their cells for broken. One thread does not, but
        # overlooks a quotation mark that is never closed.
        if not again or not quotes_close(self._path, self._dialect.compressed):
            raise DataError(fault)
        self._view_csv(parallel=False)
        return self._execute(query, parameters)

    def _interruptible(self, query: str, parameters: Mapping[str, Any] | None) -> duckdb.DuckDBPyConnection:
        """Runs a query in a thread of its own, for DuckDB itself is deaf to Ctrl-C as long as it works."""
        with ThreadPoolExecutor(max_workers=1) as pool:
            done = pool.submit(self._connection.execute, query, parameters)
            try:
                return done.result()
            except KeyboardInterrupt:
                self._connection.interrupt()
                raise

    def _fault(self, error: duckdb.Error) -> str:
        """What is wrong with the file, without the line of data that DuckDB quotes."""
        text = str(error)
        if isinstance(error, duckdb.IOException):
            lost = "The release cannot be written; is there room on the disk?"
            return lost if "write" in text else f"{self.name} cannot be read any more; is it still there?"
        line = re.search(r"Line: (\d+)", text)
        number = int(line[1]) if line else odd_line_end(self._path, self._dialect.compressed)
        where = self.name if number is None else f"{self.name}, line {number}"
        counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
        if counts:
            return (
                f"{where}: another number of cells ({counts[2]}) than the header has ({counts[1]}); correct the line."
            )
        if "Invalid unicode" in text:
            return f"{where}: not UTF-8; save the file with that encoding."
        if "unterminated quote" in text:
            return f"{where}: a quotation mark is not closed; close it, and double those inside a cell."
        if number is not None and not line:
            return f"{where}: it ends in another way than the lines before; save the file with one kind of line end."
        return f"{where}: no CSV that can be read; check quotation marks, line ends and very long lines."

    def _encode(self, codes: Codes) -> None:
        """The different rows with the code of each of their texts, k0, k1, …, as a table."""
        self._scan(tuple(codes))
        numbered = list(enumerate(codes.values()))
        for start in range(0, len(numbered), _MOST_JOINS):
            some = numbered[start : start + _MOST_JOINS]
            chosen = ", ".join(["t.*", *(f"d{i}.code AS k{i}" for i, _ in some)])
            joins = " ".join(f"JOIN d{i} ON t.c{i} IS NOT DISTINCT FROM d{i}.text" for i, _ in some)
            rows = "encoded" if start else "counted"
            with self._registered({f"d{i}": _dictionary(column) for i, column in some}):
                self._execute(f"CREATE OR REPLACE TEMP TABLE encoded AS SELECT {chosen} FROM {rows} AS t {joins}")

    def _with_rows(self, counted: Counted, codes: Codes, unit: str | None, weight: str | None) -> Counted:
        """What was counted, with the units and the weights of its rows: one more scan, one row per unit and place."""
        self._view([*codes, *(column for column in (unit, weight) if column is not None)])
        texts = " AND ".join(f"{self._text(x)} IS NOT DISTINCT FROM encoded.c{i}" for i, x in enumerate(codes))
        same = " AND ".join(f"encoded.k{i} = numbered.k{i}" for i in range(len(codes)))
        chosen = ["numbered.id", "count(*) AS n"]
        chosen += [] if unit is None else [f"{self._unit(unit)} AS u"]
        chosen += (
            [] if weight is None else [f"fsum({self._weight(weight)}) AS w", f"count({self._weight(weight)}) AS m"]
        )
        numbered = {f"k{i}": np.ascontiguousarray(counted.combinations[:, i]) for i in range(len(codes))}
        numbered |= {"id": np.arange(len(counted.counts))}
        with self._registered({"numbered": numbered}):
            self._execute(
                f"CREATE OR REPLACE TEMP TABLE placed AS SELECT {', '.join(chosen)} "
                f"FROM source JOIN encoded ON {texts} JOIN numbered ON {same} GROUP BY ALL"
            )
        placed = self._execute("SELECT coalesce(sum(n), 0)::BIGINT FROM placed").fetchall()[0][0]
        if placed != counted.counts.sum():
            raise DataError(f"{self.name} has changed since it was counted; read it again.")
        if unit is not None:
            counted = replace(counted, units=self._units(len(counted.counts)))
        if weight is not None:
            found = self._execute(
                "SELECT id, coalesce(fsum(w), 0) AS w, sum(n - m)::BIGINT AS m FROM placed GROUP BY id"
            ).fetchnumpy()
            weights = np.zeros(len(counted.counts))
            weights[found["id"]] = found["w"]
            counted = replace(counted, weights=weights, weightless=int(np.asarray(found["m"]).sum()))
        self._execute("DROP TABLE placed")
        return counted

    def _units(self, combinations: int) -> UnitCounts:
        """The units of the rows that were placed."""
        known = "FROM placed WHERE u IS NOT NULL GROUP BY u"
        alone = self._execute(
            f"SELECT id, count(*) AS n FROM (SELECT min(id) AS id {known} HAVING count(*) = 1) GROUP BY id"
        ).fetchnumpy()
        own = np.zeros(combinations, dtype=np.int64)
        own[alone["id"]] = alone["n"]
        shared = self._execute(
            f"WITH shared AS (SELECT u, row_number() OVER () - 1 AS person {known} HAVING count(*) > 1) "
            "SELECT person, id FROM placed JOIN shared USING (u)"
        ).fetchnumpy()
        unknown = self._execute("SELECT coalesce(sum(n), 0)::BIGINT FROM placed WHERE u IS NULL").fetchall()[0][0]
        person, combination = (np.asarray(shared[name], dtype=np.int64) for name in ("person", "id"))
        return UnitCounts(own, person, combination, unknown)

    def _unit(self, column: str) -> str:
        """A column's values as the texts that units are known by, as SQL; see `unit_text`."""
        text = f"trim({self._cell(column)}, ' ' || chr(9))"
        whole = f"regexp_replace({text}, '^(-?[0-9]+)\\.0+$', '\\1')"
        return f"nullif(CASE WHEN contains({text}, '.0') THEN {whole} ELSE {text} END, '')"

    def _weight(self, column: str) -> str:
        """A column's values as weights, as SQL; NULL where there is none; see `weight_of`."""
        text = f"trim({self._cell(column)}, ' ' || chr(9))"
        number = f"TRY_CAST({text} AS DOUBLE)"
        return f"CASE WHEN regexp_full_match({text}, '{WEIGHT}') AND isfinite({number}) THEN {number} END"

    @contextmanager
    def _registered(self, tables: Mapping[str, Mapping[str, NDArray[Any]]]) -> Iterator[None]:
        for name, table in tables.items():
            self._connection.register(name, table)
        try:
            yield
        finally:
            for name in tables:
                self._connection.unregister(name)

    @contextmanager
    def _published(self, plan: ReleasePlan) -> Iterator[tuple[str, dict[str, Any]]]:
        """A query for the released rows, with its parameters."""
        labels = {f"l{i}": list(plan.labels[column]) for i, column in enumerate(plan.columns)}
        if not plan.kept:
            rows = plan.rows()
            with self._registered({"released": {f"p{i}": rows[:, i] for i in range(len(plan.columns))}}):
                yield f"SELECT {_named(self._cells(plan), plan)} FROM released", labels
            return
        keys = range(len(plan.columns))
        start = _start_of_entries(plan)
        entries = {f"k{i}": np.ascontiguousarray(plan.combinations[plan.entry, i]) for i in keys}
        entries |= {f"p{i}": np.ascontiguousarray(plan.published[:, i]) for i in keys}
        entries |= {"start": start, "stop": start + plan.copies}
        self._encode({column: plan.codes[column] for column in plan.columns})
        self._view([*plan.columns, *plan.kept])
        with self._registered({"entries": entries}):
            yield self._recoding_query(plan), {**labels, "seed": str(plan.seed)}

    def _recoding_query(self, plan: ReleasePlan) -> str:
        """Rows of the source find their combination, are dealt out over its entries, and are shuffled by a hash."""
        keys = range(len(plan.columns))
        texts = " AND ".join(f"{self._text(x)} IS NOT DISTINCT FROM encoded.c{i}" for i, x in enumerate(plan.columns))
        together = ", ".join(f"k{i}" for i in keys)
        coded = ", ".join([*(self._cell(column) for column in plan.kept), together])
        same = " AND ".join(f"coded.k{i} = entries.k{i}" for i in keys)
        if not plan.whole:
            kept = _hash([self._cell(column) for column in plan.kept])
            coded += f", row_number() OVER (PARTITION BY {together} ORDER BY {kept}) AS place"
            same += " AND coded.place > entries.start AND coded.place <= entries.stop"
        cells = ", ".join(f"{cell} AS o{i}" for i, cell in enumerate(self._cells(plan)))
        out = [f"o{i}" for i in range(len(plan.order))]
        return (
            f"WITH coded AS (SELECT {coded} FROM source JOIN encoded ON {texts}), "
            f"released AS (SELECT {cells} FROM coded JOIN entries ON {same}) "
            f"SELECT {_named(out, plan)} FROM released ORDER BY {_hash(out)}"
        )

    def _cells(self, plan: ReleasePlan) -> list[str]:
        """The cells of the published columns, in order, as SQL."""
        position = {column: i for i, column in enumerate(plan.columns)}
        return [
            f"list_extract($l{position[column]}::VARCHAR[], p{position[column]} + 1)"
            if column in position
            else self._cell(column)
            for column in plan.order
        ]


def _named(cells: Sequence[str], plan: ReleasePlan) -> str:
    names = ('"' + column.replace('"', '""') + '"' for column in plan.order)
    return ", ".join(f"{cell} AS {name}" for cell, name in zip(cells, names, strict=True))


def _hash(cells: Sequence[str]) -> str:
    """A seeded hash of cells, as SQL; see ReleasePlan."""
    texts = ", ".join(f"coalesce({cell}, chr(30))" for cell in cells)
    return f"md5(concat_ws(chr(31), $seed, {texts}))"


def _start_of_entries(plan: ReleasePlan) -> NDArray[np.int64]:
    """How many copies of its combination come before each entry; entries of one combination stand together."""
    before = np.cumsum(plan.copies) - plan.copies
    first = np.r_[True, plan.entry[1:] != plan.entry[:-1]][: len(plan.entry)]
    return before - np.maximum.accumulate(np.where(first, before, 0)) if len(before) else before


def _dictionary(column: Mapping[str | None, int]) -> dict[str, NDArray[Any]]:
    texts = np.empty(len(column), dtype=object)
    texts[:] = list(column)
    return {"text": texts, "code": np.fromiter(column.values(), np.int32, len(column))}


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
