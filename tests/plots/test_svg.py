"""SVG by hand: escaped, named for those who cannot see it, and texts that fit."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from sfumato.plots.svg import alone, element, fitted, picture, text, width


def test_elements_are_escaped() -> None:
    assert (
        element("rect", x=1.0, fill_opacity=0.125, class_='a"b') == '<rect x="1" fill-opacity="0.12" class="a&quot;b"/>'
    )
    assert "&lt;script&gt;" in text("<script>", 0, 0)


def test_a_picture_says_what_it_shows() -> None:
    root = ET.fromstring(picture("Losses & gains", "age <b> 10%", 40, [text("x", 0, 10)]))
    assert root.get("role") == "img"
    title, description = root[0], root[1]
    assert (title.text, description.text) == ("Losses & gains", "age <b> 10%")
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"


def test_pictures_have_names_of_their_own() -> None:
    first, again, other = (ET.fromstring(picture(title, "", 1, []))[0].get("id") for title in ("a", "a", "b"))
    assert first == again != other


def test_words_are_cut_where_they_do_not_fit() -> None:
    assert fitted("short", 200) == "short"
    cut = fitted("a very long label that goes on and on", 100)
    assert cut.endswith("…")
    assert width(cut) <= 100
    assert width("漢字") > width("ab") > width("il")


def test_a_picture_for_a_file_has_colours_of_its_own() -> None:
    drawn = picture("title", "words", 10, [text("x", 0, 10)])
    light, both = alone(drawn), alone(drawn, dark_too=True)
    assert "prefers-color-scheme" not in light
    assert both.count("prefers-color-scheme:dark") == 1
    for svg in (light, both):
        style = ET.fromstring(svg)[0].text or ""
        assert style.startswith("svg:root{")  # of a page that it is put into, nothing else changes
        assert style.count("{") == style.count("}")
