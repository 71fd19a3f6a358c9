"""Tables of PostgreSQL and MySQL servers, attached to be read only. Passwords come from the environment."""

# ruff: noqa: S608 - names in the SQL are our own, and others are quoted

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

import duckdb

from sfumato.engines.duckdb.attached import AttachedSource
from sfumato.engines.duckdb.schemes import Scheme, first_of, is_server, make_secret, open_scheme
from sfumato.engines.duckdb.source import identifier, literal
from sfumato.errors import DataError
from sfumato.settings.uri import Uri

_SETTINGS = ("password_env", "sslmode")
# Servers compare texts in other ways than DuckDB: without regard to capitals, or in the order of a language. So they
# send rows, and neither filter nor group them. No scan has to end early, and no number is taken for true or false.
_EXACTLY = {
    "postgres": ("pg_experimental_filter_pushdown = false",),
    "mysql": (
        "mysql_experimental_filter_pushdown = false",
        "mysql_aggregate_pushdown_enabled = false",
        "mysql_order_pushdown_enabled = false",
        "mysql_query_timeout_enabled = false",
        "mysql_tinyint1_as_boolean = false",
    ),
}
_PATIENCE = 15  # seconds to wait for a server, unless the environment says how long


class ServerSource(AttachedSource):
    """`postgres://user@host/database::schema.table`, or `mysql://user@host/database::table`."""

    def __init__(self, uri: Any) -> None:
        self._uri: Uri = uri
        super().__init__(str(Uri(uri.plain)), unquote(uri.table))
        self.name = unquote(uri.table) or self._called
        self._is_postgres = self._uri.scheme.startswith("postgres")
        self._inexact: frozenset[str] = frozenset()

    @staticmethod
    def accepts(source: object) -> bool:
        return is_server(source)

    def _open(self, connection: duckdb.DuckDBPyConnection) -> None:
        scheme = open_scheme(connection, self._uri)
        kind = str(scheme.secret)
        if any(key not in _SETTINGS for key in self._uri.settings):
            raise DataError(f"{self._called} has a setting that is not known; choose from {', '.join(_SETTINGS)}.")
        for setting in _EXACTLY[kind]:
            with suppress(duckdb.CatalogException):  # versions that do not know one do not do it
                connection.execute(f"SET {setting}")
        secret = make_secret(connection, kind, self._login(scheme))
        options = ""
        if self._is_postgres:
            mode = self._uri.settings.get("sslmode")
            options = f"sslmode={mode}" if mode else ""
            options += "" if os.environ.get("PGCONNECT_TIMEOUT") else f" connect_timeout={_PATIENCE}"
        try:
            connection.execute(f"ATTACH {literal(options)} AS original (TYPE {kind}, SECRET {secret}, READ_ONLY)")
        except duckdb.Error as error:
            fault = self._why(str(error), scheme)
        else:
            return
        raise DataError(fault)  # not while the other error is handled, which may quote what it was given

    def _login(self, scheme: Scheme) -> dict[str, str]:
        """Where the database is, who reads it, and the password that the environment has."""
        mode = self._uri.settings.get("sslmode", "")
        if not re.fullmatch("[a-z_-]*", mode):
            raise DataError(f"{self._called}: sslmode is not such a word as require; correct it.")
        password = first_of(scheme.variables["PASSWORD"])
        if (named := self._uri.settings.get("password_env")) is not None and not (password := os.environ.get(named)):
            raise DataError(f"{self._called}: the variable that password_env names is not set; set it to the password.")
        login = {
            "HOST": self._uri.hostname,
            "PORT": self._uri.port,
            "USER": unquote(self._uri.user),
            "DATABASE": unquote(self._uri.path),
            "PASSWORD": password or "",
            "SSL_MODE": "" if self._is_postgres else mode,
        }
        return {key: value for key, value in login.items() if value}

    def _why(self, said: str, scheme: Scheme) -> str:
        """Why the database cannot be opened: what was said is not shown, as far as it is known what it means."""
        if re.search(r"password|authentication|Access denied|no pg_hba", said, re.IGNORECASE):
            variable = scheme.variables["PASSWORD"][0]
            return (
                f"{self._called} refuses the login; check user and password, which is read from {variable}, or from "
                "the variable that ?password_env=NAME names."
            )
        if re.search(r"does not exist|Unknown database", said):
            return f"{self._called}: there is no such user or database; check their names."
        if re.search(r"\bssl\b|certificate", said, re.IGNORECASE):
            return f"{self._called} does not agree on an encrypted connection; check sslmode and the certificates."
        return f"{self._called} cannot be reached; check host and port, and whether the server runs."

    def _describe(self, connection: duckdb.DuckDBPyConnection, query: str, names: Any = None) -> None:
        super()._describe(connection, query, names)
        if self._is_postgres:  # of its numbers without a precision DuckDB makes fractions
            table = literal(f"{identifier(self._schema)}.{identifier(self.table)}")
            numeric = (
                f"SELECT attname::text AS name FROM pg_attribute WHERE attrelid = {table}::regclass AND attnum > 0 "
                "AND atttypid = 'numeric'::regtype"
            )
            found = connection.execute(f"SELECT name FROM {self._asked(numeric)}").fetchall()
            self._inexact = frozenset(name for (name,) in found if self._types.get(name) == "DOUBLE")

    def is_plain(self, column: str) -> bool:
        return column not in self._inexact and super().is_plain(column)

    def text(self, cell: str, column: str) -> str:
        self._require_exact(column)
        return super().text(cell, column)

    def kept(self, cell: str, column: str) -> str:
        self._require_exact(column)
        return super().kept(cell, column)

    def _require_exact(self, column: str) -> None:
        if column in self._inexact:
            raise DataError(
                f"Column '{column}' of {self.name} is numeric without a precision (or with more than 38 digits), which "
                "would be rounded; make a view that casts it, such as to numeric(18, 2), and read that."
            )

    def fault(self, error: duckdb.Error) -> str:
        return f"{self._called} cannot be read any more; does the server still run, and may you read '{self.table}'?"

    def stamps(self, connection: duckdb.DuckDBPyConnection) -> dict[str, object]:
        """What the server says of its rows without showing one: their number, and a sum that every change changes."""
        ours = f"{identifier(self._schema)}.{identifier(self.table)}"
        if self._is_postgres:
            sums = [f"SELECT count(*)::text AS n, sum(xmin::text::bigint)::text AS s FROM {ours}"]
        else:
            ours = f"`{self._schema.replace('`', '``')}`.`{self.table.replace('`', '``')}`"
            sums = [f"CHECKSUM TABLE {ours}"]
        for query in (*sums, f"SELECT count(*) AS n FROM {ours}"):  # of a view only how many rows it has
            with suppress(duckdb.Error):
                rows = connection.execute(f"SELECT * FROM {self._asked(query)}").fetchall()
                if rows and None not in rows[0]:
                    return {str(self._uri): rows[0]}
        raise DataError(self.fault(duckdb.IOException()))

    def _asked(self, query: str) -> str:
        """A query that the server itself answers."""
        kind = "postgres" if self._is_postgres else "mysql"
        return f"{kind}_query('original', {literal(query)})"
