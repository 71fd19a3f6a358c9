"""Published transactions beside their originals: as many are untrue as no assignment has room for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

import sfumato as sf
from sfumato.algorithms import AA, LRA, VPA, Algorithm
from sfumato.check import transaction_truth
from sfumato.check.assignment import unassigned
from sfumato.check.transaction_truth import untrue_transactions
from sfumato.engines import ItemRecords
from sfumato.hierarchies import Hierarchy


def drawn(random: Random) -> tuple[sf.Transactions, list[set[str]]]:
    """Transactions of at most nine items, raised in threes, and their items."""
    items = "abcdefghi"[: random.randint(3, 9)]
    baskets = [set(random.sample(items, random.randint(1, min(4, len(items))))) for _ in range(random.randint(4, 25))]
    rows = [(item, f"{place // 3}", "*") for place, item in enumerate(items)]
    return sf.Transactions(
        [sorted(basket) for basket in baskets], hierarchy=Hierarchy.from_rows(rows, "items")
    ), baskets


def records_of(released: list[set[str]]) -> tuple[ItemRecords, list[str]]:
    labels = sorted(frozenset().union(*released))
    code = {label: number for number, label in enumerate(labels)}
    return ItemRecords.of((sorted(code[item] for item in items), 1) for items in released), labels


def stands_for(hierarchy: Hierarchy, items: set[str], printed: set[str]) -> bool:
    """By the words of the definition: each item has a label that is printed, and each label an item."""
    rows = {row[0]: set(row) for row in hierarchy.rows}
    return all(rows[item] & printed for item in items) and all(
        any(label in rows[i] for i in items) for label in printed
    )


@pytest.mark.parametrize("algorithm", [AA(), LRA(parts=2), VPA()], ids=lambda algorithm: algorithm.name)
def test_as_far_as_an_assignment_exists(algorithm: Algorithm, suite: Callable[[int], int]) -> None:
    untrue, recoding = 0, sf.LocalItems() if algorithm.name == "lra" else sf.ItemCut()
    for seed in range(suite(60)):
        random = Random(f"{algorithm.name}/{seed}")
        data, baskets = drawn(random)
        released = [
            set(items)
            for items in sf.Problem(data, [sf.KmAnonymity(2, 2)], recoding=recoding).solve(algorithm).release()
        ]
        assert untrue_transactions(data.column, *records_of(released)) == 0
        for _ in range(random.randint(1, 2)):
            changed = random.randrange(len(released))
            released[changed] = set(random.choice(released)) ^ {random.choice(random.choice(data.hierarchy.rows))}
        released = [items for items in released if items]
        candidates = [
            np.array([n for n, basket in enumerate(baskets) if stands_for(data.hierarchy, basket, items)], np.int64)
            for items in released
        ]
        expected = unassigned([1] * len(released), candidates, np.ones(len(baskets), dtype=np.int64))
        assert untrue_transactions(data.column, *records_of(released)) == expected
        untrue += expected > 0
    assert untrue >= suite(60) / 5


def test_what_is_too_much_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sf.Transactions([["a"], ["a"], ["b"]], hierarchy=Hierarchy.from_rows([("a", "*"), ("b", "*")], "items"))
    released = records_of([{"a"}, {"*"}, {"*"}])  # 'a' is published in two ways
    assert untrue_transactions(data.column, *released) == 0
    monkeypatch.setattr(transaction_truth, "MOST_CANDIDATES", 3)
    assert untrue_transactions(data.column, *released) is None
