"""Histogram: shares by range, standing side by side; with two series, before beside after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.plots.svg import WIDTH, element, legend, picture, series_class, text

_HEIGHT = 130  # of a full column
_TOP = 44


@dataclass(frozen=True)
class Bin:
    """A range, with a share for each series."""

    label: str
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Histogram:
    """All that a histogram shows."""

    title: str
    description: str
    series: tuple[str, ...]
    bins: tuple[Bin, ...]
    axis: str  # what the ranges are of

    def __post_init__(self) -> None:
        for one in self.bins:
            if len(one.shares) != len(self.series):
                raise ValueError(f"'{one.label}' does not have a share for each of {len(self.series)} series")

    def rows(self) -> list[tuple[str, ...]]:
        """The same as a table: the range, then the share of each series."""
        return [(one.label, *(f"{share:.1%}" for share in one.shares)) for one in self.bins]


def draw_histogram(info: Histogram) -> str:
    """The picture, as SVG."""
    highest = max((share for one in info.bins for share in one.shares), default=0) or 1.0
    room = WIDTH / max(len(info.bins), 1)
    parts = [*legend(info.series)]
    for i, one in enumerate(info.bins):
        parts += _columns(one, i * room, room, highest)
    base = _TOP + _HEIGHT
    parts.append(element("line", x1=0, x2=WIDTH, y1=base, y2=base, class_="axis", stroke="currentColor"))
    parts.append(text(info.axis, WIDTH / 2, base + 34, anchor="middle"))
    return picture(info.title, info.description, base + 44, parts)


def _columns(one: Bin, x: float, room: float, highest: float) -> Iterator[str]:
    thick = min((room - 6) / len(one.shares), 26)
    left = x + (room - thick * len(one.shares)) / 2
    for s, share in enumerate(one.shares):
        height = _HEIGHT * share / highest
        if share > 0:
            height = max(height, 1.5)  # what is there can be seen
        yield element(
            "rect",
            x=left + s * thick,
            y=_TOP + _HEIGHT - height,
            width=float(thick - 2),
            height=float(height),
            class_=series_class(s, len(one.shares)),
        )
        if share > 0:
            words = f"{share:.0%}" if share >= 0.005 else "<1%"
            yield text(words, left + s * thick + thick / 2 - 1, _TOP + _HEIGHT - height - 4, size=9.5, anchor="middle")
    yield text(one.label, x + room / 2, _TOP + _HEIGHT + 15, size=10, anchor="middle")
