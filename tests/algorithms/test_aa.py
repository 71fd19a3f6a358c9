from __future__ import annotations

from random import Random

import pandas as pd
import pytest

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.solve import solve_within
from sfumato.testing.brute_force_items import random_items


@pytest.mark.parametrize("staged", [True, False])
def test_a_limit_leaves_a_valid_release(staged: bool) -> None:
    case = random_items(Random(11))
    problem = sf.Problem(case.transactions, [sf.KmAnonymity(2, 2)])
    stopped = solve_within(problem, sf.AA(staged=staged), Limits(examined=0))
    assert (stopped.status, stopped.bound) == ("feasible", None)
    assert stopped.attained["km-anonymity"]["k"] >= 2


def test_fewer_than_k() -> None:
    data = sf.Transactions([["a"], ["b"]], hierarchy=sf.flat())
    for algorithm in (sf.AA(), sf.AA(staged="false"), sf.DA(), sf.OA(), sf.HittingSet(), sf.VPA()):
        solution = sf.Problem(data, [sf.KmAnonymity(3, 1)]).solve(algorithm)
        assert solution.status == "infeasible"
        assert "There are 2 transactions, fewer than k; ask for k = 2 or less." in str(solution)
        with pytest.raises(sf.InfeasibleError):
            solution.release()


def test_several_constraints_are_refused() -> None:
    data = sf.Transactions([["a"], ["b"]], hierarchy=sf.flat())
    with pytest.raises(sf.ProblemError, match="aa takes one constraint, and there are 2"):
        sf.Problem(data, [sf.KmAnonymity(2, 1), sf.KmAnonymity(1, 2)]).solve(sf.AA())
    table = sf.Table(pd.DataFrame({"x": [1, 2]}), quasi_identifiers={"x": sf.flat()})
    with pytest.raises(sf.ProblemError, match="aa anonymizes transactions, not tables"):
        sf.Problem(table, [sf.KAnonymity(2)]).solve(sf.AA())


def test_nothing_at_all() -> None:
    data = sf.Transactions([], hierarchy=sf.flat())
    for algorithm in (None, sf.AA(), sf.DA(), sf.OA(), sf.VPA()):
        solution = sf.Problem(data, [sf.KmAnonymity(3, 1)]).solve(algorithm)
        assert (solution.cost, solution.release()) == (0, [])
