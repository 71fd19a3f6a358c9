from __future__ import annotations

from collections import Counter

import pytest

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.solve import solve_within

ROWS = [("a1", "A", "*"), ("a2", "A", "*"), ("b1", "B", "*"), ("b2", "B", "*")]


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


def test_it_takes_k_anonymity_alone() -> None:
    data = sf.Transactions([["a1"]], hierarchy=sf.flat())
    with pytest.raises(sf.ProblemError, match="partition takes k-anonymity alone"):
        sf.Problem(data, [sf.KmAnonymity(2, 2)], recoding=sf.LocalItems()).solve(sf.Partition())
    assert problem([["a1"]], 2).solve().status == "infeasible"
