"""Landmarks: the points of a front that are worth a look first, where there are too many to look at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import Protocol

from sfumato.settings.exact import Value, readable

# Values that people often ask for: of k and l, and of shares such as t.
_USUAL = {True: (2, 3, 5, 10, 20, 50, 100), False: (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5), Fraction(1, 10))}
_MUCH = log(1.5)  # times stronger
_FEW = 4
_SHOWN = 15  # points; of more, only landmarks are listed


class Point(Protocol):
    """What there is to know of a point here."""

    @property
    def value(self) -> Value:
        """What the first parameter has."""
        ...

    @property
    def relative(self) -> float:
        """The cost as a share of the detail there was."""
        ...


@dataclass(frozen=True)
class Landmarks:
    """The points of a front, from the loosest to the strictest, by their first parameter."""

    points: Sequence[Point]
    parameter: str
    larger: bool  # whether larger values ask for more
    single: bool  # whether there is no second parameter

    @property
    def bends(self) -> bool:
        """Whether the curve has a knee: of one parameter, with a point between its ends."""
        return self.single and len(self.points) > 2

    def first(self) -> tuple[int, str]:
        """The point to begin with where nobody says which: k = 5, or what comes nearest to it; and why it is this one.

        Of two parameters, the point half-way along the list.
        """
        if not self.single:
            return len(self.points) // 2, "half-way along the list"
        for value in self._firsts():
            if (i := self._enough(value)) is not None:
                return i, f"the cheapest with {self._wanted(value)}, which is often asked for"
        return len(self.points) - 1, "the strongest there is"

    def usual(self) -> Iterator[tuple[str, int]]:
        """The points that give what people often ask for, by its name."""
        for value in _USUAL[self.larger]:
            if (i := self._enough(value)) is not None:
                yield self._wanted(value), i

    def bargains(self) -> list[int]:
        """Points half as strong again as some point before, for less than half of what such a way costs on average.

        Ways are compared by ratios: 10 to 20 is as far as 50 to 100. Of neighbours the strongest is named, and of all
        at most four, the cheapest for what they gain.
        """
        points = [(log(point.value), point.relative, i) for i, point in enumerate(self.points) if point.value > 0]
        runs: list[tuple[float, int]] = []  # price of the way, point
        for j, (here, price, i) in enumerate(points):
            before = [point for point in points[:j] if abs(here - point[0]) >= _MUCH]
            if not before:
                continue
            rate = (price - before[-1][1]) / abs(here - before[-1][0])
            if 2 * rate * abs(points[-1][0] - points[0][0]) < points[-1][1] - points[0][1]:
                if runs and runs[-1][1] == i - 1:
                    runs.pop()
                runs.append((rate, i))
        inside = [run for run in sorted(runs) if run[1] < len(self.points) - 1]  # the strongest hides nearly everything
        return sorted(i for _, i in inside[:_FEW])

    def listed(self, *marked: int) -> list[int]:
        """The points to be listed: all of a few; of many the ends, what is often asked for, bargains, and `marked`."""
        many = len(self.points)
        if many <= _SHOWN:
            return list(range(many))
        if self.single:
            shown = {i for _, i in self.usual()} | set(self.bargains())
        else:
            shown = set(range(0, many, -(-many // _SHOWN)))
        return sorted(shown | {0, many - 1} | set(marked))

    def _firsts(self) -> Sequence[Value]:
        if self.parameter == "k":
            return (5,)
        return (3, 2) if self.larger else (Fraction(1, 5), Fraction(3, 10), Fraction(1, 2))

    def _enough(self, value: Value) -> int | None:
        """The weakest point that attains a value, which is the cheapest."""
        attains = (i for i, p in enumerate(self.points) if (p.value >= value if self.larger else p.value <= value))
        return next(attains, None)

    def _wanted(self, value: Value) -> str:
        return f"{self.parameter} {'≥' if self.larger else '≤'} {readable(value)}"
