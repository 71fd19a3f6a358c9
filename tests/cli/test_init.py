"""sfumato init: what it prints and writes, and that the project it writes runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.datasets import census

from .conftest import Run


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_from_data_to_release(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    census(2000).write_csv("people.csv")
    code, printed, errors = run("init", "people.csv")
    assert (code, errors) == (0, "")
    assert printed.startswith("people.csv: 2,000 records, 9 columns. No value of the data is shown.\n")
    assert printed.endswith("sfumato anonymize sfumato.toml\n")
    assert f"4 hierarchies in hierarchies{os.sep}" in printed
    assert "The hierarchies hold values of the data: keep them with it." in printed
    lines = {line.split()[0]: line for line in printed.splitlines() if line}
    assert "quasi-identifier    its name says 'age', which others may know" in lines["age"]
    assert "target + sensitive" in lines["income"]
    assert "  three columns\n" in printed
    assert "age + zipcode + education\n" in printed
    code, printed, errors = run("anonymize", "sfumato.toml")
    assert (code, errors) == (0, "")
    assert printed.startswith("optimal")
    assert printed.endswith("released.csv written and checked\n")
    assert sf.check("released.csv", quasi_identifiers=["age", "sex"], constraints=[sf.KAnonymity(5)]).holds


def test_directory_and_force(run: Run, people: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "project"
    assert run("init", people, "--directory", folder).code == 0
    assert files(folder) == ["sfumato.toml"]
    assert 'source = "../../people.csv"' in (folder / "sfumato.toml").read_text()
    (folder / "sfumato.toml").write_text("mine")
    code, printed, errors = run("init", people, "--directory", folder)
    assert (code, printed) == (2, "")
    assert "sfumato.toml' is already there; choose another --directory, or overwrite it with --force." in errors
    assert (folder / "sfumato.toml").read_text() == "mine"
    assert run("init", people, "--directory", folder, "--force").code == 0
    assert run("anonymize", folder / "sfumato.toml").code == 0
    assert files(folder) == ["released.csv", "sfumato.toml"]


def test_no_value_is_shown(run: Run, people: Path, tmp_path: Path) -> None:
    for words in ([], ["--json"]):
        code, printed, errors = run("init", people, "--directory", tmp_path / f"p{len(words)}", *words)
        assert (code, errors) == (0, "")
        assert not any(value in printed for value in ("SECRET", "flu", "pox", "town1"))
        assert "SECRET" not in (tmp_path / f"p{len(words)}" / "sfumato.toml").read_text()


def test_json(run: Run, people: Path, tmp_path: Path) -> None:
    draft = json.loads(run("init", people, "--directory", tmp_path / "p", "--json").out)
    assert (draft["source"], draft["records"]) == ("people.csv", 60)
    assert draft["project"] == str(tmp_path / "p" / "sfumato.toml")
    columns = {column["name"]: column for column in draft["columns"]}
    assert list(columns) == ["age", "sex", "town", "disease", "name"]
    assert {name: column["role"] for name, column in columns.items()} == {
        "age": "quasi-identifier",
        "sex": "quasi-identifier",
        "town": "quasi-identifier",
        "disease": "sensitive",
        "name": "identifier",
    }
    assert (columns["name"]["values"], columns["name"]["alone"]) == (60, 60)
    assert (columns["town"]["alone"], columns["town"]["kind"]) == (1, "categories")
    assert set(draft["singling_out"]) == {"1", "2", "3"}
    assert draft["singling_out"]["3"][0]["columns"] == ["age", "sex", "town"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("absent.csv", None, "There is no file"),
        ("empty.csv", "", "empty.csv has no header; its first line must name the columns."),
        ("header.csv", "a,b\n", "header.csv has a header, but no records; there is nothing to look at."),
        ("record.csv", "39,SECRET\n40,x\n", "The first line of record.csv looks like a record"),
        ("broken.csv", "a,b\n1,2\n1\n", "broken.csv, line 3: another number of cells"),
        ("ids.csv", "id\n" + "".join(f"SECRET{i}\n" for i in range(50)), "No column of ids.csv looks like something"),
        ("sfumato.toml", "[data]\n", "is a project file; give the data"),
    ],
)
def test_wrong_data(run: Run, tmp_path: Path, name: str, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    code, printed, errors = run("init", tmp_path / name, "--directory", tmp_path / "p")
    assert (code, printed) == (2, "")
    assert message in errors
    assert "SECRET" not in errors
    assert not (tmp_path / "p").exists()


def test_help(run: Run) -> None:
    page = run("init", "--help").out
    assert "sfumato init people.csv --directory project" in page
    for option in ("--directory", "--force", "--json"):
        assert option in page


@pytest.mark.parametrize(
    ("name", "guessed"),
    [
        (
            "adult-45222.csv.gz",
            {
                "age": "quasi-identifier",
                "fnlwgt": "left out",
                "education-num": "left out",
                "occupation": "sensitive",
                "salary-class": "target",
            },
        ),
        ("nursery.csv.gz", {"parents": "quasi-identifier", "health": "sensitive", "class": "target"}),
        ("census-income.csv.gz", {"age": "quasi-identifier", "major_occupation_code": "sensitive", "income": "target"}),
    ],
)
def test_real_data_runs_without_edits(
    run: Run, shared_data: Path, tmp_path: Path, name: str, guessed: dict[str, str]
) -> None:
    code, printed, _ = run("init", shared_data / name, "--directory", tmp_path, "--json")
    assert code == 0
    roles = {column["name"]: column["role"] for column in json.loads(printed)["columns"]}
    assert {column: roles[column] for column in guessed} == guessed
    assert sum(role == "quasi-identifier" for role in roles.values()) <= 8
    code, printed, _ = run("anonymize", tmp_path / "sfumato.toml", "--json")
    assert code == 0
    report = json.loads(printed)
    assert report["status"] == "optimal"
    assert report["records"]["out"] >= 0.95 * report["records"]["in"]
    assert report["attained"]["k-anonymity"]["k"] >= 5
