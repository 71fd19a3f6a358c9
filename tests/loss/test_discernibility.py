"""Discernibility: the definition by hand."""

from __future__ import annotations

from fractions import Fraction

import sfumato as sf
from sfumato import loss
from sfumato.cli.parts import parse_part

from .conftest import cost, people


def test_by_hand() -> None:
    assert cost(sf.Discernibility()) == 2 * 2 + 3 * 3
    assert cost(sf.Discernibility(), levels=(0, 0)) == 1 + 1 + 1 + 2 * 2
    assert cost(sf.Discernibility(), levels=(2, 1)) == 5 * 5


def test_a_suppressed_record_costs_the_whole_table() -> None:
    assert cost(sf.Discernibility(), k=3) == 2 * 5 + 3 * 3
    assert cost(sf.Discernibility(), k=6) == 5 * 5


def test_relative_is_the_share_of_all_pairs() -> None:
    assert sf.Discernibility().relative(Fraction(13), people().frequencies) == Fraction(13, 25)


def test_the_cheapest_has_small_classes() -> None:
    """Two and three cost less than five, and nothing finer has classes of two or more."""
    solution = sf.Problem(people(), [sf.KAnonymity(2)], sf.Discernibility()).solve()
    assert (solution.status, solution.levels, solution.cost) == ("optimal", {"age": 1, "sex": 0}, 13)


def test_spelling() -> None:
    assert parse_part("discernibility", loss, "loss") == sf.Discernibility()
