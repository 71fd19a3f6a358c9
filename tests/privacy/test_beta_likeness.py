"""beta-likeness: basic by hand and at ties, enhanced with its logarithms."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import sfumato as sf
from sfumato import privacy
from sfumato.cli.parts import parse_part
from sfumato.data import ClassSummary, Distribution

INPUT = {"s": Distribution("s", {"a": 8, "b": 1, "c": 1})}


def a_class(**histogram: int) -> ClassSummary:
    return ClassSummary(sum(histogram.values()), {"s": histogram})


def test_basic() -> None:
    """b may have at most (1 + 1) · 1/10 of a class, a and c accordingly; less is always allowed."""
    model = sf.BetaLikeness("s", 1).bound_to(INPUT)
    assert model.largest_shares == {"a": 1, "b": Fraction(1, 5), "c": Fraction(1, 5)}
    assert model.holds(a_class(a=4, b=1))
    assert not model.holds(a_class(a=3, b=1))
    assert model.holds(a_class(a=9))
    assert model.attained([a_class(a=4, b=1), a_class(a=3, b=1)]) == {"beta": 1.5}
    assert model.attained([a_class(a=8, b=1, c=1)]) == {"beta": 0}
    assert not model.holds(a_class(a=9, new=1))
    assert model.attained([a_class(a=9, new=1)]) == {"beta": None}


def test_enhanced() -> None:
    """a gains at most -ln 0.8 = 0.223…: 0.8 · 1.223… = 0.9785 of a class; b the smaller of beta and ln 10."""
    model = sf.BetaLikeness("s", 5, enhanced=True).bound_to(INPUT)
    assert float(model.largest_shares["a"]) == pytest.approx(0.8 * (1 - math.log(0.8)), rel=1e-15)
    assert float(model.largest_shares["b"]) == pytest.approx(0.1 * (1 + math.log(10)), rel=1e-15)
    assert not model.holds(a_class(a=100))
    assert model.holds(a_class(a=97, b=3))
    assert model.attained([a_class(a=100)]) == {"beta": None}
    assert model.attained([a_class(a=3, b=1)])["beta"] == pytest.approx(1.5)
    small = sf.BetaLikeness("s", "1/10", enhanced=True).bound_to(INPUT)
    assert small.largest_shares["a"] == Fraction(88, 100), "where beta is the smaller one the limit is exact"


def test_a_lone_value_may_stay_alone() -> None:
    model = sf.BetaLikeness("s", 0, enhanced=True).bound_to({"s": Distribution("s", {"a": 7})})
    assert model.holds(a_class(a=3))


def test_on_the_command_line() -> None:
    text = "beta-likeness:sensitive=s,beta=2,enhanced=true"
    assert parse_part(text, privacy, "privacy model") == sf.BetaLikeness("s", 2, enhanced=True)
    assert parse_part(text.replace("true", "no"), privacy, "privacy model") == sf.BetaLikeness("s", 2)


@pytest.mark.parametrize(("beta", "enhanced"), [(-1, False), ("x", False), (1, "maybe")])
def test_parameters(beta: object, enhanced: object) -> None:
    with pytest.raises(sf.ProblemError, match=r"(beta|enhanced) = "):
        sf.BetaLikeness("s", beta, enhanced)  # type: ignore[arg-type]
