"""Faults planted in HittingSet: the comparison with brute force must notice each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.algorithms.steps.hitting_lp import Fixing, HittingLP
from sfumato.native.items import ItemCore
from sfumato.solve import solve_within
from sfumato.testing.brute_force_items import cheapest
from tests.conformance.test_itemsets import draws

CASES = [(case, model, cheapest(case, model)[0]) for case, model in draws("faults", 120)]


def disagreements() -> int:
    wrong = 0
    for case, model, expected in CASES:
        problem = sf.Problem(case.transactions, [model])
        solution = problem.solve(sf.HittingSet())
        stopped = [solve_within(problem, sf.HittingSet(), Limits(examined=most)) for most in (1, 2, 3)]
        above = expected is not None and any((one.exact_bound or 0) > expected for one in stopped)
        wrong += above or (solution.exact_cost, solution.exact_bound) != (expected, expected)
    return wrong


def bound_too_high(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that is a unit too high."""
    own = HittingLP.bound
    monkeypatch.setattr(HittingLP, "bound", lambda self, weights, fixing: own(self, weights, fixing) + 1)


def a_clause_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every clause asks for its first node alone."""
    own = HittingLP.add
    monkeypatch.setattr(HittingLP, "add", lambda self, clauses: own(self, [clause[:1] for clause in clauses]))


def less_for_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets in just k transactions are taken for rare."""
    own = ItemCore.of_question.__func__

    def stricter(cls: type[ItemCore], question: Any) -> ItemCore:
        core = own(cls, question)
        return ItemCore(core.items, core.k + 1, core.m, core.costs, core.whole, core.baskets)

    monkeypatch.setattr(ItemCore, "of_question", classmethod(stricter))


def test_without_a_fault_nothing_is_noticed() -> None:
    assert disagreements() == 0


@pytest.mark.parametrize("fault", [bound_too_high, a_clause_too_many, less_for_at_least])
def test_faults_are_noticed(fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    # Without a heuristic to start from, or the fault may have nothing left to spoil.
    monkeypatch.setattr(ItemCore, "apriori", _from_the_top)
    fault(monkeypatch)
    assert disagreements() > 2


def _from_the_top(core: ItemCore, *_: object, **options: object) -> Any:
    class Top:
        closed = core.nothing + 1
        clauses = ()

    return Top


def test_a_branch_that_is_skipped_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch where a node is open does nothing but close it: what lies below it is lost."""
    lp = HittingLP(*_odd_cycle())
    lp.add([(1, 2), (2, 3), (1, 3)])
    values, bound = lp.solve(lp.free()) or (None, 0)
    assert bound == 16  # the relaxation takes half of each
    assert values is not None
    whole = _branch(lp, lp.free())
    assert whole == 20
    monkeypatch.setattr(Fixing, "opening", lambda self, variable, parent: self.closing(variable, lp.end))
    assert _branch(lp, lp.free()) > whole


def _odd_cycle() -> tuple[Any, Any, list[int]]:
    import numpy as np

    return np.array([-1, 0, 0, 0]), np.array([4, 2, 3, 4]), [1000, 12, 10, 10]


def _branch(lp: HittingLP, fixing: Fixing, depth: int = 0) -> int:
    """Branch and bound in three lines, on the first variable that is a fraction."""
    solved = lp.solve(fixing)
    if solved is None or depth > 6:
        return 10**9
    fractions = [v for v, value in enumerate(solved[0].tolist()) if 1e-6 < value < 1 - 1e-6]
    if not fractions:
        return solved[1]
    children = (fixing.closing(fractions[0], lp.end), fixing.opening(fractions[0], lp.parent))
    return min(_branch(lp, child, depth + 1) for child in children)
