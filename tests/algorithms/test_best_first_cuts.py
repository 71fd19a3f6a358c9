from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.solve import solve_within


def test_several_models_at_once() -> None:
    rows = [("a1", "A", "*"), ("a2", "A", "*"), ("b", "b", "*"), ("s", "s", "*")]
    baskets = [["a1", "s"], ["a2"], ["a1", "b"], ["b", "a2"]]
    data = sf.Transactions(baskets, hierarchy=sf.Hierarchy.from_rows(rows, "items"))
    models = [sf.LmDiversity(2, 2, ["s"]), sf.KmAnonymity(1, 1)]
    solution = sf.Problem(data, models).solve()
    assert (solution.status, solution.algorithm) == ("optimal", "best-first-cuts")
    assert any("s" in items for items in solution.release())  # sensitive items stay


def test_stopped_the_top_is_tried() -> None:
    data = sf.Transactions([["a"], ["b"], ["c"]], hierarchy=sf.flat())
    problem = sf.Problem(data, [sf.KmAnonymity(2, 1, negative=True)])
    stopped = solve_within(problem, sf.BestFirstCuts(), Limits(examined=0))
    assert (stopped.status, stopped.cost, stopped.bound) == ("feasible", 1, 0)


def test_too_many_sets_to_count() -> None:
    data = sf.Transactions([[str(n), str(n + 1)] for n in range(2000)], hierarchy=sf.fanout(5))
    with pytest.raises(sf.ProblemError, match="counts sets one by one, and here are too many"):
        sf.Problem(data, [sf.KmAnonymity(2, 3, negative=True)]).solve()
