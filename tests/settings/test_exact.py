"""Numbers are what is written."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sfumato.errors import ProblemError
from sfumato.settings.exact import exact, numbers, plain, rounded_down, share, whole


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (0.3, Fraction(3, 10)),
        (0.1 + 0.2, Fraction("0.30000000000000004")),
        (1e-7, Fraction(1, 10_000_000)),
        (5, Fraction(5)),
        (Fraction(1, 3), Fraction(1, 3)),
        ("1/3", Fraction(1, 3)),
        ("1%", Fraction(1, 100)),
        (" 0.5 % ", Fraction(1, 200)),
        ("0.05", Fraction(1, 20)),
        ("1e-2", Fraction(1, 100)),
        (Decimal("0.1"), Fraction(1, 10)),
        (np.float64(0.3), Fraction(3, 10)),
        (np.float32(0.3), Fraction(3, 10)),
        (np.int64(7), Fraction(7)),
    ],
)
def test_exact(written: Any, meant: Fraction) -> None:
    assert exact(written, "t") == meant
    assert type(exact(written, "t").numerator) is int


@pytest.mark.parametrize(
    "written", [True, None, "", "%", "x", "1/0", "1/0%", float("nan"), float("inf"), [1], {"a": 1}]
)
def test_no_number(written: Any) -> None:
    with pytest.raises(ProblemError, match=r"^t = .* is not a number; write it like 0\.05, '5%' or '1/20'\.$"):
        exact(written, "t")


def test_share() -> None:
    assert share("100%", "limit") == 1
    assert share(0, "limit") == 0
    for wrong in ("101%", -0.1, 2):
        with pytest.raises(
            ProblemError, match=r"limit = .* is not a share; give a number from 0 to 1, or from 0% to 100%"
        ):
            share(wrong, "limit")


def test_whole() -> None:
    assert whole("5", "k", least=1) == whole(5.0, "k", least=1) == whole(np.int64(5), "k", least=1) == 5
    for wrong in (2.5, 0, "five", None, "1/2"):
        with pytest.raises(ProblemError, match=rf"k = {wrong} is not a whole number from 1 up"):
            whole(wrong, "k", least=1)  # type: ignore[arg-type]


def test_numbers() -> None:
    assert numbers(None, "weights") == {}
    assert numbers({"a": "1/3", "b": 0}, "weights") == {"a": Fraction(1, 3), "b": 0}
    with pytest.raises(ProblemError, match=r"weights\['a'\] = -1 is negative; give 0 or more"):
        numbers({"a": -1}, "weights")
    with pytest.raises(ProblemError, match=r"weights\['a'\] = 'x' is not a number"):
        numbers({"a": "x"}, "weights")
    with pytest.raises(ProblemError, match=r"weights = 2 does not say whose; give a dictionary such as \{'age': 2\}"):
        numbers(2, "weights")  # type: ignore[arg-type]


def test_plain() -> None:
    assert [plain(Fraction(x)) for x in ("5", "1/20", "1/3")] == ["5", "0.05", "1/3"]


@given(st.fractions())
def test_rounded_down(number: Fraction) -> None:
    below = rounded_down(number)
    assert Fraction(below) <= number
    assert Fraction(np.nextafter(below, np.inf).item()) > number
