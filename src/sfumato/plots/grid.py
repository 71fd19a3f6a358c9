"""The grid behind points and curves: lines at round values of both axes, with the values beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sfumato.plots.axes import Axis
from sfumato.plots.svg import element, text, width

_ACROSS, _UP = 34, 34  # units between two values, at least


def gridded(
    x: Axis,
    y: Axis,
    sides: tuple[float, float, float, float],
    label: Callable[[float], str],
    across: Callable[[float], str] | None = None,
) -> Iterator[str]:
    """Both axes with their grid, within the left, the right, top and bottom; `label` writes the values upwards."""
    left, right, top, bottom = sides
    yield from levels(y, sides, label)
    for value, place in _spaced(x, int((right - left) / _ACROSS), across or numbers):
        yield _grid_line(place, place, top, bottom)
        yield text((across or numbers)(value), place, bottom + 15, size=11, anchor="middle")


def levels(y: Axis, sides: tuple[float, float, float, float], label: Callable[[float], str]) -> Iterator[str]:
    """The grid of the axis upwards alone, and the line at the bottom: for names across."""
    left, right, top, bottom = sides
    for value, place in _ticks(y, int((bottom - top) / _UP)):
        yield _grid_line(left, right, place, place)
        yield text(label(value), left - 6, place + 4, size=11, anchor="end")
    yield element("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="axis", stroke="currentColor")


def widest(y: Axis, sides: tuple[float, float], label: Callable[[float], str]) -> float:
    """What the values upwards need beside the axis."""
    top, bottom = sides
    return max((width(label(value), 11) for value, _ in _ticks(y, int((bottom - top) / _UP))), default=0.0)


def percents(share: float) -> str:
    """A share as percent."""
    return f"{100 * share:.4g}%"


def numbers(value: float) -> str:
    """A number, short; very large and very small ones as powers of ten."""
    if value and abs(value) < 1e-4:
        return f"{value:.0e}".replace("e-0", "e-")
    return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def _grid_line(x1: float, x2: float, y1: float, y2: float) -> str:
    return element("line", x1=x1, x2=x2, y1=y1, y2=y2, class_="grid", stroke="currentColor", stroke_opacity=0.15)


def _ticks(axis: Axis, most: int) -> list[tuple[float, float]]:
    """Values to be written, with their places."""
    ticks = [(value, axis.at(value)) for value in axis.ticks(max(most, 3))]
    return ticks if axis.zero is None else [(0.0, axis.zero), *ticks]


def _spaced(axis: Axis, most: int, label: Callable[[float], str]) -> list[tuple[float, float]]:
    """Values whose texts do not touch each other."""
    kept: list[tuple[float, float]] = []
    for value, place in sorted(_ticks(axis, most), key=lambda tick: tick[1]):
        room = (width(label(value), 11) + (width(label(kept[-1][0]), 11) if kept else 0)) / 2 + 6
        if not kept or place - kept[-1][1] >= room:
            kept.append((value, place))
    return kept
