"""Axes of a taxonomy: the lowest node that has some cells, and what lies below it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

import sfumato as sf
from sfumato.recoding.axes import TreeAxis
from sfumato.recoding.cells import axis_of
from sfumato.testing.plain_engine import PlainEngine


def tree(rows: list[tuple[str, ...]], occurring: list[str], *, every_leaf: bool = False) -> TreeAxis:
    hierarchy = sf.Hierarchy.from_rows(rows, "x")
    table = sf.Table(PlainEngine([{"x": value} for value in occurring]), quasi_identifiers={"x": hierarchy})
    axis = axis_of(table.frequencies, 0, split=False, splits=None, every_leaf=every_leaf)
    assert isinstance(axis, TreeAxis)
    return axis


def node_by_scan(axis: TreeAxis, low: int, high: int) -> int:
    """The lowest node with these cells, by looking at one child after the other."""
    at = 0
    while True:
        below = [child for child in axis.children[at] if axis.low[child] <= low and high <= axis.high[child]]
        if not below:
            return at
        at = below[0]


def test_the_lowest_node_is_that_of_a_scan() -> None:
    random = Random(3)
    for _ in range(60):
        leaves, wide = random.randint(1, 25), random.randint(1, 6)
        rows = [(f"v{i}", f"a{i}", f"b{i // wide}", f"c{i // (3 * wide)}", "*") for i in range(leaves)]
        occurring = random.sample([row[0] for row in rows], random.randint(1, leaves))
        axis = tree(rows, occurring, every_leaf=random.random() < 0.5)
        for low in range(axis.cells):
            for high in range(low, axis.cells):
                node = node_by_scan(axis, low, high)
                assert axis.node(low, high) == node
                covered = axis.covers((low, high))
                assert axis.length((low, high)) == int(axis.occurring[covered].sum())
                assert axis.leaves((low, high)) == int(covered.sum())


class Looks(np.ndarray):  # type: ignore[type-arg]
    """Numbers that count how often they are looked at."""

    count = 0

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        Looks.count += 1
        return super().__getitem__(place)


def counted(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    return numbers.view(Looks)


def test_many_children_are_searched_by_halving() -> None:
    """4,000 children: 12 looks for each pair of neighbours, of which no child has both."""
    names = [f"v{i}" for i in range(4_000)]
    axis = tree([(name, "*") for name in names], names)
    axis = replace(axis, low=counted(axis.low), high=counted(axis.high))
    assert axis.node(0, 3_999) == 0
    Looks.count = 0
    assert all(axis.node(cell, cell + 1) == 0 for cell in range(100))
    assert 100 < Looks.count < 100 * 20
