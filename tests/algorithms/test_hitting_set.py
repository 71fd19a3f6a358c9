from __future__ import annotations

import sys
from random import Random

import numpy as np
import pytest

import sfumato as sf
from sfumato.algorithms.steps.hitting_lp import HittingLP
from sfumato.testing.brute_force_items import random_items


def chain() -> HittingLP:
    """A root over two nodes, which have only leaves below them."""
    return HittingLP(np.array([-1, 0, 0]), np.array([3, 2, 3]), [100, 7, 5])


def test_weights_prove_what_they_weigh() -> None:
    lp = chain()
    assert lp.add([(1, 2), (2,), (1, 2)]) == 2
    values, bound = lp.solve(lp.free()) or (None, -1)
    assert bound == 5
    assert values is not None
    assert values.round(6).tolist() == [0, 0, 1]


def test_any_weights_give_a_valid_bound() -> None:
    """Weights that are too heavy are scaled down, whatever a solver says."""
    lp = chain()
    lp.add([(1, 2), (2,), (0,)])
    for weights in ([0, 0, 0], [1e9, 1e9, 1e9], [3.3, 1.7, 0], [-5, 5, 1], [0, 0, 112.0]):
        assert 0 <= lp.bound(np.array(weights, dtype=np.float64), lp.free()) <= 112
    assert lp.bound(np.array([0, 0, 112.0]), lp.free()) == 112  # closing the root closes all


def test_fixed_variables() -> None:
    lp = chain()
    lp.add([(1, 2)])
    closed = lp.free().closing(1, lp.end)
    assert (lp.solve(closed) or (None, None))[1] == 7
    opened = lp.free().opening(2, lp.parent)
    assert opened.most.tolist() == [0, 1, 0]
    assert (lp.solve(opened) or (None, None))[1] == 7
    assert lp.solve(opened.opening(1, lp.parent)) is None


def test_nodes_that_cost_nothing() -> None:
    lp = HittingLP(np.array([-1, 0]), np.array([2, 2]), [10, 0])
    lp.add([(1,)])
    assert (lp.solve(lp.free()) or (None, None))[1] == 0


def test_bounds_of_huge_costs_are_bounds() -> None:
    lp = HittingLP(np.array([-1, 0, 0]), np.array([3, 2, 3]), [10**30, 7 * 10**25, 5 * 10**25])
    lp.add([(1,), (2,)])
    _, bound = lp.solve(lp.free()) or (None, 0)
    assert 1 - 1e-9 < bound / (12 * 10**25) <= 1  # never above, whatever the solver's digits


def test_progress_and_trace() -> None:
    case = random_items(Random(4))
    reports: list[object] = []
    solution = sf.Problem(case.transactions, [sf.KmAnonymity(3, 2)]).solve(progress=reports.append)
    assert reports
    assert solution.trace[-1].cost == solution.cost
    assert all(point.bound is None or point.bound <= point.cost + 1e-12 for point in solution.trace)


def test_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(sf.ProblemError, match=r"needs the solver HiGHS.*pip install highspy.*algorithm aa"):
        chain()
