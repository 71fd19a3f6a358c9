"""Transactions at the edges of what is counted: supports beyond 32 bits, long transactions, m beyond the longest."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

import sfumato as sf
from sfumato import _core
from sfumato.algorithms import Algorithm
from sfumato.data.frequencies import MOST_RECORDS
from sfumato.engines import ItemRecords
from sfumato.errors import DataError, ProblemError
from sfumato.questions.itemsets import plainly

SETS = 64
LETTERS = [(x, f"{group}", "*") for group in ("abc", "def", "ghi") for x in group]
SEARCHES: list[Algorithm] = [sf.AA(), sf.DA(), sf.OA(), sf.HittingSet()]


def transactions(times: int) -> sf.Transactions:
    """Random sets, each so many times."""
    random = Random(3)
    hierarchy = sf.Hierarchy.from_rows(LETTERS, "letters")
    sets = [sorted(random.sample(range(9), random.randint(1, 4))) for _ in range(SETS)]
    merged: dict[tuple[int, ...], int] = {}
    for one in sets:
        merged[tuple(one)] = merged.get(tuple(one), 0) + times
    return sf.Transactions.of(ItemRecords.of(sorted(merged.items())), hierarchy)


@pytest.mark.parametrize("algorithm", SEARCHES, ids=lambda one: one.name)
def test_many_transactions_are_searched_as_few_are(algorithm: Algorithm) -> None:
    """Supports, k and weights multiplied by one number lose the same share."""
    for k in (3, 5):
        small = sf.Problem(transactions(1), [sf.KmAnonymity(k, 2)]).solve(algorithm)
        assert small.exact_cost
        for bits in (15, 16, 31, 32, 36):
            for times in ((1 << bits) // SETS + more for more in (-1, 0, 1)):
                if times * SETS <= MOST_RECORDS:
                    large = sf.Problem(transactions(times), [sf.KmAnonymity(k * times, 2)]).solve(algorithm)
                    assert large.exact_cost == small.exact_cost


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("algorithm", SEARCHES, ids=lambda one: one.name)
def test_k_around_32_bits(algorithm: Algorithm, more: int) -> None:
    """Counters of masks have 32 bits; a larger k is counted in another way. Eight sets are 2^32 transactions here."""
    large = sf.Problem(transactions(1 << 29), [sf.KmAnonymity((1 << 32) + more, 2)]).solve(algorithm)
    small = sf.Problem(transactions(1), [sf.KmAnonymity(8 if more <= 0 else 9, 2)]).solve(algorithm)
    assert large.exact_cost == small.exact_cost
    assert small.exact_cost


def test_transactions_are_fewer_than_two_to_the_36() -> None:
    hierarchy = sf.Hierarchy.from_rows(LETTERS, "letters")
    for more, fits in ((-1, True), (0, True), (1, False)):
        records = ItemRecords.of([((0,), MOST_RECORDS + more - 1), ((1,), 1)])
        if fits:
            problem = sf.Problem(sf.Transactions.of(records, hierarchy), [sf.KmAnonymity(2, 1)])
            assert problem.solve().status == "optimal"
        else:
            with pytest.raises(DataError, match="anonymize parts of the data"):
                sf.Transactions.of(records, hierarchy)


def test_the_core_checks_the_sets_that_it_is_given() -> None:
    def baskets(begin: list[int], items: list[int], weight: list[int]) -> _core.Baskets:
        return _core.Baskets(
            np.array([0, 0, 0], dtype=np.uint32),
            np.array([2, 1, 1], dtype=np.int64),
            np.array(begin, dtype=np.uint64),
            np.array(items, dtype=np.uint32),
            np.array(weight, dtype=np.int64),
            [0, 0, 0],
        )

    assert baskets([0, 1, 2], [1, 2], [MOST_RECORDS - 1, 1])
    with pytest.raises(ProblemError, match="anonymize parts of the data"):
        baskets([0, 1, 2], [1, 2], [MOST_RECORDS, 1])
    for begin, items, weight in (
        ([0, 1, 3], [1, 2], [1, 1]),
        ([0, 2, 1], [1, 2], [1, 1]),
        ([0, 1], [1, 2], [1, 1]),
        ([0, 1, 2], [1, 2], [1, -1]),
        ([0, 1, 2], [1, 3], [1, 1]),
    ):
        with pytest.raises(ValueError, match=r"sets lie one after the other|less than never|nodes without children"):
            baskets(begin, items, weight)


@pytest.mark.parametrize("m", [3, 4, 5, 1 << 31, 10**18])
def test_m_up_to_the_longest_transaction_and_beyond(m: int) -> None:
    """A set of more items than any transaction has occurs in none: nothing more is asked."""
    data = transactions(1)
    longest = sf.Problem(data, [sf.KmAnonymity(3, 4)]).solve()
    solution = sf.Problem(data, [sf.KmAnonymity(3, m)]).solve()
    assert int(data.items.records.lengths.max()) == 4
    assert solution.exact_cost is not None
    assert longest.exact_cost is not None
    assert solution.exact_cost == longest.exact_cost if m >= 4 else solution.exact_cost <= longest.exact_cost


@pytest.mark.parametrize("m", [4, 10**18])
def test_two_requirements_of_any_m(m: int) -> None:
    """Sets that a definition would count are numbered up to those of all items, whatever m is."""
    data = transactions(1)
    least = sf.Problem(data, [sf.KmAnonymity(3, 4)]).solve()
    solution = sf.Problem(data, [sf.KmAnonymity(3, 2), sf.KmAnonymity(2, m)]).solve()
    assert solution.exact_cost is not None
    assert least.exact_cost is not None
    assert solution.exact_cost <= least.exact_cost
    assert plainly(data.items.records, sf.KmAnonymity(2, m)) == plainly(data.items.records, sf.KmAnonymity(2, 9))


@pytest.mark.parametrize("length", [65_535, 65_536, 65_537])
def test_long_transactions_around_16_bits(length: int) -> None:
    items = [str(i) for i in range(length)]
    group = [min(i // 256, 254) for i in range(length)]
    hierarchy = sf.Hierarchy.from_rows([(item, f"{g}s", "*") for item, g in zip(items, group, strict=True)], "items")
    data = sf.Transactions([items, items, items[:-1]], hierarchy=hierarchy)  # the last item is in two of three
    solution = sf.Problem(data, [sf.KmAnonymity(3, 1)]).solve(sf.AA())
    last = group.count(254)
    assert solution.exact_cost == Fraction((3 * last - 1) * last, (3 * length - 1) * length)
