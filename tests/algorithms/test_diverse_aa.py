from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.native.items import ItemCore
from sfumato.solve import solve_within
from sfumato.testing.brute_force_items import all_cuts, published, random_items


def published_by(solution: sf.Solution) -> Counter[frozenset[str]]:
    labels = solution.question.items.labels
    return Counter({frozenset(labels[v] for v in items): n for items, n in solution.recoding.published.sets()})


@pytest.mark.parametrize("refined", [True, False])
def test_against_the_exhaustive_optimum(refined: bool, suite: Callable[[int], int]) -> None:
    """Up to 8 items: never a cut that violates, never below the optimum, and at it nearly always."""
    random, seen = Random("diverse"), Counter[str]()
    for _ in range(suite(300)):
        case = random_items(random, most_items=8)
        items = sorted(frozenset().union(*case.records))
        hidden = random.sample(items, random.choice([1, 1, 2]))
        model = sf.LmDiversity(random.choice([2, 2, 3, 4]), random.choice([1, 2, 2, 3]), hidden)
        valid = [cut for cut in all_cuts(case.rows) if model.holds(published(case, cut, hidden))]
        solution = sf.Problem(case.transactions, [model]).solve(sf.DiverseAA(refined=refined))
        if not valid:
            assert solution.status in ("infeasible", "no_solution_found")
            assert solution.exact_cost is None
            continue
        seen["valid"] += 1
        if solution.exact_cost is None:
            assert solution.status == "no_solution_found"
            continue
        exact = sf.Problem(case.transactions, [model]).solve(sf.BestFirstCuts())
        assert solution.status == "feasible"
        assert solution.bound is None
        assert model.holds(published_by(solution))
        assert exact.exact_cost is not None
        assert solution.exact_cost >= exact.exact_cost
        seen["optimal"] += solution.exact_cost == exact.exact_cost
        seen["lossy"] += exact.exact_cost > 0
    assert seen["lossy"] >= suite(300) / 10, seen
    assert seen["optimal"] >= 0.98 * seen["valid"], seen


ROWS = (("a1", "A", "*"), ("a2", "A", "*"), ("b", "b", "*"), ("s", "s", "*"))


def items_of(*texts: str) -> sf.Transactions:
    return sf.Transactions([text.split() for text in texts], hierarchy=sf.Hierarchy.from_rows(ROWS, "items"))


def test_it_does_not_climb_where_nothing_violates() -> None:
    """A, above a1 and a2, would violate: sets above the cut say nothing of it, other than in AA."""
    data = items_of("a1 a2", "a1 a2", "a1 s", "a1 s", "a2 s", "a2 s", "b", "b")
    solution = sf.Problem(data, [sf.LmDiversity(2, 2, ["s"])]).solve(sf.DiverseAA())
    assert (solution.status, solution.cost) == ("feasible", 0)


def test_a_sensitive_item_may_be_too_frequent_for_any_cut() -> None:
    data = items_of("a1 s", "a1 s", "b", "s", "s", "s")
    hopeless = sf.Problem(data, [sf.LmDiversity(2, 1, ["s"])]).solve(sf.DiverseAA())
    assert hopeless.status == "infeasible"
    assert "A sensitive item is in 5 of the 6 transactions, more than 1/l; ask for less." in str(hopeless)
    free = sf.Problem(data, [sf.LmDiversity(1, 1, ["s"])]).solve(sf.DiverseAA())
    assert (free.status, free.cost) == ("feasible", 0)


def test_no_way_up_is_no_proof() -> None:
    """Of the other items' three transactions two have s: whatever is generalised, some set violates."""
    data = sf.Transactions([["a", "s"], ["a", "s"], ["b"], ["t"], ["t"]], hierarchy=sf.flat())
    model = sf.LmDiversity(2, 1, ["s", "t"])
    solution = sf.Problem(data, [model]).solve(sf.DiverseAA())
    assert (solution.status, solution.cost) == ("no_solution_found", None)
    assert "The search ended at a cut that violates, and others may not; see best-first-cuts." in str(solution)
    assert sf.Problem(data, [model]).solve(sf.BestFirstCuts()).status == "infeasible"


def test_a_limit_leaves_a_valid_release_or_none() -> None:
    data = items_of("a1 s", "a2", "a1", "b", "b")
    for steps in range(4):
        problem = sf.Problem(data, [sf.LmDiversity(2, 2, ["s"])])
        stopped = solve_within(problem, sf.DiverseAA(), Limits(examined=steps))
        assert stopped.status in ("feasible", "no_solution_found")
        assert stopped.cost is None or sf.LmDiversity(2, 2, ["s"]).holds(published_by(stopped))
    stopped = solve_within(problem, sf.BestFirstCuts(), Limits(examined=1))
    assert stopped.status in ("feasible", "optimal")


def test_what_it_refuses() -> None:
    data = items_of("a1 s", "a2")
    for models, why in (
        ([sf.KmAnonymity(2, 2)], "looks at the shares of sensitive items, and km-anonymity asks for something else"),
        ([sf.LmDiversity(2, 2, ["s"]), sf.KmAnonymity(2, 2)], "takes one constraint, and there are 2"),
    ):
        with pytest.raises(sf.ProblemError, match=f"diverse-aa {why}"):
            sf.Problem(data, models).solve(sf.DiverseAA())
    with pytest.raises(sf.ProblemError, match="lm-diversity asks for something else; use diverse-aa"):
        sf.Problem(data, [sf.LmDiversity(2, 2, ["s"])]).solve(sf.AA())
    with pytest.raises(sf.ProblemError, match="diverse-aa recodes items all alike"):
        sf.Problem(data, [sf.LmDiversity(2, 2, ["s"])], recoding=sf.LocalItems()).solve(sf.DiverseAA())


def test_a_part_without_transactions_is_no_part_of_all() -> None:
    items = items_of("a1 s", "a2").items
    nothing = items.records.taken(np.zeros(0, dtype=np.int64))
    assert ItemCore.of(items, sf.NCP(), 2, 2, nothing).baskets.support[0] == 0


@pytest.mark.parametrize("name", ["bms-webview-1", "bms-webview-2"])
def test_the_papers_sizes(name: str, shared_data: Path) -> None:
    """Hundreds of items and long tails, m = 2: `solve()` takes the heuristic, and the release passes the check."""
    path = shared_data / f"{name}.txt.gz"
    data = sf.Transactions(path, hierarchy=sf.fanout(5))
    frequent = np.argsort(-data.items.occurrences, kind="stable")[:20]
    model = sf.LmDiversity(2, 2, [data.items.hierarchy.leaves[code] for code in frequent])
    solution = sf.Problem(data, [model]).solve()
    assert (solution.algorithm, solution.status) == ("diverse-aa", "feasible")
    assert solution.cost == pytest.approx({"bms-webview-1": 0.0439, "bms-webview-2": 0.0177}[name], abs=1e-3)
    assert sf.check(solution.release(), constraints=[model]).holds
    assert name == "bms-webview-2" or not sf.check(path, constraints=[model]).holds
