"""Project files on the command line, and options that override them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.cli.projects import project_of
from sfumato.hierarchies import Flat

from .conftest import Run

TEXT = """
[data]
source = "people.csv"
identifiers = ["name"]
sensitive = ["disease"]
target = "town"
[data.quasi_identifiers]
age = { intervals = [5, 10, 20, 40] }
sex = "flat"
[[constraints]]
model = "k-anonymity"
k = 4
[recoding]
model = "full-domain"
suppression_limit = "5%"
max_level = { sex = 1 }
[solve]
time_limit = 60
seed = 3
[release]
output = "released.csv"
"""


@pytest.fixture
def project(people: Path) -> Path:
    path = people.parent / "sfumato.toml"
    path.write_text(TEXT)
    return path


def test_a_project_file_says_it_all(run: Run, project: Path) -> None:
    code, printed, errors = run("anonymize", project)
    assert (code, errors) == (0, "")
    assert printed.endswith("released.csv written and checked\n")
    assert (project.parent / "released.csv").read_text().startswith("age,sex,town,disease\n")


def test_the_same_as_by_options(run: Run, project: Path, people: Path) -> None:
    assert run("anonymize", project).code == 0
    out = people.parent / "o.csv"
    words = ["--qi", "age=intervals:5,10,20,40", "--qi", "sex=flat", "--sensitive", "disease", "--target", "town"]
    words += ["--identifier", "name", "--require", "k-anonymity:k=4", "--recoding", "full-domain:max_level.sex=1"]
    assert run("anonymize", people, "-o", out, *words, "--suppression-limit", "5%", "--seed", "3").code == 0
    assert out.read_bytes() == (people.parent / "released.csv").read_bytes()


def test_options_override(run: Run, project: Path) -> None:
    out = project.parent / "o.csv"
    words = ["-o", out, "--require", "k-anonymity:k=6", "--require", "distinct-l-diversity:l=2", "--json"]
    code, printed, _ = run("anonymize", project, *words)
    assert code == 0
    attained = json.loads(printed)["attained"]
    assert attained["k-anonymity"]["k"] >= 6
    assert attained["distinct-l-diversity"]["l"] >= 2
    assert out.exists()
    assert not (project.parent / "released.csv").exists()


@pytest.mark.parametrize(
    ("given", "recoding"),
    [
        ({"recoding": "full-subtree"}, sf.FullSubtree(suppression_limit="5%", max_level={"sex": 1})),
        ({"recoding": "full-domain:max_level.age=2"}, sf.FullDomain("5%", max_level={"age": 2})),
        ({"recoding": "full-subtree", "suppression_limit": "1%"}, sf.FullSubtree(None, "1%", max_level={"sex": 1})),
        ({"recoding": "full-subtree:suppression_limit=2%"}, sf.FullSubtree(None, "2%", max_level={"sex": 1})),
        (
            {"recoding": "full-subtree", "suppression": "violating-records"},
            sf.FullSubtree("violating-records", "5%", max_level={"sex": 1}),
        ),
        ({"recoding": "full-subtree", "suppression": "none"}, sf.FullSubtree("none", 0, max_level={"sex": 1})),
        ({"suppression": "none"}, sf.FullDomain(0, max_level={"sex": 1}, suppression="none")),
    ],
)
def test_the_limits_of_a_project_hold_for_another_recoding(
    project: Path, given: dict[str, str], recoding: sf.Recoding
) -> None:
    merged = project_of(project, given).recoding
    assert merged == recoding
    if "suppression" not in given and "suppression_limit" not in given and "=2%" not in given["recoding"]:
        assert merged.suppressing.limit == sf.FullDomain("5%").suppressing.limit
        assert merged.suppressing.scheme.value == "all-records"


def test_a_limit_that_cannot_hold_is_said(run: Run, project: Path) -> None:
    code, printed, errors = run("anonymize", project, "--recoding", "multidimensional")
    assert (code, ", 0 suppressed" in printed) == (0, True)
    limit = "multidimensional recoding has no suppression_limit, which sfumato.toml sets to 5%: no record is left out."
    assert f"sfumato: warning: {limit}\n" in errors
    assert "has no max_level, which sfumato.toml sets to {sex = 1}, which no longer applies." in errors
    project.write_text(TEXT.replace('"full-domain"', '"full-subtree"\nsuppression = "violating-values"'))
    code, _, errors = run("anonymize", project, "--recoding", "full-domain")
    assert code == 2
    assert "--recoding full-domain keeps suppression = 'violating-values', suppression_limit = 5%" in errors
    assert "of sfumato.toml. suppression = 'violating-values' is unknown; choose none or all-records." in errors


def test_a_front_that_the_other_recoding_has_not_is_left_out(run: Run, project: Path) -> None:
    project.write_text(TEXT + 'report = "report.html"\nfront = true\n')
    code, _, errors = run("anonymize", project, "--recoding", "full-subtree")
    assert code == 0
    assert "the report leaves out the front that sfumato.toml asks for." in errors
    page = (project.parent / "report.html").read_text()
    assert "What other requirements would cost" not in page
    code, _, errors = run("anonymize", project, "--recoding", "full-subtree", "--front")
    assert (code, "A trade-off is computed for full-domain recoding, not full-subtree" in errors) == (2, True)


def test_settings_are_overridden_one_by_one(project: Path) -> None:
    merged = project_of(project, {})
    assert merged.recoding == sf.FullDomain("5%", max_level={"sex": 1})
    merged = project_of(project, {"suppression_limit": "1%", "seed": 9, "time_limit": "5m", "loss": "lm:record=2"})
    assert merged.recoding == sf.FullDomain("1%", max_level={"sex": 1})
    assert merged.search == {"time_limit": "5m", "seed": 9}
    assert merged.loss == sf.LM(record=2)
    assert merged.constraints == (sf.KAnonymity(4),)
    merged = project_of(project, {"recoding": "full-domain", "algorithm": "lattice-search", "threads": 1})
    assert merged.recoding == sf.FullDomain("5%", max_level={"sex": 1})  # limits carry over
    assert merged.algorithm == sf.LatticeSearch()
    assert project_of(project, {"algorithm": "auto"}).algorithm is None


def test_columns_move_to_the_role_that_an_option_names(project: Path) -> None:
    data = project_of(project, {"qi": ["town=flat", "age=flat"], "sensitive": ["name"]}).data
    assert data["quasi_identifiers"] == {"age": Flat(), "sex": Flat(), "town": Flat()}
    assert list(data["quasi_identifiers"]) == ["age", "sex", "town"]
    assert data["sensitive"] == ["disease", "name"]
    assert data["identifiers"] == []
    assert data["target"] == "town"  # a target may have another role
    data = project_of(project, {"insensitive": ["town"], "identifier": ["disease"], "strip": True}).data
    assert "target" not in data
    assert (data["insensitive"], data["identifiers"], data["sensitive"]) == (["town"], ["name", "disease"], [])
    assert data["strip"] is True
    data = project_of(project, {"target": "name"}).data
    assert (data["target"], data["identifiers"]) == ("name", [])


def test_hierarchies_of_sensitive_columns_stay(project: Path) -> None:
    project.write_text(TEXT.replace('sensitive = ["disease"]', 'sensitive = { disease = "flat" }'))
    data = project_of(project, {"sensitive": ["disease", "name"]}).data
    assert data["sensitive"] == {"disease": Flat(), "name": None}


def test_the_only_sensitive_column_may_come_from_the_file(project: Path) -> None:
    merged = project_of(project, {"require": ["distinct-l-diversity:l=2"]})
    assert list(merged.constraints) == [sf.DistinctLDiversity("disease", 2)]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('output = "released.csv"', "", "does not say where the release goes; give output in [release], or -o OUT."),
        ('output = "released.csv"', 'output = "people.csv"', "people.csv' is the data itself"),
        (
            "k = 4",
            "k = 4\nk = 5",
            "sfumato.toml, line 13, column 6: not valid TOML (cannot overwrite a value); correct",
        ),
        ("k = 4", "kay = 4", "sfumato.toml, [[constraints]] 1: 'k-anonymity' has no 'kay'; choose from k."),
        ("sensitive =", "sensitve =", "sfumato.toml, [data] has no 'sensitve'; did you mean 'sensitive'?"),
        ("time_limit = 60", 'time_limit = "1 day"', "sfumato.toml, [solve]: time_limit = 1 day is not a time"),
        ("people.csv", "persons.csv", "There is no file"),
    ],
)
def test_wrong_projects(run: Run, project: Path, before: str, after: str, message: str) -> None:
    project.write_text(TEXT.replace(before, after, 1))
    code, printed, errors = run("anonymize", project)
    assert (code, printed) == (2, "")
    assert message in errors
    assert "SECRET" not in errors


def test_data_files_need_options(run: Run, people: Path) -> None:
    code, _, errors = run("anonymize", people, "-o", people.parent / "o.csv", "--qi", "age=flat")
    assert code == 2
    assert "Missing option '--require'. See sfumato anonymize --help, or draft a project: sfumato init " in errors
