"""Histogram: heights are shares."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from sfumato.plots import Bin, Histogram, draw

SVG = "{http://www.w3.org/2000/svg}"


def heights(svg: str, kind: str) -> list[float]:
    rects = [rect for rect in ET.fromstring(svg).iter(f"{SVG}rect") if rect.get("class") == kind and not rect.get("rx")]
    return [float(rect.get("height", "")) for rect in rects]


def test_heights() -> None:
    info = Histogram("t", "d", ("before", "after"), (Bin("1", (0.8, 0.0)), Bin("2–4", (0.2, 0.4))), "size")
    svg = draw(info)
    tallest = max(heights(svg, "before"))
    assert heights(svg, "before") == pytest.approx([tallest, tallest / 4], abs=0.02)
    assert heights(svg, "after") == pytest.approx([0, tallest / 2], abs=0.02)
    assert info.rows() == [("1", "80.0%", "0.0%"), ("2–4", "20.0%", "40.0%")]


def test_what_is_there_can_be_seen() -> None:
    svg = draw(Histogram("t", "d", ("before", "after"), (Bin("1", (0.99999, 0.00001)),), "size"))
    assert heights(svg, "after")[0] >= 1
    assert "&lt;1%" in svg


def test_nothing_to_show() -> None:
    assert heights(draw(Histogram("t", "d", ("before", "after"), (Bin("1", (0.0, 0.0)),), "size")), "after") == [0.0]
    assert ET.fromstring(draw(Histogram("t", "d", ("before", "after"), (), "size"))) is not None


def test_a_share_for_each_series() -> None:
    with pytest.raises(ValueError, match="'1' does not have a share"):
        Histogram("t", "d", ("before", "after"), (Bin("1", (0.5,)),), "size")
