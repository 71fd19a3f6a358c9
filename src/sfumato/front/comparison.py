"""One front against another: which points of the true one it has, which it misses, and what it has instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.front.point import FrontPoint
from sfumato.settings.exact import readable


@dataclass(frozen=True, eq=False)
class FrontComparison:
    """What a search knows of the true front."""

    found: tuple[FrontPoint, ...]  # points of the true front that it has too: the same values at the same cost
    missed: tuple[FrontPoint, ...]  # points of the true front that it has not
    wrong: tuple[FrontPoint, ...]  # points of its own that something beats

    @property
    def share(self) -> float:
        """The part of the true front that was found."""
        return len(self.found) / (len(self.found) + len(self.missed)) if self.found or self.missed else 1.0

    def __str__(self) -> str:
        total = len(self.found) + len(self.missed)
        missed = f"; missed: {_called(self.missed)}" if self.missed else ""
        wrong = f"; not on the front: {_called(self.wrong)}" if self.wrong else ""
        return f"{len(self.found):,} of {total:,} points found ({self.share:.1%}){missed}{wrong}"

    __repr__ = __str__


def compared(points: Sequence[FrontPoint], true: Sequence[FrontPoint]) -> FrontComparison:
    """The points of a front beside those of the complete front of the same question."""
    here, there = {_key(point) for point in points}, {_key(point) for point in true}
    return FrontComparison(
        found=tuple(point for point in true if _key(point) in here),
        missed=tuple(point for point in true if _key(point) not in here),
        wrong=tuple(point for point in points if _key(point) not in there),
    )


def _key(point: FrontPoint) -> object:
    return tuple(point.values.values()), point.exact_cost


def _called(points: tuple[FrontPoint, ...]) -> str:
    return "; ".join(
        ", ".join(f"{name} = {readable(value)}" for name, value in point.values.items()) for point in points
    )
