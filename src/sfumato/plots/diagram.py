"""Diagrams: trees as indented lines, lattices in layers, and a space divided into blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sfumato.plots.svg import WIDTH, element, fitted, picture, text, width

_STEP, _INDENT, _LAYER = 18, 14, 58  # units: between lines, to the right for a child, between layers


@dataclass(frozen=True)
class Outline:
    """A tree, as lines: each node below its parent, and farther to the right."""

    title: str
    nodes: tuple[tuple[int, str], ...]  # depth and label, parents before their children
    marked: tuple[int, ...] = ()  # numbers of nodes

    def __post_init__(self) -> None:
        before = -1
        for depth, label in self.nodes:
            if not 0 <= depth <= before + 1:
                raise ValueError(f"'{label}' of '{self.title}' is at depth {depth}, below a node at depth {before}")
            before = depth

    def words(self) -> str:
        """What there is to see, for those who cannot."""
        return "; ".join(f"{'below it ' * (depth > 0)}at depth {depth}: {label}" for depth, label in self.nodes)


@dataclass(frozen=True)
class Layers:
    """A lattice: labels in layers, the highest first, and edges between neighbouring ones."""

    title: str
    layers: tuple[tuple[str, ...], ...]
    edges: tuple[tuple[str, str], ...]
    marked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = [label for layer in self.layers for label in layer]
        if len(set(names)) < len(names):
            raise ValueError(f"'{self.title}' has two nodes of one label")
        if unknown := {*self.marked, *(end for edge in self.edges for end in edge)} - set(names):
            raise ValueError(f"'{self.title}' has no node {', '.join(sorted(unknown))}")

    def words(self) -> str:
        """What there is to see, for those who cannot."""
        layers = "; ".join(", ".join(layer) for layer in self.layers)
        return f"From top to bottom: {layers}." + (f" Marked: {', '.join(self.marked)}." if self.marked else "")


@dataclass(frozen=True)
class Tiles:
    """A space of two attributes, divided: labels and their extents across and upwards, from 0 to 1."""

    title: str
    across: str
    up: str
    tiles: tuple[tuple[str, float, float, float, float], ...]  # label, left, right, bottom, top
    marked: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for label, left, right, bottom, top in self.tiles:
            if not (0 <= left < right <= 1 and 0 <= bottom < top <= 1):
                raise ValueError(f"the block '{label}' of '{self.title}' has no extent within 0 and 1")

    def words(self) -> str:
        """What there is to see, for those who cannot."""
        tiles = [f"{t[0] or 'a block'}: {t[1]:.2g} to {t[2]:.2g}, {t[3]:.2g} to {t[4]:.2g}" for t in self.tiles]
        return f"{self.across} across, {self.up} upwards. " + "; ".join(tiles)


Diagram = Outline | Layers | Tiles


def draw_diagram(info: Diagram, wide: float = WIDTH) -> str:
    """The picture, as SVG."""
    if isinstance(info, Outline):
        high, parts = _STEP * len(info.nodes) + 8.0, list(_outline(info, wide))
    elif isinstance(info, Layers):
        high, parts = _LAYER * (len(info.layers) - 1) + 36.0, list(_layers(info, wide))
    else:
        high, parts = 240.0, list(_tiles(info, wide))
    return picture(info.title, info.words(), high, parts, wide=wide)


def _outline(info: Outline, wide: float) -> Iterator[str]:
    above: dict[int, float] = {}  # where the next edge begins, at each depth
    for i, (depth, label) in enumerate(info.nodes):
        x, y = depth * _INDENT + 8.0, i * _STEP + 14.0
        if depth:
            path = f"M{x - _INDENT:g} {above[depth - 1]:g}V{y - 4:g}H{x - 4:g}"
            yield element("path", d=path, fill="none", stroke="currentColor", stroke_opacity=0.45, class_="edge")
            above[depth - 1] = y - 4
        above[depth] = y + 1
        yield element("circle", cx=x, cy=y - 4, r=3.0, class_="s1" if i in info.marked else "s0", fill="currentColor")
        words = text(fitted(label, wide - x - 12, 12), x + 8, y)
        yield element("g", words, class_="marked s1" if i in info.marked else "node")


def _layers(info: Layers, wide: float) -> Iterator[str]:
    places = {
        label: ((i + 0.5) * wide / len(layer), row * _LAYER + 20.0)
        for row, layer in enumerate(info.layers)
        for i, label in enumerate(layer)
    }
    for one, other in info.edges:
        (x1, y1), (x2, y2) = places[one], places[other]
        yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="currentColor", stroke_opacity=0.35, class_="edge")
    for row, layer in enumerate(info.layers):
        room = wide / len(layer)
        for label in layer:
            x, y = places[label][0], row * _LAYER + 20.0
            words = fitted(label, room - 6, 11)
            half = width(words, 11) / 2 + 4
            class_ = "s1" if label in info.marked else "s0"
            box: dict[str, Any] = {"x": x - half, "y": y - 10, "width": 2 * half, "height": 20, "rx": 4}
            yield element("rect", **box, class_="ground", fill="#fff")
            yield element("rect", **box, class_=class_, fill="currentColor", fill_opacity=0.15, stroke="currentColor")
            yield text(words, x, y + 4, size=11, anchor="middle")


def _tiles(info: Tiles, wide: float) -> Iterator[str]:
    left, top, size, high = 24.0, 4.0, wide - 32, 210.0
    for i, (label, x0, x1, y0, y1) in enumerate(info.tiles):
        place: dict[str, Any] = {"x": left + size * x0, "y": top + high * (1 - y1)}
        place |= {"width": size * (x1 - x0), "height": high * (y1 - y0)}
        class_ = "s1" if i in info.marked else "s0"
        yield element("rect", **place, class_=class_, fill="currentColor", fill_opacity=0.12, stroke="currentColor")
        x, y = left + size * (x0 + x1) / 2, top + high * (1 - (y0 + y1) / 2)
        yield text(fitted(label, size * (x1 - x0) - 4, 11), x, y + 4, size=11, anchor="middle")
    yield text(info.across, left + size / 2, top + high + 16, size=11, anchor="middle")
    words = text(info.up, 0, 0, size=11, anchor="middle")
    yield element("g", words, transform=f"translate(14 {top + high / 2:g}) rotate(-90)")
