"""--at, and `at` in a project file: a recoding is evaluated in place of a search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

ROLES = ["--qi", "age=intervals:5,10,20,40", "--qi", "sex=flat", "--sensitive", "disease"]
REQUIRE = ["--require", "k-anonymity:k=4"]


def test_levels(run: Run, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "released.csv"
    code, printed, errors = run("anonymize", people, "-o", out, *ROLES, *REQUIRE, "--at", "sex=0,age=3", "--json")
    stated = json.loads(printed)
    assert (code, errors, stated["status"], stated["algorithm"]) == (0, "", "feasible", "given")
    assert stated["recoding"]["levels"] == {"age": 3, "sex": 0}
    assert stated["bound"] == 0
    code, printed, errors = run("anonymize", people, "-o", tmp_path / "no.csv", *ROLES, *REQUIRE, "--at", "sex=0,age=0")
    assert (code, printed) == (1, "")
    assert "are left out, and none may be; generalise further." in errors
    assert not (tmp_path / "no.csv").exists()


def test_the_json_of_another_run(run: Run, people: Path, tmp_path: Path) -> None:
    """A report of any recoding that is stated, and its verification; what was searched once is evaluated."""
    for recoding in ("full-domain", "full-subtree", "multidimensional"):
        words = ["anonymize", people, *ROLES, *REQUIRE, "--recoding", recoding]
        first, second, report = tmp_path / "first.csv", tmp_path / "second.csv", tmp_path / "report.json"
        code, searched, _ = run(*words, "-o", first, "--json")
        (tmp_path / "at.json").write_text(searched)
        assert run(*words, "-o", second, "--at", tmp_path / "at.json", "--report", report).code == 0
        assert first.read_text() == second.read_text()
        assert json.loads(report.read_text())["loss"] == json.loads(searched)["loss"]
        code, printed, _ = run("verify", report, second, "--original", people)
        assert (code, "DIFFERS" in printed) == (0, False)
        # The report states the recoding in its project, which can be run again.
        project = json.loads(report.read_text())["project"]
        assert set(project["solve"]) == {"at", "seed"}
        (tmp_path / "only.json").write_text(json.dumps(project["solve"]["at"]))
        assert run(*words, "-o", second, "--at", tmp_path / "only.json").code == 0
        assert first.read_text() == second.read_text()


def test_a_project_file(run: Run, people: Path, tmp_path: Path) -> None:
    text = """[data]
source = "people.csv"
sensitive = ["disease"]
[data.quasi_identifiers]
age = { intervals = [20, 40] }
sex = "flat"
[[constraints]]
model = "k-anonymity"
k = 4
[recoding]
model = "full-subtree"
[solve]
AT
[release]
output = "released.csv"
"""
    project = tmp_path / "sfumato.toml"
    cut = 'at = { age = ["[20, 40)", "[40, 60)"], sex = 1 }'
    project.write_text(text.replace("AT", cut))
    code, printed, errors = run("anonymize", project)
    assert (code, errors, printed[:8]) == (0, "", "feasible")
    assert {row.split(",")[-2] for row in (tmp_path / "released.csv").read_text().splitlines()[1:]} == {"*"}
    assert run("anonymize", project, "--algorithm", "auto").out.startswith("optimal")
    assert run("anonymize", project, "--algorithm", "l-plus-optimize").out.startswith("optimal")
    assert run("anonymize", project, "--at", "age=2,sex=1").out.startswith("feasible")
    assert run("anonymize", project, "--at", "report.json").err == (
        "sfumato: There is no file 'report.json'; give a report, what --json prints, or a recoding as JSON.\n"
    )
    (tmp_path / "at.json").write_text('{"age": 2, "sex": 1}')
    project.write_text(text.replace("AT", 'at = "at.json"'))  # beside the project, wherever it is run
    assert run("anonymize", project).out.startswith("feasible")
    assert run("anonymize", project, "-o", tmp_path / "at.json").code == 2
    project.write_text(text.replace("AT", f'{cut}\nalgorithm = "simulated-annealing"'))
    code, _, errors = run("anonymize", project)
    assert (code, "at gives the recoding that algorithm would search for" in errors) == (2, True)


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("age=1", "What is given says nothing of 'sex'"),
        ("age=1,sex", "--at age=1,sex is not a level for each column; write it like age=2,sex=0."),
        ("age=1,age=2", "is not a level for each column"),
        ("age=one,sex=0", "the level of 'age' = one is not a whole number from 0 up"),
        ("age=9,sex=0", "'age' may be published at levels 0 to 5, and 9 is given"),
    ],
)
def test_what_cannot_be_read(run: Run, people: Path, tmp_path: Path, at: str, said: str) -> None:
    code, _, errors = run("anonymize", people, "-o", tmp_path / "out.csv", *ROLES, *REQUIRE, "--at", at)
    assert code == 2
    assert said in errors


def test_at_and_an_algorithm(run: Run, people: Path, tmp_path: Path) -> None:
    words = [*ROLES, *REQUIRE, "--at", "age=3,sex=0", "--algorithm", "incognito"]
    code, _, errors = run("anonymize", people, "-o", tmp_path / "out.csv", *words)
    assert (code, "--at gives the recoding that --algorithm would search for" in errors) == (2, True)


def test_transactions(run: Run, tmp_path: Path) -> None:
    (tmp_path / "baskets.txt").write_text("a b\na c\nb c\na b\nd\ne\n")
    words = ["transactions", tmp_path / "baskets.txt", "--hierarchy", "fanout:2", "--require", "km-anonymity:k=2,m=1"]
    code, printed, _ = run(*words, "-o", tmp_path / "first.txt", "--json")
    assert code == 0
    (tmp_path / "at.json").write_text(printed)
    code, printed, errors = run(
        *words, "-o", tmp_path / "second.txt", "--at", tmp_path / "at.json", "--report", tmp_path / "report.html"
    )
    assert (code, errors, printed[:8]) == (0, "", "feasible")
    assert (tmp_path / "first.txt").read_text() == (tmp_path / "second.txt").read_text()
    report = [tmp_path / "report.json", tmp_path / "second.txt", "--original", tmp_path / "baskets.txt"]
    assert run("verify", *report).code == 0
