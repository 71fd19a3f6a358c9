from __future__ import annotations

from random import Random

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.solve import solve_within
from sfumato.testing.brute_force_items import random_items


def test_stopped_it_claims_nothing() -> None:
    case = random_items(Random(2))
    problem = sf.Problem(case.transactions, [sf.KmAnonymity(7, 3)])
    whole = problem.solve(sf.OA())
    assert (whole.status, whole.gap) == ("optimal", 0)
    assert 1 < whole.examined <= whole.space
    stopped = solve_within(problem, sf.OA(), Limits(examined=1))
    assert (stopped.status, stopped.bound) == ("feasible", 0)
    assert stopped.cost == 1, "all items as one: the most general cut is looked at first"


def test_stopped_before_a_cut_holds() -> None:
    """Where not even the most general cut is valid, nothing can be said before all are looked at."""
    problem = sf.Problem(sf.Transactions([["a"], ["b"]], hierarchy=sf.flat()), [sf.KmAnonymity(3, 1)])
    stopped = solve_within(problem, sf.OA(), Limits(examined=1))
    assert (stopped.status, stopped.cost) == ("no_solution_found", None)
    assert "allow more time" in stopped.reason
