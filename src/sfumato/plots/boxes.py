"""Boxes: what is published, seen along two attributes; the darker, the more boxes lie there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.plots.svg import WIDTH, element, fitted, picture, text, width

_LEFT, _TOP, _LINE = 18, 4, 10.5  # the last is what a line of small letters needs
_SMALL = 9  # letters
_LONGEST = 96  # units of a label


@dataclass(frozen=True)
class DrawnBox:
    """One box: what it prints, its place along both attributes from 0 to 1, and its records."""

    label: str
    across: tuple[float, float]
    up: tuple[float, float]
    records: int


@dataclass(frozen=True)
class Tick:
    """A published label, and where it lies along an attribute, from 0 to 1."""

    label: str
    extent: tuple[float, float]


@dataclass(frozen=True)
class Boxes:
    """All that a picture of boxes shows; labels that have no room are left out."""

    title: str
    description: str
    across: str
    up: str
    boxes: tuple[DrawnBox, ...]
    ticks: tuple[tuple[Tick, ...], tuple[Tick, ...]] = ((), ())  # across, and up
    series: tuple[str, ...] = ("records",)

    def rows(self) -> list[tuple[str, ...]]:
        """The same as a table, the largest first."""
        ordered = sorted(self.boxes, key=lambda box: (-box.records, box.label))
        return [(box.label, f"{box.records:,}") for box in ordered]


def draw_boxes(info: Boxes) -> str:
    """The picture, as SVG: counts are written where boxes, and other counts, leave room."""
    across, up = (_chosen(ticks, WIDTH - _LEFT - _LONGEST - 30) for ticks in info.ticks)
    left = _LEFT + _room(up)
    size = WIDTH - left - 22.0
    parts = [
        element("rect", x=left, y=_TOP, width=size, height=size, fill="none", stroke="currentColor", stroke_opacity=0.3)
    ]
    counts: list[str] = []  # above all boxes
    written: list[tuple[tuple[float, float], float]] = []  # where counts stand, and half their widths
    for box in sorted(info.boxes, key=lambda box: -_area(box)):
        x, wide = left + size * box.across[0], size * (box.across[1] - box.across[0])
        high = size * (box.up[1] - box.up[0])
        y = _TOP + size * (1 - box.up[1])
        tooltip = element("title", f"{box.records:,}")
        parts.append(
            element(
                "rect",
                tooltip,
                x=float(x),
                y=float(y),
                width=float(max(wide - 1, 0.5)),
                height=float(max(high - 1, 0.5)),
                class_="after",
                fill_opacity=0.18,
                stroke="currentColor",
                stroke_opacity=0.5,
                stroke_width=0.6,
            )
        )
        words, at = f"{box.records:,}", (x + wide / 2, y + high / 2)
        half = width(words, _SMALL) / 2
        if 2 * half < wide - 4 and high > 12 and all(_apart(at, half, *other) for other in written):
            written.append((at, half))
            counts.append(text(words, at[0], at[1] + 3, size=_SMALL, anchor="middle"))
    parts += counts
    bottom = _TOP + size
    parts += _ticks_across(across, left, bottom, size)
    parts += _ticks_up(up, left, size)
    below = bottom + _room(across)
    parts.append(text(fitted(info.across, size), left + size / 2, below + 14, anchor="middle"))
    label = text(fitted(info.up, size), 0, 0, anchor="middle")
    parts.append(element("g", label, transform=f"translate(12 {_TOP + size / 2:g}) rotate(-90)"))
    return picture(info.title, info.description, below + 20, parts, WIDTH)


def _ticks_across(ticks: Sequence[Tick], left: float, bottom: float, size: float) -> Iterator[str]:
    """Brackets below the boxes, with upright labels."""
    for tick in ticks:
        low, high = (left + size * end for end in tick.extent)
        yield _bracket(low + 1, bottom + 3, high - 1, bottom + 3)
        words = text(fitted(tick.label, _LONGEST, _SMALL), 0, 3, size=_SMALL, anchor="end")
        yield element("g", words, transform=f"translate({(low + high) / 2:.2f} {bottom + 8:g}) rotate(-90)")


def _ticks_up(ticks: Sequence[Tick], left: float, size: float) -> Iterator[str]:
    """Brackets beside the boxes, with labels to their left."""
    for tick in ticks:
        low, high = (_TOP + size * (1 - end) for end in tick.extent)
        yield _bracket(left - 3, high + 1, left - 3, low - 1)
        words = fitted(tick.label, _LONGEST, _SMALL)
        yield text(words, left - 7, (low + high) / 2 + 3, size=_SMALL, anchor="end")


def _area(box: DrawnBox) -> float:
    return (box.across[1] - box.across[0]) * (box.up[1] - box.up[0])


def _apart(at: tuple[float, float], half: float, other: tuple[float, float], its_half: float) -> bool:
    """Whether two counts do not touch."""
    return abs(at[1] - other[1]) >= _LINE or abs(at[0] - other[0]) > half + its_half + 2


def _room(ticks: Sequence[Tick]) -> float:
    """What the longest label needs beside an axis."""
    return max((min(width(tick.label, _SMALL), _LONGEST) + 8 for tick in ticks), default=0)


def _chosen(ticks: Sequence[Tick], size: float) -> list[Tick]:
    """Labels that do not touch: those of the narrowest blocks first, and none that lies within or around another."""
    chosen: list[Tick] = []
    for tick in sorted(ticks, key=lambda one: (round(one.extent[1] - one.extent[0], 6), one.extent)):
        middle = sum(tick.extent) / 2
        if all(
            (tick.extent[1] <= one.extent[0] or one.extent[1] <= tick.extent[0])
            and abs(middle - sum(one.extent) / 2) * size >= _LINE
            for one in chosen
        ):
            chosen.append(tick)
    return chosen


def _bracket(x1: float, y1: float, x2: float, y2: float) -> str:
    return element("line", x1=x1, x2=x2, y1=y1, y2=y2, stroke="currentColor", stroke_opacity=0.6)
