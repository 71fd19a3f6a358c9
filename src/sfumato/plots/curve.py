"""A curve of choices: each point the least loss for what it asks, on logarithmic axes, with what is worse behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.plots.axes import LogAxis
from sfumato.plots.grid import gridded, numbers, percents
from sfumato.plots.marks import specks
from sfumato.plots.svg import WIDTH, element, escaped, picture, text, width

_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 26, 40


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
    yield from gridded(frame.x, frame.y, (_LEFT, frame.right, _TOP, frame.bottom), percents if info.shares else numbers)
    yield text(info.y_axis, 0, 11, size=11)
    yield text(info.x_axis, frame.right, frame.bottom + 32, size=11, anchor="end")


def _cloud(info: Curve, frame: Frame) -> Iterator[str]:
    """Specks, darker where there are many choices: thousands of circles would be a picture that nobody can open."""
    inside_axes = ((x, y) for x, y in info.cloud if frame.x.has(x) and frame.y.has(y))
    yield from specks((frame.x.at(x), frame.y.at(y)) for x, y in inside_axes)


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
