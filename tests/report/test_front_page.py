"""The page of a trade-off: whole in itself, its script the only one that may run, its words those of the front."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.front.front import ParetoFront

from .test_html import Page


@pytest.fixture
def front(table: sf.Table) -> ParetoFront:
    return sf.tradeoff(table, recoding=sf.FullDomain("20%"), keep_nodes=True)


@pytest.fixture
def text(front: ParetoFront) -> str:
    return front.plot().html()


def test_nothing_is_fetched(text: str) -> None:
    page = Page(text)
    assert not page.open
    assert not page.named("link", "img", "iframe", "object", "embed", "base", "form", "a")
    assert not any("src" in attributes or "href" in attributes for _, attributes in page.elements)
    assert "url(" not in text
    assert "@import" not in text
    assert text.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"') + text.count("http-equiv")


def test_only_its_own_script_may_run(text: str) -> None:
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert script is not None
    digest = b64encode(sha256(script[1].encode()).digest()).decode()
    policy = next(meta["content"] for meta in Page(text).named("meta") if "Policy" in (meta.get("http-equiv") or ""))
    assert f"script-src 'sha256-{digest}'" in (policy or "")
    assert (policy or "").startswith("default-src 'none'")
    assert not re.search(r"\son\w+=", text)


def test_every_point_has_its_words_its_row_and_its_spots(front: ParetoFront, text: str) -> None:
    page = Page(text)
    panels = [a for a in page.named("article") if a["class"] == "choice"]
    assert [int(a["data-spot"] or -1) for a in panels] == list(range(len(front)))
    shown = [i for i, a in enumerate(panels) if "hidden" not in a]
    assert [front[i] for i in shown] == [front.knee()]
    assert len([a for a in page.named("tr") if "data-spot" in a]) == len(front)
    assert len([a for a in page.named("g") if "data-spot" in a]) == 2 * len(front)  # for wide and for narrow screens
    seen = " ".join(page.texts)
    for point in front:
        assert f"k = {point.k:,} costs" in seen
    assert "As it is" not in seen


def test_without_a_script_the_chosen_point_is_shown(front: ParetoFront) -> None:
    page = front.plot(k=5).html()
    panel = re.search(r'<article class="choice" data-spot="\d+">(.*?)</article>', page, re.DOTALL)
    assert panel is not None
    assert f"k = {front.at(k=5).k} costs" in panel[1]
    assert "the cheapest with k ≥ 5" in panel[1]


def test_light_dark_phones_and_print(text: str) -> None:
    for rule in ("width=device-width", "prefers-color-scheme: dark", "max-width: 40rem", "@media print"):
        assert rule in text
    ids = [attributes["id"] for _, attributes in Page(text).elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_the_cloud_is_there_if_nodes_were_kept(table: sf.Table, text: str) -> None:
    assert 'class="cloud"' in text
    without = sf.tradeoff(table, recoding=sf.FullDomain("20%")).plot().html()
    assert 'class="cloud"' not in without
    assert "The cloud." not in without


def test_what_is_known_is_said(table: sf.Table, text: str) -> None:
    assert "Proven." in text
    assert "Incomplete" not in text
    page = sf.tradeoff(table, algorithm=sf.POkA()).plot().html()
    assert "Incomplete: poka may have missed points." in page
    assert "Proven." not in page
    spent = sf.tradeoff(table, spend_limit=True).plot().html()
    assert "The limit is spent." in spent


def test_no_value_of_the_data_is_on_it(text: str) -> None:
    for value in ("raretown", "raredisease", "rawname", "rawnote", "town0"):
        assert value not in text


def test_names_are_escaped(tmp_path: Path) -> None:
    path, name = tmp_path / "x.csv", "<script>alert('x')</script> & co"
    path.write_text(f'"{name}"\n' + "1\n2\n7\n" * 5)
    front = sf.tradeoff(sf.Table(path, quasi_identifiers={name: sf.intervals(5)}))
    page = Page(front.plot().html())
    assert len(page.named("script")) == 1
    assert any(name in text for text in page.texts)


def test_saved_and_in_a_notebook(front: ParetoFront, tmp_path: Path) -> None:
    plot = front.plot()
    plot.save(tmp_path / "front.html")
    plot.save(tmp_path / "front.svg")
    assert (tmp_path / "front.html").read_text(encoding="utf-8") == plot.html()
    alone = (tmp_path / "front.svg").read_text(encoding="utf-8")
    assert alone.startswith("<svg xmlns=")
    assert "<style>" in alone  # no page gives it colours
    frame = re.fullmatch(r'<iframe title="What k costs" style="[^"]*" srcdoc="([^"]*)"></iframe>', plot._repr_html_())
    assert frame is not None
    assert unescape(frame[1]) == plot.html()
    with pytest.raises(sf.DataError, match=r"'front.png' is not a name of a plot; end it in .html or .svg"):
        plot.save(tmp_path / "front.png")


def test_a_choice_that_there_is_not(front: ParetoFront) -> None:
    with pytest.raises(sf.InfeasibleError, match="No point of the front attains k = 61"):
        front.plot(k=61)
    with pytest.raises(sf.ProblemError, match="does not vary 't'"):
        front.plot(t=0.5)
