from __future__ import annotations

import json
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
    found = solution(sf.ItemCut(), sf.KmAnonymity(2, 2))
    found.write(tmp_path / "released.txt")
    found.report(tmp_path / "report.html", tmp_path / "report.json", released=tmp_path / "released.txt")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for words in (
        "Asked and attained",
        "Rare sets before and after",
        "Proved: no other cut that meets the requirements loses less.",
        "Who knows more than 2 items.",
        "├─ dairy  6",
        "1 empty transactions",
        "1 repeated items within a transaction",
    ):
        assert words in page
    assert "milk" not in page  # it is not published
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert told["status"] == "optimal"
    assert len(told["hashes"]["release"]["sha256"]) == 64
    rare = next(section for section in told["sections"] if section["key"] == "supports")["blocks"][0]["rows"]
    assert rare == [["1", "0", "0"], ["2", "1", "0"]]


def test_local_recoding(tmp_path: Path) -> None:
    solution(sf.LocalItems(), sf.KAnonymity(2)).report(tmp_path / "report.html")
    assert "parts with a cut each" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_wrong_names(tmp_path: Path) -> None:
    found = solution(sf.ItemCut(), sf.KmAnonymity(2, 1))
    with pytest.raises(sf.DataError, match="is no name of a report"):
        found.report(tmp_path / "report.txt")
    with pytest.raises(sf.DataError, match="No path is given"):
        found.report()
