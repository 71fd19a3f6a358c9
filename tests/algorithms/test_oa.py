from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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


def test_what_is_stopped_has_the_most_general_cut_at_least(suite: Callable[[int], int]) -> None:
    """Wherever it stops: a valid cut if the most general one is, no dearer than that, and a bound below the optimum."""
    random, seen = Random(54), Counter[str]()
    for _ in range(suite(400)):
        case, k = random_items(random), random.choice([2, 3, 7])
        problem = sf.Problem(case.transactions, [sf.KmAnonymity(k, random.choice([1, 2, 3]))])
        stopped = solve_within(problem, sf.OA(), Limits(examined=random.randint(1, 3)))
        if problem.data.total < k:
            continue
        seen[stopped.status] += 1
        optimum = problem.solve(sf.OA()).exact_cost
        assert optimum is not None
        assert stopped.exact_cost is not None
        assert stopped.exact_bound is not None
        assert stopped.exact_bound <= optimum <= stopped.exact_cost <= 1
        assert stopped.status == "feasible" or stopped.exact_cost == optimum
    assert seen["feasible"] > seen.total() / 8, seen
    assert not seen["no_solution_found"]
