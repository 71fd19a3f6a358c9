"""Tables and views of databases, which DuckDB attaches to read them only."""

# ruff: noqa: S608 - names in the SQL are our own, and others are quoted

from __future__ import annotations

from abc import abstractmethod

import duckdb

from sfumato.engines.duckdb.source import identifier
from sfumato.engines.duckdb.typed import TypedSource
from sfumato.engines.workspace import PrivateFolder
from sfumato.errors import DataError

_MOST_NAMED = 20  # tables, in a message


class AttachedSource(TypedSource):
    """A table of a database: the one it has, or the one that is named, with its schema where two have one name."""

    def __init__(self, called: str, table: str) -> None:
        super().__init__()
        self.name = self._called = called
        self._table = table
        self._schema = ""

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        self._open(connection)
        self._schema, self.table = self._chosen(self._tables(connection))
        try:
            self._describe(connection, f"SELECT * FROM {self._quoted()}")
        except duckdb.Error:
            fault = (
                f"{self.name}: '{self.table}' cannot be read; is it a view of what is not there, or not yours to read?"
            )
        else:
            return
        raise DataError(fault)  # not while the other error is handled

    @abstractmethod
    def _open(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Attaches the database as `original`, to be read only."""

    def _quoted(self) -> str:
        return f"original.{identifier(self._schema)}.{identifier(self.table)}"

    def _tables(self, connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
        """Schemas and names of all tables and views; some databases are only opened to list them."""
        listed = "SELECT schema_name, {0}_name FROM duckdb_{0}s() WHERE database_name = 'original' AND NOT internal"
        both = f"{listed.format('table')} UNION {listed.format('view')} ORDER BY ALL"
        try:
            return [(str(schema), str(table)) for schema, table in connection.execute(both).fetchall()]
        except duckdb.Error as error:
            fault = self.fault(error)
        raise DataError(fault)  # not while the other error is handled

    def _chosen(self, tables: list[tuple[str, str]]) -> tuple[str, str]:
        """The schema and the name of the table."""
        called = {(schema, table): {"", table.lower(), f"{schema}.{table}".lower()} for schema, table in tables}
        chosen = [kind for kind, spellings in called.items() if self._table.lower() in spellings]
        if len(chosen) == 1:
            return chosen[0]
        once = [table for _, table in tables]
        names = [table if once.count(table) == 1 else f"{schema}.{table}" for schema, table in tables]
        some = ", ".join(names[:_MOST_NAMED]) + ", …" * (len(names) > _MOST_NAMED)
        some = some or "none that you may see"
        raise DataError(f"{self._called}: name one table, as in '{self._called}::patients'; it has {some}.")
