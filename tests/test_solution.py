"""Solutions: what they claim, and how they say it."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

import sfumato as sf
from sfumato.solution import Solution, Status
from sfumato.testing.answers import answered
from sfumato.testing.plain_engine import PlainEngine

KEYS = (
    "status algorithm loss bound gap recoding examined space seconds records classes attained losses loss_per_attribute"
).split()


AGES = sf.Hierarchy.from_rows([*((str(30 + i), f"group {i // 3}", "*") for i in range(12)), ("70", "old", "*")], "ages")


def solve(k: int = 2, limit: str = "0%") -> Solution:
    """Twelve people in groups of three, and one who is alone."""
    rows = [{"age": leaf, "town": "t", "disease": "abc"[i % 3]} for i, leaf in enumerate(AGES.leaves)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"age": AGES, "town": sf.flat()}, sensitive=["disease"])
    constraints = [sf.KAnonymity(k), sf.DistinctLDiversity("disease", 1)]
    return sf.Problem(table, constraints, recoding=sf.FullDomain(limit)).solve()


def test_optimal() -> None:
    solution = solve(limit="10%")
    assert solution.status == "optimal"
    assert solution.cost == solution.bound == 12 * 2 / 12 + 2
    assert solution.gap == 0
    assert solution.suppressed == 1
    assert solution.relative == pytest.approx(4 / 26)
    assert solution.attained == {"k-anonymity": {"k": 3}, "distinct-l-diversity": {"l": 3}}
    assert solution.classes == 4


def test_json_has_the_keys_of_the_interface() -> None:
    report = json.loads(json.dumps(solve(limit="10%").to_json()))
    assert list(report) == KEYS
    assert report["loss"].keys() == {"name", "value", "relative"}
    assert report["recoding"] == {"model": "full-domain", "levels": {"age": 1, "town": 0}}
    assert report["records"] == {"in": 13, "out": 12, "suppressed": 1, "values_suppressed": 0}
    assert report["attained"] == {"k-anonymity": {"k": 3}, "distinct-l-diversity": {"l": 3}}


def test_json_without_a_recoding_has_the_same_keys() -> None:
    report = json.loads(json.dumps(solve(k=100).to_json()))
    assert list(report) == [*KEYS, "reason"]
    assert report["status"] == "infeasible"
    assert report["loss"] == {"name": "lm", "value": None, "relative": None}
    assert report["recoding"] is report["bound"] is report["gap"] is report["attained"] is report["classes"] is None
    assert report["records"] == {"in": 13, "out": None, "suppressed": None, "values_suppressed": None}


def test_text() -> None:
    text = str(solve(limit="10%"))
    assert text.startswith("optimal  cost 4 (lm, 15.38% of all detail)  bound 4  gap 0.0%\n")
    assert "levels  age 1, town 0" in text
    assert "release  12 of 13 records in 4 classes, 1 suppressed  k-anonymity k = 3" in text
    assert repr(solve(limit="10%")).startswith("optimal  cost 4 ")
    assert str(solve(k=100)).startswith("infeasible  Even at the highest levels 13 records violate the requirements")


def test_a_gap_that_is_left() -> None:
    solution = answered(solve(limit="10%"), status=Status.FEASIBLE, exact_bound=Fraction(1, 3))
    assert solution.cost is not None
    assert solution.bound is not None
    assert Fraction(solution.bound) <= Fraction(1, 3)
    assert solution.gap == pytest.approx(solution.cost * 3 - 1)
    assert "feasible" in str(solution)


def test_a_heuristic_proves_nothing() -> None:
    solution = answered(solve(limit="10%"), status=Status.FEASIBLE, exact_bound=None)
    assert solution.bound is None
    assert solution.gap is None
    assert "bound none  gap unknown" in str(solution)


def test_no_gap_above_a_bound_of_zero() -> None:
    solution = answered(solve(limit="10%"), status=Status.FEASIBLE, exact_bound=Fraction(0))
    assert solution.bound == 0
    assert solution.gap is None
    assert "bound 0  gap unknown" in str(solution)


def test_status_is_its_word() -> None:
    assert [str(status) for status in Status] == ["optimal", "feasible", "infeasible", "no_solution_found"]


def test_seed_of_the_plan() -> None:
    solution = solve(limit="10%")
    assert solution.plan().seed == 0
    assert solution.plan(seed=5).seed == 5


# --- every public name answers, or says what is wrong, whatever the solution is about

PEOPLE: list[dict[str, Any]] = [
    {"age": str(30 + i % 4), "sex": "fm"[i % 2], "disease": "abc"[i % 3], "codes": ["xy", "xz", "yz", "xyz"][i % 4]}
    for i in range(16)
]
VISITS = [row | {"codes": list(row["codes"])} for row in PEOPLE]
BASKETS = [["milk", "bread"], ["brie", "bread"], ["milk", "wine"], ["brie", "wine"]] * 3
ROLES: dict[str, Any] = {"quasi_identifiers": {"age": sf.intervals(2), "sex": sf.flat()}, "sensitive": ["disease"]}
# The data, the constraints that can be met, and the others.
ABOUT: dict[str, tuple[sf.Table, Any, list[Any], list[Any]]] = {
    "a table": (sf.Table(pd.DataFrame(PEOPLE), **ROLES), PEOPLE, [sf.KAnonymity(4)], [sf.KAnonymity(17)]),
    "transactions": (
        sf.Transactions(BASKETS, hierarchy=sf.fanout(2)), BASKETS, [sf.KmAnonymity(2, 2)], [sf.KmAnonymity(17, 2)]
    ),
    "a table with sets": (
        sf.Table(pd.DataFrame(VISITS), sets={"codes": sf.fanout(2)}, **ROLES), VISITS,
        [sf.KAnonymity(4), sf.KmAnonymity(2, 2)], [sf.KAnonymity(4), sf.KmAnonymity(17, 2)],
    ),
}  # fmt: skip
ANYWHERE = (
    "str to_json status answer answers question problem algorithm seed reason recoding cost exact_cost bound "
    "exact_bound gap relative examined space seconds trace minimal interrupted reference sets top others counts "
    "is_given more"
).split()
TABLES_ONLY = {"table_plan", "utility", "levels", "cuts", "apply", "blur", "queries", "risks", "marginals"}
TABLES_ONLY |= (IN_SQL := {"to_sql", "to_dbt"})


FRONTS = {
    "a table": sf.tradeoff(ABOUT["a table"][0], vary="k", loss=sf.LM()),
    "transactions": sf.tradeoff(ABOUT["transactions"][0], vary=(sf.KmAnonymity(m=2), "k")),
    "a table with sets": sf.tradeoff(ABOUT["a table with sets"][0], vary="k", constraints=sf.KmAnonymity(2, 2)),
}


class Case(NamedTuple):
    """A solution, a folder to write to, and the records it is about."""

    solution: Solution
    folder: Path
    rows: Any
    kind: str


CALLS: dict[str, Callable[[Case], Any]] = {
    "pick": lambda case: case.solution.pick(1),
    "blur": lambda case: case.solution.blur(1),
    "write": lambda case: case.solution.write(case.folder / "released.csv"),
    "apply": lambda case: case.solution.apply(pd.DataFrame(case.rows) if isinstance(case.rows[0], dict) else case.rows),
    "report": lambda case: case.solution.report(case.folder / "report.html", case.folder / "report.json"),
    "queries": lambda case: case.solution.report(case.folder / "report.html", queries=["sex=f"]),
    "front": lambda case: case.solution.report(case.folder / "report.html", front=FRONTS[case.kind]),
    "no front": lambda case: case.solution.report(case.folder / "report.html", front=True),  # type: ignore[arg-type]
    "no project": lambda case: case.solution.report(case.folder / "report.html", project="a.toml"),  # type: ignore[arg-type]
    "risks": lambda case: sf.evaluate.risks(case.solution),
    "marginals": lambda case: sf.evaluate.marginals(case.solution),
    "str": lambda case: str(case.solution),
    "plan": lambda case: case.solution.plan(3),
    "drafted": lambda case: case.solution.drafted(case.folder / "released.csv").__enter__(),
    "to_json": lambda case: case.solution.to_json(),
    "release": lambda case: case.solution.release(),
    "table_plan": lambda case: case.solution.table_plan(),
    "to_sql": lambda case: case.solution.to_sql("postgres"),
    "to_dbt": lambda case: case.solution.to_dbt(case.folder / "models"),
}
NAMES = sorted({name for name in dir(Solution) if not name.startswith("_")} | CALLS.keys() | {"problem", "answers"})


@functools.cache
def solution_about(kind: str, feasible: bool) -> tuple[Solution, Any]:
    data, rows, met, unmet = ABOUT[kind]
    return sf.Problem(data, met if feasible else unmet).solve(), rows


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("feasible", [True, False], ids=["solved", "infeasible"])
@pytest.mark.parametrize("kind", ABOUT)
def test_every_name_answers_or_says_why_not(kind: str, feasible: bool, name: str, tmp_path: Path) -> None:
    if name in IN_SQL:
        pytest.importorskip("sqlglot")
    solution, rows = solution_about(kind, feasible)
    assert solution.status == ("optimal" if feasible else "infeasible")
    refused = ""
    try:
        CALLS.get(name, lambda case: getattr(case.solution, name))(Case(solution, tmp_path, rows, kind))
    except sf.SfumatoError as error:
        refused = str(error)
    if name in ANYWHERE:
        assert not refused
    elif not feasible or name in {"no front", "no project"}:
        assert refused
    elif name not in TABLES_ONLY:
        assert not refused
    if refused:
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["transactions", "a table with sets"])
def test_what_is_for_tables_alone_is_refused(kind: str, tmp_path: Path) -> None:
    solution, rows = solution_about(kind, True)
    messages = {"apply": "its own records", "blur": "Columns of sets"}
    if kind == "transactions":
        messages |= dict.fromkeys(["queries", "risks", "marginals", "table_plan"], "have no quasi-identifiers")
    for name, message in messages.items():
        with pytest.raises(sf.ProblemError, match=message):
            CALLS[name](Case(solution, tmp_path, rows, kind))
    assert not list(tmp_path.iterdir())
