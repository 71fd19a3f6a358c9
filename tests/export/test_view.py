"""The exported view publishes the rows of the release, wherever it is run."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

sqlglot = pytest.importorskip("sqlglot")

from sfumato.export import to_sql  # noqa: E402

from ..postgres import Postgres, postgres  # noqa: E402, F401
from .problems import Solved, in_order, random_solved  # noqa: E402
from .warehouses import DuckDB, PostgreSQL, Spark, SQLite, respelled  # noqa: E402

DIALECTS = ["postgres", "duckdb", "spark", "snowflake", "bigquery", "redshift", "mssql", "mysql", "sqlite"]
SCHEMES = ["levels", "all-records", "boxes", "violating-values", "all-values", "none"]


def viewed(solved: Solved, rows: list[tuple[str | None, ...]]) -> list[tuple[str | None, ...]]:
    """The rows of a view as texts, by the types that its columns had: changed ones have none that need a look."""
    plan = solved.solution.plan()
    kinds = [
        solved.data.types[name] if name in plan.kept or name in plan.unchanged else "VARCHAR" for name in plan.order
    ]
    return in_order(tuple(respelled(cell, kind) for cell, kind in zip(row, kinds, strict=True)) for row in rows)


def published(warehouse: Any, solved: Solved) -> list[tuple[str | None, ...]]:
    script = to_sql(solved.solution, warehouse.dialect, table="records")
    (rows,) = warehouse.run({"records": solved.data}, script, ["SELECT * FROM records_published"])
    return viewed(solved, rows)


@pytest.mark.parametrize("warehouse", [DuckDB(), SQLite()], ids=lambda one: one.dialect)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_view_has_the_rows_of_the_release(warehouse: Any, scheme: str, suite: Callable[[int], int]) -> None:
    random = Random(f"view/{warehouse.dialect}/{scheme}")
    for _ in range(suite(60)):
        solved = random_solved(random, scheme=scheme)
        assert published(warehouse, solved) == solved.released(), solved.solution


def test_postgresql_publishes_the_same(
    postgres: Postgres,  # noqa: F811
    suite: Callable[[int], int],
) -> None:
    random = Random("view/postgres")
    for scheme in SCHEMES:
        for _ in range(suite(60)):
            solved = random_solved(random, scheme=scheme)
            assert published(PostgreSQL(postgres), solved) == solved.released(), solved.solution


def test_spark_publishes_the_same(suite: Callable[[int], int]) -> None:
    random, spark = Random("view/spark"), Spark()
    # Sail 0.7 forgets to quote the quotation marks in the names of a view's columns.
    solved = [random_solved(random, quotes=False, scheme=scheme) for scheme in SCHEMES for _ in range(suite(50))]
    jobs = [
        ({"records": one.data}, to_sql(one.solution, "spark", table="records"), ["SELECT * FROM records_published"])
        for one in solved
    ]
    for one, (rows,) in zip(solved, spark.run_all(jobs), strict=True):
        assert viewed(one, rows) == one.released(), one.solution


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_dialect_is_parsed_back(dialect: str, suite: Callable[[int], int]) -> None:
    """What was written is read as the same statements, texts and names by the dialect's parser."""
    random = Random("parsed")
    glot = {"mssql": "tsql"}.get(dialect, dialect)
    for scheme in SCHEMES:
        for _ in range(suite(10)):
            solved = random_solved(random, moments=dialect != "sqlite", scheme=scheme)
            script = to_sql(solved.solution, dialect, table="clinic.records")
            parts = [part for part in re.split(r";\n(?:GO\n)?\n?", script) if part.strip()]
            for part in parts:
                (tree,) = sqlglot.parse(part, dialect=glot)
                again = sqlglot.parse_one(tree.sql(dialect=glot, comments=False), dialect=glot)
                assert not tree.find(sqlglot.exp.Command)
                assert again == sqlglot.parse_one(part, dialect=glot)
            texts = {
                node.this
                for part in parts
                for node in sqlglot.parse_one(part, dialect=glot).find_all(sqlglot.exp.Literal, sqlglot.exp.National)
            }
            names = {
                node.name
                for part in parts
                for node in sqlglot.parse_one(part, dialect=glot).find_all(sqlglot.exp.Identifier)
            }
            assert set(solved.data.types) - {"dropped"} <= names
            plan = solved.solution.plan()
            for name, column in plan.codes.items():
                listed = {
                    t
                    for t, code in column.items()
                    if t and code in plan.combinations[plan.entry, plan.columns.index(name)]
                }
                if (
                    solved.data.types[name] == "VARCHAR"
                    and not plan.unchanged & {name}
                    and "*" not in plan.labels[name]
                ):
                    assert listed <= texts
