"""Multidimensional recoding on the command line and in a project file, and what is made of the release."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

ROLES = ["--qi", "age=ordered", "--qi", "sex=unordered", "--sensitive", "disease"]
ASKED = [
    "--require",
    "k-anonymity:k=5",
    "--require",
    "minimum-width:age=3",
    "--recoding",
    "multidimensional:splits.age=4",
]
PROJECT = """
[data]
source = "people.csv"
sensitive = ["disease"]
[data.quasi_identifiers]
age = "ordered"
sex = "unordered"
[[constraints]]
model = "k-anonymity"
k = 5
[[constraints]]
model = "minimum-width"
widths = { age = 3 }
[recoding]
model = "multidimensional"
splits = { age = 4 }
[release]
output = "released.csv"
"""


def test_both_spellings_mean_the_same(run: Run, people: Path) -> None:
    released = people.parent / "released.csv"
    by_options = run("anonymize", people, "-o", released, *ROLES, *ASKED, "--json")
    assert (by_options.code, by_options.err) == (0, "")
    project = people.parent / "sfumato.toml"
    project.write_text(PROJECT)
    by_file = run("anonymize", project, "--json")
    assert (by_file.code, by_file.err) == (0, "")
    one, other = json.loads(by_options.out), json.loads(by_file.out)
    assert one["algorithm"] == "gen-search"
    assert one["status"] == "optimal"
    assert len(one["recoding"]["boxes"]) == one["classes"]
    for key in ("loss", "bound", "recoding", "records", "classes", "attained"):
        assert one[key] == other[key]
    assert one["attained"]["minimum-width"]["age"] >= 3


def test_a_release_is_checked_and_asked(run: Run, people: Path) -> None:
    released = people.parent / "released.csv"
    assert run("anonymize", people, "-o", released, *ROLES, *ASKED, "--algorithm", "mondrian:split=median").code == 0
    checked = run("check", released, "--qi", "age,sex", *ASKED[:4])
    assert checked.code == 0
    assert "minimum-width: holds" in checked.out
    assert run("check", released, "--qi", "age,sex", "--require", "minimum-width:age=500").code == 1
    answer = run("evaluate", people, released, *ROLES[:4], "--query", "age=20..40", "--queries", "3", "--json")
    assert answer.code == 0
    assert len(json.loads(answer.out)["count_queries"]["queries"]) == 4
    shown = run("evaluate", people, released, *ROLES[:4], "--query", "age=20..40")
    assert "relative error: mean" in shown.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--recoding", "multidimensional:splits.pay=4"], "splits has 'pay', which is not a quasi-identifier"),
        (
            ["--recoding", "multidimensional", "--require", "minimum-width:pay=4"],
            "'pay', which is not a quasi-identifier",
        ),
        (["--recoding", "multidimensional", "--loss", "precision"], "minimises lm, discernibility, classification or"),
        (["--recoding", "multidimensional", "--algorithm", "gen-search:priority=x"], "choose lb, cost, lb/cost"),
        (["--recoding", "multidimensional", "--algorithm", "lattice-search"], "multidimensional"),
    ],
)
def test_faults_are_named(run: Run, people: Path, words: list[str], message: str) -> None:
    refused = run("anonymize", people, "-o", people.parent / "o.csv", *ROLES, "--require", "k-anonymity:k=5", *words)
    assert refused.code == 2
    assert message in refused.err
    assert not (people.parent / "o.csv").exists()


def test_a_report_tells_how_well_it_can_be_counted(run: Run, people: Path) -> None:
    released, report = people.parent / "released.csv", people.parent / "report.html"
    asked = ["--query", "age=20..40,sex=f", "--query", "age=30..50"]
    done = run("anonymize", people, "-o", released, *ROLES, *ASKED, "--report", report, *asked)
    assert (done.code, done.err) == (0, "")
    sections = {one["key"]: one for one in json.loads(report.with_suffix(".json").read_text())["sections"]}
    grid = sections["queries"]["blocks"][1]
    assert [row[0] for row in grid["rows"]] == ["age 20..40, sex in 1 value", "age 30..50"]
    project = people.parent / "sfumato.toml"
    project.write_text(PROJECT + 'report = "again.html"\nqueries = ["age=20..40,sex=f", "age=30..50"]\n')
    assert run("anonymize", project).code == 0
    again = json.loads((people.parent / "again.json").read_text())["sections"]
    assert next(one for one in again if one["key"] == "queries") == sections["queries"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--query", "age=20..40"], "give --report"),
        (["--report", "report.html", "--query", "zip=1..2"], "'zip', which is not a quasi-identifier: age, sex"),
        (["--report", "report.html", "--query", "age"], "asks nothing"),
    ],
)
def test_wrong_queries_are_refused_before_the_search(run: Run, people: Path, options: list[str], said: str) -> None:
    refused = run("anonymize", people, "-o", people.parent / "released.csv", *ROLES, *ASKED, *options)
    assert refused.code == 2
    assert said in refused.err
    assert not (people.parent / "released.csv").exists()


def test_all_optima_are_listed(run: Run, tmp_path: Path) -> None:
    """Seven in a row, two by two but for three of them, who may stand in three places."""
    people, out = tmp_path / "people.csv", tmp_path / "out.csv"
    people.write_text("age\n" + "".join(f"{age}\n" for age in range(7)))
    words = ["anonymize", people, "-o", out, "--qi", "age=ordered", "--require", "k-anonymity:k=2"]
    words += ["--recoding", "multidimensional", "--loss", "discernibility"]
    _, printed, _ = run(*words, "--algorithm", "gen-search:all_optima=true")
    lines = printed.splitlines()
    at = lines.index("the 3 cheapest solutions")
    assert [line.split()[:2] for line in lines[at + 2 : at + 5]] == [["1", "17"], ["2", "17"], ["3", "17"]]
    assert {line.partition(" boxes, such as age [")[0].split()[-3:][0] for line in lines[at + 3 : at + 5]} <= {"2", "3"}
    stated = json.loads(run(*words, "--algorithm", "gen-search:all_optima=true", "--json").out)
    cells = [tuple(sorted(box["cells"][0][1] for box in one["recoding"]["boxes"])) for one in stated["top"]]
    assert sorted(cells) == [(1, 3, 6), (1, 4, 6), (2, 4, 6)]
    assert "cheapest solutions" not in run(*words).out
