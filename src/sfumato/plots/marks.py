"""Marks of series: shapes, dashes and hatchings, so that they differ without colours too; clouds as few elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from sfumato.plots.svg import element

SERIES = 8  # as many can be told apart
_CELL = 3  # units: points that lie within such a square are one speck of a cloud
_SHADES = (1, 4, 20)  # the least points in a speck of each shade
_SHAPES = (
    "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0",  # circle
    "M-2.8,-2.8h5.6v5.6h-5.6z",  # square
    "M0,-3.8L3.6,2.6H-3.6z",  # triangle
    "M0,-4L4,0L0,4L-4,0z",  # diamond
    "M0,3.8L3.6,-2.6H-3.6z",  # triangle, upside down
    "M-3,-3L3,3M-3,3L3,-3",  # cross
    "M0,-4V4M-4,0H4",  # plus
    "M-3.6,0H3.6",  # dash
)
_DASHES = ("", "6 3", "2 2", "8 3 2 3", "1 3", "10 4", "4 2 1 2 1 2", "3 5")
_HATCHINGS = (
    "",
    "M-1,5L5,-1M0,10L10,0M5,11L11,5",
    "M-1,5L5,11M0,0L10,10M5,-1L11,5",
    "M0,2.5H10M0,7.5H10",
    "M2.5,0V10M7.5,0V10",
    "M0,0L10,10M0,10L10,0",
    "M0,5H10M5,0V10",
    "M2,2h2v2h-2zM7,7h2v2h-2z",
)


def shape(series: int, x: float, y: float, inside: str = "") -> str:
    """The mark of a series at a place."""
    open_ = series >= 5  # crosses and dashes have no inside
    return element(
        "path",
        inside,
        d=_SHAPES[series],
        transform=f"translate({x:.1f} {y:.1f})",
        class_=f"mark s{series}",
        stroke="currentColor",
        stroke_width=1.8 if open_ else 0.8,
        fill="none" if open_ else "currentColor",
    )


def stroke(series: int, d: str) -> str:
    """The line of a series."""
    dashes = {"stroke_dasharray": _DASHES[series]} if _DASHES[series] else {}
    return element(
        "path", d=d, class_=f"line s{series}", fill="none", stroke="currentColor", stroke_width=1.6, **dashes
    )


def hatching(series: int, name: str) -> str:
    """The pattern that the bars of a series are filled with: the first is plain, the others are hatched."""
    content = _hatched(series)
    return element("pattern", content, id=name, width=10, height=10, patternUnits="userSpaceOnUse", class_=f"s{series}")


def bar_key(series: int, x: float, y: float) -> str:
    """A small bar for the legend."""
    edge = element("rect", width=10, height=10, fill="none", stroke="currentColor", stroke_width=0.8)
    box = _hatched(series) + edge
    inside = element("svg", box, width=12, height=12, viewBox="-1 -1 12 12", x=x - 1, y=y - 1)
    return element("g", inside, class_=f"bar s{series}")


def _hatched(series: int) -> str:
    plain = element("rect", width=10, height=10, fill="currentColor", fill_opacity=0.22 if series else 1)
    return plain + (
        element("path", d=_HATCHINGS[series], stroke="currentColor", stroke_width=1.5, fill="none") if series else ""
    )


def specks(places: Iterable[tuple[float, float]], class_: str = "cloud") -> Iterator[str]:
    """Specks, darker where there are many points: thousands of circles would be a picture that nobody can open."""
    cells = Counter((round(x / _CELL), round(y / _CELL)) for x, y in places)
    for shade, least in enumerate(_SHADES):
        most = _SHADES[shade + 1] if shade + 1 < len(_SHADES) else None
        inside = sorted(cell for cell, count in cells.items() if count >= least and (most is None or count < most))
        if inside:
            path = "".join(f"M{x * _CELL - 1} {y * _CELL}h2" for x, y in inside)
            yield element(
                "path",
                d=path,
                class_=class_,
                fill="none",
                stroke="currentColor",
                stroke_width=2,
                stroke_opacity=0.5 + 0.2 * shade,
            )
