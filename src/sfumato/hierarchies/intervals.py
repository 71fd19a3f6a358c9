"""Intervals: numbers in half-open intervals that grow wider from level to level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.numeric import exact, numbers_of, show
from sfumato.hierarchies.tree import ROOT


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
                raise HierarchyError(f"{self}: the width {show(width)} is not positive; give widths above 0.")
        for narrow, wide in pairwise(self.widths):
            if wide % narrow:
                raise HierarchyError(
                    f"{self}: {show(wide)} is not a multiple of {show(narrow)}, so the intervals would overlap; "
                    "make each width a multiple of the one before, as in intervals(5, 10, 20)."
                )

    @classmethod
    def parse(cls, arguments: str) -> Intervals:
        """The intervals of a command line's `intervals:5,10,20`, given what follows the colon."""
        return intervals(*arguments.split(",")) if arguments else cls(())

    def __str__(self) -> str:
        origin = f", origin={show(self.origin)}" if self.origin else ""
        return f"intervals({', '.join(map(show, self.widths))}{origin})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values, which must be finite numbers."""
        if not occurring:
            return Hierarchy(((ROOT,) * (len(self.widths) + 2),), str(self))
        values = numbers_of(self, attribute, occurring)
        # Widths are multiples of the narrowest and share its origin, so whole numbers lead from interval to interval.
        positions = self._positions(values.values())
        columns = [list(values)]
        for width in self.widths:
            step = int(width / self.widths[0])
            numbers = [position // step for position in positions]
            labels = self._labels(numbers, width)
            columns.append([labels[number] for number in numbers])
        columns.append([ROOT] * len(values))
        return Hierarchy(tuple(zip(*columns, strict=True)), str(self))

    def _positions(self, values: Iterable[Decimal]) -> list[int]:
        """The number of the narrowest interval around each value, counted from the origin."""
        # (n/d - origin) / width in whole numbers, since fractions are reduced at every step and that takes time
        above, below = self.origin.as_integer_ratio()
        width, parts = self.widths[0].as_integer_ratio()
        return [
            (numerator * below - above * denominator) * parts // (denominator * below * width)
            for numerator, denominator in (value.as_integer_ratio() for value in values)
        ]

    def _labels(self, numbers: Iterable[int], width: Fraction) -> dict[int, str]:
        """The labels of these intervals of a width, by their number counted from the origin."""
        distinct = set(numbers)
        ends = distinct | {number + 1 for number in distinct}
        if self.origin.denominator == width.denominator == 1:  # whole numbers need no fractions, which take their time
            origin, step = int(self.origin), int(width)
            bound = {number: str(origin + number * step) for number in ends}
        else:
            bound = {number: show(self.origin + number * width) for number in ends}
        return {number: f"[{bound[number]}, {bound[number + 1]})" for number in distinct}


def intervals(*widths: int | float | str | Fraction) -> Intervals:
    """Half-open intervals of these widths, each a multiple of the one before: `intervals(5, 10, 20)`."""
    return Intervals(tuple(exact(width, "width", "intervals(5, 10, 20)") for width in widths))
