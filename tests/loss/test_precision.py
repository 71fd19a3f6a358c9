"""Precision: the definition by hand, also where a hierarchy has one level alone."""

from __future__ import annotations

from fractions import Fraction

import sfumato as sf
from sfumato import loss
from sfumato.cli.parts import parse_part
from sfumato.data import ClassSummary
from sfumato.testing.plain_engine import PlainEngine

from .conftest import cost, people


def test_by_hand() -> None:
    """Ages are raised one of two levels, sexes none of one."""
    assert cost(sf.Precision()) == 5 * Fraction(1, 2)
    assert cost(sf.Precision(), levels=(1, 1)) == 5 * (Fraction(1, 2) + 1)
    assert cost(sf.Precision(), levels=(0, 0)) == 0


def test_a_suppressed_record_is_at_the_top() -> None:
    assert cost(sf.Precision(), k=3) == 3 * Fraction(1, 2) + 2 * 2
    assert cost(sf.Precision(), k=6) == cost(sf.Precision(), levels=(2, 1)) == 10


def test_prec_is_one_less_the_relative_cost() -> None:
    assert 1 - sf.Precision().relative(Fraction(5, 2), people().frequencies) == Fraction(3, 4)


def test_a_hierarchy_of_one_level_costs_nothing() -> None:
    """Nothing can be raised there, and a record that is suppressed has lost nothing there either."""
    constant = sf.Hierarchy.from_rows([("x",)], "constant")
    rows = [{"a": "x", "b": "1"}, {"a": "x", "b": "2"}]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": constant, "b": sf.flat()})
    f = table.frequencies
    assert sf.Precision().cost(f, [ClassSummary(2, levels=(0, 1))], 0) == 2
    assert sf.Precision().cost(f, [], 2) == 2
    solution = sf.Problem(table, [sf.KAnonymity(2)], sf.Precision()).solve()
    assert (solution.cost, solution.relative) == (2, 0.5)


def test_levels_count_not_leaves() -> None:
    """The first level of a hierarchy costs as much as its second, however few leaves it joins: unlike LM."""
    ages = sf.Hierarchy.from_rows([*((str(n), "low", "*") for n in range(9)), ("9", "9", "*")], "ages")
    rows = [{"a": "0"}, {"a": "1"}]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": ages})
    assert sf.Problem(table, [sf.KAnonymity(2)], sf.Precision()).solve().relative == 1 / 2
    assert sf.Problem(table, [sf.KAnonymity(2)], sf.LM()).solve().relative == 8 / 9


def test_spelling() -> None:
    assert parse_part("precision", loss, "loss") == sf.Precision()
