"""Full-subtree recoding on the command line and in project files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

WORDS = ["--qi", "age=intervals:10,20", "--qi", "sex=flat", "--sensitive", "disease", "--recoding", "full-subtree"]
WORDS += ["--require", "l-plus-diversity:theta=1/2", "--algorithm", "simulated-annealing:moves=150,seed=3"]


@pytest.mark.parametrize("scheme", ["none", "violating-values", "all-values", "violating-records", "all-records"])
def test_a_release_of_each_scheme(run: Run, people: Path, tmp_path: Path, scheme: str) -> None:
    out = tmp_path / "released.csv"
    words = WORDS if scheme != "none" else [word.replace("1/2", "2/3") for word in WORDS]
    code, printed, errors = run("anonymize", people, "-o", out, *words, "--suppression", scheme, "--json")
    assert (code, errors) == (0, "")
    report = json.loads(printed)
    assert report["status"] == "feasible"
    assert report["bound"] is None
    assert report["algorithm"] == "simulated-annealing"
    assert report["recoding"]["model"] == "full-subtree"
    assert set(report["recoding"]["cuts"]) == {"age", "sex"}
    cells = [line.split(",") for line in out.read_text().splitlines()[1:]]
    for i, name in enumerate(("age", "sex")):
        assert {row[i] for row in cells} == {*report["recoding"]["cuts"][name]} or any('"' in cell for cell in cells[0])
    assert len(cells) == report["records"]["out"]
    theta = "2/3" if scheme == "none" else "1/2"
    code, _, _ = run(
        "check", out, "--qi", "age,sex", "--sensitive", "disease", "--require", f"l-plus-diversity:theta={theta}"
    )
    assert code == 0


def test_cuts_are_printed_as_trees(run: Run, people: Path, tmp_path: Path) -> None:
    code, printed, _ = run("anonymize", people, "-o", tmp_path / "released.csv", *WORDS, "--suppression", "all-records")
    assert code == 0
    assert "cut  age" in printed
    assert "feasible  cost " in printed
    assert "bound none" in printed
    assert "SECRET" not in printed


def test_a_project_file(run: Run, people: Path) -> None:
    project = people.parent / "sfumato.toml"
    project.write_text(
        """
[data]
source = "people.csv"
sensitive = ["disease"]
[data.quasi_identifiers]
age = { intervals = [10, 20] }
sex = "flat"
[[constraints]]
model = "l-plus-diversity"
theta = { flu = "1/3" }
default = "1/2"
[recoding]
model = "full-subtree"
suppression = "violating-records"
max_level = { sex = 0 }
[solve]
algorithm = { model = "simulated-annealing", moves = 150 }
[release]
output = "released.csv"
report = "report.html"
"""
    )
    code, printed, errors = run("anonymize", project)
    assert (code, errors) == (0, "")
    assert "sex as it is" in printed
    stated = json.loads((people.parent / "report.json").read_text())
    assert stated["project"]["recoding"] == {
        "model": "full-subtree",
        "suppression": "violating-records",
        "max_level": {"sex": 0},
    }
    code, printed, _ = run(
        "verify", people.parent / "report.json", people.parent / "released.csv", "--original", people
    )
    assert code == 0
    assert "DIFFERS" not in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--suppression", "some"], "choose none, violating-values"),
        (["--suppression", "all-values", "--loss", "discernibility"], "has no price for a suppressed value"),
        (["--suppression", "violating-values", "--require", "k-anonymity:k=2"], "k-anonymity asks for something else"),
        (["--algorithm", "lattice-search"], "recodes full domains, not full-subtree"),
        (["--suppression-limit", "5%", "--suppression", "none"], "exclude each other"),
    ],
)
def test_wrong_calls(run: Run, people: Path, tmp_path: Path, words: list[str], message: str) -> None:
    code, _, errors = run("anonymize", people, "-o", tmp_path / "released.csv", *WORDS, *words)
    assert code == 2
    assert message in errors
    assert not (tmp_path / "released.csv").exists()


def test_infeasible_says_what_would_do(run: Run, people: Path, tmp_path: Path) -> None:
    words = [word.replace("1/2", "1/4") for word in WORDS]
    code, printed, errors = run("anonymize", people, "-o", tmp_path / "released.csv", *words)
    assert (code, printed) == (1, "")
    assert "suppression = 'all-records'" in errors
    assert "SECRET" not in errors


def test_prediction_in_evaluate(run: Run, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "released.csv"
    run("anonymize", people, "-o", out, *WORDS, "--suppression", "all-records")
    known = ["--qi", "age=intervals:10,20", "--qi", "sex"]
    code, printed, errors = run("evaluate", people, out, *known, "--target", "disease")
    assert (code, errors) == (0, "")
    assert "prediction of disease" in printed
    code, printed, _ = run(
        "evaluate", people, out, *known, "--target", "disease", "--test", "20", "--split", "order", "--json"
    )
    prediction = json.loads(printed)["classification"]
    assert (code, prediction["tested"], prediction["tested_after"]) == (0, 20, 20)
    assert prediction["features"] == ["age", "sex"]
    code, _, errors = run("evaluate", people, out, *known, "--target", "name")
    assert code == 2
    assert "released.csv has no column 'name'" in errors
    code, printed, _ = run("evaluate", people, out, *known, "--json")
    assert "classification" not in json.loads(printed)
