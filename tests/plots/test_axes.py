"""Logarithmic axes: values lie where their ratios say, and what is written beside them is round."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sfumato.plots.axes import LogAxis


def test_equal_ratios_are_equally_far() -> None:
    axis = LogAxis.over([1, 10, 100], 0, 300)
    places = [axis.at(value) for value in (1, 10, 100)]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1])
    assert 0 < places[0] < places[2] < 300


def test_backwards() -> None:
    axis = LogAxis.over([0.1, 0.5], 300, 0)
    assert axis.at(0.1) > axis.at(0.5)


def test_zero_has_a_place_of_its_own() -> None:
    axis = LogAxis.over([0, 0.2, 1], 100, 0)
    assert axis.at(0) == axis.zero == 100
    assert axis.at(0.2) < 100 - 10
    assert axis.has(0)
    assert not LogAxis.over([0.2, 1], 100, 0).has(0)


def test_what_is_outside() -> None:
    axis = LogAxis.over([2, 20], 0, 100)
    assert [axis.has(value) for value in (1, 2, 20, 40)] == [False, True, True, False]


@pytest.mark.parametrize("values", [[1, 30_162], [0.2, 1], [0.97, 1], [5, 5], [1e-6, 1e9], [3, 3.01]])
@pytest.mark.parametrize("most", [3, 6, 12])
def test_ticks_are_few_rising_and_on_the_axis(values: list[float], most: int) -> None:
    axis = LogAxis.over(values, 0, 100)
    ticks = axis.ticks(most)
    assert 1 <= len(ticks) <= most
    assert all(before < after for before, after in pairwise(ticks))
    assert all(axis.has(tick) for tick in ticks)
