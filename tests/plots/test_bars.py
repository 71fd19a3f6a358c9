"""Bars: lengths are amounts."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from sfumato.plots import Bar, Bars, draw, draw_bars

SVG = "{http://www.w3.org/2000/svg}"


def lengths(svg: str, kind: str) -> list[float]:
    """The lengths of the bars of a kind, without those of the legend."""
    rects = [rect for rect in ET.fromstring(svg).iter(f"{SVG}rect") if rect.get("class") == kind]
    return [float(rect.get("width", "")) for rect in rects if rect.get("x") == "0" and rect.get("y") != "3"]


def test_one_series() -> None:
    bars = (Bar("age", (0.5,), ("50.0%",)), Bar("sex", (0.0,), ("0.0%",)), Bar("zip", (1.0,), ("100.0%",)))
    info = Bars("t", "d", ("lost",), bars, 1.0)
    svg = draw(info)
    full = lengths(svg, "track")
    assert len(set(full)) == 1
    assert lengths(svg, "after") == pytest.approx([full[0] / 2, 0, full[0]], abs=0.02)
    assert lengths(svg, "before") == []
    assert info.rows() == [("age", "50.0%"), ("sex", "0.0%"), ("zip", "100.0%")]


def test_before_and_after() -> None:
    info = Bars("t", "d", ("before", "after"), (Bar("alone", (0.8, 0.2), ("80%", "20%")),), 0.8)
    svg = draw_bars(info)
    (full, _) = lengths(svg, "track")
    assert lengths(svg, "before") == pytest.approx([full], abs=0.02)
    assert lengths(svg, "after") == pytest.approx([full / 4], abs=0.02)
    assert {"before", "after", "alone", "80%", "20%"} <= {text.text for text in ET.fromstring(svg).iter(f"{SVG}text")}


def test_nothing_to_show() -> None:
    assert lengths(draw(Bars("t", "d", ("lost",), (Bar("a", (0.0,), ("0%",)),), 0.0)), "after") == [0.0]
    assert ET.fromstring(draw(Bars("t", "d", ("lost",), (), 1.0))) is not None


def test_an_amount_for_each_series() -> None:
    with pytest.raises(ValueError, match="'age' does not have an amount for each of 2 series"):
        Bars("t", "d", ("before", "after"), (Bar("age", (0.5,), ("50%",)),), 1.0)
