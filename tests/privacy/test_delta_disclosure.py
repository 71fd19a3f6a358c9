"""delta-disclosure: both bounds, absent values, and logarithms rounded against the release."""

from __future__ import annotations

import math

import pytest

import sfumato as sf
from sfumato.data import ClassSummary, Distribution

INPUT = {"s": Distribution("s", {"a": 1, "b": 1})}


def a_class(**histogram: int) -> ClassSummary:
    return ClassSummary(sum(histogram.values()), {"s": histogram})


def test_shares_within_a_factor() -> None:
    """q = (⅔, ⅓): |ln(4/3)| = 0.288 and |ln(2/3)| = 0.405."""
    summary = a_class(a=2, b=1)
    assert sf.DeltaDisclosure("s", 0.41).bound_to(INPUT).holds(summary)
    assert not sf.DeltaDisclosure("s", 0.40).bound_to(INPUT).holds(summary)
    attained = sf.DeltaDisclosure("s", 1).bound_to(INPUT).attained([summary, a_class(a=1, b=1)])
    assert attained["delta"] == pytest.approx(math.log(3 / 2))


def test_every_value_of_the_input_must_occur() -> None:
    model = sf.DeltaDisclosure("s", 1000).bound_to(INPUT)
    assert not model.holds(a_class(a=5))
    assert not model.holds(a_class(a=1, b=1, c=1))
    assert model.holds(a_class(a=10**6, b=1))
    assert model.attained([a_class(a=5)]) == {"delta": None}
    assert model.attained([]) == {"delta": None}


def test_the_input_itself_is_as_close_as_can_be() -> None:
    assert sf.DeltaDisclosure("s", "1e-9").bound_to(INPUT).holds(a_class(a=5, b=5))
    assert sf.DeltaDisclosure("s", 1).bound_to(INPUT).attained([a_class(a=5, b=5)]) == {"delta": 0}


def test_bounds_are_rounded_inwards() -> None:
    low, high = sf.DeltaDisclosure("s", "1/2").bound_to(INPUT).bounds["a"]
    assert float(low) == pytest.approx(math.exp(-0.5) / 2, rel=1e-15)
    assert float(high) == pytest.approx(math.exp(0.5) / 2, rel=1e-15)
    assert low.denominator <= 10**18
    assert sf.DeltaDisclosure("s", "1/2").bound_to(INPUT).bounds["b"] == (low, high)


@pytest.mark.parametrize("delta", [0, -1, "x"])
def test_delta_is_positive(delta: object) -> None:
    with pytest.raises(sf.ProblemError, match="delta = "):
        sf.DeltaDisclosure("s", delta)  # type: ignore[arg-type]
