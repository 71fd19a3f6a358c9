"""The SQL of each model returns the published classes that violate it, and no others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

sqlglot = pytest.importorskip("sqlglot")

from sfumato.data import ClassSummary  # noqa: E402
from sfumato.export.classes import UNIT, PublishedClasses  # noqa: E402
from sfumato.export.dialects import Dialect  # noqa: E402
from sfumato.export.lookup import LookupTable  # noqa: E402
from sfumato.export.requirements import Requirements  # noqa: E402
from sfumato.export.script import lookups_of  # noqa: E402
from sfumato.export.view import View, creation, inserts  # noqa: E402
from sfumato.privacy import ClassModel  # noqa: E402
from sfumato.testing.random_parts import MODELS  # noqa: E402

from ..postgres import Postgres, postgres  # noqa: E402, F401
from .problems import Solved, random_solved  # noqa: E402
from .warehouses import DuckDB, PostgreSQL, SQLite, respelled  # noqa: E402

Classes = set[tuple[str | None, ...]]
NOT_WRITTEN = {"minimum-width", "k-map", "delta-presence"}


def stated(solved: Solved, models: Sequence[ClassModel], dialect: Dialect) -> Requirements:
    """What is stated in SQL of these models, over the published rows themselves."""
    solution = solved.solution
    table = solution.problem.data
    view = View(lookups_of(solution, {}), dialect, sqlglot.exp.to_table("records"), named)
    published = view.query({UNIT: table.unit} if table.unit else {}).subquery()
    names = [attribute.name for attribute in table.frequencies.quasi_identifiers]
    return Requirements(PublishedClasses(view, published, names, table.unit), table.frequencies, models)


def violating(solved: Solved, models: Sequence[ClassModel], warehouse: Any) -> list[Classes | None]:
    """For each model the classes that its SQL returns; None if there is none for it."""
    dialect = Dialect.of(warehouse.dialect)
    requirements = stated(solved, models, dialect)
    made = []
    for one in [*requirements.classes.view.lookups.tables, *requirements.tables]:
        made += [creation(one, named(one), dialect), *inserts(one, named(one), dialect, 500)]
    script = "".join(f"{dialect.render(statement)};\n" for statement in made)
    every = requirements.all()
    queries = [dialect.render(query) for one in every for query in one.queries]
    found = iter(warehouse.run({"records": solved.data}, script, queries))
    plan = solved.solution.plan()
    names = requirements.classes.quasi_identifiers
    kinds = [solved.data.types[name] if name in plan.unchanged else "VARCHAR" for name in names]
    return [
        {tuple(map(respelled, row, kinds)) for _ in one.queries for row in next(found)} if one.queries else None
        for one in every
    ]


def named(one: LookupTable) -> Any:
    return sqlglot.exp.to_table(one.name)


def expected(solved: Solved, model: ClassModel) -> Classes:
    """The classes of the release that violate a model, by its own definition."""
    plan = solved.solution.plan()
    names = [attribute.name for attribute in solved.solution.problem.data.frequencies.quasi_identifiers]
    histograms: dict[tuple[str | None, ...], dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for row in solved.released():
        cells = dict(zip(plan.order, row, strict=True))
        for sensitive in ("illness", "code"):
            value = cells[sensitive]
            hidden = value == "*" and sensitive not in plan.unchanged
            histograms[tuple(cells[name] for name in names)][sensitive].update([] if hidden else [value or ""])
            histograms[tuple(cells[name] for name in names)][""].update([""] * (sensitive == "illness"))
    return {
        key
        for key, counts in histograms.items()
        if not model.holds(ClassSummary(counts[""][""], {name: dict(of) for name, of in counts.items() if name}))
    }


def drawn(random: Random, kind: Any, solved: Solved) -> ClassModel:
    distributions = solved.solution.problem.data.frequencies.distributions
    model = MODELS[kind](random, distributions[random.choice(["illness", "code"])])
    return model.bound_to(distributions)


@pytest.mark.parametrize("warehouse", [DuckDB(), SQLite()], ids=lambda one: one.dialect)
def test_the_classes_that_violate(warehouse: Any, suite: Callable[[int], int]) -> None:
    compared(Random(f"requirements/{warehouse.dialect}"), warehouse, suite(80))


def test_the_same_in_postgresql(postgres: Postgres, suite: Callable[[int], int]) -> None:  # noqa: F811
    compared(Random("requirements/postgres"), PostgreSQL(postgres), suite(80))


def compared(random: Random, warehouse: Any, times: int) -> None:
    seen: Counter[tuple[str, bool]] = Counter()
    for i in range(times):
        solved = random_solved(random, scheme=["levels", "boxes", "violating-values", "all-values"][i % 4])
        models = [drawn(random, kind, solved) for kind in MODELS]
        for model, found in zip(models, violating(solved, models, warehouse), strict=True):
            if found is not None:
                wrong = expected(solved, model)
                assert found == wrong, (model, solved.solution)
                seen[model.name, bool(wrong)] += 1
    written = {model.name for model in MODELS} - NOT_WRITTEN
    assert {name for name, violated in seen if violated} == written
    assert len({name for name, violated in seen if not violated}) > len(written) / 2


@pytest.mark.parametrize(
    "called", ["postgres", "spark", "snowflake", "bigquery", "redshift", "mssql", "mysql", "sqlite"]
)
def test_each_dialect_is_parsed_back(called: str) -> None:
    random, dialect = Random("parsed"), Dialect.of(called)
    for scheme in ["levels", "violating-values"]:
        solved = random_solved(random, moments=called != "sqlite", scheme=scheme)
        models = [drawn(random, kind, solved) for kind in MODELS]
        queries = [query for one in stated(solved, models, dialect).all() for query in one.queries]
        assert len(queries) >= 4
        for query in queries:
            text = dialect.render(query)
            tree = sqlglot.parse_one(text, dialect=dialect.glot)
            assert not tree.find(sqlglot.exp.Command)
            assert sqlglot.parse_one(tree.sql(dialect=dialect.glot), dialect=dialect.glot) == tree
