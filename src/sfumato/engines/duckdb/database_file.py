"""Tables of DuckDB database files."""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from sfumato.engines.duckdb.source import identifier, literal
from sfumato.engines.duckdb.typed import TypedSource
from sfumato.engines.workspace import PrivateFolder
from sfumato.errors import DataError


class DatabaseSource(TypedSource):
    """A table of a DuckDB database file: `clinic.duckdb` if it holds one table, else `clinic.duckdb::visits`."""

    suffixes: ClassVar[tuple[str, ...]] = (".duckdb", ".ddb")

    def __init__(self, path: Any) -> None:
        super().__init__()
        self._path, self._table = file_and_table(os.fspath(path))
        self.name = self._path.name

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike):
            return False
        return file_and_table(os.fspath(source))[0].suffix.lower() in DatabaseSource.suffixes

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        if not self._path.is_file():
            raise DataError(f"There is no file '{self._path}'; check the path.")
        try:
            connection.execute(f"ATTACH {literal(os.fspath(self._path))} AS original (READ_ONLY)")
        except duckdb.Error:
            raise DataError(f"{self.name} is not a DuckDB database, or another program holds it open.") from None
        listed = "SELECT schema_name, {0}_name FROM duckdb_{0}s() WHERE database_name = 'original' AND NOT internal"
        both = f"{listed.format('table')} UNION ALL {listed.format('view')} ORDER BY ALL"
        tables = connection.execute(both).fetchall()
        known_as = {(schema, table): {"", table.lower(), f"{schema}.{table}".lower()} for schema, table in tables}
        chosen = [kind for kind, names in known_as.items() if self._table.lower() in names]
        if len(chosen) != 1:
            once = [table for _, table in tables]
            listed = ", ".join(table if once.count(table) == 1 else f"{schema}.{table}" for schema, table in tables)
            raise DataError(f"{self.name}: name one table, as in '{self.name}::patients'; it has {listed or 'none'}.")
        schema, self.table = chosen[0]
        try:
            self._describe(connection, f"SELECT * FROM original.{identifier(schema)}.{identifier(self.table)}")
        except duckdb.Error:
            raise DataError(f"{self.name}: '{self.table}' cannot be read; is it a view of what is not there?") from None


def file_and_table(path: str) -> tuple[Path, str]:
    """The parts of `file::table`; both names may hold two colons, so the file is the longest that is there."""
    parts = path.split("::")
    there = [i for i in range(len(parts), 0, -1) if Path("::".join(parts[:i])).exists()]
    first = there[0] if there else 1
    return Path("::".join(parts[:first])), "::".join(parts[first:])
