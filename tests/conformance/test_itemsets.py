"""Searches for transactions equal brute force and their literal selves, and whatever they publish is checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

import sfumato as sf
from papers.km.count_tree import literal_aa, literal_da
from sfumato.algorithms.hitting_set import _Cuts
from sfumato.loss import NCP
from sfumato.native.items import ItemCore
from sfumato.native.limits import Limits
from sfumato.native.run import Run
from sfumato.recoding import ItemCutRecoding
from sfumato.solve import solve_within
from sfumato.testing.brute_force_items import ItemCase, all_cuts, cheapest, published, random_items

Draw = tuple[ItemCase, sf.KmAnonymity]


def draws(seed: str, count: int) -> list[Draw]:
    random = Random(seed)
    return [
        (random_items(random), sf.KmAnonymity(random.choice([2, 2, 3, 7]), random.choice([1, 2, 2, 3, 4])))
        for _ in range(count)
    ]


def published_by(solution: sf.Solution, *, released: bool = False) -> Counter[frozenset[str]]:
    """What a solution publishes; released: by way of the release, which checks it."""
    if released:
        return Counter(frozenset(items) for items in solution.release())
    labels = solution.question.items.labels
    return Counter({frozenset(labels[v] for v in items): n for items, n in solution.recoding.published.sets()})


@pytest.mark.parametrize("algorithm", [sf.HittingSet(), sf.OA()], ids=lambda part: part.name)
def test_exact_searches(algorithm: sf.OA | sf.HittingSet, suite: Callable[[int], int]) -> None:
    seen: Counter[str] = Counter()
    count = suite(600)
    for case, model in draws("exact", count):
        expected, _ = cheapest(case, model)
        solution = sf.Problem(case.transactions, [model]).solve(algorithm)
        assert solution.exact_cost == solution.exact_bound == expected
        assert solution.status == ("infeasible" if expected is None else "optimal")
        seen["infeasible" if expected is None else "inside" if 0 < expected < 1 else "outside"] += 1
        if expected is not None:
            plain = published_by(solution, released=seen.total() % 10 == 0)
            assert model.holds(plain)
            assert sum(plain.values()) == len(case.records)
    assert seen["inside"] >= count / 3, seen


def test_heuristics_are_what_the_paper_says(suite: Callable[[int], int]) -> None:
    for case, model in draws("literal", suite(600)):
        data = case.transactions
        if data.total < model.k:
            assert sf.Problem(data, [model]).solve(sf.AA()).status == "infeasible"
            continue
        for algorithm, literal in ((sf.AA(staged=False), literal_aa), (sf.DA(), literal_da)):
            solution = sf.Problem(data, [model]).solve(algorithm)
            expected = literal(data, model.k, model.m).closed
            assert set(np.flatnonzero(solution.recoding.closed).tolist()) == expected
        solution = sf.Problem(data, [model]).solve(sf.AA())
        assert model.holds(published_by(solution))


def test_every_clause_holds_for_every_valid_cut(suite: Callable[[int], int]) -> None:
    clauses = 0
    for case, model in draws("clauses", suite(300)):
        data = case.transactions
        if data.total < model.k:
            continue
        core = ItemCore.of(data.items, NCP(), model.k, model.m)
        search = _Cuts(core, Run())
        search.search()
        inner = search.inner
        valid = [cut for cut in all_cuts(case.rows) if model.holds(published(case, cut))]
        for clause in search.lp.clauses:
            clauses += 1
            ranges = [(data.items.taxonomy.first[inner[v]], data.items.taxonomy.end[inner[v]]) for v in clause]
            for cut in valid:
                # A node is closed if all its leaves are published alike.
                assert any(len(set(cut[first:end])) == 1 for first, end in ranges)
    assert clauses > suite(300) / 2


def test_a_search_that_is_stopped_has_a_valid_bound(suite: Callable[[int], int]) -> None:
    from sfumato.solve import solve

    for case, model in draws("stopped", suite(300)):
        problem = sf.Problem(case.transactions, [model])
        expected, _ = cheapest(case, model)
        if expected is None:
            continue
        for most in (0, 1, 2, 3):
            stopped = solve_within(problem, sf.HittingSet(), Limits(examined=most))
            assert stopped.exact_bound <= expected <= stopped.exact_cost
            assert stopped.status == "optimal" or stopped.exact_bound < stopped.exact_cost
        assert solve(problem, time_limit=0).status in ("feasible", "optimal")


def test_the_cost_of_a_cut_is_that_of_its_nodes() -> None:
    for case, _ in draws("costs", 20):
        data = case.transactions
        core = ItemCore.of(data.items, NCP(), 2, 2)
        random = Random(len(case.records))
        closed = np.array([random.random() < 0.3 for _ in core.costs], dtype=np.uint8)
        assert core.baskets.cost(closed) == ItemCutRecoding(data.items, closed).cost(NCP().worth(data))
