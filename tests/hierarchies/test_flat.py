"""Flat: the value, then the root."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Flat, Hierarchy, HierarchySource, flat, value_order


def test_value_then_root() -> None:
    hierarchy = flat().build("sex", {"Male": 2, "Female": 1})
    assert hierarchy.rows == (("Female", "*"), ("Male", "*"))
    assert hierarchy.source == "flat()"
    assert isinstance(flat(), HierarchySource)


def test_a_value_may_be_spelt_like_the_root() -> None:
    hierarchy = flat().build("mark", {"*": 2, "+": 1})
    assert hierarchy.rows == (("*", "*"), ("+", "*"))
    assert hierarchy.groups.tolist() == [[0, 1], [0, 0]]


def test_no_values_give_one_leaf() -> None:
    assert flat().build("sex", {}).rows == (("*", "*"),)


@given(st.sets(st.text(min_size=1), min_size=1))
def test_all_values_meet_at_the_root(values: set[str]) -> None:
    hierarchy = flat().build("text", dict.fromkeys(values, 1))
    assert list(hierarchy.leaves) == value_order(values)
    assert hierarchy.sizes[1].tolist() == [len(values)]
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows


def test_there_are_no_arguments() -> None:
    assert Flat.parse("") == flat()
    with pytest.raises(HierarchyError, match=r"^flat takes no arguments, but '3' is given; write flat\.$"):
        Flat.parse("3")
