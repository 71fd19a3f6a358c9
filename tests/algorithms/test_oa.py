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
    assert (stopped.status, stopped.cost) == ("no_solution_found", None)
    assert "allow more time" in stopped.reason
