"""Faults planted in LocalSearch: the comparison with brute force must notice each of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import sfumato as sf
from sfumato import _core
from sfumato.testing.brute_force_local import least_local
from sfumato.testing.planting import planted
from tests.algorithms.test_local_search import random_case


def disagreements(cases: int = 25) -> int:
    """How often bound and cost do not enclose the least loss."""
    random = Random("faults")
    wrong = 0
    for _ in range(cases):
        problem, rows = random_case(random, (4, 8), [sf.KAnonymity])
        solution = problem.solve(sf.LocalSearch(steps=200, rounds=0))
        least = least_local(problem, rows)
        if least is None or solution.exact_cost is None or solution.exact_bound is None:
            wrong += (least is None) != (solution.exact_cost is None)
        else:
            wrong += not solution.exact_bound <= least <= solution.exact_cost
    return wrong


def test_without_a_fault_nothing_is_noticed() -> None:
    assert disagreements() == 0


@pytest.mark.parametrize("fault", [_core.Fault.BOUND_ONE_TOO_HIGH, _core.Fault.TUPLES_SKIPPED])
def test_a_bound_that_is_too_high_is_noticed(fault: _core.Fault) -> None:
    with planted(fault):
        assert disagreements() > 1


def test_a_record_too_few_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    search = _core.local_search

    def weaker(**given: Any) -> _core.LocalResult:
        return search(**given | {"least": max(1, given["least"] - 1)})

    monkeypatch.setattr(_core, "local_search", weaker)
    assert disagreements() > 3
