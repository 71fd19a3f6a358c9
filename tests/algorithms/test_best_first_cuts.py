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


def test_a_long_tail_of_items_is_no_hindrance() -> None:
    """Sets are counted transaction by transaction: how many items there are in all matters only with negation."""
    baskets = [[f"{n % 900}", f"{n % 7}", "flu"] if n % 5 == 0 else [f"{n % 900}", f"{n % 7}"] for n in range(1800)]
    data = sf.Transactions(baskets, hierarchy=sf.fanout(30))
    model = sf.LmDiversity(2, 2, ["flu"])
    solution = sf.Problem(data, [model]).solve(time_limit="1s")
    assert solution.exact_cost is not None
    release = sf.Problem(data, [sf.KmAnonymity(2, 2, negative=True)])
    with pytest.raises(sf.ProblemError, match="too many; ask for a smaller m"):
        release.solve(sf.BestFirstCuts())
