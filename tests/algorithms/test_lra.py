from __future__ import annotations

import numpy as np
import pytest

import sfumato as sf
from sfumato.algorithms.lra import chunks_of, gray_order
from sfumato.engines.items import ItemRecords
from sfumato.native.limits import Limits
from sfumato.recoding.item_cut import recoded
from sfumato.solve import solve_within


def test_gray_order_equals_gray_codes() -> None:
    """Every set of four items, in the order of the numbers whose Gray codes they are."""
    sets = [tuple(i + 1 for i in range(4) if code >> i & 1) for code in range(1, 16)]
    records = ItemRecords.of([(items, 1) for items in sets])
    gray = {n ^ (n >> 1): n for n in range(16)}
    order = [gray[sum(1 << (i - 1) for i in sets[r])] for r in gray_order(records)]
    assert order == sorted(order)


def test_borders_balance_sets_and_leave_k_each() -> None:
    records = ItemRecords.of([((1,), 1)] * 30 + [((1, 2, 3, 4), 1)] * 3)
    order = np.arange(33)
    parts = chunks_of(records, order, 2, 0, k=2, m=2)
    assert [len(part) for part in parts] == [30, 3]  # 30 sets on either side
    assert [len(part) for part in chunks_of(records, order, 2, 5, k=4, m=2)] == [29, 4]
    assert len(chunks_of(records, order, 40, 3, k=10, m=2)) <= 3
    assert chunks_of(ItemRecords.of([]), np.arange(0), 3, 1, 2, 2) == []


def test_memory_makes_more_parts() -> None:
    baskets = [[f"{n % 7}", f"{n % 11}"] for n in range(300)]
    data = sf.Transactions(baskets, hierarchy=sf.fanout(3))
    problem = sf.Problem(data, [sf.KmAnonymity(2, 2)], recoding=sf.LocalItems())
    few = problem.solve(sf.LRA(parts=2))
    many = solve_within(problem, sf.LRA(parts=2), Limits(memory=2000))
    assert len(few.recoding.parts) == 2 < len(many.recoding.parts)
    assert many.attained["km-anonymity"]["k"] >= 2


def test_nonsense() -> None:
    with pytest.raises(sf.ProblemError, match="parts = 0 is not a whole number"):
        sf.LRA(parts=0)


def test_blocks_of_records_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order, what is published, and how often items occur: some records at a time, or all at once."""
    baskets = [[f"{n % 7}", f"{n % 11}", f"{n % 3}"] for n in range(60)]
    data = sf.Transactions(baskets, hierarchy=sf.fanout(3))
    image = np.zeros(len(data.items.labels), dtype=np.uint32)
    image[5:] = 1

    def results() -> tuple[list[int], list[tuple[tuple[int, ...], int]], list[int]]:
        return (
            gray_order(data.items.records),
            list(recoded(data.items.records, image)[0].sets()),
            list(data.items.occurrences_in(data.items.records)),
        )

    at_once = results()
    monkeypatch.setattr("sfumato.engines.items._BLOCK", 4)
    assert len(list(data.items.records.blocks())) > 5
    assert [one for block in data.items.records.blocks() for one in block.sets()] == list(data.items.records.sets())
    assert results() == at_once


@pytest.mark.parametrize("asked", [2, 5, 12])
def test_as_many_parts_as_asked(asked: int) -> None:
    """A transaction with most of the sets: the borders that would fall on it halve other parts instead."""
    records = ItemRecords.of([(tuple(range(1, 90)), 1)] + [((n % 90 + 1, n % 7 + 91), 1) for n in range(400)])
    parts = chunks_of(records, np.arange(len(records)), asked, 3, k=5, m=3)
    assert len(parts) == asked
    assert np.concatenate(parts).tolist() == list(range(len(records)))
    assert min(records.weight[part].sum() for part in parts) >= 5


@pytest.mark.parametrize("algorithm", [sf.LRA, sf.VPA])
def test_parts_by_the_published_algorithm(algorithm: type[sf.LRA] | type[sf.VPA]) -> None:
    baskets = [[f"{n % 7}", f"{n % 11}", f"{n * n % 5}"] for n in range(200)]
    recoding = sf.LocalItems() if algorithm is sf.LRA else sf.ItemCut()
    problem = sf.Problem(sf.Transactions(baskets, hierarchy=sf.fanout(2)), [sf.KmAnonymity(4, 2)], recoding=recoding)
    staged, published = (problem.solve(algorithm(parts=3, staged=one)) for one in (True, False))
    assert staged.attained["km-anonymity"]["k"] >= 4
    assert published.attained["km-anonymity"]["k"] >= 4
    assert staged.examined != published.examined
    assert algorithm(staged="false") == algorithm(staged=False)  # type: ignore[arg-type]
