"""Axes whose scale is logarithmic: where values lie along them, and which values are written beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

_PER_DECADE = ((1, 1.5, 2, 3, 4, 5, 7), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
_BAND = 18  # units between what is more than zero and zero


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
        return self._even(most) if self.high / self.low < 10 else ticks[:: ceil(len(ticks) / most)]

    def _even(self, most: int) -> list[float]:
        """Evenly spaced values, for ranges within which there are hardly any others."""
        size = 10.0 ** floor(log10(self.high - self.low))
        for step in (size / 5, size / 2, size, size * 2, size * 5):
            ticks = [i * step for i in range(ceil(self.low / step), floor(self.high / step) + 1)]
            if len(ticks) <= most:
                break
        return ticks
