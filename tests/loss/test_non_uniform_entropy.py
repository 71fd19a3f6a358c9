"""Non-uniform entropy: the definition by hand, how it is rounded, and bounds that never fall below zero."""

from __future__ import annotations

from fractions import Fraction
from math import log
from random import Random

import pytest

import sfumato as sf
from sfumato import loss
from sfumato.algorithms import LatticeSearch, Limits
from sfumato.cli.parts import parse_part
from sfumato.solve import solve_within
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_problems import any_problem

from .conftest import cost, people

ROUNDED = 5 * 2 * 2 * Fraction(1, 2**32)  # records, attributes, two logarithms each


def near(cost: Fraction, expected: float) -> bool:
    return abs(cost - Fraction(expected)) <= ROUNDED


def test_by_hand() -> None:
    """30 and 31 become one of two; 35 one of three, of whom two were 39."""
    assert near(cost(sf.NonUniformEntropy()), 2 * log(2) + log(3) + 2 * log(3 / 2))
    assert cost(sf.NonUniformEntropy(), levels=(0, 0)) == 0
    sexes = 2 * log(5 / 2) + 3 * log(5 / 3)
    assert near(cost(sf.NonUniformEntropy(), levels=(0, 1)), sexes)


def test_a_suppressed_record_is_at_the_root() -> None:
    """Counts are those of the input, whatever is suppressed: the two men lose ages and sexes."""
    expected = log(3) + 2 * log(3 / 2) + 2 * log(5) + 2 * log(5 / 2)
    assert near(cost(sf.NonUniformEntropy(), k=3), expected)
    assert cost(sf.NonUniformEntropy(), k=6) == cost(sf.NonUniformEntropy(), levels=(2, 1))


def test_relative_is_the_share_of_the_entropy_there_was() -> None:
    f = people().frequencies
    assert sf.NonUniformEntropy().relative(cost(sf.NonUniformEntropy(), levels=(2, 1)), f) == 1
    assert sf.NonUniformEntropy().relative(Fraction(0), f) == 0


def test_rare_values_lose_more() -> None:
    """LM takes all leaves for equally likely, entropy does not: nine of ten are known to be 1."""
    rows = [{"a": "1"}] * 9 + [{"a": "2"}]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": sf.flat()})
    solution = sf.Problem(table, [sf.KAnonymity(2)], sf.NonUniformEntropy()).solve()
    assert solution.exact_cost is not None
    assert near(solution.exact_cost, 9 * log(10 / 9) + log(10))
    assert sf.Problem(table, [sf.KAnonymity(2)], sf.LM()).solve().relative == 1


def test_logarithms_are_rounded_once_and_sums_are_exact() -> None:
    for levels in ((0, 1), (1, 0), (2, 0), (2, 1)):
        assert (cost(sf.NonUniformEntropy(), levels=levels) * 2**32).denominator == 1
    by_parts = cost(sf.NonUniformEntropy(), levels=(2, 0)) + cost(sf.NonUniformEntropy(), levels=(0, 1))
    assert cost(sf.NonUniformEntropy(), levels=(2, 1)) == by_parts


def test_bounds_are_not_below_zero() -> None:
    """The core counts ln count(v*) without the original values' part; stopped at once, what is left of that is 0."""
    random = Random(1)
    for _ in range(20):
        problem = sf.Problem(any_problem(random).problem.data, [sf.KAnonymity(3)], sf.NonUniformEntropy())
        solution = solve_within(problem, LatticeSearch(), Limits(examined=0))
        assert solution.exact_bound == 0
        assert all(point.bound >= 0 for point in problem.solve().trace)


def test_nothing_to_lose() -> None:
    table = sf.Table(PlainEngine([{"a": "x"}] * 3), quasi_identifiers={"a": sf.flat()})
    solution = sf.Problem(table, [sf.KAnonymity(2)], sf.NonUniformEntropy()).solve()
    assert (solution.cost, solution.relative) == (0, 0)


def test_spelling() -> None:
    assert parse_part("non-uniform-entropy", loss, "loss") == sf.NonUniformEntropy()
    with pytest.raises(sf.ProblemError, match="has no settings"):
        parse_part("non-uniform-entropy:parts=3", loss, "loss")
