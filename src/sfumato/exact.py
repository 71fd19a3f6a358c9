"""Exact numbers: thresholds and limits mean what they say, and are compared without rounding."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, nextafter

from sfumato.errors import ProblemError

# What users may write for a number: 0.3 (its shortest decimal, 3/10), Fraction(1, 3), "1/3", "1%".
Number = int | float | str | Fraction


def exact(value: Number, name: str) -> Fraction:
    """The number as a fraction; a float is read as its shortest decimal."""
    text = str(value).strip()
    try:
        return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ProblemError(f"{name} = {value!r} is no number; write it like 0.05, '5%' or '1/20'.") from None


def share(value: Number, name: str) -> Fraction:
    """A number from 0 to 1."""
    number = exact(value, name)
    if not 0 <= number <= 1:
        raise ProblemError(f"{name} = {value} is no share; give a number from 0 to 1, or from 0% to 100%.")
    return number


def whole(value: Number, name: str, least: int) -> int:
    """A whole number of at least `least`."""
    try:
        number = exact(value, name)
    except ProblemError:
        number = Fraction(1, 2)
    if number.denominator != 1 or number < least:
        raise ProblemError(f"{name} = {value} is no whole number from {least} up.")
    return int(number)


def numbers(values: Mapping[str, Number] | None, name: str) -> dict[str, Fraction]:
    """A number per key, none of them negative."""
    if values is not None and not isinstance(values, Mapping):
        raise ProblemError(f"{name} = {values!r} says not whose; give a dictionary such as {{'age': 2}}.")
    fractions = {key: exact(value, f"{name}['{key}']") for key, value in (values or {}).items()}
    for key, number in fractions.items():
        if number < 0:
            raise ProblemError(f"{name}['{key}'] = {number} is negative; give 0 or more.")
    return fractions


def plain(number: Fraction) -> str:
    """The fraction as people write it: an integer, a short decimal, or a fraction."""
    if number.denominator == 1:
        return str(number.numerator)
    decimal = repr(float(number))
    return decimal if Fraction(decimal) == number else str(number)


def rounded_down(number: Fraction) -> float:
    """The largest float that is not above the number: bounds must stay bounds."""
    nearest = float(number)
    return nearest if Fraction(nearest) <= number else nextafter(nearest, -inf)
