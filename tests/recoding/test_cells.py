"""Attributes as axes of cells: where orders are cut, and what does not occur."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random

import pandas as pd
import pytest

import sfumato as sf
from sfumato.hierarchies import MISSING
from sfumato.recoding.axes import OrderedAxis
from sfumato.recoding.cells import _cell, _end, _even_cuts, as_splits, axis_of, given_splits
from sfumato.testing.plain_engine import PlainEngine


def cells(values: list[object], splits: object, hierarchy: object = None) -> list[list[str]]:
    """The values of each cell, from the lowest to the highest."""
    table = sf.Table(pd.DataFrame({"q": values}), quasi_identifiers={"q": hierarchy or sf.ordered()})  # type: ignore[dict-item]
    axis = axis_of(
        table.frequencies, 0, split=True, splits=as_splits(given_splits({"q": splits})["q"]), every_leaf=False
    )
    leaves = table.frequencies.quasi_identifiers[0].hierarchy.leaves
    members: list[list[str]] = [[] for _ in range(axis.cells)]
    for leaf, cell in enumerate(axis.cell_of):
        if cell >= 0:
            members[cell].append(leaves[leaf])
    return [sorted(cell, key=float) for cell in members]


def test_a_number_of_cuts_shares_the_records_evenly() -> None:
    assert cells([1, 2, 3, 4, 5, 6], 2) == [["1", "2"], ["3", "4"], ["5", "6"]]
    assert cells([1, 1, 1, 1, 2, 3], 1) == [["1"], ["2", "3"]]  # three of six would be in the midst of the ones
    assert cells([1, 2, 3], 0) == [["1", "2", "3"]]
    assert cells([1, 2, 3], 9) == [["1"], ["2"], ["3"]] == cells([1, 2, 3], "every")


def test_each_cut_is_the_nearest_that_is_free_to_its_share() -> None:
    """In fractions, one cut after the other; of two that are as near, the lower."""
    random = Random("cells")
    for _ in range(40):
        count = {value: random.randint(1, 9) for value in random.sample(range(30), random.randint(1, 9))}
        number = random.randint(0, 6)
        below, upto = 0, {}
        for value in sorted(count)[:-1]:
            below += count[value]
            upto[value] = below
        chosen: list[int] = []
        for j in range(1, min(number, len(upto)) + 1):
            share = Fraction(sum(count.values()) * j, number + 1)
            chosen.append(min(set(upto) - set(chosen), key=lambda value: (abs(share - upto[value]), value)))
        expected: list[list[str]] = [[]]
        for value in sorted(count):
            expected[-1].append(str(value))
            if value in chosen:
                expected.append([])
        assert cells([value for value, n in count.items() for _ in range(n)], number) == expected


def test_values_that_begin_a_part() -> None:
    assert cells([1, 2, 5, 9], [3, 9]) == [["1", "2"], ["5"], ["9"]]
    assert cells([1, 2, 5, 9], ["5/2", 100, 1]) == [["1", "2"], ["5", "9"]]  # what cuts nothing off is left out


def test_a_missing_value_is_the_last_cell() -> None:
    table = sf.Table(pd.DataFrame({"q": [3, 1, None, 2]}), quasi_identifiers={"q": sf.ordered()})
    axis = axis_of(table.frequencies, 0, split=True, splits=1, every_leaf=False)
    leaves = table.frequencies.quasi_identifiers[0].hierarchy.leaves
    assert axis.cells == 3
    assert [leaves[leaf] for leaf, cell in enumerate(axis.cell_of) if cell == 2] == [sf.hierarchies.MISSING]


@pytest.mark.parametrize(
    ("given", "message"),
    [([20], "does not say whose"), ({"q": -1}, "splits['q']"), ({"q": "many"}, "splits['q']")],
)
def test_what_is_no_way_to_cut(given: object, message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message.replace("[", r"\[").replace("]", r"\]")):
        given_splits(given)


def test_texts_without_order_are_not_cut() -> None:
    with pytest.raises(sf.ProblemError, match="texts without an order"):
        cells(["a", "b"], 1, sf.flat())


class Counted(Fraction):
    """A number that counts how often numbers are compared."""

    comparisons = 0

    def _richcmp(self, other: object, op: object) -> bool:
        Counted.comparisons += 1
        return super()._richcmp(other, op)  # type: ignore[misc,no-any-return]


def cell_by_scan(leaf: int, axis: OrderedAxis) -> int:
    """The cell of a value, by looking at one cell after the other."""
    value = axis.numbers[leaf]
    if axis.bounds is not None and value is not None:
        if not axis.bounds[0] <= value <= axis.bounds[-1]:
            return -1
        return min(sum(value >= bound for bound in axis.bounds[1:]), len(axis.bounds) - 2)
    for cell, (start, stop) in enumerate(zip(axis.first, axis.last, strict=True)):
        if axis.rank[start] <= axis.rank[leaf] <= axis.rank[stop]:
            return cell
    return -1


def ranges_by_scan(axis: OrderedAxis, leaves: tuple[str, ...]) -> tuple[list[int], list[int]]:
    """The first and the last value of each range, or those around it, by looking at one value after the other."""
    value = {leaf: Fraction(text) for leaf, text in enumerate(leaves) if text != MISSING}
    known = sorted(value, key=lambda leaf: value[leaf])
    bounds = axis.bounds or ()
    first, last = [], []
    for i, (low, high) in enumerate(pairwise(bounds)):
        inside = [leaf for leaf in known if low <= value[leaf] < high or (i == len(bounds) - 2 and value[leaf] == high)]
        first.append(inside[0] if inside else next(leaf for leaf in known if value[leaf] >= low))
        last.append(inside[-1] if inside else next(leaf for leaf in reversed(known) if value[leaf] < high))
    return first, last


def random_axis(random: Random) -> tuple[OrderedAxis, tuple[str, ...]]:
    """Numbers or texts in an order, with values that do not occur and missing ones, cut in any of the ways."""
    numeric = random.random() < 0.6
    values = random.sample([str(i) if numeric else f"t{i}" for i in range(30)], random.randint(1, 15))
    order = values if not numeric else sorted(values, key=float)
    tree = sf.Hierarchy.from_rows([(value, "*") for value in values], "q")  # it has values that do not occur
    given: object = random.choice([tree, tree, sf.ordered(order), sf.ordered()]) if numeric else sf.ordered(order)
    there = random.sample(values, random.randint(1, len(values)))
    splits: object = random.choice([random.randint(0, 6), "every", random.sample(there, random.randint(1, len(there)))])
    if numeric and random.random() < 0.4:
        splits = [str(random.randint(-70, 70) / 2) for _ in range(random.randint(1, 6))]
    missing = [None] if random.random() < 0.4 else []
    rows = PlainEngine([{"q": value} for value in [*there, *missing]])
    table = sf.Table(rows, quasi_identifiers={"q": given})  # type: ignore[dict-item]
    ways = as_splits(given_splits({"q": splits})["q"])
    axis = axis_of(table.frequencies, 0, split=True, splits=ways, every_leaf=False)
    assert isinstance(axis, OrderedAxis)
    return axis, table.frequencies.quasi_identifiers[0].hierarchy.leaves


def test_cells_are_those_of_a_scan() -> None:
    random = Random(5)
    seen: Counter[str] = Counter()
    for _ in range(300):
        axis, leaves = random_axis(random)
        for leaf, text in enumerate(leaves):
            if text != MISSING:
                assert axis.cell_of[leaf] == cell_by_scan(leaf, axis)
                seen["outside" if axis.cell_of[leaf] < 0 else "inside"] += 1
        if axis.bounds is not None:
            assert (axis.first.tolist(), axis.last.tolist()) == ranges_by_scan(axis, leaves)
            seen["bounds"] += 1
        elif axis.cells > 1:
            seen["ranks"] += 1
    assert min(seen[kind] for kind in ("inside", "outside", "bounds", "ranks")) > 30


def test_many_values_take_few_comparisons() -> None:
    """Each of 4,096 values is compared with some of the 4,096 bounds only: with 12, and with both ends."""
    bounds = tuple(Counted(i) for i in range(4_097))
    Counted.comparisons = 0
    assert [_cell(Fraction(2 * i + 1, 2), bounds) for i in range(4_096)] == list(range(4_096))
    assert _cell(Fraction(4_096), bounds) == 4_095
    assert _cell(Fraction(-1), bounds) == _cell(Fraction(4_097), bounds) == -1
    assert 4_096 * 10 < Counted.comparisons < 4_096 * 20


def test_many_cuts_take_few_steps() -> None:
    """The search for the nearest free boundaries halves, and taken ones are skipped in chains that get shorter."""

    class Steps(list[int]):
        taken = 0

        def __getitem__(self, place):  # type: ignore[no-untyped-def]
            Steps.taken += 1
            return super().__getitem__(place)

    chain = Steps(min(i + 1, 5_000) for i in range(5_001))
    for _ in range(3):
        assert _end(chain, 0) == 5_000
    assert Steps.taken < 5 * 5_000
    assert _even_cuts(list(range(1, 10_001)), 9_998) == sorted(_even_cuts(list(range(1, 10_001)), 9_998))
    assert len(set(_even_cuts(list(range(1, 10_001)), 9_998))) == 9_998
