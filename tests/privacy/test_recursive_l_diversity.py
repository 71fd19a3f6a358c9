"""Recursive (c, l)-diversity: sorted downwards, strict, and what is attained."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.data import ClassSummary


def a_class(*counts: int) -> ClassSummary:
    return ClassSummary(sum(counts), {"s": {f"s{i}": count for i, count in enumerate(counts)}})


@pytest.mark.parametrize(
    ("counts", "c", "l", "holds"),
    [
        ((4, 1, 1), 2, 2, False),  # 4 < 2 · (1 + 1) is false: it is strict
        ((4, 1, 1), "2.01", 2, True),
        ((1, 4, 1), "2.01", 2, True),  # the order of values says nothing
        ((4, 1, 1), 4, 3, False),
        ((4, 1, 1), 5, 3, True),
        ((1, 1, 1), 1000, 4, False),  # fewer than l values
        ((3,), 2, 1, True),
        ((3,), 1, 1, False),
        ((2, 2), "1/2", 1, False),
        ((2, 2), "0.51", 1, True),
    ],
)
def test_the_first_is_less_than_c_times_the_rest(counts: tuple[int, ...], c: object, l: int, holds: bool) -> None:
    assert sf.RecursiveLDiversity("s", c, l).holds(a_class(*counts)) is holds  # type: ignore[arg-type]


def test_a_class_without_known_values_violates() -> None:
    assert not sf.RecursiveLDiversity("s", 9, 1).holds(ClassSummary(3, {"s": {}}))


def test_attained_is_the_least_c_for_this_l() -> None:
    model = sf.RecursiveLDiversity("s", 1, 2)
    assert model.attained([a_class(4, 1, 1), a_class(3, 2)]) == {"c": 2, "l": 2}
    assert model.attained([a_class(4, 1, 1), a_class(3)]) == {"c": None, "l": 2}
    assert model.attained([]) == {"c": None, "l": None}


@pytest.mark.parametrize(("c", "l"), [(0, 2), (-1, 2), (1, 0), (1, 1.5), ("x", 2)])
def test_parameters(c: object, l: object) -> None:
    with pytest.raises(sf.ProblemError, match=r"(c|l) = "):
        sf.RecursiveLDiversity("s", c, l)  # type: ignore[arg-type]
