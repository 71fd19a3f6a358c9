"""Average class size: the definition by hand, and a release without a class."""

from __future__ import annotations

from fractions import Fraction

import pytest

import sfumato as sf
from sfumato import loss
from sfumato.cli.parts import parse_part

from .conftest import cost, people


def test_by_hand() -> None:
    assert cost(sf.AverageClassSize()) == Fraction(5, 2)
    assert cost(sf.AverageClassSize(2)) == Fraction(5, 2 * 2)
    assert cost(sf.AverageClassSize(), levels=(0, 0)) == Fraction(5, 4)


def test_suppressed_records_count_and_their_classes_do_not() -> None:
    assert cost(sf.AverageClassSize(), k=3) == 5


def test_a_release_without_a_class_is_the_worst() -> None:
    worst = cost(sf.AverageClassSize(2), k=6)
    assert worst == Fraction(6, 2) > cost(sf.AverageClassSize(2), levels=(2, 1))


def test_relative_is_one_for_one_class() -> None:
    for k in (1, 2):
        assert sf.AverageClassSize(k).relative(cost(sf.AverageClassSize(k), levels=(2, 1)), people().frequencies) == 1


def test_the_cheapest_has_most_classes() -> None:
    """With two records to spare, the two women of 39 are one class; two classes are more."""
    problem = sf.Problem(people(), [sf.KAnonymity(2)], sf.AverageClassSize(2), sf.FullDomain("100%"))
    solution = problem.solve()
    assert (solution.status, solution.classes, solution.cost) == ("optimal", 2, 5 / 4)


def test_everything_suppressed_is_the_worst() -> None:
    problem = sf.Problem(people(), [sf.KAnonymity(6)], sf.AverageClassSize(), sf.FullDomain("100%"))
    solution = problem.solve()
    assert (solution.status, solution.cost, solution.bound) == ("optimal", 6, 6)


def test_progress_has_a_bound_before_and_after_the_end() -> None:
    """Whatever units the core reports, also those that stand for no solution at all."""
    core = sf.AverageClassSize(2).core(people().frequencies)
    costs = [core.exact(units) for units in (0, 3, 4, 5, 1 << 126)]
    assert costs == [Fraction(1, 2), Fraction(5, 4), Fraction(5, 2), 3, 3]


@pytest.mark.parametrize("k", [0, -1, 1.5, "many"])
def test_k_is_a_whole_number(k: object) -> None:
    with pytest.raises(sf.ProblemError, match=r"k = .* is not a whole number from 1 up\."):
        sf.AverageClassSize(k)  # type: ignore[arg-type]


def test_spelling() -> None:
    assert parse_part("average-class-size", loss, "loss") == sf.AverageClassSize()
    assert parse_part("average-class-size:k=5", loss, "loss") == sf.AverageClassSize(5)
