"""A curve of choices: each point the least loss for what it asks, on logarithmic axes, with what is worse behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sfumato.plots.axes import LogAxis
from sfumato.plots.svg import WIDTH, element, escaped, picture, text, width

_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 26, 40
_CELL = 3  # units: choices that lie within such a square are one speck of the cloud
_SHADES = (1, 4, 20)  # the least choices in a speck of each shade


@dataclass(frozen=True)
class Spot:
    """A point of the curve: where it lies, what it is called, and what there is to say about it."""

    x: float
    y: float
    name: str
    cells: tuple[str, ...]  # the cells of its row in a table, after its name
    words: tuple[str, ...] = ()  # sentences; the first is the answer
    details: tuple[tuple[str, str], ...] = ()  # names, and what becomes of them


@dataclass(frozen=True)
class Curve:
    """All that a picture of a curve shows. Points are ordered from the weakest to the strongest."""

    title: str
    description: str
    series: tuple[str, ...]  # what the cells of a row are
    spots: tuple[Spot, ...]
    chosen: int  # the point that is marked
    mark: str  # why it is
    x_axis: str
    y_axis: str
    rising: bool = True  # larger x is stronger, else smaller; the strongest is at the right
    stepped: bool = True  # one parameter: what lies between two points costs what the stronger costs
    shares: bool = True  # y is a share
    cloud: tuple[tuple[float, float], ...] = ()  # (x, y) of choices that others are better than
    shortcuts: tuple[
        tuple[str, tuple[tuple[str, int], ...]], ...
    ] = ()  # points worth a look, by what they have in common

    def rows(self) -> list[tuple[str, ...]]:
        """The same as a table."""
        return [(spot.name, *spot.cells) for spot in self.spots]


@dataclass(frozen=True)
class Frame:
    """A curve's axes in a picture of some size."""

    x: LogAxis
    y: LogAxis
    right: float
    bottom: float

    @classmethod
    def of(cls, info: Curve, wide: float, high: float) -> Frame:
        """The axes, with room for the points; of what lies behind them, only what lies within is shown."""
        left, right, bottom = _LEFT, wide - _RIGHT, high - _BOTTOM
        ends = (left, right) if info.rising else (right, left)
        x = LogAxis.over((spot.x for spot in info.spots), *ends)
        return cls(x, LogAxis.over((spot.y for spot in info.spots), bottom, _TOP), right, bottom)

    def place(self, spot: Spot) -> tuple[float, float]:
        """Where a point lies."""
        return self.x.at(spot.x), self.y.at(spot.y)


def draw_curve(info: Curve, wide: float = WIDTH, high: float = 320) -> str:
    """The picture, as SVG."""
    frame = Frame.of(info, wide, high)
    parts = [*_axes(info, frame), *_cloud(info, frame), *_line(info, frame), *_spots(info, frame)]
    return picture(info.title, info.description, high, parts, wide=wide)


def _axes(info: Curve, frame: Frame) -> Iterator[str]:
    yield from gridded(frame.x, frame.y, (_LEFT, frame.right, _TOP, frame.bottom), _percent if info.shares else _number)
    yield text(info.y_axis, 0, 11, size=11)
    yield text(info.x_axis, frame.right, frame.bottom + 32, size=11, anchor="end")


def gridded(
    x: LogAxis, y: LogAxis, sides: tuple[float, float, float, float], label: Callable[[float], str]
) -> Iterator[str]:
    """Both axes with their grid, within the left, the right, top and bottom; `label` writes the values upwards."""
    left, right, top, bottom = sides
    for value, place in _ticks(y, int((bottom - top) / 34)):
        yield _grid_line(left, right, place, place)
        yield text(label(value), left - 6, place + 4, size=11, anchor="end")
    for value, place in _spaced(x, int((right - left) / 34), _number):
        yield _grid_line(place, place, top, bottom)
        yield text(_number(value), place, bottom + 15, size=11, anchor="middle")
    yield element("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="axis", stroke="currentColor")


def _grid_line(x1: float, x2: float, y1: float, y2: float) -> str:
    return element("line", x1=x1, x2=x2, y1=y1, y2=y2, class_="grid", stroke="currentColor", stroke_opacity=0.15)


def _ticks(axis: LogAxis, most: int) -> list[tuple[float, float]]:
    """Values to be written, with their places."""
    ticks = [(value, axis.at(value)) for value in axis.ticks(max(most, 3))]
    return ticks if axis.zero is None else [(0.0, axis.zero), *ticks]


def _spaced(axis: LogAxis, most: int, label: Callable[[float], str]) -> list[tuple[float, float]]:
    """Values whose texts do not touch each other."""
    kept: list[tuple[float, float]] = []
    for value, place in sorted(_ticks(axis, most), key=lambda tick: tick[1]):
        room = (width(label(value), 11) + (width(label(kept[-1][0]), 11) if kept else 0)) / 2 + 6
        if not kept or place - kept[-1][1] >= room:
            kept.append((value, place))
    return kept


def _cloud(info: Curve, frame: Frame) -> Iterator[str]:
    """Specks, darker where there are many choices: thousands of circles would be a picture that nobody can open."""
    inside_axes = ((x, y) for x, y in info.cloud if frame.x.has(x) and frame.y.has(y))
    cells = Counter((round(frame.x.at(x) / _CELL), round(frame.y.at(y) / _CELL)) for x, y in inside_axes)
    for shade, least in enumerate(_SHADES):
        most = _SHADES[shade + 1] if shade + 1 < len(_SHADES) else None
        inside = sorted(cell for cell, count in cells.items() if count >= least and (most is None or count < most))
        if inside:
            path = "".join(f"M{x * _CELL - 1} {y * _CELL}h2" for x, y in inside)
            yield element(
                "path",
                d=path,
                class_="cloud",
                fill="none",
                stroke="currentColor",
                stroke_width=2,
                stroke_opacity=0.3 + 0.2 * shade,
            )


def _line(info: Curve, frame: Frame) -> Iterator[str]:
    """Steps: to ask for a little more than a point gives is to pay for the next one."""
    if not info.stepped or not info.spots:
        return
    places = [frame.place(spot) for spot in info.spots]
    path = f"M{places[0][0]:.1f} {places[0][1]:.1f}" + "".join(f"V{y:.1f}H{x:.1f}" for x, y in places[1:])
    yield element("path", d=path, class_="curve", fill="none", stroke="currentColor")


def _spots(info: Curve, frame: Frame) -> Iterator[str]:
    for i, spot in enumerate(info.spots):
        x, y = frame.place(spot)
        yield element(
            "g",
            element("title", escaped(f"{spot.name}. {_named(info.series, spot.cells)}"))
            + element("circle", cx=x, cy=y, r=3.0, class_="spot"),
            data_spot=i,
            data_x=x,
            data_y=y,
        )
    if info.spots:
        yield from _marked(info, frame)


def _named(series: Sequence[str], cells: Sequence[str]) -> str:
    return "; ".join(f"{name}: {cell}" for name, cell in zip(series, cells, strict=True))


def _marked(info: Curve, frame: Frame) -> Iterator[str]:
    """The chosen point: a ring, two lines to the axes, and its name where there is room for it."""
    spot = info.spots[info.chosen]
    x, y = frame.place(spot)
    inside = [
        element(
            "path",
            d=f"M{_LEFT} {y:.1f}H{x:.1f}V{frame.bottom}",
            class_="guide",
            fill="none",
            stroke="currentColor",
            data_frame=f"{_LEFT} {frame.right:g} {_TOP} {frame.bottom:g}",
        ),
        element("circle", cx=x, cy=y, r=7.0, class_="ring", fill="none", stroke="currentColor"),
    ]
    at_left = x + 12 + width(spot.name, 13) > frame.right
    inside.append(text(spot.name, x - 11 if at_left else x + 11, y + 16, size=13, anchor="end" if at_left else "start"))
    yield element("g", "".join(inside), class_="chosen")


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"


def _number(value: float) -> str:
    return f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}"
