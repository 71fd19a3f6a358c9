"""Intervals: exact, half-open and nested."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Hierarchy, HierarchySource, Intervals, intervals


def rows(source: Intervals, *values: str) -> tuple[tuple[str, ...], ...]:
    return source.build("number", dict.fromkeys(values, 1)).rows


def test_one_level_per_width() -> None:
    assert rows(intervals(5, 10, 20), "38", "15", "20") == (
        ("15", "[15, 20)", "[10, 20)", "[0, 20)", "*"),
        ("20", "[20, 25)", "[20, 30)", "[20, 40)", "*"),
        ("38", "[35, 40)", "[30, 40)", "[20, 40)", "*"),
    )
    assert isinstance(intervals(5), HierarchySource)


@pytest.mark.parametrize(
    ("source", "value", "interval"),
    [
        (intervals(5), "-1", "[-5, 0)"),
        (intervals(5), "-5", "[-5, 0)"),
        (intervals(5), "-5.01", "[-10, -5)"),
        (intervals(5), "0", "[0, 5)"),
        (intervals(5), "-0", "[0, 5)"),
        (intervals(5), "4.999999999999999999999999", "[0, 5)"),
        (intervals(5), "5", "[5, 10)"),
        (intervals(5), " 7", "[5, 10)"),
        (intervals(5), "1e3", "[1000, 1005)"),
        (intervals(0.1), "0.3", "[0.3, 0.4)"),
        (intervals(0.1), "-0.05", "[-0.1, 0)"),
        (intervals(2.5), "-1", "[-2.5, 0)"),
        (intervals("0.25"), "1", "[1, 1.25)"),
        (intervals(0.125), "0.0625", "[0, 0.125)"),
        (intervals(0.001), "12.0105", "[12.01, 12.011)"),
        (intervals("1/3"), "0.5", "[1/3, 2/3)"),
        (intervals(Fraction(1, 3)), "-0.1", "[-1/3, 0)"),
        (intervals(10**20), "1", "[0, 100000000000000000000)"),
        (Intervals((Fraction(10),), origin=Fraction(3)), "2", "[-7, 3)"),
    ],
)
def test_bounds_are_exact(source: Intervals, value: str, interval: str) -> None:
    assert rows(source, value) == ((value, interval, "*"),)


def test_numpy_widths_are_read_like_others() -> None:
    assert intervals(np.int64(5), np.float64(0.1 * 100)) == intervals(5, 10)  # type: ignore[arg-type]


def test_a_float_is_its_shortest_decimal() -> None:
    assert intervals(0.1, 0.3).widths == (Fraction(1, 10), Fraction(3, 10))


@pytest.mark.parametrize(
    ("widths", "message"),
    [
        ((), "intervals() has no widths; give at least one, as in intervals(5, 10, 20)."),
        ((0,), "intervals(0): the width 0 is not positive; give widths above 0."),
        ((5, -10), "intervals(5, -10): the width -10 is not positive; give widths above 0."),
        (
            (5, 12),
            "intervals(5, 12): 12 is not a multiple of 5, so the intervals would overlap; "
            "make each width a multiple of the one before, as in intervals(5, 10, 20).",
        ),
        (
            (10, 5),
            "intervals(10, 5): 5 is not a multiple of 10, so the intervals would overlap; "
            "make each width a multiple of the one before, as in intervals(5, 10, 20).",
        ),
        (("wide",), "The width 'wide' is not a number; give numbers, as in intervals(5, 10, 20)."),
        ((math.inf,), "The width inf is not a number; give numbers, as in intervals(5, 10, 20)."),
        ((math.nan,), "The width nan is not a number; give numbers, as in intervals(5, 10, 20)."),
        (("1/0",), "The width '1/0' is not a number; give numbers, as in intervals(5, 10, 20)."),
        ((None,), "The width None is not a number; give numbers, as in intervals(5, 10, 20)."),
    ],
)
def test_widths_that_do_not_nest_are_refused(widths: tuple[float, ...], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        intervals(*widths)
    assert str(caught.value) == message


def test_values_that_are_no_numbers_are_counted_and_hidden() -> None:
    with pytest.raises(HierarchyError) as caught:
        intervals(5, 10).build("age", {"31": 4, "unknown": 2, "nan": 1, "inf": 3, "1_0": 1})
    assert str(caught.value) == (
        "intervals(5, 10) has no place for 4 of the 5 values of 'age' (7 rows): not finite numbers; "
        "correct them, leave them empty or give a hierarchy file, or see them in the error's hidden_values."
    )
    assert caught.value.hidden_values == ("1_0", "inf", "nan", "unknown")


def test_no_values_give_one_leaf_with_every_level() -> None:
    assert rows(intervals(5, 10)) == (("*", "*", "*", "*"),)


@given(
    st.sets(st.decimals(-1000, 1000, places=2).map(str), min_size=1),
    st.fractions(Fraction(1, 50), 50),
    st.lists(st.integers(1, 5), max_size=3),
)
def test_widths_nest_and_contain_their_values(values: set[str], narrowest: Fraction, factors: list[int]) -> None:
    widths = [narrowest]
    for factor in factors:
        widths.append(widths[-1] * factor)
    hierarchy = intervals(*widths).build("number", dict.fromkeys(values, 1))
    assert hierarchy.height == len(widths) + 1
    for text, *path in hierarchy.rows:
        for label, width in zip(path[:-1], widths, strict=True):
            lower, upper = (Fraction(bound) for bound in label[1:-1].split(", "))
            assert lower <= Fraction(Decimal(text)) < upper
            assert upper - lower == width
            assert (lower / width).denominator == 1
    # in order already, and a tree: the checks of from_rows find nothing
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    assert [Decimal(leaf) for leaf in hierarchy.leaves] == sorted(map(Decimal, values))


def test_arguments_are_read_from_text() -> None:
    assert Intervals.parse("5,10,20") == intervals(5, 10, 20)
    assert Intervals.parse("0.5, 1/2, 2") == intervals(0.5, 0.5, 2)
