"""Pairs: edges make the tree, and each fault has its line."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Hierarchy

EDGES = [("Masters", "Higher"), ("Higher", "*"), ("Preschool", "*"), ("Bachelors", "Higher")]
ROWS = (("Masters", "Higher", "*"), ("Bachelors", "Higher", "*"), ("Preschool", "Preschool", "*"))


def test_edges_in_any_order_make_a_tree() -> None:
    assert Hierarchy.from_pairs(EDGES).rows == ROWS
    assert Hierarchy.from_pairs(dict(EDGES)).rows == ROWS
    assert Hierarchy.from_pairs(iter(EDGES), "edges").source == "edges"
    assert Hierarchy.from_pairs([("a", "*")]).rows == (("a", "*"),)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "f has no rows; give one per edge: child;parent."),
        ([("a", "*"), ("b",)], "f, row 2: 1 label instead of 2; write child;parent."),
        ([("a", "b", "*")], "f, row 1: 3 labels instead of 2; write child;parent."),
        ([("", "*")], "f, row 1: no child; name one, or delete the line (missing values need none)."),
        ([("*", "")], "f, row 1: '*' has an empty parent; name one, or delete the line if it is the root."),
        ([("*", "*")], "f, row 1: '*' is its own parent; name another, or delete the line if it is the root."),
        (
            [("a", "x"), ("x", "*"), ("a", "*")],
            "f, row 3: 'a' has two parents ('x', '*'); keep one of them (it also stands in row 1).",
        ),
        ([("a", "x"), ("b", "x"), ("a", "x")], "f, row 3: 'a' is already in row 1; keep one of the two."),
        (
            [("a", "x"), ("b", "y")],
            "f has 2 roots ('x', 'y'); add a line for each with one parent such as '*', "
            "and delete a header line if there is one.",
        ),
        (
            [("child", "parent"), ("a", "w"), ("b", "x"), ("c", "y")],
            "f has 4 roots ('parent', 'w', 'x', …); add a line for each with one parent such as '*', "
            "and delete a header line if there is one.",
        ),
        (
            [("a", "b"), ("b", "a")],
            "f, row 1: 'a' is its own ancestor ('a' → 'b' → 'a'); give one of them another parent.",
        ),
        (
            [("a", "*"), ("z", "b"), ("b", "c"), ("c", "d"), ("d", "b")],
            "f, row 3: 'b' is its own ancestor ('b' → 'c' → 'd' → 'b'); give one of them another parent.",
        ),
        (
            [(str(number), str((number + 1) % 50)) for number in range(50)],
            "f, row 1: '0' is its own ancestor ('0' → '1' → '2' → … → '0'); give one of them another parent.",
        ),
    ],
)
def test_each_fault_says_what_where_and_the_way_out(pairs: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        Hierarchy.from_pairs(pairs, "f")
    assert str(caught.value) == message


@given(st.lists(st.integers(0, 100), min_size=1, max_size=25), st.randoms(use_true_random=False))
def test_any_tree_survives_its_edges(choices: list[int], random: object) -> None:
    parents = [choice % (index + 1) for index, choice in enumerate(choices)]
    edges = [(f"n{child}", f"n{parent}") for child, parent in enumerate(parents, start=1)]
    random.shuffle(edges)  # type: ignore[attr-defined]
    hierarchy = Hierarchy.from_pairs(edges)
    pairs = {pair for row in hierarchy.rows for pair in pairwise(row) if pair[0] != pair[1]}
    assert pairs == set(edges)
    assert Hierarchy.from_rows(hierarchy.rows, "again").leaves == hierarchy.leaves


def test_a_large_tree_takes_no_quadratic_work() -> None:
    edges = {str(node): str(node // 2) for node in range(1, 100_001)}
    assert len(Hierarchy.from_pairs(edges).leaves) == 50_000
