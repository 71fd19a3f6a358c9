"""Diagrams: every node once, edges where they belong, and words for those who cannot see them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from sfumato.plots import Diagram, Layers, Outline, Tiles, draw, draw_diagram

TREE = Outline("A tree", ((0, "all"), (1, "a & b"), (2, "a"), (2, "b"), (1, "c")), marked=(3,))
LATTICE = Layers("A lattice", (("ab",), ("a", "b"), ("",)), (("ab", "a"), ("ab", "b"), ("a", ""), ("b", "")), ("a",))
SPACE = Tiles("A space", "age", "income", (("low", 0, 0.5, 0, 1), ("high", 0.5, 1, 0, 1)), marked=(1,))


def elements(info: Diagram, name: str) -> list[ET.Element]:
    return [one for one in ET.fromstring(draw_diagram(info)).iter() if one.tag.endswith(name)]


@pytest.mark.parametrize("info", [TREE, LATTICE, SPACE])
def test_a_picture_says_what_it_shows(info: Diagram) -> None:
    root = ET.fromstring(draw(info))
    assert root.get("role") == "img"
    assert (root[0].text, root[1].text) == (info.title, info.words())
    assert draw(info) == draw_diagram(info)


def test_a_tree_has_a_line_for_each_node_and_an_edge_for_all_but_the_root() -> None:
    assert [one.text for one in elements(TREE, "text")] == ["all", "a & b", "a", "b", "c"]
    assert len([one for one in elements(TREE, "path") if one.get("class") == "edge"]) == 4
    assert [one.get("class") for one in elements(TREE, "circle")] == ["s0", "s0", "s0", "s1", "s0"]
    places = [(float(one.get("x", 0)), float(one.get("y", 0))) for one in elements(TREE, "text")]
    assert places[2][0] == places[3][0] > places[1][0] > places[0][0]
    assert sorted(y for _, y in places) == [y for _, y in places]


def test_a_lattice_has_its_layers_and_edges() -> None:
    heights = {one.text: float(one.get("y", 0)) for one in elements(LATTICE, "text")}
    assert heights["ab"] < heights["a"] == heights["b"]
    assert len(elements(LATTICE, "line")) == 4
    assert "Marked: a." in LATTICE.words()


def test_tiles_fill_their_extents() -> None:
    low, high = elements(SPACE, "rect")
    assert low.get("width") == high.get("width")
    assert float(high.get("x", 0)) == pytest.approx(float(low.get("x", 0)) + float(low.get("width", 0)), abs=0.02)
    assert "low: 0 to 0.5, 0 to 1" in SPACE.words()


def test_diagrams_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="at depth 2, below a node at depth 0"):
        replace(TREE, nodes=((0, "all"), (2, "a")))
    with pytest.raises(ValueError, match="no node z"):
        replace(LATTICE, marked=("z",))
    with pytest.raises(ValueError, match="two nodes of one label"):
        replace(LATTICE, layers=(("a",), ("a",)), edges=())
    with pytest.raises(ValueError, match="has no extent"):
        replace(SPACE, tiles=(("low", 0.5, 0.5, 0, 1),))
