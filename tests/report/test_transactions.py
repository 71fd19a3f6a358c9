from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

import sfumato as sf

BASKETS = [["milk", "bread"], ["brie", "bread"], ["milk", "bread", "wine"], ["brie", "wine"], ["milk", "milk"]]
BASKETS += [["brie", "wine", "bread"], []]
PAIRS = {"milk": "dairy", "brie": "dairy", "bread": "*", "wine": "*", "dairy": "*"}


def solution(recoding: object, model: object) -> sf.Solution:
    data = sf.Transactions(BASKETS, hierarchy=sf.Hierarchy.from_pairs(PAIRS))
    return sf.Problem(data, [model], recoding=recoding).solve()


def test_page_and_json(tmp_path: Path) -> None:
    solved = solution(sf.ItemCut(), sf.KmAnonymity(2, 2))
    solved.write(tmp_path / "released.txt")
    solved.report(tmp_path / "report.html", tmp_path / "report.json", released=tmp_path / "released.txt")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for words in (
        "Asked and attained",
        "Rare sets before and after",
        "Proved: no other cut that meets the requirements loses less.",
        "Somebody who knows more than 2 items.",
        "├─ dairy  6",
        "1 empty transactions",
        "1 repeated items within a transaction",
    ):
        assert words in page
    assert "milk" not in page  # it is not published
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["status"] == "optimal"
    assert len(report["hashes"]["release"]["sha256"]) == 64
    rare = next(section for section in report["sections"] if section["key"] == "supports")["blocks"][0]["rows"]
    assert rare == [["1", "0", "0"], ["2", "1", "0"]]


def test_local_recoding(tmp_path: Path) -> None:
    solution(sf.LocalItems(), sf.KAnonymity(2)).report(tmp_path / "report.html")
    assert "parts with a cut each" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_wrong_names(tmp_path: Path) -> None:
    solved = solution(sf.ItemCut(), sf.KmAnonymity(2, 1))
    with pytest.raises(sf.DataError, match="is not a name of a report"):
        solved.report(tmp_path / "report.txt")
    with pytest.raises(sf.DataError, match="No path is given"):
        solved.report()


def test_the_project_that_is_stated_runs_again(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("milk;dairy;*\nbrie;dairy;*\nbread;bread;*\nwine;wine;*\n")
    (tmp_path / "b.txt").write_text("".join(f"{'|'.join(items)}\n" for items in BASKETS))
    folder = tmp_path / "reports"
    folder.mkdir()
    data = sf.Transactions(tmp_path / "b.txt", hierarchy=tmp_path / "items.csv", separator="|")
    solved = sf.Problem(data, [sf.KmAnonymity(2, 2)]).solve(sf.AA(), seed=5)
    solved.write(tmp_path / "first.txt")
    solved.report(folder / "r.json", folder / "r.html", released=tmp_path / "first.txt")
    report = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    assert report["project"]["data"] == {"source": "../b.txt", "separator": "|", "hierarchy": "../items.csv"}
    assert "../items.csv" in (folder / "r.html").read_text(encoding="utf-8")
    text = next(s for s in report["sections"] if s["key"] == "reproduction")["blocks"]
    text = next(block["text"] for block in text if block.get("text", "").startswith("[data]"))
    assert tomllib.loads(text) == report["project"]
    (folder / "again.toml").write_text(text.replace("first.txt", "second.txt"))
    sf.Project.load(folder / "again.toml").run()
    assert (tmp_path / "second.txt").read_bytes() == (tmp_path / "first.txt").read_bytes()


def test_what_no_file_can_say(tmp_path: Path) -> None:
    solution(sf.ItemCut(), sf.KmAnonymity(2, 2)).report(tmp_path / "r.json")
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert report["project"]["data"] == {"source": None, "hierarchy": None}


def test_sensitive_items_below_what_is_published(tmp_path: Path) -> None:
    """They are published as they are, while the items beside them are blurred."""
    data = sf.Transactions([["milk", "brie"], ["brie"], ["brie", "bread"], ["bread"]], hierarchy=sf.flat())
    given = sf.Problem(data, [sf.LmDiversity(2, 1, ["milk"])]).evaluate(["*"])
    given.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Published as they are, though the cut is above them: milk (1)." in page
    assert "brie" not in page
