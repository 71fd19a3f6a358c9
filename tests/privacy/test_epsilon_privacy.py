from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import sfumato as sf


def summary(*counts: int) -> sf.ClassSummary:
    return sf.ClassSummary(sum(counts), {"s": {f"s{i}": n for i, n in enumerate(counts) if n}})


def rules(n: int, most: int, epsilon: Fraction, sigma: Fraction, b: int) -> bool:
    """R1 and R2 as the paper writes them, with its misprints corrected."""
    if n - b < (sigma + b) / (epsilon - 1):
        return False
    prime = epsilon * (1 - 1 / (sigma + b))
    delta = (epsilon - 1) * Fraction(n - b) / (sigma + b)
    return Fraction(most, n - b) <= 1 - 1 / (prime + delta)


def test_equals_the_rules() -> None:
    seen = set()
    numbers = [Fraction(3, 2), Fraction(2), Fraction(10)]
    for epsilon, sigma, b in product(numbers, [Fraction(2), Fraction(7, 2), Fraction(20)], [0, 1, 3]):
        model = sf.EpsilonPrivacy("s", epsilon, sigma, b)
        for one, other in product(range(1, 26, 2), range(26)):
            expected = rules(one + other, max(one, other), epsilon, sigma, b)
            assert model.holds(summary(one, other)) == expected
            assert not expected or one + other >= model.fewest
            seen.add(expected)
    assert seen == {True, False}


def test_a_tie_holds() -> None:
    """epsilon = 2, sigma = 2: of n = 2 one half may be alike, of n = 4 two thirds."""
    model = sf.EpsilonPrivacy("s", 2, 2)
    assert model.holds(summary(1, 1))
    assert not model.holds(summary(2, 1))
    assert model.holds(summary(4, 2))
    assert not model.holds(summary(1))


def test_experiment_9() -> None:
    """sigma = 10,000, epsilon = 10, b = 0: a class needs 1,112 records."""
    model = sf.EpsilonPrivacy("occupation", epsilon=10, sigma=10_000, b=0)
    assert model.fewest == 1112
    assert model.monotonicity is sf.Monotonicity.UP


def test_attained() -> None:
    model = sf.EpsilonPrivacy("s", 10, 2)
    assert model.attained([summary(1, 1)]) == {"epsilon": 2}
    assert model.attained([summary(1, 1), summary(2)]) == {"epsilon": None}
    assert model.attained([]) == {"epsilon": None}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epsilon": 1, "sigma": 5}, "epsilon = 1 does not let belief change; give a number above 1."),
        ({"epsilon": 2, "sigma": 1}, r"sigma \+ b = 1 is not a prior; together they must exceed 1."),
        ({"epsilon": 2, "sigma": -1, "b": 5}, "is not a prior"),
        ({"epsilon": 2, "sigma": 5, "b": -1}, "b = -1 is not a whole number from 0 up."),
        ({"epsilon": "much", "sigma": 5}, "epsilon = 'much' is not a number"),
    ],
)
def test_faults_are_named(settings: dict[str, int], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.EpsilonPrivacy("s", **settings)
