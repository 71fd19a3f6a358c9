"""Fanout: groups of n neighbours, level by level."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Fanout, Hierarchy, HierarchySource, fanout, value_order

VALUES = st.sets(st.text(st.sampled_from("ab-.*7"), min_size=1, max_size=4) | st.integers().map(str), min_size=1)


def built(source: Fanout, values: object) -> Hierarchy:
    return source.build("item", dict.fromkeys(map(str, values), 1))  # type: ignore[call-overload]


def sizes(hierarchy: Hierarchy, level: int) -> list[int]:
    """How many nodes of the level below each node of a level has."""
    return [
        len(np.unique(hierarchy.groups[level - 1][hierarchy.groups[level] == group]))
        for group in range(len(hierarchy.labels[level]))
    ]


def test_consecutive_groups_and_a_smaller_last_one() -> None:
    hierarchy = built(fanout(3), range(1, 11))
    assert hierarchy.labels == (
        ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"),
        ("1..3", "4..6", "7..9", "10"),
        ("1..9", "10"),
        ("*",),
    )
    assert hierarchy.source == "fanout(3)"
    assert isinstance(fanout(3), HierarchySource)


def test_balanced_groups_differ_by_one_at_most() -> None:
    hierarchy = built(fanout(3, balanced=True), range(1, 11))
    assert hierarchy.labels[1:] == (("1..3", "4..6", "7..8", "9..10"), ("1..6", "7..10"), ("*",))
    assert hierarchy.source == "fanout(3, balanced=True)"


def test_texts_are_ordered_by_code_point() -> None:
    assert built(fanout(2), ["pear", "Äpfel", "fig"]).labels[1] == ("fig..pear", "Äpfel")


@pytest.mark.parametrize("balanced", [False, True])
def test_few_values_meet_at_the_root(balanced: bool) -> None:
    assert built(fanout(5, balanced=balanced), ["a"]).rows == (("a", "*"),)
    assert built(fanout(5, balanced=balanced), ["a", "b"]).rows == (("a", "*"), ("b", "*"))
    assert built(fanout(5, balanced=balanced), []).rows == (("*", "*"),)


def test_groups_that_spell_alike_get_labels_of_their_own() -> None:
    hierarchy = built(fanout(2), ["a", "a-..b", "a..a-", "b"])
    assert hierarchy.labels[1] == ("a..a-..b", "a..a-..b'")


@given(VALUES, st.integers(2, 5), st.booleans())
def test_every_level_is_grouped_as_asked(values: set[str], n: int, balanced: bool) -> None:
    hierarchy = built(fanout(n, balanced=balanced), values)
    assert list(hierarchy.leaves) == value_order(values)
    for level in range(1, hierarchy.height + 1):
        groups, count = sizes(hierarchy, level), len(hierarchy.labels[level - 1])
        assert sum(groups) == count
        assert len(groups) == -(-count // n)
        if balanced:
            assert groups == sorted(groups, reverse=True)
            assert groups[0] - groups[-1] <= 1
        else:
            assert groups[:-1] == [n] * (len(groups) - 1)
    assert hierarchy.labels[-1] == ("*",)


@given(VALUES, st.integers(2, 5), st.booleans())
def test_the_rows_are_a_tree_in_order(values: set[str], n: int, balanced: bool) -> None:
    hierarchy = built(fanout(n, balanced=balanced), values)
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows


@pytest.mark.parametrize("n", [1, 0, -3])
def test_groups_must_have_two_members(n: int) -> None:
    with pytest.raises(HierarchyError) as caught:
        fanout(n)
    assert str(caught.value) == f"fanout({n}): groups of {n} never grow together; give at least 2, as in fanout(5)."


def test_arguments_are_read_from_text() -> None:
    assert Fanout.parse("5") == fanout(5)
    assert Fanout.parse("5,balanced") == fanout(5, balanced=True)


@pytest.mark.parametrize("arguments", ["", "x", "-2", "2.5", "5,", "5,even", "5,balanced,balanced"])
def test_other_arguments_are_refused(arguments: str) -> None:
    with pytest.raises(HierarchyError, match="is not a group size; give a whole number, as in fanout:5"):
        Fanout.parse(arguments)
