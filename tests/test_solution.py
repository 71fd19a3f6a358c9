"""Solutions: what they claim, and how they say it."""

from __future__ import annotations

import json
from fractions import Fraction

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
    told = json.loads(json.dumps(solve(limit="10%").to_json()))
    assert list(told) == KEYS
    assert told["loss"].keys() == {"name", "value", "relative"}
    assert told["recoding"] == {"model": "full-domain", "levels": {"age": 1, "town": 0}}
    assert told["records"] == {"in": 13, "out": 12, "suppressed": 1, "values_suppressed": 0}
    assert told["attained"] == {"k-anonymity": {"k": 3}, "distinct-l-diversity": {"l": 3}}


def test_json_without_a_recoding_has_the_same_keys() -> None:
    told = json.loads(json.dumps(solve(k=100).to_json()))
    assert list(told) == [*KEYS, "reason"]
    assert told["status"] == "infeasible"
    assert told["loss"] == {"name": "lm", "value": None, "relative": None}
    assert told["recoding"] is told["bound"] is told["gap"] is told["attained"] is told["classes"] is None
    assert told["records"] == {"in": 13, "out": None, "suppressed": None, "values_suppressed": None}


def test_text() -> None:
    text = str(solve(limit="10%"))
    assert text.startswith("optimal  cost 4 (lm, 15.38% of all detail)  bound 4  gap 0.0%\n")
    assert "levels  age 1, town 0" in text
    assert "release  12 of 13 records in 4 classes, 1 suppressed  k-anonymity k = 3" in text
    assert repr(solve(limit="10%")).startswith("optimal  cost 4 ")
    assert str(solve(k=100)).startswith("infeasible  Even at the highest levels 13 records violate")


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
