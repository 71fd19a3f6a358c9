"""Attributes as axes of cells: where orders are cut, and what does not occur."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pandas as pd
import pytest

import sfumato as sf
from sfumato.recoding.cells import as_splits, axis_of, given_splits


def cells(values: list[object], splits: object, hierarchy: object = None) -> list[list[str]]:
    """The values of each cell, from the lowest to the highest."""
    table = sf.Table(pd.DataFrame({"q": values}), quasi_identifiers={"q": hierarchy or sf.ordered()})  # type: ignore[dict-item]
    axis = axis_of(
        table.frequencies, 0, split=True, splits=as_splits(given_splits({"q": splits})["q"]), every_leaf=False
    )
    leaves = table.frequencies.quasi_identifiers[0].hierarchy.leaves
    found: list[list[str]] = [[] for _ in range(axis.cells)]
    for leaf, cell in enumerate(axis.cell_of):
        if cell >= 0:
            found[cell].append(leaves[leaf])
    return [sorted(cell, key=float) for cell in found]


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
    ("given", "told"),
    [([20], "says not whose"), ({"q": -1}, "splits['q']"), ({"q": "many"}, "splits['q']")],
)
def test_what_is_no_way_to_cut(given: object, told: str) -> None:
    with pytest.raises(sf.ProblemError, match=told.replace("[", r"\[").replace("]", r"\]")):
        given_splits(given)


def test_texts_without_order_are_not_cut() -> None:
    with pytest.raises(sf.ProblemError, match="texts without an order"):
        cells(["a", "b"], 1, sf.flat())
