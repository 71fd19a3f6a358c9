"""Exact numbers: thresholds and limits mean what they say, and are compared without rounding."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, inf, nextafter
from numbers import Real

from sfumato.errors import ProblemError
from sfumato.settings.given import brief

# What users may write for a number: 0.3 (its shortest decimal, 3/10), Fraction(1, 3), "1/3", "1%".
Number = int | float | str | Fraction
# A parameter's value, exactly: whole where it can be.
Value = int | Fraction

# The core compares counts (below 2^36) with fractions in 128 bits, so denominators have room for 27 digits.
_WIDEST_DENOMINATOR = 1 << 90
_FINEST = 10**18
_LARGEST = 1 << 60
LARGEST_SEED = (1 << 63) - 1
LARGEST_WHOLE = 10**18  # more than there are of anything, with room to spare in the 64 bits of the core
_FARTHEST = 400  # digits before or after the point that a number may have


def exact(value: Number, name: str) -> Fraction:
    """The number as a fraction; a float is read as its shortest decimal."""
    if isinstance(value, Fraction):
        return value
    fault = f"{name} = {brief(value)} is not a number; write it like 0.05, '5%' or '1/20'."
    if not isinstance(value, str | Real | Decimal):
        raise ProblemError(fault)
    if isinstance(value, int) and abs(value) >= 10**_FARTHEST:
        raise ProblemError(f"{name} is a number of more than {_FARTHEST} digits; give one that is shorter.")
    text = str(value).strip()
    # Python writes such numbers out in full.
    if len(text) > _FARTHEST or any(abs(int(power)) > _FARTHEST for power in re.findall(r"[eE]([+-]?\d+)", text)):
        raise ProblemError(f"{name} is a number of more than {_FARTHEST} digits; give one that is shorter.")
    try:
        return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ProblemError(fault) from None


def share(value: Number, name: str) -> Fraction:
    """A number from 0 to 1."""
    number = exact(value, name)
    if not 0 <= number <= 1:
        raise ProblemError(
            f"{name} = {brief(value, quoted=False)} is not a share; give a number from 0 to 1, or from 0% to 100%."
        )
    return number


def positive(value: Number, name: str) -> Fraction:
    """A number above 0."""
    number = exact(value, name)
    if number <= 0:
        raise ProblemError(f"{name} = {brief(value, quoted=False)} is not positive; give a number above 0.")
    return number


def whole(value: Number, name: str, least: int, most: int = LARGEST_WHOLE) -> int:
    """A whole number of at least `least`; no count in the core reaches `most`."""
    fault = f"{name} = {brief(value, quoted=False)} is not a whole number from {least} "
    try:
        number = exact(value, name)
    except ProblemError:
        number = Fraction(1, 2)
    if number.denominator != 1 or number < least:
        raise ProblemError(f"{fault}up.")
    if number > most:
        raise ProblemError(f"{fault}to {most:,}.")
    return int(number)


def boolean(value: bool | str, name: str) -> bool:
    """True or False, also from the text of a command line."""
    meanings = {"true": True, "yes": True, "false": False, "no": False}
    if not isinstance(value, bool | str) or str(value).lower() not in meanings:
        raise ProblemError(f"{name} = {brief(value, quoted=False)} is neither true nor false; write true or false.")
    return meanings[str(value).lower()]


def numbers(values: Mapping[str, Number] | None, name: str) -> dict[str, Fraction]:
    """A number per key, none of them negative."""
    if values is not None and not isinstance(values, Mapping):
        raise ProblemError(f"{name} = {brief(values)} does not say whose; give a dictionary such as {{'age': 2}}.")
    for key in values or {}:
        if not isinstance(key, str):
            raise ProblemError(f"{name} has {brief(key)}, which is not a text; write it like {{'age': 2}}.")
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


def decimal_down(number: Fraction) -> int | float:
    """The number if it is whole, else the largest float that is still not above it when it is written as a decimal."""
    if number.denominator == 1:
        return int(number)
    decimal = float(number)
    while Fraction(repr(decimal)) > number:
        decimal = nextafter(decimal, -inf)
    return decimal


def decimal_up(number: Fraction) -> int | float:
    """The number if it is whole, else the smallest float that is still not below it when it is written as a decimal."""
    return -decimal_down(-number)


def comparable_down(number: Fraction) -> Fraction:
    """The number if counts can be compared with it exactly in the core, else the next multiple of 1e-18 below it."""
    return number if _comparable(number) else Fraction(floor(number * _FINEST), _FINEST)


def comparable_up(number: Fraction) -> Fraction:
    """The number if counts can be compared with it exactly in the core, else the next multiple of 1e-18 above it."""
    return number if _comparable(number) else Fraction(ceil(number * _FINEST), _FINEST)


def exactly(value: Number) -> Value:
    """A value as an integer if it is whole, else as a fraction."""
    number = Fraction(value)
    return int(number) if number.denominator == 1 else number


def json_value(value: Value) -> int | str:
    """A value for JSON: whole numbers as such, others as texts, so that nothing is rounded."""
    return int(value) if value == int(value) else plain(Fraction(value))


def readable(value: Value) -> str:
    """A value for people."""
    return f"{int(value):,}" if value == int(value) else f"{float(value):.6g}"


def ratio(number: Fraction) -> tuple[int, int, int]:
    """A comparable number as the core takes it: whole part, numerator and denominator of the rest.

    No count reaches 2^60, so larger numbers than that make no difference.
    """
    whole_part, rest = divmod(number.numerator, number.denominator)
    return (whole_part, rest, number.denominator) if whole_part < _LARGEST else (_LARGEST, 0, 1)


def _comparable(number: Fraction) -> bool:
    return number.denominator <= _WIDEST_DENOMINATOR
