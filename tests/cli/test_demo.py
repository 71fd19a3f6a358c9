"""sfumato demo: the whole way on a small sample, and the claims in its words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sfumato as sf

from .conftest import Run


def test_demo(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "a new" / "demo"
    code, printed, errors = run("demo", folder, "--rows", "800", "--k", "4")
    assert (code, errors) == (0, "")
    assert "800 people, 7 columns" in printed
    assert "this is optimal" in printed
    columns = re.search(r"--qi (\S+) --require k-anonymity:k=4", printed)
    assert columns is not None
    names = columns[1].split(",")
    audit = sf.check(folder / "released.csv", quasi_identifiers=names, constraints=[sf.KAnonymity(4)])
    assert audit.holds
    assert f"{audit.records:,} records in {audit.classes:,} groups" in printed
    assert f"{folder / 'report.html'}" in printed
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    verify = ["verify", folder / "report.json", folder / "released.csv", "--original", folder / "people.csv"]
    assert " ".join(map(str, verify)) in printed
    assert run(*verify).code == 0
    code, printed, _ = run("check", folder / "released.csv", "--qi", columns[1], "--require", "k-anonymity:k=4")
    assert code == 0


def test_demo_twice(run: Run, tmp_path: Path) -> None:
    first = run("demo", tmp_path, "--rows", "100")
    released = (tmp_path / "released.csv").read_bytes()
    assert run("demo", tmp_path, "--rows", "100").code == first.code == 0
    assert (tmp_path / "released.csv").read_bytes() == released


def test_too_few_people(run: Run, tmp_path: Path) -> None:
    code, _, errors = run("demo", tmp_path, "--rows", "3")
    assert code == 1
    assert "There is nothing to release: infeasible." in errors
    assert not (tmp_path / "released.csv").exists()


@pytest.mark.parametrize("words", [["--rows", "0"], ["--rows", "many"], ["--k", "0"]])
def test_wrong_calls(run: Run, tmp_path: Path, words: list[str]) -> None:
    code, _, errors = run("demo", tmp_path, *words)
    assert code == 2
    assert "See sfumato demo --help." in errors


def test_no_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, errors = run("demo", tmp_path / "file")
    assert code == 2
    assert "file' is a file; choose another directory." in errors


def test_help(run: Run) -> None:
    code, printed, _ = run("demo", "--help")
    assert code == 0
    assert "sfumato demo sfumato-demo" in printed
