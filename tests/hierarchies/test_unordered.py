"""Unordered: values with neither order nor hierarchy, few enough to form any groups."""

from __future__ import annotations

import pytest

from sfumato.errors import HierarchyError
from sfumato.hierarchies import HierarchySource, Unordered, unordered


def test_values_lie_below_the_root() -> None:
    hierarchy = unordered().build("race", {"b": 1, "a": 2})
    assert hierarchy.rows == (("a", "*"), ("b", "*"))
    assert hierarchy.kind == hierarchy.with_missing().kind == "unordered"
    assert unordered().build("race", {}).rows == (("*", "*"),)
    assert isinstance(unordered(), HierarchySource)


def test_twelve_values_are_taken_and_thirteen_are_not() -> None:
    values = {str(value): 1 for value in range(12)}
    assert len(unordered().build("race", values).leaves) == 12
    with pytest.raises(HierarchyError) as caught:
        unordered().build("race", values | {"12": 1})
    assert str(caught.value) == (
        "unordered(): 'race' has 13 values, and any groups of more than 12 are too many to look at; "
        "use ordered(), flat() or a hierarchy file."
    )


def test_it_takes_no_arguments() -> None:
    assert Unordered.parse("") == unordered()
    with pytest.raises(HierarchyError, match="unordered takes no arguments, but '3' is given; write unordered"):
        Unordered.parse("3")
