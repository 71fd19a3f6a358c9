"""Places where exported SQL is run: each holds a table, runs a script, and gives back rows as texts."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot

from ..postgres import Postgres

Rows = list[tuple[str | None, ...]]


@dataclass(frozen=True)
class Data:
    """A table: the SQL type of each column, and its rows."""

    types: Mapping[str, str]  # in DuckDB's words
    rows: Sequence[tuple[Any, ...]]


def spelled(cell: Any) -> str | None:
    """A cell as sfumato spells values, whatever program it comes from; the empty text is missing."""
    if cell is None or cell == "" or cell != cell or type(cell).__name__ in {"NaTType", "NAType"}:  # noqa: PLR0124
        return None
    if type(cell).__name__ in {"bool", "bool_"}:
        return "true" if cell else "false"
    if hasattr(cell, "item"):
        cell = cell.item()
    if isinstance(cell, float | int | Decimal):
        return str(int(cell)) if cell == int(cell) else repr(float(cell))
    if isinstance(cell, datetime | date):
        return str(cell.isoformat(sep=" ") if isinstance(cell, datetime) else cell).removesuffix(" 00:00:00")
    return str(cell)


def respelled(text: str | None, kind: str) -> str | None:
    """A cell that a program gave back as a text, by the type that its column had."""
    if text is None or text == "":
        return None
    if kind in {"BIGINT", "DOUBLE", "FLOAT"} or kind.startswith("DECIMAL"):
        return spelled(Decimal(text) if kind != "FLOAT" else float(text))
    if kind == "BOOLEAN":
        return {"1": "true", "0": "false", "t": "true", "f": "false"}.get(text.lower(), text.lower())
    return text.removesuffix(" 00:00:00") if kind == "TIMESTAMP" else text


def literal(cell: Any, kind: str) -> sqlglot.exp.Expression:
    """A cell of test data as SQL."""
    if cell is None:
        return sqlglot.exp.null()
    if isinstance(cell, bool):
        return sqlglot.exp.true() if cell else sqlglot.exp.false()
    if isinstance(cell, float) and cell != cell:  # noqa: PLR0124
        return sqlglot.exp.cast(sqlglot.exp.Literal.string("NaN"), "DOUBLE")
    if isinstance(cell, int | float | Decimal):
        number = sqlglot.exp.Literal.number(repr(abs(cell)) if not isinstance(cell, Decimal) else str(abs(cell)))
        signed = sqlglot.exp.Neg(this=number) if cell < 0 else number
        return sqlglot.exp.cast(signed, kind)
    text = sqlglot.exp.Literal.string(str(cell))
    return text if kind == "VARCHAR" else sqlglot.exp.cast(text, kind)


def table_sql(name: str, data: Data, dialect: str) -> str:
    """Statements that make a table and fill it."""
    columns = ", ".join(
        f"{sqlglot.exp.to_identifier(c, quoted=True).sql('duckdb')} {kind}" for c, kind in data.types.items()
    )
    made = sqlglot.transpile(f"CREATE TABLE {name} ({columns})", read="duckdb", write=dialect)[0]
    kinds = list(data.types.values())
    rows = [
        sqlglot.exp.Tuple(expressions=[literal(c, k) for c, k in zip(row, kinds, strict=True)]) for row in data.rows
    ]
    if not rows:
        return f"{made};\n"
    filled = sqlglot.exp.Insert(this=sqlglot.exp.to_table(name), expression=sqlglot.exp.Values(expressions=rows))
    return f"{made};\n{filled.sql(dialect=dialect)};\n"


class DuckDB:
    dialect = "duckdb"

    def run(self, tables: Mapping[str, Data], script: str, queries: Sequence[str]) -> list[Rows]:
        with duckdb.connect() as connection:
            for name, data in tables.items():
                connection.execute(table_sql(name, data, "duckdb"))
            connection.execute(script)
            return [[tuple(map(spelled, row)) for row in connection.execute(query).fetchall()] for query in queries]


class SQLite:
    dialect = "sqlite"

    def run(self, tables: Mapping[str, Data], script: str, queries: Sequence[str]) -> list[Rows]:
        connection = sqlite3.connect(":memory:")
        for name, data in tables.items():
            columns = ", ".join(f"{_quoted(c)} {_SQLITE.get(k, k)}" for c, k in data.types.items())
            connection.execute(f"CREATE TABLE {name} ({columns})")
            places = ", ".join("?" for _ in data.types)
            rows = [tuple(str(c) if isinstance(c, Decimal | date | datetime) else c for c in row) for row in data.rows]
            connection.executemany(f"INSERT INTO {name} VALUES ({places})", rows)
        connection.executescript(script)
        found = [connection.execute(query).fetchall() for query in queries]
        connection.close()
        return [[tuple(map(_text, row)) for row in rows] for rows in found]


class PostgreSQL:
    dialect = "postgres"

    def __init__(self, server: Postgres) -> None:
        self._server = server

    def run(self, tables: Mapping[str, Data], script: str, queries: Sequence[str]) -> list[Rows]:
        made = "".join(table_sql(name, data, "postgres") for name, data in tables.items())
        start = "DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; SET client_min_messages = warning;\n"
        asked = "".join(f"{query};\nSELECT '\x1d';\n" for query in queries)
        printed = self._server.run(f"{start}{made}{script}\n{asked}")
        found: list[Rows] = [[]]
        for row in csv.reader(StringIO(printed, newline="")):
            if row == ["\x1d"]:
                found.append([])
            else:
                found[-1].append(tuple(None if cell == "\x1e" else cell for cell in row))
        return found[:-1]


class Spark:
    """Sail, a server of Spark Connect, in a process of its own: PySpark may live in an environment of its own."""

    dialect = "spark"

    def __init__(self) -> None:
        python = os.environ.get("SFUMATO_SPARK_PYTHON", sys.executable)
        if python == sys.executable and not (
            importlib.util.find_spec("pysail") and importlib.util.find_spec("pyspark")
        ):
            pytest.skip("pysail and pyspark are not installed; SFUMATO_SPARK_PYTHON may name a Python that has them")
        self._python = python

    def run(self, tables: Mapping[str, Data], script: str, queries: Sequence[str]) -> list[Rows]:
        return self.run_all([(tables, script, queries)])[0]

    def run_all(self, jobs: Iterable[tuple[Mapping[str, Data], str, Sequence[str]]]) -> list[list[Rows]]:
        stated = []
        for tables, script, queries in jobs:
            made = "".join(table_sql(name, data, "spark") for name, data in tables.items())
            statements = [one.sql(dialect="spark") for one in sqlglot.parse(made + script, dialect="spark") if one]
            stated.append({"statements": statements, "queries": list(queries)})
        with tempfile.TemporaryDirectory() as folder:  # its tables lie where it is started
            done = subprocess.run(
                [self._python, str(Path(__file__).with_name("sail.py"))],
                input=json.dumps(stated),
                capture_output=True,
                encoding="utf-8",
                check=False,
                cwd=folder,
            )
        assert done.returncode == 0, done.stderr[-4000:]
        found: list[list[list[list[str | None]]]] = json.loads(done.stdout.splitlines()[-1])
        return [[[tuple(row) for row in rows] for rows in job] for job in found]


_SQLITE = {"VARCHAR": "TEXT", "BIGINT": "INTEGER", "BOOLEAN": "INTEGER", "DATE": "TEXT", "TIMESTAMP": "TEXT"}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(cell: Any) -> str | None:
    return None if cell is None else repr(cell) if isinstance(cell, float) else str(cell)
