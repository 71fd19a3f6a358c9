"""The suite can fail: faults planted in LatticeSearch are noticed by the comparison with brute force."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from sfumato import KAnonymity, _core
from sfumato.algorithms import LatticeSearch, Limits
from sfumato.testing.brute_force import best
from sfumato.testing.random_problems import random_problem


def disagreements(problems: int) -> int:
    """How many random problems end in another answer than brute force, or in a bound above the optimum."""
    random = Random(2026)
    wrong = 0
    for _ in range(problems):
        case = random_problem(random)
        expected = best(case.problem, case.rows)
        for limits in (Limits(), Limits(examined=5)):
            solution = LatticeSearch().run(case.problem, limits, None, seed=0)
            complete = solution.status in {"optimal", "infeasible"}
            wrong += complete and (solution.exact_cost is None) != (expected is None)
            if expected is not None:
                wrong += solution.exact_bound is not None and solution.exact_bound > expected.cost
                wrong += complete and solution.exact_cost != expected.cost
    return wrong


def test_without_fault_all_agree() -> None:
    assert disagreements(100) == 0


@pytest.mark.parametrize("fault", [_core.Fault.BOUND_ONE_TOO_HIGH, _core.Fault.NODE_SKIPPED])
def test_fault_in_the_search_is_noticed(fault: _core.Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "lattice_search", partial(_core.lattice_search, fault=fault))
    assert disagreements(100) > 0


def test_greater_for_greater_or_equal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KAnonymity, "twin", lambda self, frequencies, sensitive: (self.k + 1,))
    assert disagreements(100) > 0


def test_records_for_persons_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.native._native_units", lambda units: None)
    random = Random(2027)
    wrong = 0
    for _ in range(50):
        case = random_problem(random, units=True)
        expected = best(case.problem, case.rows)
        solution = LatticeSearch().run(case.problem, Limits(), None, seed=0)
        wrong += solution.exact_cost != (None if expected is None else expected.cost)
    assert wrong > 0
