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
    code, told, errors = run("anonymize", project)
    assert (code, errors) == (0, "")
    assert told.endswith("released.csv written and checked\n")
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
    code, told, _ = run("anonymize", project, *words)
    assert code == 0
    attained = json.loads(told)["attained"]
    assert attained["k-anonymity"]["k"] >= 6
    assert attained["distinct-l-diversity"]["l"] >= 2
    assert out.exists()
    assert not (project.parent / "released.csv").exists()


def test_settings_are_overridden_one_by_one(project: Path) -> None:
    found = project_of(project, {})
    assert found.recoding == sf.FullDomain("5%", max_level={"sex": 1})
    found = project_of(project, {"suppression_limit": "1%", "seed": 9, "time_limit": "5m", "loss": "lm:record=2"})
    assert found.recoding == sf.FullDomain("1%", max_level={"sex": 1})
    assert found.search == {"time_limit": "5m", "seed": 9}
    assert found.loss == sf.LM(record=2)
    assert found.constraints == (sf.KAnonymity(4),)
    found = project_of(project, {"recoding": "full-domain", "algorithm": "lattice-search", "threads": 1})
    assert found.recoding == sf.FullDomain()
    assert found.algorithm == sf.LatticeSearch()
    assert project_of(project, {"algorithm": "auto"}).algorithm is None


def test_columns_move_to_the_role_that_an_option_names(project: Path) -> None:
    found = project_of(project, {"qi": ["town=flat", "age=flat"], "sensitive": ["name"]}).data
    assert found["quasi_identifiers"] == {"age": Flat(), "sex": Flat(), "town": Flat()}
    assert list(found["quasi_identifiers"]) == ["age", "sex", "town"]
    assert found["sensitive"] == ["disease", "name"]
    assert found["identifiers"] == []
    assert found["target"] == "town"  # a target may have another role
    found = project_of(project, {"insensitive": ["town"], "identifier": ["disease"], "strip": True}).data
    assert "target" not in found
    assert (found["insensitive"], found["identifiers"], found["sensitive"]) == (["town"], ["name", "disease"], [])
    assert found["strip"] is True
    found = project_of(project, {"target": "name"}).data
    assert (found["target"], found["identifiers"]) == ("name", [])


def test_hierarchies_of_sensitive_columns_stay(project: Path) -> None:
    project.write_text(TEXT.replace('sensitive = ["disease"]', 'sensitive = { disease = "flat" }'))
    found = project_of(project, {"sensitive": ["disease", "name"]}).data
    assert found["sensitive"] == {"disease": Flat(), "name": None}


def test_the_only_sensitive_column_may_come_from_the_file(project: Path) -> None:
    found = project_of(project, {"require": ["distinct-l-diversity:l=2"]})
    assert list(found.constraints) == [sf.DistinctLDiversity("disease", 2)]


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
    code, told, errors = run("anonymize", project)
    assert (code, told) == (2, "")
    assert message in errors
    assert "SECRET" not in errors


def test_data_files_need_options(run: Run, people: Path) -> None:
    code, _, errors = run("anonymize", people, "-o", people.parent / "o.csv", "--qi", "age=flat")
    assert code == 2
    assert "Missing option '--require'. See sfumato anonymize --help, or draft a project: sfumato init " in errors
