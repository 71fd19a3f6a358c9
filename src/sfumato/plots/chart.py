"""Charts: lines, points, steps, clouds and bars, over values or names, on even or logarithmic axes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.plots.axes import Axis, EvenAxis, LogAxis
from sfumato.plots.grid import gridded, levels, widest
from sfumato.plots.marks import bar_key, hatching, shape, specks, stroke
from sfumato.plots.series import Chart, Series
from sfumato.plots.svg import WIDTH, element, escaped, fitted, picture, text, width

_RIGHT, _ROW, _LINE = 12, 17, 12  # units: room at the right, of a row of the legend, of a line of a name


@dataclass(frozen=True)
class _Frame:
    """A chart's axes in a picture of some size."""

    info: Chart
    x: Axis
    y: Axis
    left: float
    right: float
    top: float
    bottom: float

    @property
    def sides(self) -> tuple[float, float, float, float]:
        return self.left, self.right, self.top, self.bottom

    @property
    def step(self) -> float:
        """The room of a name."""
        return (self.right - self.left) / max(len(self.info.names), 1)

    def across(self, x: float | str) -> float:
        """The place of a value or a name."""
        if isinstance(x, str):
            return self.left + (self.info.names.index(x) + 0.5) * self.step
        return self.x.at(x)


def draw_chart(info: Chart, wide: float = WIDTH, high: float = 270) -> str:
    """The picture, as SVG."""
    rows = _legend_rows(info, wide)
    top = 20 + _ROW * len(rows) + 8
    frame = _framed(info, wide, high, top)
    parts = [*_legend(info, rows), text(info.y.label, 0, top - 12, size=11), *_axes(frame)]
    bars = [s for s, one in enumerate(_drawn(info)) if one.style == "bars"]
    name = f"bars-{zlib.crc32((info.title + info.words() + str(wide)).encode()):08x}"
    if bars:
        parts.append(element("defs", "".join(hatching(s, f"{name}-{s}") for s in bars)))
    for one in info.series:
        if one.style == "cloud":
            parts += specks((frame.across(x), frame.y.at(y)) for x, y in one.there)
    for s, one in enumerate(_drawn(info)):
        parts += _bars(frame, s, one, bars, name) if one.style == "bars" else _line(frame, s, one)
    return picture(info.title, info.words(), high, parts, wide=wide)


def _drawn(info: Chart) -> list[Series]:
    """Clouds lie behind all others and have a colour of their own."""
    return [one for one in info.series if one.style != "cloud"]


def _framed(info: Chart, wide: float, high: float, top: float) -> _Frame:
    bottom = high - 36
    if info.x.kind == "names":
        room = (wide - 60) / max(len(info.names), 1)
        bottom -= _LINE * (max((len(_broken(name, room)) for name in info.names), default=1) - 1)
    values = [y for one in info.series for _, y in one.there]
    bars = any(one.style == "bars" for one in info.series)
    y: Axis
    if info.y.kind == "log":
        least = min((value for value in values if value > 0), default=1.0)
        y = LogAxis.over([*values, least / 2] if bars else values, bottom, top)
    else:
        y = EvenAxis.over(values, bottom, top, zero="always" if bars else "near")
    left, right = widest(y, (top, bottom), info.y.written) + 8, wide - _RIGHT
    over = [float(x) for one in info.series for x, _ in one.points if not isinstance(x, str)]
    x = LogAxis.over(over, left, right) if info.x.kind == "log" else EvenAxis.over(over, left, right, zero="never")
    return _Frame(info, x, y, left, right, top, bottom)


def _axes(frame: _Frame) -> Iterator[str]:
    info = frame.info
    if info.x.kind == "names":
        yield from levels(frame.y, frame.sides, info.y.written)
        for name in info.names:
            for i, line in enumerate(_broken(name, frame.step)):
                yield text(line, frame.across(name), frame.bottom + 14 + _LINE * i, size=10, anchor="middle")
        below = max((len(_broken(name, frame.step)) for name in info.names), default=1)
        yield text(info.x.label, frame.right, frame.bottom + 18 + _LINE * below, size=11, anchor="end")
    else:
        yield from gridded(frame.x, frame.y, frame.sides, info.y.written, info.x.written)
        yield text(info.x.label, frame.right, frame.bottom + 31, size=11, anchor="end")


def _broken(name: str, room: float) -> list[str]:
    """A name in at most three lines, broken at spaces, cut where a word does not fit."""
    lines: list[str] = []
    for word in name.split():
        if lines and width(f"{lines[-1]} {word}", 10) <= room - 4:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > 3:
        lines = [*lines[:2], " ".join(lines[2:])]
    return [fitted(line, room - 2, 10) for line in lines] or [""]


def _line(frame: _Frame, s: int, one: Series) -> Iterator[str]:
    """Marks, and what joins them; where there is no answer, nothing does."""
    if one.style in {"line", "steps"}:
        yield stroke(s, _path(frame, one))
    for x, y in one.there:
        words = element("title", escaped(f"{one.name}; {_pair(frame.info, x, y)}"))
        yield shape(s, frame.across(x), frame.y.at(y), words)


def _path(frame: _Frame, one: Series) -> str:
    path, pen_up = "", True
    for x, y in one.points:
        if y is None:
            pen_up = True
            continue
        place = f"{frame.across(x):.1f} {frame.y.at(y):.1f}"
        if pen_up:
            path += f"M{place}"
        else:
            path += f"V{frame.y.at(y):.1f}H{frame.across(x):.1f}" if one.style == "steps" else f"L{place}"
        pen_up = False
    return path


def _bars(frame: _Frame, s: int, one: Series, bars: Sequence[int], name: str) -> Iterator[str]:
    """Bars of a series, beside those of the others over the same name; a dash where there is no answer."""
    thick = min(frame.step * 0.84 / len(bars), 26)
    shift = (bars.index(s) - len(bars) / 2) * thick
    for x, y in one.points:
        left = frame.across(x) + shift
        if y is None:
            yield text("–", left + thick / 2, frame.bottom - 3, size=10, anchor="middle")
            continue
        base = frame.bottom if frame.info.y.kind == "log" else frame.y.at(0.0)
        place = frame.y.at(y)
        yield element(
            "rect",
            element("title", escaped(f"{one.name}; {_pair(frame.info, x, y)}")),
            x=left + 0.5,
            y=min(place, base),
            width=float(max(thick - 1, 1)),
            height=float(max(abs(base - place), 0.8)),
            class_=f"bar s{s}",
            fill=f"url(#{name}-{s})",
            stroke="currentColor",
            stroke_width=0.8,
        )


def _legend_rows(info: Chart, wide: float) -> list[list[Series]]:
    """The names of the series, in as many rows as they need."""
    rows: list[list[Series]] = []
    used = 0.0
    for one in info.series:
        room = 24 + width(one.name, 11) + 12
        if not rows or used + room > wide:
            rows.append([])
            used = 0.0
        rows[-1].append(one)
        used += room
    return rows


def _legend(info: Chart, rows: Sequence[Sequence[Series]]) -> Iterator[str]:
    drawn = _drawn(info)
    for r, row in enumerate(rows):
        x, y = 0.0, 10.0 + r * _ROW
        for one in row:
            yield from _key(drawn.index(one) if one.style != "cloud" else None, one, x, y - 4)
            yield text(fitted(one.name, 320, 11), x + 24, y, size=11)
            x += 24 + width(one.name, 11) + 12


def _key(s: int | None, one: Series, x: float, y: float) -> Iterator[str]:
    if s is None:
        yield from specks([(x + 6, y), (x + 12, y - 3), (x + 12, y + 3), (x + 18, y)])
    elif one.style == "bars":
        yield bar_key(s, x + 6, y - 6)
    else:
        if one.style != "points":
            yield stroke(s, f"M{x:g} {y:g}H{x + 20:g}")
        yield shape(s, x + 10, y)


def _pair(info: Chart, x: float | str, y: float) -> str:
    return f"{info.x.label}: {info.across_words(x)}; {info.y.label}: {info.y.written(y)}"
