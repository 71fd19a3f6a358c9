"""DuckDB: the embedded engine. CSV files and pandas frames, scanned once to count and at most once to recode."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

from sfumato.engines.csv_dialect import CsvDialect, read_header
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.protocol import Codes
from sfumato.errors import DataError

# Nothing is ever fetched, and values are numbered without a locale.
_CONFIG = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}


class DuckDBEngine:
    """One table, seen through an in-memory DuckDB."""

    def __init__(self, source: object) -> None:
        self._connection = duckdb.connect(config=_CONFIG)
        self._dialect = CsvDialect()
        self._frame = not isinstance(source, str | os.PathLike)
        self.name = f"the {type(source).__name__}" if self._frame else Path(cast("str", source)).name
        if self._frame:
            self._open_frame(source)
        else:
            self._open_csv(Path(cast("str", source)))
        described = self._connection.execute("DESCRIBE source").fetchall()
        self._types: dict[str, str] = {name: kind for name, kind, *_ in described}
        self._counted: tuple[str, ...] | None = None

    @staticmethod
    def accepts(source: object) -> bool:
        """Whether the source is a path or a pandas frame (asked without importing pandas)."""
        return isinstance(source, str | os.PathLike) or type(source).__module__.split(".")[0] == "pandas"

    @property
    def columns(self) -> tuple[str, ...]:
        """The source's columns, in order."""
        return tuple(self._types)

    def distinct(self, columns: Sequence[str]) -> dict[str, dict[str | None, int]]:
        """For each column, its different values with their number of rows."""
        self._scan(columns)
        return {
            column: dict(self._connection.execute(f"SELECT c{i}, sum(n)::BIGINT FROM counted GROUP BY ALL").fetchall())
            for i, column in enumerate(columns)
        }

    def count(self, codes: Codes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The different combinations of codes, one row each, in any order; and the number of rows of each."""
        self._scan(tuple(codes))
        columns = range(len(codes))
        with self._dictionaries(codes):
            joins = " ".join(f"JOIN d{i} ON counted.c{i} IS NOT DISTINCT FROM d{i}.text" for i in columns)
            chosen = ", ".join([*(f"d{i}.code AS k{i}" for i in columns), "sum(n)::BIGINT AS n"])
            found = self._connection.execute(f"SELECT {chosen} FROM counted {joins} GROUP BY ALL").fetchnumpy()
        combinations = np.empty((len(found["n"]), len(codes)), dtype=np.int32)
        for i in columns:
            combinations[:, i] = found[f"k{i}"]
        return combinations, np.asarray(found["n"], dtype=np.int64)

    def recode(self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None) -> Any:
        """The released rows: written to the path as CSV, or else returned as a pandas frame."""
        with self._published(plan) as (query, parameters):
            if path is None:
                return self._connection.execute(query, parameters).df()
            target, delimiter = _literal(os.fspath(path)), _literal(self._dialect.delimiter)
            copy = f"COPY ({query}) TO {target} (FORMAT csv, HEADER, DELIMITER {delimiter}, COMPRESSION none)"
            return self._connection.execute(copy, parameters) and None

    def _open_frame(self, frame: object) -> None:
        names = [str(name) for name in cast("Any", frame).columns]
        if len(set(names)) < len(names):
            raise DataError("The frame has two columns of one name; give each its own.")
        self._connection.register("frame", frame)
        self._connection.execute("CREATE VIEW source AS SELECT * FROM frame")

    def _open_csv(self, path: Path) -> None:
        self._dialect, names = read_header(path)
        columns = ", ".join(f"{_literal(name)}: 'VARCHAR'" for name in names)
        # A path is no pattern: each of DuckDB's wildcards stands for itself inside brackets.
        exactly = re.sub(r"([*?\[])", r"[\1]", os.fspath(path.absolute()))
        self._connection.execute(
            f"CREATE VIEW source AS SELECT * FROM read_csv({_literal(exactly)}, auto_detect=false, header=true, "
            f"columns={{{columns}}}, delim={_literal(self._dialect.delimiter)}, quote='\"', escape='\"', nullstr='')"
        )

    def _text(self, column: str) -> str:
        """A column's values as text, as SQL; the missing value is NULL, and so is the empty text."""
        name, kind = _name(column), self._types[column]
        if kind == "VARCHAR":
            return f"nullif({name}, '')"
        if kind in {"DOUBLE", "FLOAT"}:
            return f"CASE WHEN isnan({name}) THEN NULL ELSE regexp_replace({name}::VARCHAR, '\\.0$', '') END"
        if kind.startswith("TIMESTAMP"):
            return f"regexp_replace({name}::VARCHAR, ' 00:00:00$', '')"
        return f"nullif({name}::VARCHAR, '')"

    def _scan(self, columns: Sequence[str]) -> None:
        """Reads the source: its different rows, as far as these columns go, stay behind as a table."""
        if self._counted == tuple(columns):
            return
        chosen = ", ".join([*(f"{self._text(column)} AS c{i}" for i, column in enumerate(columns)), "count(*) AS n"])
        with self._faults():
            self._connection.execute(f"CREATE OR REPLACE TEMP TABLE counted AS SELECT {chosen} FROM source GROUP BY ALL")
        self._counted = tuple(columns)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """What DuckDB says about a broken file, without the line of data that it quotes."""
        try:
            yield
        except duckdb.Error as error:
            text = str(error)
            line = re.search(r"Line: (\d+)", text)
            where = f"{self.name}, line {line[1]}" if line else self.name
            counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
            if counts:
                raise DataError(f"{where}: {counts[2]} cells where the header has {counts[1]}; correct the line.") from None
            if "utf-8" in text:
                raise DataError(f"{where}: not UTF-8; save the file with that encoding.") from None
            if "unterminated quote" in text:
                raise DataError(f"{where}: a quotation mark is not closed; close it, and double those inside a cell.") from None
            raise DataError(f"{where} is no CSV file that can be read; check quotation marks and line ends.") from None

    @contextmanager
    def _dictionaries(self, codes: Codes) -> Iterator[None]:
        """The texts and codes of each column as small tables d0, d1, …"""
        tables = {
            f"d{i}": {"text": _texts(column), "code": np.fromiter(column.values(), np.int32, len(column))}
            for i, column in enumerate(codes.values())
        }
        with self._registered(tables):
            yield

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
                yield f"SELECT {self._cells(plan)} FROM released", labels
            return
        keys = range(len(plan.columns))
        start = _start_of_entries(plan)
        entries = {f"k{i}": np.ascontiguousarray(plan.combinations[plan.entry, i]) for i in keys}
        entries |= {f"p{i}": np.ascontiguousarray(plan.published[:, i]) for i in keys}
        entries |= {"start": start, "stop": start + plan.copies}
        with self._dictionaries({c: plan.codes[c] for c in plan.columns}), self._registered({"entries": entries}):
            yield self._recoding_query(plan), {**labels, "seed": str(plan.seed)}

    def _recoding_query(self, plan: ReleasePlan) -> str:
        """Rows of the source find their combination, are dealt out over its entries, and are shuffled by a hash."""
        keys = range(len(plan.columns))
        joins = " ".join(
            f"JOIN d{i} ON {self._text(column)} IS NOT DISTINCT FROM d{i}.text" for i, column in enumerate(plan.columns)
        )
        same = " AND ".join(f"coded.k{i} = entries.k{i}" for i in keys)
        coded = ", ".join(["source.*", *(f"d{i}.code AS k{i}" for i in keys)])
        if not plan.whole:
            kept = self._hash([_name(column) for column in plan.kept])
            together = ", ".join(f"d{i}.code" for i in keys)
            coded += f", row_number() OVER (PARTITION BY {together} ORDER BY {kept}) AS place"
            same += " AND coded.place > entries.start AND coded.place <= entries.stop"
        released = f"SELECT {self._cells(plan)} FROM coded JOIN entries ON {same}"
        shuffled = self._hash([_name(column) for column in plan.order])
        return f"WITH coded AS (SELECT {coded} FROM source {joins}), released AS ({released}) SELECT * FROM released ORDER BY {shuffled}"

    def _cells(self, plan: ReleasePlan) -> str:
        """The published columns, in order; those that are unchanged get their type back."""
        position = {column: i for i, column in enumerate(plan.columns)}
        cells = []
        for column in plan.order:
            cell = _name(column)
            if column in position:
                i = position[column]
                cell = f"list_extract($l{i}::VARCHAR[], p{i} + 1)"
                if column in plan.unchanged:
                    cell = f"CAST({cell} AS {self._types[column]})"
            cells.append(f"{cell} AS {_name(column)}")
        return ", ".join(cells)

    @staticmethod
    def _hash(cells: Sequence[str]) -> str:
        texts = ", ".join(f"coalesce({cell}::VARCHAR, '')" for cell in cells)
        return f"md5(concat_ws(chr(31), $seed, {texts}))"


def _start_of_entries(plan: ReleasePlan) -> NDArray[np.int64]:
    """How many copies of its combination come before each entry; entries of one combination stand together."""
    before = np.cumsum(plan.copies) - plan.copies
    first = np.r_[True, plan.entry[1:] != plan.entry[:-1]][: len(plan.entry)]
    return before - np.maximum.accumulate(np.where(first, before, 0)) if len(before) else before


def _texts(column: Mapping[str | None, int]) -> NDArray[Any]:
    texts = np.empty(len(column), dtype=object)
    texts[:] = list(column)
    return texts


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
