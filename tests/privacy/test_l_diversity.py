"""Simple l-diversity: the definition, its edges, and what is attained."""

from __future__ import annotations

from fractions import Fraction

import pytest

import sfumato as sf
from sfumato.data import ClassSummary


def a_class(unknown: int = 0, **histogram: int) -> ClassSummary:
    return ClassSummary(sum(histogram.values()) + unknown, {"s": histogram})


@pytest.mark.parametrize(
    ("l", "histogram", "holds"),
    [
        (2, {"a": 2, "b": 2}, True),
        (2, {"a": 3, "b": 2}, False),
        (3, {"a": 1, "b": 1, "c": 1}, True),
        ("5/3", {"a": 3, "b": 2}, True),
        (1.67, {"a": 3, "b": 2}, False),
        (1, {"a": 9}, True),
    ],
)
def test_no_value_has_more_than_a_share_of_1_in_l(l: object, histogram: dict[str, int], holds: bool) -> None:
    assert sf.LDiversity("s", l).holds(a_class(**histogram)) is holds  # type: ignore[arg-type]


def test_suppressed_values_count_as_records() -> None:
    assert sf.LDiversity("s", 2).holds(a_class(unknown=1, a=2, b=1))
    assert sf.LDiversity("s", 2).holds(a_class(unknown=4))


def test_attained() -> None:
    classes = [a_class(a=2, b=2, c=1), a_class(a=1, b=1, c=1)]
    assert sf.LDiversity("s", 2).attained(classes) == {"l": 2.5}
    assert sf.LDiversity("s", 2).attained(classes[1:]) == {"l": 3}
    assert sf.LDiversity("s", 2).attained([a_class(unknown=2)]) == {"l": None}


def test_it_is_l_plus_diversity_with_theta_1_in_l() -> None:
    assert sf.LDiversity("s", 3).largest_share == sf.LPlusDiversity("s", "1/3").threshold("a") == Fraction(1, 3)


@pytest.mark.parametrize("l", [0, "1/2", -3, "many", None])
def test_l_is_a_number_from_1_up(l: object) -> None:
    with pytest.raises(sf.ProblemError, match="l = "):
        sf.LDiversity("s", l)  # type: ignore[arg-type]
