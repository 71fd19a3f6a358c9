"""Tables of DuckDB and SQLite database files."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from sfumato.engines.duckdb.attached import AttachedSource
from sfumato.engines.duckdb.extensions import load
from sfumato.engines.duckdb.objects import stamps_of, why_unread
from sfumato.engines.duckdb.schemes import is_server, open_scheme
from sfumato.engines.duckdb.source import literal
from sfumato.errors import DataError
from sfumato.settings.uri import Uri

_SQLITE = b"SQLite format 3\0"


class DatabaseSource(AttachedSource):
    """A table of a DuckDB database file: `clinic.duckdb` if it holds one table, else `clinic.duckdb::visits`."""

    suffixes: ClassVar[tuple[str, ...]] = (".duckdb", ".ddb")

    def __init__(self, path: Any) -> None:
        self._path, table = file_and_table(path)
        super().__init__(self._path.name, table)

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike) or is_server(source):
            return False
        return file_and_table(source)[0].suffix.lower() in DatabaseSource.suffixes

    def _open(self, connection: duckdb.DuckDBPyConnection) -> None:
        where = os.fspath(self._path)
        if isinstance(self._path, Uri):
            open_scheme(connection, self._path)
            where = self._path.plain
        elif not self._path.is_file():
            raise DataError(f"There is no file '{self._path}'; check the path.")
        with suppress(duckdb.Error):
            connection.execute(f"ATTACH {literal(where)} AS original (READ_ONLY)")
            return
        fault = why_unread(connection, self._path) if isinstance(self._path, Uri) else None
        raise DataError(fault or f"{self.name} is not a DuckDB database, or another program holds it open.")

    def stamps(self, connection: duckdb.DuckDBPyConnection) -> dict[str, object]:
        return stamps_of(connection, self._path.plain) if isinstance(self._path, Uri) else {}


class SqliteSource(AttachedSource):
    """A table of a SQLite database file: `shop.sqlite` if it holds one table, else `shop.sqlite::orders`."""

    suffixes: ClassVar[tuple[str, ...]] = (".sqlite", ".sqlite3", ".db3")

    def __init__(self, path: Any) -> None:
        self._path, table = file_and_table(path)
        super().__init__(self._path.name, table)

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike) or is_server(source):
            return False
        file = file_and_table(source)[0]
        return file.suffix.lower() in SqliteSource.suffixes or (file.suffix.lower() == ".db" and _is_sqlite(file))

    def _open(self, connection: duckdb.DuckDBPyConnection) -> None:
        if isinstance(self._path, Uri):
            raise DataError(f"'{self._path}' is a SQLite database elsewhere; copy it here, and give its path.")
        if not self._path.is_file():
            raise DataError(f"There is no file '{self._path}'; check the path.")
        load(connection, "sqlite_scanner", "A SQLite database")
        try:
            connection.execute(f"ATTACH {literal(os.fspath(self._path))} AS original (TYPE sqlite, READ_ONLY)")
        except duckdb.Error:
            raise DataError(f"{self.name} is not a SQLite database, or another program locks it.") from None

    def fault(self, error: duckdb.Error) -> str:
        if "not a database" in str(error):
            return f"{self.name} is not a SQLite database."
        if isinstance(error, duckdb.TypeMismatchException) or "Mismatch Type" in str(error):
            return (
                f"{self.name}: a column of '{self.table}' holds other values than its type says; make a table that "
                "holds texts, as in CREATE TABLE … AS SELECT CAST(age AS TEXT) AS age, and read that."
            )
        return f"{self.name} cannot be read any more; is it still there, and whole?"


def _is_sqlite(file: Path | Uri) -> bool:
    if isinstance(file, Path):
        with suppress(OSError), open(file, "rb") as opened:
            return opened.read(len(_SQLITE)) == _SQLITE
    return False


def file_and_table(source: str | os.PathLike[str]) -> tuple[Path | Uri, str]:
    """The parts of `file::table`; both names may hold two colons, so the file is the longest that is there."""
    if isinstance(source, Uri):
        return source, source.table
    parts = os.fspath(source).split("::")
    there = [i for i in range(len(parts), 0, -1) if Path("::".join(parts[:i])).exists()]
    first = there[0] if there else 1
    return Path("::".join(parts[:first])), "::".join(parts[first:])
