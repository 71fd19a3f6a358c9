"""Cuts: intervals between stated points, fewer at each level."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Cuts, Hierarchy, HierarchySource, cuts


def rows(source: Cuts, *values: str) -> tuple[tuple[str, ...], ...]:
    return source.build("number", dict.fromkeys(values, 1)).rows


def test_one_level_per_list_of_points() -> None:
    assert rows(cuts([18, 30, 65], [30]), "17", "18", "29.99", "30", "65", "-1") == (
        ("-1", "<18", "<30", "*"),
        ("17", "<18", "<30", "*"),
        ("18", "[18, 30)", "<30", "*"),
        ("29.99", "[18, 30)", "<30", "*"),
        ("30", "[30, 65)", ">=30", "*"),
        ("65", ">=65", ">=30", "*"),
    )
    assert isinstance(cuts([1]), HierarchySource)


def test_points_are_exact() -> None:
    assert rows(cuts([0.1, 0.3]), "0.3", "0.29999999999999999999") == (
        ("0.29999999999999999999", "[0.1, 0.3)", "*"),
        ("0.3", ">=0.3", "*"),
    )
    assert rows(cuts(["1/3"]), "0.3333") == (("0.3333", "<1/3", "*"),)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ((), "cuts() has a level without cut points; give some, as in cuts([18, 30, 65], [30])."),
        (([18], []), "cuts() has a level without cut points; give some, as in cuts([18, 30, 65], [30])."),
        (([30, 18],), "cuts([30, 18]): cut points must grow; sort them, and name each once."),
        (([18, 18],), "cuts([18, 18]): cut points must grow; sort them, and name each once."),
        (
            ([18, 30], [20]),
            "cuts([18, 30], [20]): 20 is not a cut point of the level before, so the intervals would overlap; "
            "add it there, or leave it out.",
        ),
        ((18, 30), "18 is not a list of cut points; give lists, as in cuts([18, 30, 65], [30])."),
        ((["old"],), "The cut point 'old' is not a number; give numbers, as in cuts([18, 30, 65])."),
    ],
)
def test_faults_are_named(levels: tuple[list[float], ...], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        cuts(*levels)
    assert str(caught.value) == message


def test_values_that_are_no_numbers_are_counted_and_hidden() -> None:
    with pytest.raises(
        HierarchyError, match=r"^cuts\(\[5\]\) has no place for 1 of the 2 values of 'age' \(2 rows\): no"
    ):
        cuts([5]).build("age", {"31": 4, "unknown": 2})


def test_no_values_give_one_leaf_with_every_level() -> None:
    assert rows(cuts([5, 10], [10])) == (("*", "*", "*", "*"),)


@given(
    st.sets(st.decimals(-100, 100, places=1).map(str), min_size=1),
    st.lists(st.fractions(-100, 100, max_denominator=4), min_size=1, max_size=8, unique=True).map(sorted),
    st.data(),
)
def test_intervals_nest_and_contain_their_values(values: set[str], points: list[Fraction], data: st.DataObject) -> None:
    fewer = sorted(data.draw(st.sets(st.sampled_from(points), min_size=1)))
    hierarchy = cuts(points, fewer).build("number", dict.fromkeys(values, 1))
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    for text, *path in hierarchy.rows:
        value = Fraction(Decimal(text))
        for label, level in zip(path, (points, fewer), strict=False):
            lower = max((point for point in level if point <= value), default=None)
            upper = min((point for point in level if point > value), default=None)
            if label.startswith("["):
                assert [Fraction(bound) for bound in label[1:-1].split(", ")] == [lower, upper]
            elif label.startswith("<"):
                assert (None, Fraction(label[1:])) == (lower, upper)
            else:
                assert (Fraction(label[2:]), None) == (lower, upper)


def test_arguments_are_read_from_text() -> None:
    assert Cuts.parse("18,30,65/30") == cuts([18, 30, 65], [30])
    assert Cuts.parse("0.25, 1") == cuts([0.25, 1])
    with pytest.raises(HierarchyError, match="level without cut points"):
        Cuts.parse("")
    assert eval(str(cuts([18, 30.5], [18])), {"cuts": cuts}) == cuts([18, 30.5], [18])
