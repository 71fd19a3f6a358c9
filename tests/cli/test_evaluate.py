"""sfumato evaluate: two files beside each other, or a project and its release."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def released(run: Run, people: Path, tmp_path: Path) -> Path:
    path = tmp_path / "released.csv"
    words = ["--qi", "age=intervals:10,20", "--qi", "sex=flat", "--sensitive", "disease", "--suppression-limit", "20%"]
    assert run("anonymize", people, "-o", path, *words, "--require", "k-anonymity:k=4").code == 0
    return path


def test_text(run: Run, people: Path, released: Path) -> None:
    code, printed, errors = run("evaluate", people, released, "--qi", "age,sex", "--sensitive", "disease")
    assert (code, errors) == (0, "")
    for line in (
        "records suppressed",
        "prosecutor risk, highest",
        "prosecutor risk above 5.0%",
        "journalist risk, average",
        "marketer risk",
        "sets of 2 columns that single out most records, before",
        "class size",
        "distribution",
        "disease, guessed right",
        "singling out: In the release 0 of",
        "linkability: Whoever",
        "inference: 'disease'",
        "No population is given",
    ):
        assert line in printed
    assert "SECRET" not in printed
    assert "not known" not in printed  # published intervals say themselves what they stand for
    assert "unknown" not in printed


def test_json(run: Run, people: Path, released: Path) -> None:
    words = ["evaluate", people, released, "--qi", "age=intervals:10,20", "--qi", "sex", "--threshold", "20%"]
    code, printed, errors = run(*words, "--k", "3", "--json", "--population", people)
    assert (code, errors) == (0, "")
    evaluation = json.loads(printed)
    assert evaluation["before"]["records"] == 60
    assert evaluation["after"]["smallest_class"] >= 4
    assert evaluation["suppressed"] == 60 - evaluation["after"]["records"]
    assert (evaluation["before"]["threshold"], evaluation["before"]["k"]) == (0.2, 3)
    assert [one["column"] for one in evaluation["distributions"]] == ["age", "sex"]
    assert all(one["total_variation"] is not None for one in evaluation["distributions"])
    assert evaluation["notes"] == []
    assert "SECRET" not in printed


def test_a_project(run: Run, people: Path, tmp_path: Path) -> None:
    project = tmp_path / "sfumato.toml"
    project.write_text(
        '[data]\nsource = "people.csv"\nsensitive = ["disease"]\nidentifiers = ["name"]\n'
        '[data.quasi_identifiers]\nage = { intervals = [10, 20] }\nsex = "flat"\ntown = "flat"\n'
        '[[constraints]]\nmodel = "k-anonymity"\nk = 3\n[recoding]\nmodel = "full-domain"\nsuppression_limit = 0.2\n'
        '[release]\noutput = "released.csv"\n'
    )
    assert run("anonymize", project).code == 0
    code, printed, errors = run("evaluate", project, tmp_path / "released.csv", "--json")
    assert (code, errors) == (0, "")
    evaluation = json.loads(printed)
    assert [one["column"] for one in evaluation["distributions"]] == ["age", "sex", "town", "disease"]
    assert all(one["total_variation"] is not None for one in evaluation["distributions"])
    assert evaluation["after"]["smallest_class"] >= 3
    published = (tmp_path / "released.csv").read_text()
    labels = [share["label"] for one in evaluation["distributions"] for share in one["shares"]]
    assert labels
    assert all(label in published for label in labels)
    assert "SECRETNAME" not in printed
    code, _, errors = run("evaluate", project, tmp_path / "released.csv", "--qi", "age")
    assert (code, "--qi age has no hierarchy" in errors) == (2, True)


def test_dialects(run: Run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_bytes("age;stadt\n20;Köln\n30;Köln\n30;Ulm\n".encode("latin-1"))
    (tmp_path / "released.csv").write_bytes("age;stadt\n20;Köln\n30;Köln\n".encode("latin-1"))
    words = ["evaluate", tmp_path / "people.csv", tmp_path / "released.csv", "--qi", "age,stadt"]
    code, printed, errors = run(*words, "--encoding", "latin-1", "--delimiter", ";", "--json")
    assert (code, errors) == (0, "")
    assert [share["label"] for share in json.loads(printed)["distributions"][1]["shares"]] == ["Köln"]


def test_unit(run: Run, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("age,who\n20,1\n20,1\n30,2\n30,3\n")
    (tmp_path / "released.csv").write_text("age\n20\n20\n30\n30\n")
    words = ["evaluate", tmp_path / "visits.csv", tmp_path / "released.csv", "--qi", "age", "--unit", "who"]
    code, printed, errors = run(*words)
    assert (code, errors) == (0, "")
    assert "persons alone in their class 1 (33.3%) unknown" in " ".join(printed.split())
    assert "released.csv does not say whose its records are" in printed


def test_no_less_risk_than_the_report_says(run: Run, tmp_path: Path) -> None:
    """Who has several records hides among fewer persons than records: what is unknown is not said to be less."""
    rows = [f"p{i // 3},{20 + i // 6},{'fm'[i % 2]}" for i in range(60)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient_id,age,sex", *rows]) + "\n")
    (tmp_path / "sfumato.toml").write_text(
        '[data]\nsource = "visits.csv"\nunit = "patient_id"\n[data.quasi_identifiers]\nage = { intervals = [5, 10] }\n'
        'sex = "flat"\n[[constraints]]\nmodel = "k-anonymity"\nk = 2\n[release]\noutput = "r.csv"\nreport = "r.json"\n'
    )
    assert run("anonymize", tmp_path / "sfumato.toml").code == 0
    stated = json.loads((tmp_path / "r.json").read_text())["risks"]["after"]
    release, data = tmp_path / "r.csv", tmp_path / "visits.csv"
    for words in (
        [tmp_path / "sfumato.toml", release],
        [data, release, "--report", tmp_path / "r.json"],
        [data, release, "--qi", "age,sex", "--unit", "patient_id"],
    ):
        code, printed, errors = run("evaluate", *words, "--json")
        assert (code, errors) == (0, "")
        evaluation = json.loads(printed)
        after = evaluation["after"]
        assert (after["records"], after["classes"]) == (stated["records"], stated["classes"])
        for measure in ("average", "highest", "at_risk", "smallest_class", "uniques", "marketer"):
            assert after[measure] is None
            assert stated[measure] is not None
        assert all(one["total_variation"] is not None for one in evaluation["distributions"])
        assert "unknown; in the original" in evaluation["criteria"]["singling out"]
    unsaid = run("evaluate", data, release, "--qi", "age,sex", "--json")
    evaluation = json.loads(unsaid.out)
    assert evaluation["after"]["average"] is None
    assert "'patient_id' seems to say whose a record is, so persons are counted" in evaluation["notes"][-1]
    by_records = json.loads(run("evaluate", data, release, "--qi", "age,sex", "--records", "--json").out)
    assert (by_records["persons"], by_records["after"]["persons"]) == (False, by_records["after"]["records"])
    for more, message in (
        (["--unit", "patient_id"], "--unit and --report both say what the columns are for; leave one out."),
        (["--qi", "age"], "--qi and --report both say"),
    ):
        code, _, errors = run("evaluate", data, release, "--report", tmp_path / "r.json", *more)
        assert (code, message in errors) == (2, True)
    code, _, errors = run("evaluate", tmp_path / "sfumato.toml", release, "--report", tmp_path / "r.json")
    assert (code, "give the data with --report" in errors) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "No quasi-identifiers; name at least one column"),
        (["--qi", "age,sexx"], "people.csv has no column 'sexx'; did you mean 'sex'?"),
        (["--qi", "age", "--threshold", "many"], "threshold = 'many' is not a number; write it like 0.05"),
        (["--qi", "age", "--threshold", "5"], "threshold = 5 is not a share"),
        (["--qi", "age="], "--qi age= has no hierarchy"),
        (["--qi", "name"], "released.csv has no column 'name'"),
        (["--qi", "age", "--population", "none.csv"], "There is no file"),
        (["--qi", "age", "--k", "0"], "See sfumato evaluate --help."),
    ],
)
def test_wrong_calls(run: Run, people: Path, released: Path, words: list[str], message: str) -> None:
    code, printed, errors = run("evaluate", people, released, *words)
    assert (code, printed) == (2, "")
    assert message in errors
    assert "SECRET" not in errors


def test_the_other_way_round(run: Run, people: Path, released: Path) -> None:
    released.write_text("".join(released.read_text().splitlines(keepends=True)[:-1]))
    code, _, errors = run("evaluate", released, people, "--qi", "age,sex")
    assert code == 2
    assert "people.csv has 1 record more than released.csv" in errors
    assert "so it is not its release; give the original first." in errors


def test_help(run: Run) -> None:
    code, printed, _ = run("evaluate", "--help")
    assert code == 0
    assert "sfumato evaluate people.csv released.csv" in printed
