"""Progress: how the best solution and the proven bound came closer while a search ran, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.plots.axes import LogAxis
from sfumato.plots.grid import gridded
from sfumato.plots.svg import WIDTH, element, picture, text, width

_LEFT, _RIGHT, _TOP, _BOTTOM, _HIGH = 62, 12, 26, 40, 240
_ROWS = 12  # moments in the table
_EARLIEST = 1e-3  # seconds; what comes before is drawn there


@dataclass(frozen=True)
class Moment:
    """Where a search stood: the cost of its best solution, None before there was one, and the proven bound."""

    seconds: float
    cost: float | None
    bound: float

    @property
    def gap(self) -> float | None:
        """cost/bound - 1; None where there is none."""
        if self.cost is None or (self.bound <= 0 < self.cost):
            return None
        return self.cost / self.bound - 1 if self.cost > 0 else 0.0


@dataclass(frozen=True)
class ProgressPlot:
    """All that a picture of a search shows; moments are in order."""

    title: str
    description: str
    cost: str  # what costs are of
    moments: tuple[Moment, ...]
    series: tuple[str, ...] = ("best so far", "proven bound", "gap")

    def rows(self) -> list[tuple[str, ...]]:
        """The same as a table, some of the moments, the last among them."""
        step = -(-len(self.moments) // _ROWS) or 1
        return [
            (
                f"{one.seconds:.2f} s",
                "–" if one.cost is None else f"{one.cost:,.6g}",
                f"{one.bound:,.6g}",
                "–" if one.gap is None else f"{one.gap:.2%}",
            )
            for one in self.moments[::-1][::step][::-1]
        ]


def progress_info(loss: str, trace: Sequence[tuple[float, float | None, float | None]]) -> ProgressPlot | None:
    """The picture of (seconds, cost, bound) at moments of a search; None if hardly anything moved."""
    moments: list[Moment] = []
    for seconds, cost, bound in trace:
        if bound is None:
            continue
        if not moments or (cost, bound) != (moments[-1].cost, moments[-1].bound):
            moments.append(Moment(seconds, cost, bound))
    solved = [one for one in moments if one.cost is not None]
    if len(solved) < 3 or solved[-1].gap is None or max(one.bound for one in moments) <= 0:
        return None
    # The end of the search, even if nothing moved there.
    end = max(seconds for seconds, _, _ in trace)
    if end > moments[-1].seconds:
        moments.append(Moment(end, moments[-1].cost, moments[-1].bound))
    description = f"After {solved[0].seconds:.2f} s the gap was {_gap(solved[0])}, at the end {_gap(solved[-1])}."
    return ProgressPlot("Gap over time", description, loss, tuple(moments))


def _gap(moment: Moment) -> str:
    return "unknown" if moment.gap is None else f"{moment.gap:.1%}"


def draw_progress(info: ProgressPlot) -> str:
    """The picture, as SVG: both lines are steps, and what lies between them is the gap."""
    costs = [one.cost for one in info.moments if one.cost is not None]
    values = [value for value in (*costs, *(one.bound for one in info.moments)) if value > 0]
    right, bottom = WIDTH - _RIGHT, _HIGH - _BOTTOM
    x = LogAxis.over((max(one.seconds, _EARLIEST) for one in info.moments), _LEFT, right)
    y = LogAxis.over(values, bottom, _TOP)
    parts = [*_key(), *gridded(x, y, (_LEFT, right, _TOP, bottom), _number)]
    solved = [one for one in info.moments if one.cost is not None]
    best = [(x.at(max(one.seconds, _EARLIEST)), y.at(one.cost)) for one in solved if one.cost is not None]
    proven = [
        (x.at(max(one.seconds, _EARLIEST)), y.at(one.bound) if one.bound > 0 else float(bottom)) for one in info.moments
    ]
    for points, name in ((best, "curve"), (proven, "cloud")):
        path = f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(f"H{a:.1f}V{b:.1f}" for a, b in points[1:])
        parts.append(
            element("path", d=f"{path}H{right:g}", class_=name, fill="none", stroke="currentColor", stroke_width=2)
        )
    parts.append(text(f"seconds; {info.cost} upwards", right, bottom + 32, size=11, anchor="end"))
    return picture(info.title, info.description, _HIGH, parts)


def _key() -> Iterator[str]:
    """The two lines, named at the top."""
    at = 0.0
    for words, name in (("best so far", "curve"), ("proven bound", "cloud")):
        yield element("path", d=f"M{at:g} 8h16", class_=name, fill="none", stroke="currentColor", stroke_width=2)
        yield text(words, at + 21, 12)
        at += width(words) + 40


def _number(value: float) -> str:
    """Short: thousands, millions and billions by their letters."""
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.4g}{letter}"
    return f"{value:.4g}"
