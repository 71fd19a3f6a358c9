"""Intervals: numbers in half-open intervals that grow wider from level to level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import ROOT, Hierarchy, number, share, value_order


@dataclass(frozen=True)
class Intervals:
    """Value, then its interval `[lower, upper)` of each width, then `*`; bounds are multiples of the width from origin.

    All arithmetic is exact: 0.3 lies in [0.3, 0.4) for the width 0.1.
    """

    widths: tuple[Fraction, ...]
    origin: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not self.widths:
            raise HierarchyError("intervals() has no widths; give at least one, as in intervals(5, 10, 20).")
        for width in self.widths:
            if width <= 0:
                raise HierarchyError(f"{self}: the width {_show(width)} is not positive; give widths above 0.")
        for narrow, wide in pairwise(self.widths):
            if wide % narrow:
                raise HierarchyError(
                    f"{self}: {_show(wide)} is no multiple of {_show(narrow)}, so the intervals would overlap; "
                    "make each width a multiple of the one before, as in intervals(5, 10, 20)."
                )

    @classmethod
    def parse(cls, arguments: str) -> Intervals:
        """The intervals of a command line's `intervals:5,10,20`, given what follows the colon."""
        return intervals(*arguments.split(",")) if arguments else cls(())

    def __str__(self) -> str:
        origin = f", origin={_show(self.origin)}" if self.origin else ""
        return f"intervals({', '.join(map(_show, self.widths))}{origin})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values, which must be finite numbers."""
        if not occurring:
            return Hierarchy(((ROOT,) * (len(self.widths) + 2),), str(self))
        strange = [text for text in occurring if number(text) is None]
        if strange:
            raise HierarchyError(
                f"{self} has no place for {share(strange, attribute, occurring)}: no finite numbers; correct them, "
                "leave them empty or give a hierarchy file, or see them with --show-values.",
                hidden_values=value_order(strange),
            )
        # Widths are multiples of the narrowest and share its origin, so whole numbers lead from interval to interval.
        steps = [int(width / self.widths[0]) for width in self.widths]
        label = cache(self._label)  # many values, few intervals
        return Hierarchy(
            tuple(
                (text, *(label(level, position // step) for level, step in enumerate(steps)), ROOT)
                for text in value_order(occurring)
                for position in [self._position(text)]
            ),
            str(self),
        )

    def _position(self, text: str) -> int:
        """The number of the narrowest interval around a value, counted from the origin."""
        return (Fraction(Decimal(text)) - self.origin) // self.widths[0]

    def _label(self, level: int, position: int) -> str:
        """The interval at a position of a level, counted from the origin."""
        lower = self.origin + position * self.widths[level]
        return f"[{_show(lower)}, {_show(lower + self.widths[level])})"


def intervals(*widths: int | float | str | Fraction) -> Intervals:
    """Half-open intervals of these widths, each a multiple of the one before: `intervals(5, 10, 20)`."""
    return Intervals(tuple(map(_exact, widths)))


def _exact(width: int | float | str | Fraction) -> Fraction:
    """The width as stated: a float is its shortest decimal, so 0.1 is 1/10."""
    try:
        return Fraction(str(width) if isinstance(width, float) else width)
    except (ValueError, TypeError, ZeroDivisionError):
        raise HierarchyError(f"The width {width!r} is no number; give numbers, as in intervals(5, 10, 20).") from None


def _show(value: Fraction) -> str:
    """The number as an integer, else as its exact decimal, else (if that does not end) as a fraction."""
    numerator, denominator = value.as_integer_ratio()
    # A decimal with d digits exists iff the denominator divides 10^d, and then d is less than its number of bits.
    digits = next((d for d in range(denominator.bit_length()) if pow(10, d, denominator) == 0), None)
    if denominator == 1 or digits is None:
        return str(value)
    whole, rest = divmod(abs(numerator) * 10**digits // denominator, 10**digits)
    return f"{'-' * (numerator < 0)}{whole}.{rest:0{digits}}"
