"""Quantities with a unit, as people write them: 60, "60s", "5m", "2GB"."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TypeAlias

from sfumato.errors import ProblemError
from sfumato.settings.given import brief

Quantity: TypeAlias = int | float | str

_SECONDS = {"s": 1, "m": 60, "h": 3600}
_BYTES = {
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 1 << 10,
    "mib": 1 << 20,
    "gib": 1 << 30,
    "tib": 1 << 40,
    "b": 1,  # last: the others end in it too
}


_LEAST_MEMORY = 10**6  # bytes; who gives less has forgotten the unit


def seconds(value: Quantity, name: str) -> float:
    """A time: seconds, or a text such as 60s, 5m or 1h."""
    return _amount(
        value,
        _SECONDS,
        f"{name} = {brief(value, quoted=False)} is not a time; give seconds, or a time such as 60s, 5m or 1h.",
    )


def byte_count(value: Quantity, name: str) -> int:
    """An amount of memory: bytes, or a text such as 512MB or 2GB."""
    fault = f"{name} = {brief(value, quoted=False)} is not an amount of memory; write it like 512MB or 2GB."
    amount = _amount(value, _BYTES, fault)
    if amount >= 1 << 62:
        raise ProblemError(fault)
    return int(amount)


def memory(value: Quantity, name: str) -> int:
    """An amount of memory to work with."""
    amount = byte_count(value, name)
    if amount < _LEAST_MEMORY:
        raise ProblemError(f"{name} = {brief(value, quoted=False)} is too little to work with; give 1MB or more.")
    return amount


def _amount(value: Quantity, units: Mapping[str, int], fault: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real | str):
        raise ProblemError(fault)
    if isinstance(value, int) and abs(value) >= 1 << 63:
        raise ProblemError(fault)
    number, factor = str(value).strip().lower(), 1
    for unit, size in units.items() if isinstance(value, str) else ():
        if number.endswith(unit):
            number, factor = number.removesuffix(unit), size
            break
    try:
        amount = float(number) * factor
    except (ValueError, OverflowError):
        amount = -1
    if not amount >= 0:
        raise ProblemError(fault)
    return amount
