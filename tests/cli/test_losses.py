"""Every loss on the command line and in a project file: two spellings, one answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato import loss
from sfumato.settings.registry import table_parts as parts

from .conftest import Run

PROJECT = """
[data]
source = "people.csv"
sensitive = ["disease"]
target = "town"
[data.quasi_identifiers]
age = {{ intervals = [5, 10, 20, 40] }}
sex = "flat"
[[constraints]]
model = "k-anonymity"
k = 3
[loss]
{loss}
[recoding]
model = "full-domain"
suppression_limit = "10%"
[release]
output = "released.csv"
"""
ROLES = ["--qi", "age=intervals:5,10,20,40", "--qi", "sex=flat", "--sensitive", "disease", "--target", "town"]
SPELLINGS = {
    "lm:weights.age=2,record=1/2": 'model = "lm"\nweights = { age = 2 }\nrecord = "1/2"',
    "discernibility": 'model = "discernibility"',
    "classification": 'model = "classification"',
    "classification:target=disease": 'model = "classification"\ntarget = "disease"',
    "precision": 'model = "precision"',
    "average-class-size:k=3": 'model = "average-class-size"\nk = 3',
    "non-uniform-entropy": 'model = "non-uniform-entropy"',
    "weighted-sum:weights.lm=2,weights.discernibility=1": (
        'model = "weighted-sum"\n[loss.weights]\nlm = 2\ndiscernibility = 1'
    ),
}


def test_every_loss_is_spelled() -> None:
    local = {"retained-information", "volume"}  # full domains do not generalise sensitive values, and have no boxes
    assert {spelling.partition(":")[0] for spelling in SPELLINGS} == set(parts(loss)) - local


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_both_spellings_mean_the_same(run: Run, people: Path, spelling: str) -> None:
    words = [*ROLES, "--require", "k-anonymity:k=3", "--suppression-limit", "10%", "--loss", spelling, "--json"]
    code, printed, errors = run("anonymize", people, "-o", people.parent / "released.csv", *words)
    assert (code, errors) == (0, "")
    project = people.parent / "sfumato.toml"
    project.write_text(PROJECT.format(loss=SPELLINGS[spelling]))
    (people.parent / "released.csv").unlink()
    again = run("anonymize", project, "--json")
    assert (again.code, again.err) == (0, "")
    by_options, by_file = json.loads(printed), json.loads(again.out)
    assert by_options["status"] == "optimal"
    assert by_options["loss"]["name"] == spelling.partition(":")[0]
    assert by_options["bound"] == by_options["loss"]["value"]
    for key in ("loss", "bound", "recoding", "records", "classes"):
        assert by_options[key] == by_file[key]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--loss", "classification"],
            "classification needs labels; give the table a target, such as --target income.",
        ),
        (
            ["--loss", "classification:target=name"],
            "'name' has no labels to vote on; make it the target, or sensitive.",
        ),
        (["--loss", "weighted-sum"], "does not say weights; write it like weighted-sum:weights.NAME=…."),
        (["--loss", "weighted-sum:weights.lm=0"], "weights has no loss; give at least one"),
        (["--loss", "weighted-sum:weights.average-class-size=1"], "is a quotient"),
        (
            ["--loss", "weighted-sum:weights.ml=1"],
            "weights has 'ml', which is not a loss; choose from lm, discernibility",
        ),
        (["--loss", "average-class-size:k=0"], "k = 0 is not a whole number from 1 up."),
        (["--loss", "discernibility:k=2"], "'discernibility' has no settings"),
        (["--loss", "discernability"], "did you mean 'discernibility'?"),
    ],
)
def test_faults_are_named(run: Run, people: Path, words: list[str], message: str) -> None:
    roles = ROLES[:-2]
    code, _, errors = run(
        "anonymize", people, "-o", people.parent / "o.csv", *roles, "--require", "k-anonymity:k=3", *words
    )
    assert code == 2
    assert message in errors
    assert "SECRET" not in errors
    assert not (people.parent / "o.csv").exists()
