"""Exact numbers for hierarchies: how they are read, written and checked."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from sfumato.errors import HierarchyError, ProblemError
from sfumato.hierarchies.hierarchy import number, share, value_order
from sfumato.settings.exact import exact as exact_number
from sfumato.settings.given import brief
from sfumato.settings.wording import where_hidden

_MOST = 10**9


def exact(value: int | float | str | Fraction, role: str, example: str) -> Fraction:
    """The number as stated: a float is its shortest decimal, so 0.1 is 1/10."""
    try:
        return exact_number(value, role)
    except ProblemError:
        raise HierarchyError(f"The {role} {brief(value)} is not a number; give numbers, as in {example}.") from None


def show(value: Fraction) -> str:
    """The number as an integer, else as its exact decimal, else (if that does not end) as a fraction."""
    numerator, denominator = value.as_integer_ratio()
    if denominator == 1:
        return str(numerator)
    # A decimal with d digits exists iff the denominator divides 10^d, and then d is less than its number of bits.
    digits = next((d for d in range(denominator.bit_length()) if pow(10, d, denominator) == 0), None)
    if digits is None:
        return str(value)
    whole, rest = divmod(abs(numerator) * 10**digits // denominator, 10**digits)
    return f"{'-' * (numerator < 0)}{whole}.{rest:0{digits}}"


def numbers_of(source: object, attribute: str, occurring: Mapping[str, int]) -> dict[str, Decimal]:
    """The number that each value states, in increasing order (equal ones by text); others are a HierarchyError."""
    values: dict[str, Decimal] = {}
    strange: list[str] = []
    for text in sorted(occurring):
        value = number(text)
        if value is None:
            strange.append(text)
        else:
            values[text] = value
    if strange:
        raise HierarchyError(
            f"{source} has no place for {share(strange, attribute, occurring)}: not finite numbers; correct them, "
            f"leave them empty or give a hierarchy file, or see them {where_hidden()}.",
            hidden_values=value_order(strange),
        )
    return {text: values[text] for text in sorted(values, key=values.__getitem__)}


def read_count(text: str) -> int:
    """A whole number of a command line; no hierarchy has so much of anything as the largest."""
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) < len(str(_MOST)) else _MOST
