"""Writing reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.solution import Solution


def test_as_the_name_ends(solution: Solution, tmp_path: Path) -> None:
    solution.report(tmp_path / "r.html", str(tmp_path / "r.json"))
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert report["hashes"]["release"]["sha256"] is None
    assert report["title"] == "people.csv"


def test_the_released_file_is_named(solution: Solution, tmp_path: Path) -> None:
    solution.write(tmp_path / "released.csv")
    (tmp_path / "reports").mkdir()
    solution.report(tmp_path / "reports" / "r.json", released=tmp_path / "released.csv")
    report = json.loads((tmp_path / "reports" / "r.json").read_text(encoding="utf-8"))
    assert report["title"] == "people.csv → released.csv"
    assert report["project"]["release"] == {"output": "../released.csv"}
    assert report["project"]["data"]["source"] == "../people.csv"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("r.pdf", "'r.pdf' is not a name of a report; end it in .html or .json."),
        ("absent/r.html", "there is no folder"),
        ("folder.html", "is a folder"),
    ],
)
def test_wrong_paths(solution: Solution, tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(sf.DataError, match=message):
        solution.report(tmp_path / name)


def test_wrong_calls(solution: Solution, tmp_path: Path) -> None:
    with pytest.raises(sf.DataError, match="No path is given"):
        solution.report()
    with pytest.raises(sf.DataError, match="write the release first"):
        solution.report(tmp_path / "r.html", released=tmp_path / "absent.csv")
    assert not (tmp_path / "r.html").exists()
