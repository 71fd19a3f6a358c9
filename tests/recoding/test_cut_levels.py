"""Cuts as levels of leaves: written as runs and read again; whatever is no cut through the hierarchy is refused."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from sfumato.hierarchies import Hierarchy
from sfumato.recoding.cut_levels import levels_from, nodes_of, printed_by, runs_of, widened
from sfumato.testing.random_rows import random_hierarchy

ROWS = (("a", "ab", "*"), ("b", "ab", "*"), ("c", "cd", "*"), ("d", "cd", "*"))
TREE = Hierarchy(ROWS, "test")


def is_cut(hierarchy: Hierarchy, levels: tuple[int, ...]) -> bool:
    """By definition: a node of the cut is the node of all leaves below it."""
    printed = {(level, row[level]) for row, level in zip(hierarchy.rows, levels, strict=True)}
    return all(
        levels[i] == level
        for level, label in printed
        for i, row in enumerate(hierarchy.rows)
        if row[level:] == next(r[level:] for r in hierarchy.rows if r[level] == label)
    )


def test_all_levels_of_a_small_tree() -> None:
    cuts = 0
    for levels in product(range(3), repeat=4):
        read = levels_from(runs_of(np.array(levels, dtype=np.int32)), TREE)
        assert (read is not None) == is_cut(TREE, levels), levels
        cuts += read is not None
        assert read is None or tuple(read) == levels
    assert cuts == 5  # the root; else each half as it is or as one


def test_nodes_are_counted_along_the_cut() -> None:
    levels = np.array([1, 1, 0, 0], dtype=np.int32)
    assert printed_by(TREE, levels) == ["ab", "ab", "c", "d"]
    assert nodes_of(TREE, levels).tolist() == [0, 0, 1, 2]
    assert runs_of(levels) == [[1, 2], [0, 2]]


def test_random_cuts_come_back() -> None:
    random = Random(4)
    for _ in range(100):
        hierarchy = random_hierarchy(random, "q")
        level = random.randint(0, hierarchy.height)
        levels = np.full(len(hierarchy.rows), level, dtype=np.int32)
        read = levels_from(runs_of(levels), hierarchy)
        assert read is not None
        assert read.tolist() == levels.tolist()
        assert len(set(nodes_of(hierarchy, levels).tolist())) == len({row[level:] for row in hierarchy.rows})


@pytest.mark.parametrize(
    "runs",
    [
        None, "x", [], [[0]], [[0, 3]], [[0, 5]], [[0, 0], [0, 4]], [[-1, 4]], [[3, 4]], [[1, 3], [0, 1]],
        [[1 << 40, 4]],
    ],
)  # fmt: skip
def test_what_is_no_cut_is_none(runs: object) -> None:
    assert levels_from(runs, TREE) is None


def test_more_leaves_are_cut_off_unless_all_are_one() -> None:
    wider = Hierarchy((*ROWS, ("", "", "*")), "test")
    assert widened(np.array([1, 1, 0, 0], dtype=np.int32), TREE, wider).tolist() == [1, 1, 0, 0, 0]
    assert widened(np.array([2, 2, 2, 2], dtype=np.int32), TREE, wider).tolist() == [2, 2, 2, 2, 2]
