"""Boxes: what is published, seen along two attributes; the darker, the more boxes lie there."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.plots.svg import WIDTH, element, fitted, picture, text, width

_LEFT, _TOP, _SIZE = 18, 4, 320.0


@dataclass(frozen=True)
class DrawnBox:
    """One box: what it prints, its place along both attributes from 0 to 1, and its records."""

    label: str
    across: tuple[float, float]
    up: tuple[float, float]
    records: int


@dataclass(frozen=True)
class Boxes:
    """All that a picture of boxes shows."""

    title: str
    description: str
    across: str
    up: str
    boxes: tuple[DrawnBox, ...]
    series: tuple[str, ...] = ("records",)

    def rows(self) -> list[tuple[str, ...]]:
        """The same as a table, the largest first."""
        ordered = sorted(self.boxes, key=lambda box: (-box.records, box.label))
        return [(box.label, f"{box.records:,}") for box in ordered]


def draw_boxes(info: Boxes) -> str:
    """The picture, as SVG: counts are written into boxes that have room for them."""
    parts = [
        element(
            "rect", x=_LEFT, y=_TOP, width=_SIZE, height=_SIZE, fill="none", stroke="currentColor", stroke_opacity=0.3
        )
    ]
    for box in sorted(info.boxes, key=lambda box: -_area(box)):
        x, wide = _LEFT + _SIZE * box.across[0], _SIZE * (box.across[1] - box.across[0])
        high = _SIZE * (box.up[1] - box.up[0])
        y = _TOP + _SIZE * (1 - box.up[1])
        told = element("title", f"{box.records:,}")
        parts.append(
            element(
                "rect",
                told,
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
        words = f"{box.records:,}"
        if width(words, 9) < wide - 4 and high > 12:
            parts.append(text(words, x + wide / 2, y + high / 2 + 3, size=9, anchor="middle"))
    parts.append(text(fitted(info.across, _SIZE), _LEFT + _SIZE / 2, _TOP + _SIZE + 14, anchor="middle"))
    label = text(fitted(info.up, _SIZE), 0, 0, anchor="middle")
    parts.append(element("g", label, transform=f"translate(12 {_TOP + _SIZE / 2:g}) rotate(-90)"))
    return picture(info.title, info.description, _TOP + _SIZE + 20, parts, WIDTH)


def _area(box: DrawnBox) -> float:
    return (box.across[1] - box.across[0]) * (box.up[1] - box.up[0])
