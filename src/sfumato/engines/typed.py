"""Sources with types of their own: Parquet, Arrow, DuckDB relations and database files.

Values are known by their texts everywhere else, so each type says here how its values are spelled. What is published as
it came is cast back to its type.
"""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from sfumato.engines.plan import ReleasePlan
from sfumato.engines.source import Source, identifier, literal, require_unique
from sfumato.errors import DataError

_NESTED = re.compile(r"\[|^(STRUCT|MAP|UNION|BLOB|BIT|INTERVAL|VARIANT|GEOMETRY)\b")


def text_of(cell: str, kind: str) -> str:
    """A cell's text as SQL: whole numbers without decimals, ISO dates, true and false; NULL where it is missing."""
    if kind == "VARCHAR" or kind.startswith("ENUM"):
        return f"nullif({cell}::VARCHAR, '')"
    if kind in {"DOUBLE", "FLOAT"}:
        whole = f"trunc({cell}) = {cell} AND abs({cell}) < 1e15"
        return f"CASE WHEN isnan({cell}) THEN NULL WHEN {whole} THEN {cell}::BIGINT::VARCHAR ELSE {cell}::VARCHAR END"
    if kind.startswith("DECIMAL"):
        return f"regexp_replace({cell}::VARCHAR, '\\.0+$', '')"
    if kind.startswith("TIMESTAMP"):
        return f"regexp_replace({cell}::VARCHAR, ' 00:00:00([+-][0-9:]+)?$', '')"
    return f"{cell}::VARCHAR"


def value_of(text: str, kind: str) -> str:
    """The value that has a text, as SQL. The values of an enumeration come back as texts: its type lists them all."""
    return text if kind == "VARCHAR" or kind.startswith("ENUM") else f"CAST({text} AS {kind})"


class TypedSource(Source):
    """A query of DuckDB's own, with its types."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}

    def type_of(self, column: str) -> str:
        return self._types[column]

    def is_plain(self, column: str) -> bool:
        return _NESTED.search(self._types[column]) is None

    def text(self, cell: str, column: str) -> str:
        kind = self._types[column]
        if not self.is_plain(column):
            raise DataError(f"Column '{column}' of {self.name} holds {kind} values, not single ones; convert it.")
        return text_of(cell, kind)

    def value(self, text: str, column: str) -> str:
        return value_of(text, self._types[column])

    def _describe(self, connection: duckdb.DuckDBPyConnection, query: str) -> None:
        """Learns the columns of a query, and makes it visible."""
        found = [(str(name), str(kind)) for name, kind, *_ in connection.execute(f"DESCRIBE {query}").fetchall()]
        self.columns = tuple(name for name, _ in found)
        self._types = dict(found)
        require_unique(self.columns, self.name)
        chosen = ", ".join(f"{identifier(name)} AS x{i}" for i, name in enumerate(self.columns))
        connection.execute(f"CREATE OR REPLACE TEMP VIEW source AS SELECT {chosen} FROM ({query})")


class ParquetSource(TypedSource):
    """A Parquet file, a folder of them, or a pattern such as `visits/*.parquet`."""

    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".parq", ".pq")

    def __init__(self, path: Any) -> None:
        super().__init__()
        self._path = Path(path)
        self.name = self._path.name

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike):
            return False
        path = Path(source)
        return path.suffix.lower() in ParquetSource.suffixes or path.is_dir()

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: Path) -> None:
        try:
            self._describe(connection, f"SELECT * FROM read_parquet([{', '.join(self._files())}], union_by_name=true)")
        except duckdb.Error:
            raise DataError(f"{self.name} is no Parquet file, or its files have different columns.") from None

    def fault(self, error: duckdb.Error) -> str:
        return f"{self.name} cannot be read any more; is it still there, and whole?"

    def _files(self) -> list[str]:
        """The files behind the path; a pattern is only one if no file has that very name."""
        if self._path.is_dir():
            found = sorted(file for file in self._path.rglob("*") if file.suffix.lower() in self.suffixes)
        elif self._path.exists():
            found = [self._path]
        else:
            found = sorted(self._path.parent.glob(self._path.name)) if self._path.parent.is_dir() else []
        if not found:
            what = "no Parquet file in the folder" if self._path.is_dir() else "no file"
            raise DataError(f"There is {what} '{self._path}'; check the path.")
        return [literal(re.sub(r"([*?\[])", r"[\1]", os.fspath(file.absolute()))) for file in found]


class DatabaseSource(TypedSource):
    """A table of a DuckDB database file: `clinic.duckdb` if it holds one table, else `clinic.duckdb::visits`."""

    suffixes: ClassVar[tuple[str, ...]] = (".duckdb", ".ddb")

    def __init__(self, path: Any) -> None:
        super().__init__()
        file, _, self._table = os.fspath(path).partition("::")
        self._path = Path(file)
        self.name = self._path.name

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike):
            return False
        return Path(os.fspath(source).partition("::")[0]).suffix.lower() in DatabaseSource.suffixes

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: Path) -> None:
        if not self._path.is_file():
            raise DataError(f"There is no file '{self._path}'; check the path.")
        try:
            connection.execute(f"ATTACH {literal(os.fspath(self._path))} AS original (READ_ONLY)")
        except duckdb.Error:
            raise DataError(f"{self.name} is no DuckDB database, or another program holds it open.") from None
        listed = "SELECT schema_name || '.' || {0}_name, {0}_name FROM duckdb_{0}s() WHERE database_name = 'original'"
        both = f"{listed.format('table')} UNION ALL {listed.format('view')} AND NOT internal ORDER BY 1"
        tables = connection.execute(both).fetchall()
        chosen = [full for full, short in tables if not self._table or self._table in {full, short}]
        if len(chosen) != 1:
            known = ", ".join(short for _, short in tables) or "none"
            raise DataError(f"{self.name}: name one table, as in '{self.name}::patients'; it has {known}.")
        schema, _, table = chosen[0].partition(".")
        self.table = table
        self._describe(connection, f"SELECT * FROM original.{identifier(schema)}.{identifier(table)}")


class ArrowSource(TypedSource):
    """A pyarrow Table; what comes back is one too, without the metadata of the original."""

    def __init__(self, table: Any) -> None:
        super().__init__()
        self.name = "the pyarrow Table"
        self._table = table

    @staticmethod
    def accepts(source: object) -> bool:
        pyarrow = sys.modules.get("pyarrow")
        return pyarrow is not None and isinstance(source, pyarrow.Table)

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: Path) -> None:
        names = [str(name) for name in self._table.column_names]
        require_unique(names, self.name)
        connection.register("arrow", self._table.rename_columns([f"x{i}" for i in range(len(names))]))
        self._describe(connection, "SELECT * FROM arrow")
        self._types = dict(zip(names, self._types.values(), strict=True))
        self.columns = tuple(names)

    def returned(self, connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
        released = (
            connection.sql(f"SELECT * FROM {rows}")
            .to_arrow_table()
            .rename_columns(list(plan.order))
            .replace_schema_metadata(None)
        )
        pyarrow = sys.modules["pyarrow"]
        columns = {}
        for name in plan.order:
            column, original = released.column(name), self._table.schema.field(name).type
            if name in plan.unchanged.union(plan.kept):
                plain = original.value_type if pyarrow.types.is_dictionary(original) else original
                column = column.cast(plain)
                # A dictionary of what is published, not of what was there.
                column = column.dictionary_encode() if plain is not original else column
                column = column.cast(original)
            columns[name] = column
        return pyarrow.table(columns)


class PolarsSource(ArrowSource):
    """A polars frame, which crosses over as Arrow; what comes back is one too."""

    def __init__(self, frame: Any) -> None:
        polars = sys.modules["polars"]
        whole = frame.collect() if isinstance(frame, polars.LazyFrame) else frame
        try:
            super().__init__(whole.to_arrow())
        except ImportError:
            raise DataError("polars frames cross over as Arrow; install pyarrow.") from None
        self.name = "the polars DataFrame"

    @staticmethod
    def accepts(source: object) -> bool:
        polars = sys.modules.get("polars")
        return polars is not None and isinstance(source, polars.DataFrame | polars.LazyFrame)

    def returned(self, connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
        return sys.modules["polars"].from_arrow(super().returned(connection, rows, plan))


class RelationSource(TypedSource):
    """A relation of the user's own DuckDB connection; what comes back is a relation of another."""

    def __init__(self, relation: Any) -> None:
        super().__init__()
        self.name = "the DuckDB relation"
        self.lazy = True
        self._relation = relation

    @staticmethod
    def accepts(source: object) -> bool:
        return isinstance(source, duckdb.DuckDBPyRelation)

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: Path) -> None:
        # The relation lives in a connection that is not ours to work in: its rows move over, once.
        names = [str(name) for name in self._relation.columns]
        copy = spill / "relation.parquet"
        self._relation.to_parquet(os.fspath(copy))
        self._describe(connection, f"SELECT * FROM read_parquet({literal(os.fspath(copy))})")
        self._types = dict(zip(names, self._types.values(), strict=True))
        self.columns = tuple(names)
        require_unique(names, self.name)

    def returned(self, connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
        names = ", ".join(f"o{i} AS {identifier(name)}" for i, name in enumerate(plan.order))
        return connection.sql(f"SELECT {names} FROM {rows}")
