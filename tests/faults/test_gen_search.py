"""Faults planted in GenSearch are noticed by the tests that compare it with brute force."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from sfumato import _core
from sfumato.native.boxes import NativeBoxes
from sfumato.native.run import Run
from sfumato.testing.box_space import Space
from sfumato.testing.brute_force_boxes import best
from sfumato.testing.planting import planted
from sfumato.testing.random_boxes import MOST, box_problem

FAULTS = [_core.Fault.BOUND_ONE_TOO_HIGH, _core.Fault.SPLIT_SKIPPED, _core.Fault.LEAST_ONE_TOO_HIGH]


def wrong(space: Space, expected: Fraction | None, fault: _core.Fault) -> bool:
    """Whether the search with a fault finds or proves something else than brute force.

    It knows the cost that there is to find and begins with no solution: a bound that is too high hides the optimum.
    """
    native = NativeBoxes.of(space.problem.question)
    upper = None if expected is None else native.units(expected) + 1
    with planted(fault):
        result = native.search(_core.gen_search, Run(), way="SPARSE", upper=upper)
    cost = native.costs.exact(result.partitions[0].cost) if result.partitions else None
    return (cost, result.complete) != (expected, True) or (
        cost is not None and native.costs.exact(result.bound) != cost
    )


@pytest.fixture(scope="module")
def cases() -> list[tuple[Space, Fraction | None]]:
    random = Random(7)
    spaces = [box_problem(random, plain=True) for _ in range(40)]
    return [(space, best(space, MOST)[0]) for space in spaces]


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: _core.Fault, cases: list[tuple[Space, Fraction | None]]) -> None:
    assert sum(wrong(*case, fault) for case in cases) >= 3


def test_without_a_fault_nothing_is_wrong(cases: list[tuple[Space, Fraction | None]]) -> None:
    assert not any(wrong(*case, _core.Fault.NONE) for case in cases)
