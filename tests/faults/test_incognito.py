"""The suite can fail: faults planted in Incognito are noticed by the comparison with brute force."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import pytest

from sfumato import KAnonymity, _core
from sfumato.algorithms import Incognito, Limits
from sfumato.solve import solve_within
from sfumato.testing.brute_force import nodes
from sfumato.testing.planting import planted
from sfumato.testing.random_problems import random_problem


def disagreements(problems: int, *, units: bool = False) -> int:
    """How many random problems end in other minimal nodes than brute force, or in a bound above the optimum."""
    random = Random(2005)
    wrong = 0
    for _ in range(problems):
        case = random_problem(random, units=units)
        problem = replace(case.problem, recoding=replace(case.problem.recoding, suppression_limit=0))
        valid = {node.levels: node.cost for node in nodes(problem, case.rows) if node.valid}
        minimal = {
            v for v in valid if not any(u != v and all(x <= y for x, y in zip(u, v, strict=True)) for u in valid)
        }
        whole = solve_within(problem, Incognito(), Limits())
        wrong += {tuple(levels.values()) for levels in whole.minimal} != minimal
        stopped = solve_within(problem, Incognito(), Limits(examined=3))
        least = min(valid.values(), default=None)
        wrong += least is not None and stopped.exact_bound is not None and stopped.exact_bound > least
    return wrong


def test_without_fault_all_agree() -> None:
    assert disagreements(100) == 0


@pytest.mark.parametrize(
    "fault",
    [
        _core.Fault.BOUND_ONE_TOO_HIGH,
        _core.Fault.NODE_SKIPPED,
        _core.Fault.MARKED_TOO_FAR,
    ],
)
def test_fault_in_the_search_is_noticed(fault: _core.Fault) -> None:
    with planted(fault):
        assert disagreements(100) > 0


def test_greater_for_greater_or_equal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KAnonymity, "twin", lambda self, frequencies, sensitive: (self.k + 1,))
    assert disagreements(100) > 0


def test_records_for_persons_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.native.tables._native_units", lambda units: None)
    assert disagreements(50, units=True) > 0


def test_too_many_candidates_are_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "incognito", partial(_core.incognito, most_candidates=0))
    case = random_problem(Random(1))
    problem = replace(case.problem, recoding=replace(case.problem.recoding, suppression_limit=0))
    solution = solve_within(replace(problem, constraints=[KAnonymity(1)]), Incognito(), Limits())
    assert solution.status == "no_solution_found"
    assert "too many candidates" in solution.reason
