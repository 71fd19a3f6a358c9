"""Export: a recoding that is a function of the row, as a view where the data lives, and as tests of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TypeAlias

from sfumato.export.exported import DbtExport
from sfumato.export.names import dialect_name
from sfumato.settings.given import checked
from sfumato.settings.optional import sqlglot_for
from sfumato.solution import Solution

__all__ = ["DbtExport", "Name", "Types", "require_dialect", "to_dbt", "to_sql"]

Name: TypeAlias = str | None  # of a table, as SQL spells it; the usual one if left out
Types: TypeAlias = Mapping[str, str] | None  # of columns that the source has in other types than the data


@checked
def to_sql(
    solution: Solution,
    dialect: str,
    *,
    table: str | None = None,
    view: str | None = None,
    types: Mapping[str, str] | None = None,
) -> str:
    """The recoding as SQL: lookup tables, and a view that publishes the same rows as `release`, in any order.

    dialect: postgres, duckdb, spark, snowflake, bigquery, redshift, mssql, mysql or sqlite.
    table: the source, as SQL names it; the data's own name if left out. view: what to call the view; the lookup tables
    are called so with something behind it. types: those of the source's columns where they are others than the data's,
    such as {"age": "integer"}.
    """
    require_dialect(dialect)
    text: str = import_module("sfumato.export.script").script(solution, dialect, table, view, types or {})
    return text


@checked
def to_dbt(
    solution: Solution,
    folder: str | os.PathLike[str],
    dialect: str = "postgres",
    *,
    table: str | None = None,
    view: str | None = None,
    types: Mapping[str, str] | None = None,
) -> DbtExport:
    """The same as part of a dbt project in this folder: seeds, a model, and a test for each requirement.

    A test returns the classes that violate. view: the name of the model. All else as in `to_sql`.
    """
    require_dialect(dialect)
    written: DbtExport = import_module("sfumato.export.dbt").write_dbt(
        solution, folder, dialect, table, view, types or {}
    )
    return written


def require_dialect(dialect: str) -> None:
    """Raises an error if the dialect is unknown, or what writes it is not installed."""
    dialect_name(dialect)
    sqlglot_for("SQL")
