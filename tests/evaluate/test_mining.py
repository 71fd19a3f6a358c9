"""ML^2 and dML^2 equal a count by hand: all subsets of all transactions, at all levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import ceil
from random import Random

import numpy as np
import pytest

import sfumato as sf
from sfumato.recoding import ItemCutRecoding
from sfumato.testing.brute_force_items import ItemCase, random_items


def at_level(case: ItemCase, records: list[frozenset[str]], level: int) -> list[frozenset[str]]:
    """Published labels at a level of the hierarchy; those of higher levels are not seen."""
    image = {}
    for row in case.rows:
        for below in range(level + 1):
            image[row[below]] = row[level]
    return [frozenset(image[label] for label in record if label in image) for record in records]


def frequent(records: list[frozenset[str]], count: int) -> set[frozenset[str]]:
    support: Counter[frozenset[str]] = Counter()
    for record in records:
        for size in range(1, len(record) + 1):
            support.update(map(frozenset, combinations(sorted(record), size)))
    return {itemset for itemset, n in support.items() if n >= count}


def by_hand(case: ItemCase, released: list[frozenset[str]], count: int) -> tuple[float, float, float]:
    levels = range(len(case.rows[0]))
    before = [frequent(at_level(case, list(case.records), level), count) for level in levels]
    after = [frequent(at_level(case, released, level), count) for level in levels]
    total, kept, raised = 0, 0, []
    for level in levels:
        for itemset in before[level]:
            total += 1
            if itemset in after[level]:
                kept += 1
                continue
            up = {row[level]: row for row in case.rows}
            higher = [j for j in levels if j > level and frozenset(up[x][j] for x in itemset) in after[j]]
            raised.append(min(higher, default=len(levels)) - level)
    lost = len(raised)
    return 1 - kept / total if total else 0, sum(raised) / total if total else 0, sum(raised) / lost if lost else 0


def test_equals_a_count_by_hand(suite: Callable[[int], int]) -> None:
    random, lossy = Random("mining"), 0
    for _ in range(suite(400)):
        case = random_items(random, most_items=7)
        data = case.transactions
        problem = sf.Problem(data, [sf.KmAnonymity(2, 2)])
        solution = problem.solve()
        closed = np.array([random.random() < 0.5 for _ in data.items.labels], dtype=np.uint8)
        answer = replace(solution.answer, recoding=ItemCutRecoding(data.items, closed))
        own = replace(solution, answers=(answer,))
        share = random.choice(["10%", "1/4", "1/2"])
        loss = sf.evaluate.mining(own, share, rare=False)
        labels = data.items.labels
        released = [frozenset(labels[v] for v in items) for items, n in own.recoding.published.sets() for _ in range(n)]
        expected = by_hand(case, released, max(1, ceil(loss.support * data.total)))
        assert (loss.ml2, loss.dml2, loss.dml2_lost) == pytest.approx(expected)
        lossy += loss.ml2 > 0
    assert lossy > suite(400) / 4


def test_rare_sets_before_and_after() -> None:
    case = random_items(Random(9))
    solution = sf.Problem(case.transactions, [sf.KmAnonymity(2, 2)]).solve()
    loss = sf.evaluate.mining(solution)
    rare = [n for itemset, n in sf.KmAnonymity(2, 2).supports(Counter(case.records)).items() if len(itemset) == 2]
    assert loss.rare_before[1] == sum(n < 2 for n in rare)
    assert loss.rare_after == (0, 0)


def test_refusals() -> None:
    case = random_items(Random(1))
    problem = sf.Problem(case.transactions, [sf.KmAnonymity(2, 1)], recoding=sf.LocalItems())
    with pytest.raises(sf.ProblemError, match="use item-cut"):
        sf.evaluate.mining(problem.solve())
    with pytest.raises(sf.ProblemError, match="makes every set frequent"):
        sf.evaluate.mining(sf.Problem(case.transactions, [sf.KmAnonymity(2, 1)]).solve(), 0)
