"""Axes, even or logarithmic: where values lie along them, and which values are written beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Literal, Protocol

_PER_DECADE = ((1, 1.5, 2, 3, 4, 5, 7), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
ZeroRule = Literal["always", "near", "never"]
_BAND = 18  # units between what is more than zero and zero


class Axis(Protocol):
    """What the grid and the marks of a picture ask of an axis."""

    @property
    def zero(self) -> float | None:
        """The place of zero, where it lies apart from the other values."""

    def at(self, value: float) -> float:
        """The place of a value."""

    def ticks(self, most: int) -> list[float]:
        """Round values along the axis, at most so many."""


@dataclass(frozen=True)
class EvenAxis:
    """The places from `start` (of `low`) to `end` (of `high`), in proportion."""

    low: float
    high: float
    start: float
    end: float
    whole: bool = False  # all values are whole numbers, so none between them is written
    zero: None = None  # it is a value like others

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float, *, zero: ZeroRule = "near") -> EvenAxis:
        """An axis with room for these values; it begins with zero always, where that is near, or never on purpose."""
        listed = list(values) or [0.0]
        low, high = min(listed), max(listed)
        if zero == "always" or (zero == "near" and 0 < low <= 0.5 * high):
            low, high = min(low, 0.0), max(high, 0.0)
        margin = 0.04 * (high - low) or abs(high) / 2 or 1.0
        ends = (low and low - margin, high and high + margin) if low < high else (low - margin, high + margin)
        return cls(*ends, start, end, all(float(value).is_integer() for value in listed))

    def at(self, value: float) -> float:
        """The place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int) -> list[float]:
        """Round values along the axis, at most so many."""
        return even_ticks(self.low, self.high, most, whole=self.whole)


@dataclass(frozen=True)
class LogAxis:
    """The places from `start` (of `low`) to `end` (of `high`); zero, which has no logarithm, lies beyond `start`."""

    low: float
    high: float
    start: float
    end: float
    zero: float | None = None  # its place, if zero is among the values

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float) -> LogAxis:
        """An axis with room for these values, none of them negative."""
        listed = list(values)
        positive = [value for value in listed if value > 0] or [1.0]
        low, high = min(positive), max(positive)
        margin = (high / low) ** 0.03 if high > low else 1.25
        way = 1 if end > start else -1
        with_zero = len(positive) < len(listed)
        return cls(
            low / margin, high * margin, start + way * _BAND if with_zero else start, end, start if with_zero else None
        )

    def has(self, value: float) -> bool:
        """Whether a value lies on the axis."""
        return self.low <= value <= self.high or (value <= 0 and self.zero is not None)

    def at(self, value: float) -> float:
        """The place of a value."""
        if value <= 0:
            return self.start if self.zero is None else self.zero
        share = log10(value / self.low) / log10(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int) -> list[float]:
        """Round values along the axis, at most so many, besides zero."""
        decades = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        for factors in _PER_DECADE:
            ticks = [f * 10.0**d for d in decades for f in factors if self.low <= f * 10.0**d <= self.high]
            if 3 <= len(ticks) <= most:
                return ticks
        return even_ticks(self.low, self.high, most) if self.high / self.low < 10 else ticks[:: ceil(len(ticks) / most)]


def even_ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[float]:
    """Round values, evenly spaced; on request whole numbers alone."""
    size = 10.0 ** floor(log10(high - low))
    steps = [size / 5, size / 2, size, size * 2, size * 5]
    for step in [step for step in steps if step >= 1 or not whole] or [1.0]:
        ticks = [i * step for i in range(ceil(low / step), floor(high / step) + 1)]
        if len(ticks) <= most:
            break
    return ticks
