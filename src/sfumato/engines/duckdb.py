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
from pathlib import Path
from typing import Any, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

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

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        """For each column, its different values with their number of rows; not if they are more than `most`."""
        self._scan(columns)
        limit = "" if most is None else f" LIMIT {most + 1}"
        values = {
            column: dict(self._execute(f"SELECT c{i}, sum(n)::BIGINT FROM counted GROUP BY ALL{limit}").fetchall())
            for i, column in enumerate(columns)
        }
        return {column: found for column, found in values.items() if most is None or len(found) <= most}

    def count(self, codes: Codes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The different combinations of codes, one row each, in any order; and the number of rows of each."""
        self._encode(codes)
        chosen = ", ".join([*(f"k{i}" for i in range(len(codes))), "sum(n)::BIGINT AS n"])
        found = self._execute(f"SELECT {chosen} FROM encoded GROUP BY ALL").fetchnumpy()
        combinations = np.empty((len(found["n"]), len(codes)), dtype=np.int32)
        for i in range(len(codes)):
            combinations[:, i] = found[f"k{i}"]
        return combinations, np.asarray(found["n"], dtype=np.int64)

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
