"""Populations on the command line, in project files and in reports."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pandas as pd
import pytest

import sfumato as sf
from sfumato.report import verify

from .conftest import Run

QI = ["--qi", "age=intervals:10,20,40", "--qi", "sex=flat"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """300 people, 60 of them in the data; every age occurs in both."""
    random = Random(8)
    rows = [(20 + i % 30, random.choice("fm")) for i in range(300)]
    people = pd.DataFrame(rows, columns=["age", "sex"])
    people.to_csv(tmp_path / "everybody.csv", index=False)
    people.to_parquet(tmp_path / "everybody.parquet")
    people.iloc[:60].to_csv(tmp_path / "data.csv", index=False)
    return tmp_path


def test_anonymize_and_check(run: Run, folder: Path) -> None:
    k_map = f"k-map:k=20,population={folder / 'everybody.csv'}"
    presence = f"delta-presence:delta_min=0,delta_max=1/2,population={folder / 'everybody.csv'}"
    both = [*QI, "--require", k_map, "--require", presence]
    made = run("anonymize", folder / "data.csv", "-o", folder / "out.csv", *both)
    assert made.code == 0
    assert "k-map k = " in made.out
    checked = run("check", folder / "out.csv", *both)
    assert checked.code == 0
    assert "k-map: holds" in checked.out
    stricter = run("check", folder / "out.csv", *QI, "--require", k_map.replace("20", "299"))
    assert stricter.code == 1
    assert "violated in" in stricter.out


def test_check_without_hierarchies_says_how_to_give_them(run: Run, folder: Path) -> None:
    asked = f"k-map:k=2,population={folder / 'everybody.csv'}"
    outcome = run("check", folder / "data.csv", "--qi", "age,sex", "--require", asked)
    assert outcome.code == 2
    assert "--qi age=file.csv" in outcome.err


def test_numbers_and_missing_files(run: Run, folder: Path) -> None:
    for population, message in {"300000": "an estimate, not a guarantee", "nobody.csv": "There is no file"}.items():
        asked = f"k-map:k=2,population={population}"
        outcome = run("anonymize", folder / "data.csv", "-o", folder / "out.csv", *QI, "--require", asked)
        assert outcome.code == 2
        assert message in outcome.err
    assert not (folder / "out.csv").exists()


def test_strangers_are_warned_of(run: Run, folder: Path) -> None:
    asked = f"k-map:k=1,population={folder / 'data.csv'}"
    outcome = run("anonymize", folder / "everybody.csv", "-o", folder / "out.csv", *QI, "--require", asked)
    assert outcome.code == 0
    assert "warning: 240 of the 300 records have no match in the population of 60" in outcome.err


def test_project_file_and_report(
    run: Run, folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The population's path is relative to the file's folder, wherever the command runs; the report names it again."""
    (folder / "sfumato.toml").write_text(
        '[data]\nsource = "data.csv"\n[data.quasi_identifiers]\nage = { intervals = [10, 20, 40] }\nsex = "flat"\n'
        '[[constraints]]\nmodel = "k-map"\nk = 20\npopulation = "everybody.parquet"\n'
        '[release]\noutput = "released.csv"\nreport = "report.html"\n'
    )
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert run("anonymize", folder / "sfumato.toml").code == 0
    solution = sf.Project.load(folder / "sfumato.toml").solve()
    solution.write(folder / "again.csv")
    solution.report(folder / "report.html", folder / "report.json")
    report = json.loads((folder / "report.json").read_text())
    assert report["project"]["constraints"] == [{"model": "k-map", "population": "everybody.parquet", "k": 20}]
    assert report["attained"]["k-map"]["k"] >= 20
    verified = verify(folder / "report.json", folder / "again.csv", folder / "data.csv")
    assert {finding.what: finding.agrees for finding in verified.findings}["requirements hold in the release"]
    assert not [finding for finding in verified.findings if finding.agrees is False]


def test_a_population_in_memory_is_in_no_report(folder: Path) -> None:
    people = pd.read_csv(folder / "everybody.csv").assign(name="SECRETNAME")
    table = sf.Table(folder / "data.csv", quasi_identifiers={"age": sf.intervals(10, 20, 40), "sex": sf.flat()})
    solution = sf.Problem(table, [sf.KMap(20, population=people)]).solve()
    solution.write(folder / "again.csv")
    solution.report(folder / "report.html", folder / "report.json")
    for name in ("report.html", "report.json"):
        assert "SECRETNAME" not in (folder / name).read_text()
    report = json.loads((folder / "report.json").read_text())
    assert report["project"]["constraints"] == [{"model": "k-map", "population": None, "k": 20}]
    verified = verify(folder / "report.json", folder / "again.csv", folder / "data.csv")
    assert not [finding for finding in verified.findings if finding.agrees is False]
    assert "its population was not a file" in " ".join(finding.why for finding in verified.findings)
