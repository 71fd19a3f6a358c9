"""The page: whole in itself, for everybody, and the same as the JSON."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.report import report_of
from sfumato.report.blocks import Grid
from sfumato.report.html import TEMPLATES, environment, html
from sfumato.solution import Solution

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """The elements of a page, its texts, and whether all that is opened is closed."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def named(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]


@pytest.fixture
def text(solution: Solution) -> str:
    return html(report_of(solution, Path()))


def test_nothing_is_fetched(text: str) -> None:
    page = Page(text)
    assert not page.open
    assert not page.named("script", "link", "img", "iframe", "object", "embed", "base", "form")
    assert all((attributes.get("href") or "#").startswith("#") for _, attributes in page.elements)
    assert not any("src" in attributes or "style" in attributes for _, attributes in page.elements)
    assert "url(" not in text
    assert "@import" not in text
    assert text.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"') + text.count("http-equiv")


def test_links_lead_somewhere(text: str) -> None:
    page = Page(text)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {(link["href"] or "")[1:] for link in page.named("a")} <= set(ids)
    for picture in page.named("svg"):
        assert picture["role"] == "img"
        assert set((picture["aria-labelledby"] or "").split()) <= set(ids)


def test_structure(text: str) -> None:
    page = Page(text)
    assert page.named("html") == [{"lang": "en"}]
    assert len(page.named("h1")) == len(page.named("main")) == len(page.named("title")) - len(page.named("svg")) == 1
    assert all(header.get("scope") in {"row", "col"} for header in page.named("th"))
    assert len(page.named("article")) == 6
    first_section = text.index('<section id="unprotected">')
    assert text.index('class="answer unprotected"') < first_section < text.index('<section id="requirements">')


def test_phones_print_and_darkness(text: str) -> None:
    for rule in ("width=device-width", "prefers-color-scheme: dark", "@media print", "max-width: 40rem"):
        assert rule in text


def test_tables_wider_than_a_phone_are_lists_there() -> None:
    template = environment().get_template("grid.html")
    wide = Grid("wide", ("sensitive column", "without knowing anything", "from the release"), (("a", "1", "2"),))
    narrow = Grid("narrow", ("measure", "before", "after"), (("a", "1", "2"),))
    assert '<table class="stacked">' in template.render(block=wide)
    assert "stacked" not in template.render(block=narrow)
    assert (
        "pre { white-space: pre-wrap;" in (TEMPLATES / "report.css").read_text().split("@media (max-width: 40rem)")[1]
    )


def test_all_words_of_the_json_are_on_the_page(solution: Solution) -> None:
    report = report_of(solution, Path())
    seen = " ".join(" ".join(Page(html(report)).texts).split())
    written = json.loads(json.dumps(report.to_json()))
    for answer in written["answers"]:
        for words in (answer["question"], answer["headline"], *answer["details"]):
            assert words in seen
    for section in written["sections"]:
        assert section["title"] in seen
        for block in section["blocks"]:
            words = [block["text"]] if block["kind"] == "text" else []
            words += [sentence for _, sentence in block["entries"]] if block["kind"] == "bullets" else []
            words += [cell for row in block["rows"] for cell in row] if block["kind"] == "grid" else []
            words += [figure["title"] for figure in block["figures"]] if block["kind"] == "figures" else []
            for one in words:
                assert " ".join(one.split()) in seen


def test_names_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    name = "<script>alert('x')</script> & co"
    path.write_text(f'"{name}",s\n' + "1,a\n2,b\n" * 5)
    table = sf.Table(path, quasi_identifiers={name: sf.intervals(5)}, sensitive=["s"])
    page = Page(html(report_of(sf.Problem(table, [sf.KAnonymity(2)]).solve(), tmp_path)))
    assert not page.named("script")
    assert any(name in text for text in page.texts)
