"""Cuts: numbers between cut points that are stated one by one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.numeric import exact, numbers_of, show
from sfumato.hierarchies.tree import ROOT
from sfumato.settings.given import brief


@dataclass(frozen=True)
class Cuts:
    """Value, then its interval between the cut points of each level, then `*`: `<18`, `[18, 30)`, `>=30`.

    Each level keeps some of the cut points of the level before, so the intervals nest. For numbers that crowd in one
    place and are rare in another, where intervals of one width are too wide here and too narrow there.
    """

    points: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        if not self.points or not all(self.points):
            raise HierarchyError("cuts() has a level without cut points; give some, as in cuts([18, 30, 65], [30]).")
        for points in self.points:
            if any(right <= left for left, right in pairwise(points)):
                raise HierarchyError(f"{self}: cut points must grow; sort them, and name each once.")
        for fine, coarse in pairwise(self.points):
            if new := [point for point in coarse if point not in fine]:
                raise HierarchyError(
                    f"{self}: {show(new[0])} is not a cut point of the level before, so the intervals would overlap; "
                    "add it there, or leave it out."
                )

    @classmethod
    def parse(cls, arguments: str) -> Cuts:
        """The generator of a command line's `cuts:18,30,65/30`: cut points, a slash between levels."""
        return cuts(*(level.split(",") for level in arguments.split("/"))) if arguments else cls(())

    def __str__(self) -> str:
        return f"cuts({', '.join('[' + ', '.join(map(show, points)) + ']' for points in self.points)})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values, which must be finite numbers."""
        if not occurring:
            return Hierarchy(((ROOT,) * (len(self.points) + 2),), str(self))
        values = numbers_of(self, attribute, occurring)
        columns = [list(values)]
        for points in self.points:
            labels = _labels(points)
            columns.append([labels[bisect_right(points, value)] for value in values.values()])
        columns.append([ROOT] * len(values))
        return Hierarchy(tuple(zip(*columns, strict=True)), str(self))


def cuts(*levels: Iterable[int | float | str | Fraction]) -> Cuts:
    """Numbers between cut points, fewer at each level: `cuts([18, 30, 65], [30])`."""
    for level in levels:
        if isinstance(level, str | bytes) or not isinstance(level, Iterable):
            raise HierarchyError(
                f"{brief(level)} is not a list of cut points; give lists, as in cuts([18, 30, 65], [30])."
            )
    return Cuts(tuple(tuple(exact(point, "cut point", "cuts([18, 30, 65])") for point in level) for level in levels))


def _labels(points: tuple[Fraction, ...]) -> list[str]:
    """The labels of the intervals between cut points, from below the first to above the last."""
    inner = [f"[{show(lower)}, {show(upper)})" for lower, upper in pairwise(points)]
    return [f"<{show(points[0])}", *inner, f">={show(points[-1])}"]
