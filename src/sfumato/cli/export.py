"""sfumato export: the recoding as SQL, where the data lives, or as part of a dbt project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import ShowValues
from sfumato.errors import InputError

_SQL = Annotated[
    str | None,
    typer.Option(
        "--sql",
        metavar="DIALECT",
        help="postgres, duckdb, spark, snowflake, bigquery, redshift, mssql, mysql or sqlite.",
    ),
]
_DBT = Annotated[
    Path | None,
    typer.Option(
        "--dbt",
        metavar="DIR",
        help="The folder of a dbt project: seeds, a model and tests are written there, in the dialect of --sql "
        "(postgres if left out).",
    ),
]
_TABLE = Annotated[
    str | None, typer.Option("--table", metavar="NAME", help="The source, as SQL names it: patients, clinic.patients.")
]
_VIEW = Annotated[
    str | None, typer.Option("--view", metavar="NAME", help="What to call the view; NAME_published if left out.")
]
_TYPE = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        metavar="COLUMN=TYPE",
        help="A column that the source has in another type than DATA: text, integer, decimal(10,2), double, real, "
        "boolean, date, timestamp, timestamptz. Repeatable.",
    ),
]
_ORIGINAL = Annotated[
    Path | None,
    typer.Option(metavar="DATA", help="The data of REPORT.json, if it is not where the report says."),
]
_HIERARCHY = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=HIERARCHY", help="In place of the hierarchy that REPORT.json names."),
]


def export(
    stated: Annotated[Path, typer.Argument(metavar="sfumato.toml|REPORT.json", help="A project, or a report of one.")],
    sql: _SQL = None,
    dbt: _DBT = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.sql", help="Where the SQL goes; the terminal if left out."),
    ] = None,
    table: _TABLE = None,
    view: _VIEW = None,
    kind: _TYPE = None,
    original: _ORIGINAL = None,
    hierarchy: _HIERARCHY = None,
    show_values: ShowValues = False,
) -> int:
    """Write the recoding as SQL: tables to look values up in, and a view that publishes the rows of the release.

    The recoding must be a function of the row: full-domain, full-subtree or multidimensional. A project is solved
    first; of a report, the recoding that it states is taken. The lookup tables have values as they came, so they stay
    with the owner of the data. --dbt also writes a test of each requirement, which returns the classes that violate it.

    Examples:

        sfumato export sfumato.toml --sql postgres --table clinic.patients -o published.sql

        sfumato export report.json --dbt warehouse --sql bigquery
    """
    from sfumato.cli.exporting import solution_of, write_sql

    if sql is None and dbt is None:
        raise InputError("Nothing says what to write; give --sql DIALECT or --dbt DIR.")
    if dbt is not None and output is not None:
        raise InputError("-o is where SQL goes, and --dbt writes a folder; leave one of them out.")
    types = dict(_pair(text) for text in kind or [])
    dialect = sql or "postgres"
    solution = solution_of(stated, dialect, original, hierarchy or [])
    if dbt is not None:
        typer.echo(str(solution.to_dbt(dbt, dialect, table=table, view=view, types=types)))
    else:
        text = solution.to_sql(dialect, table=table, view=view, types=types)
        write_sql(text, output, stated, solution.problem.data.inputs)
    return 0


def _pair(text: str) -> tuple[str, str]:
    column, equals, kind = text.rpartition("=")
    if not equals or not column or not kind:
        raise InputError(f"--type {text} is not COLUMN=TYPE; write it like --type age=integer.")
    return column, kind
