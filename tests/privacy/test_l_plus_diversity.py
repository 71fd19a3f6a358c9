"""l+-diversity: a threshold per value, thresholds by frequency, and ways to say them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import sfumato as sf
from sfumato import privacy
from sfumato.cli.parts import parse_part
from sfumato.data import ClassSummary, Distribution
from sfumato.testing.plain_engine import PlainEngine


def a_class(unknown: int = 0, **histogram: int) -> ClassSummary:
    return ClassSummary(sum(histogram.values()) + unknown, {"s": histogram})


def test_one_threshold_for_all() -> None:
    model = sf.LPlusDiversity("s", theta=0.5)
    assert model.holds(a_class(a=2, b=2))
    assert not model.holds(a_class(a=3, b=2))
    assert model.holds(a_class(unknown=1, a=3, b=2)), "suppressed values count in n"


def test_a_threshold_per_value() -> None:
    model = sf.LPlusDiversity("s", theta={"rare": "1/5"}, default=1)
    assert model.holds(a_class(rare=1, other=4))
    assert not model.holds(a_class(rare=1, other=3))
    assert model.holds(a_class(other=4))
    assert not sf.LPlusDiversity("s", {"never": 0}, default=1).holds(a_class(never=1, other=99))
    assert model.attained([a_class(rare=1, other=4), a_class(other=3)]) == {"max_confidence": 0.2}
    assert model.attained([a_class(other=3)]) == {"max_confidence": None}
    assert sf.LPlusDiversity("s", {"a": 1, "b": 0.2}, default=1).unprotected == ("a",)


def test_thresholds_by_frequency() -> None:
    """fr = (6, 3, 1)/10 and fr_avg = 1/3: theta·18/10, theta for the others."""
    model = sf.LPlusDiversity.by_frequency("s", "1/2").bound_to(
        {"s": Distribution("s", {"often": 6, "some": 3, "rare": 1})}
    )
    assert [model.threshold(value) for value in ("often", "some", "rare")] == [
        Fraction(9, 10),
        Fraction(1, 2),
        Fraction(1, 2),
    ]
    assert model.threshold("unheard of") == Fraction(1, 2)
    assert model.unprotected == ()
    assert sf.LPlusDiversity.by_frequency("s", "3/5").bound_to({"s": model.input}).unprotected == ("often",)
    assert model.holds(a_class(often=9, rare=1))
    assert not model.holds(a_class(often=19, rare=1))


def test_by_frequency_takes_the_distribution_of_the_table() -> None:
    rows = [{"q": str(i % 2), "s": "often" if i < 6 else "rare"} for i in range(8)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    problem = sf.Problem(table, [sf.LPlusDiversity.by_frequency("s", "1/2")])
    (model,) = problem.question.constraints
    assert model.reference is not None
    assert dict(model.reference.counts) == {"often": 6, "rare": 2}
    assert problem.solve().status == "optimal"
    unbound = sf.LPlusDiversity.by_frequency("s", "1/2")
    with pytest.raises(sf.ProblemError, match="compares 's' with the input, which is unknown here"):
        unbound.holds(a_class(often=1))


def test_on_the_command_line() -> None:
    text = "l-plus-diversity:sensitive=occupation,default=1/5,theta.Armed-Forces=1/20"
    expected = sf.LPlusDiversity("occupation", theta={"Armed-Forces": 0.05}, default=0.2)
    assert parse_part(text, privacy, "privacy model") == expected
    assert parse_part("l-plus-diversity:theta=0.2,spread=frequency", privacy, "m", ["s"]) == (
        sf.LPlusDiversity.by_frequency("s", 0.2)
    )
    with pytest.raises(sf.ProblemError, match="has no 'reference'"):
        parse_part("l-plus-diversity:sensitive=s,theta=1,reference=x", privacy, "m")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"theta": {"a": 0.1}}, "nothing is said of the others; give default"),
        ({"theta": 0.1, "default": 0.2}, "default says nothing; leave it out"),
        ({"theta": {"a": 2}, "default": 1}, r"theta\['a'\] = 2 is not a share"),
        ({"theta": 1.5}, "theta = 1.5 is not a share"),
        ({"theta": 0.1, "spread": "odd"}, "spread = 'odd' is unknown; choose equal or frequency"),
        ({"theta": {"a": 0.1}, "default": 1, "spread": "frequency"}, "needs one theta for all values"),
    ],
)
def test_wrong_thresholds(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.LPlusDiversity("s", **settings)


def test_a_misspelt_value_is_noticed() -> None:
    rows = [{"q": "x", "s": "flu"}, {"q": "x", "s": "gout"}]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    with pytest.raises(sf.ProblemError, match="theta names 'flue', which 's' does not have"):
        sf.Problem(table, [sf.LPlusDiversity("s", {"flue": 0.5}, default=1)])
    assert sf.Problem(table, [sf.LPlusDiversity("s", {"flu": 0.5}, default=1)]).solve().status == "optimal"
