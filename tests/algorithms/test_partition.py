from __future__ import annotations

from collections import Counter

import pytest

import sfumato as sf
from sfumato.algorithms import Limits, partition
from sfumato.native.run import Run
from sfumato.solution import Solution
from sfumato.solve import solve_within

ROWS = [("a1", "A", "*"), ("a2", "A", "*"), ("b1", "B", "*"), ("b2", "B", "*")]


class Ticking(Run):
    """A run whose clock goes on whenever somebody looks at it, and not between."""

    looks = 0.0

    @property
    def seconds(self) -> float:
        self.looks += 1
        return self.looks


def problem(baskets: list[list[str]], k: int) -> sf.Problem:
    data = sf.Transactions(baskets, hierarchy=sf.Hierarchy.from_rows(ROWS, "items"))
    return sf.Problem(data, [sf.KAnonymity(k)], recoding=sf.LocalItems())


def test_equal_transactions_are_drilled_to_the_leaves() -> None:
    solution = problem([["a1", "b1"]] * 3 + [["a2"]] * 2, 2).solve(sf.Partition())
    assert (solution.cost, Counter(map(tuple, solution.release()))) == (0, {("a1", "b1"): 3, ("a2",): 2})


def test_a_pool_that_nobody_can_fill_takes_a_whole_part() -> None:
    solution = problem([["a1"], ["a1"], ["b1"]], 2).solve(sf.Partition())
    assert Counter(map(tuple, solution.release())) == {("*",): 3}


def test_a_limit_stops_the_drilling() -> None:
    posed = problem([["a1"]] * 4, 2)
    stopped = solve_within(posed, sf.Partition(), Limits(examined=1))
    assert Counter(map(tuple, stopped.release())) == {("A",): 4}


def test_the_time_may_be_up_within_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on at every look: whichever step it ends, its group stays as it was."""
    monkeypatch.setattr(partition, "_BETWEEN_LOOKS", 1)
    posed = problem([["a1", "b1"], ["a1", "b1"], ["a2"], ["a2", "b2"], ["a2", "b2"], ["b1"], ["b1"]], 2)
    costs = []
    for looks in range(100):
        answer = sf.Partition().search(posed.questions[0].bound, Ticking(Limits(seconds=looks)))
        published = Counter(map(tuple, Solution(posed, (answer,), 0).release()))
        assert published.total() == 7
        assert min(published.values()) >= 2
        costs.append(answer.exact_cost)
    assert costs == sorted(costs, reverse=True)
    assert len(set(costs)) > 2  # it ends in several steps


def test_it_takes_k_anonymity_alone() -> None:
    data = sf.Transactions([["a1"]], hierarchy=sf.flat())
    with pytest.raises(sf.ProblemError, match="partition takes k-anonymity alone"):
        sf.Problem(data, [sf.KmAnonymity(2, 2)], recoding=sf.LocalItems()).solve(sf.Partition())
    assert problem([["a1"]], 2).solve().status == "infeasible"
