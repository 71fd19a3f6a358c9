"""Bars: amounts by name, lying, one below the other; with two series, before above after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.plots.svg import WIDTH, element, fitted, legend, picture, series_class, text, width

_LABEL = 18  # height of a name
_BAR = 12  # height of a bar
_GAP = 10  # between two names


@dataclass(frozen=True)
class Bar:
    """The amounts of one name, one for each series, and how they are written."""

    label: str
    amounts: tuple[float, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Bars:
    """All that a picture of bars shows. `most` is the amount of a bar of full length."""

    title: str
    description: str
    series: tuple[str, ...]
    bars: tuple[Bar, ...]
    most: float

    def __post_init__(self) -> None:
        for bar in self.bars:
            if not len(bar.amounts) == len(bar.cells) == len(self.series):
                raise ValueError(f"'{bar.label}' does not have an amount for each of {len(self.series)} series")

    def rows(self) -> list[tuple[str, ...]]:
        """The same as a table: the name, then the cell of each series."""
        return [(bar.label, *bar.cells) for bar in self.bars]


def draw_bars(info: Bars) -> str:
    """The picture, as SVG."""
    step = _LABEL + _BAR * len(info.series) + _GAP
    room = WIDTH - 8 - max((width(words, 11) for bar in info.bars for words in bar.cells), default=0)
    top = 24 if len(info.series) > 1 else 4
    parts = [*legend(info.series)] if len(info.series) > 1 else []
    for i, bar in enumerate(info.bars):
        parts += _one(info, bar, top + i * step, room)
    return picture(info.title, info.description, top + step * len(info.bars), parts)


def _one(info: Bars, bar: Bar, y: float, room: float) -> Iterator[str]:
    """A name and its bars; `room` is the length of a full one."""
    yield text(fitted(bar.label, WIDTH - 4), 0, y + 12)
    for s, (amount, words) in enumerate(zip(bar.amounts, bar.cells, strict=True)):
        top = y + _LABEL + s * _BAR
        length = room * min(max(amount / info.most, 0), 1) if info.most else 0.0
        class_ = series_class(s, len(info.series))
        yield element("rect", x=0, y=top, width=float(room), height=_BAR - 2, rx=2, class_="track", fill_opacity=0.12)
        yield element("rect", x=0, y=top, width=float(length), height=_BAR - 2, rx=2, class_=class_)
        yield text(words, WIDTH, top + 9, size=11, anchor="end")
