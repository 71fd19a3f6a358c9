"""Verification: a true report agrees, and every lie is named."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pytest

import sfumato as sf
from sfumato.algorithms import Algorithm
from sfumato.hierarchies import as_source
from sfumato.report import verify
from sfumato.report.against_originals import TRUE
from sfumato.solution import Solution


@pytest.fixture
def folder(solution: Solution, people: Path) -> Path:
    solution.write(people.parent / "released.csv")
    solution.report(people.parent / "report.json", released=people.parent / "released.csv")
    return people.parent


def lie(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    report = json.loads((folder / "report.json").read_text())
    change(report)
    (folder / "lie.json").write_text(json.dumps(report))
    return folder / "lie.json"


def differences(folder: Path, change: Callable[[dict[str, Any]], object], original: bool = True) -> list[str]:
    data = folder / "people.csv" if original else None
    return [one.what for one in verify(lie(folder, change), folder / "released.csv", data).differences]


def test_the_truth(folder: Path) -> None:
    verified = verify(folder / "report.json", folder / "released.csv", folder / "people.csv")
    assert verified.holds
    assert all(finding.agrees for finding in verified.findings)
    assert {"cost (lm)", "attained, k-anonymity", "hierarchy of 'town'"} <= {one.what for one in verified.findings}


def test_without_the_data(folder: Path) -> None:
    verified = verify(folder / "report.json", folder / "released.csv")
    assert verified.holds
    assert [one.what for one in verified.findings if one.agrees is None] == ["cost"]
    assert "not done  cost: needs the data; give original=…" in str(verified)


def put(*keys: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(report: dict[str, Any]) -> None:
        for key in keys[:-1]:
            report = report[key]
        assert report[keys[-1]] != value
        report[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (put("bound", value=1e9), "bound ≤ cost"),
        (put("bound", value=0.5), "optimal: bound = cost"),
        (put("gap", value=0.01), "gap = cost / bound - 1"),
        (put("loss", "value", value=1.0), "cost (lm)"),
        (put("loss", "relative", value=0.01), "relative cost"),
        (put("records", "in", value=61), "records of the input"),
        (put("records", "suppressed", value=0), "records suppressed"),
        (put("records", "out", value=60), "release: records"),
        (put("classes", value=1000), "release: classes"),
        (put("attained", "k-anonymity", "k", value=50), "attained by the solution, k-anonymity"),
        (put("checked", "attained", "k-anonymity", "k", value=50), "attained, k-anonymity"),
        (put("hashes", "input", "sha256", value="0" * 64), "input: SHA-256 of the file"),
        (put("hashes", "input", "content", value="0" * 64), "input: content"),
        (put("hashes", "release", "sha256", value="0" * 64), "release: SHA-256 of the file"),
        (put("hashes", "release", "content", value="0" * 64), "release: content"),
        (put("hashes", "hierarchies", "town", "sha256", value="0" * 64), "hierarchy of 'town'"),
        (put("losses", "precision", "value", value=0.5), "losses"),
        (put("loss_per_attribute", "town", value=2.0), "loss per attribute"),
        (put("risks", "after", "highest", value=0.01), "risks"),
        (lambda report: report["answers"][3].update(headline="Nothing"), "the answer to 'What was suppressed?'"),
        (put("recoding", "levels", "sex", value=7), "levels"),
        (lambda report: report["project"]["constraints"][0].update(k=50), "requirements hold in the release"),
        (lambda report: report["project"]["recoding"].update(suppression_limit=0), "suppressed ≤ limit"),
        (lambda report: report["project"]["loss"].update(record=5), "cost (lm)"),
        (lambda report: report["project"]["data"].pop("target"), "release: no column without a role"),
    ],
)
def test_lies_are_named(folder: Path, change: Callable[[dict[str, Any]], object], named: str) -> None:
    assert named in differences(folder, change)


def test_differences_are_words_and_numbers(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text())
    report["checked"]["attained"]["k-anonymity"]["k"] = 50_000
    (folder / "lie.json").write_text(json.dumps(report))
    text = str(verify(folder / "lie.json", folder / "released.csv"))
    assert "k = 50,000 in the report, k = " in text
    assert " computed" in text
    assert "{" not in text


def test_other_levels(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text())
    levels = report["recoding"]["levels"]
    levels["age"] = levels["age"] - 1 if levels["age"] else 1
    differing = differences(folder, lambda lied: lied["recoding"].update(levels=levels))
    assert {"cost (lm)", "content of the release: this data at the stated levels"} <= set(differing)


def test_another_release(folder: Path) -> None:
    frame = pd.read_csv(folder / "released.csv", dtype=str)
    frame.iloc[:-1].to_csv(folder / "shorter.csv", index=False)
    verified = verify(folder / "report.json", folder / "shorter.csv")
    assert {"release: content", "release: records"} <= {one.what for one in verified.differences}
    frame.drop(columns="town").to_csv(folder / "narrower.csv", index=False)
    verified = verify(folder / "report.json", folder / "narrower.csv")
    assert "release: columns: 1 that the report names are not there" in str(verified)
    frame.assign(name="x").to_csv(folder / "wider.csv", index=False)
    assert "release: no column without a role: 1 too many" in str(verify(folder / "report.json", folder / "wider.csv"))


def test_records_that_stand_for_none(folder: Path) -> None:
    """Cells exchanged between rows, and a record published twice: each by itself allowed, and yet not true."""
    frame = pd.read_csv(folder / "released.csv", dtype=str)
    frame["income"] = list(frame["income"])[1:] + list(frame["income"])[:1]
    frame.to_csv(folder / "shifted.csv", index=False)
    differences = verify(folder / "report.json", folder / "shifted.csv", folder / "people.csv").differences
    (untrue,) = [one for one in differences if one.what == TRUE]
    assert re.fullmatch(r"\d+ published records stand for none", untrue.why)
    pd.concat([frame, frame]).to_csv(folder / "twice.csv", index=False)
    assert TRUE in {
        x.what for x in verify(folder / "report.json", folder / "twice.csv", folder / "people.csv").differences
    }


def test_the_same_release_in_another_format(folder: Path) -> None:
    frame = pd.read_csv(folder / "released.csv", dtype=str)
    frame.sample(frac=1, random_state=0).to_parquet(folder / "released.parquet", index=False)
    verified = verify(folder / "report.json", folder / "released.parquet")
    assert [one.what for one in verified.differences] == ["release: SHA-256 of the file"]


def test_other_data(folder: Path) -> None:
    lines = (folder / "people.csv").read_text().splitlines()
    (folder / "other.csv").write_text("\n".join(lines[:-3]) + "\n")
    verified = verify(folder / "report.json", folder / "released.csv", folder / "other.csv")
    assert {"input: SHA-256 of the file", "input: content", "records of the input"} <= {
        x.what for x in verified.differences
    }
    (folder / "strange.csv").write_text((folder / "people.csv").read_text().replace("raretown", "SECRETTOWN"))
    verified = verify(folder / "report.json", folder / "released.csv", folder / "strange.csv")
    assert "town.csv has no path for 1 of the 4 values of 'town'" in str(verified)
    assert "SECRETTOWN" not in str(verified)


def test_a_hierarchy_that_has_changed(folder: Path) -> None:
    (folder / "town.csv").write_text((folder / "town.csv").read_text().replace("North", "Nord"))
    verified = verify(folder / "report.json", folder / "released.csv", folder / "people.csv")
    assert "hierarchy of 'town'" in {one.what for one in verified.differences}


def test_a_hierarchy_elsewhere(folder: Path) -> None:
    (folder / "town.csv").rename(folder / "moved.csv")
    with pytest.raises(sf.HierarchyError, match=r"town\.csv"):
        verify(folder / "report.json", folder / "released.csv", folder / "people.csv")
    moved = {"town": as_source(folder / "moved.csv")}
    assert verify(folder / "report.json", folder / "released.csv", folder / "people.csv", moved).holds
    with pytest.raises(sf.InputError, match="'code' has no hierarchy in the report"):
        verify(folder / "report.json", folder / "released.csv", folder / "people.csv", {"code": sf.flat()})


def test_frames_and_hierarchies_made_in_python(people: Path) -> None:
    tree = sf.Hierarchy.from_rows([("f", "*"), ("m", "*")], "made")
    frame, folder = pd.read_csv(people), people.parent
    table = sf.Table(frame, quasi_identifiers={"age": sf.intervals(10, 20), "sex": tree}, sensitive=["disease"])
    solution = sf.Problem(table, [sf.KAnonymity(4)], recoding=sf.FullDomain("10%")).solve()
    solution.report(folder / "report.json")
    solution.release().to_csv(folder / "released.csv", index=False)
    verified = verify(folder / "report.json", folder / "released.csv")
    assert verified.holds
    assert "the report was written without a file" in str(verified)
    with pytest.raises(sf.InputError, match=r"which was made in Python; .* give hierarchies=\{'sex': …\}"):
        verify(folder / "report.json", folder / "released.csv", people)
    tree.write(folder / "sex.csv")
    verified = verify(folder / "report.json", folder / "released.csv", people, {"sex": as_source(folder / "sex.csv")})
    assert verified.holds
    assert {"input: content", "cost (lm)"} <= {one.what for one in verified.findings}


@pytest.mark.parametrize(
    "model",
    [
        sf.TCloseness("disease", "1/2", distance="hierarchical"),
        sf.BetaLikeness("disease", 4),
        sf.LPlusDiversity.by_frequency("disease", 0.5),
        sf.EntropyLDiversity("disease", "3/2"),
    ],
    ids=lambda model: model.name,
)
@pytest.mark.filterwarnings("ignore:The report's JSON names")
def test_models_that_need_more(people: Path, model: sf.ClassModel) -> None:
    folder = people.parent
    (folder / "disease.csv").write_text("flu;lungs;*\ncold;lungs;*\npox;skin;*\nraredisease;skin;*\n")
    table = sf.Table(
        people, quasi_identifiers={"age": sf.intervals(10, 20)}, sensitive={"disease": folder / "disease.csv"}
    )
    solution = sf.Problem(table, [sf.KAnonymity(2), model], recoding=sf.FullDomain("50%")).solve()
    assert solution.recoding is not None
    solution.write(folder / "released.csv")
    solution.report(folder / "report.json", released=folder / "released.csv")
    assert verify(folder / "report.json", folder / "released.csv", people).holds
    report = json.loads((folder / "report.json").read_text())
    if "reference" in report:
        named = differences(folder, lambda lied: lied["reference"]["disease"].update(flu=1))
        assert "the input's distribution" in named


@pytest.mark.filterwarnings("ignore::sfumato.errors.UnitWarning")
@pytest.mark.parametrize("algorithm", [sf.LocalSearch(), sf.OneDimensional()], ids=lambda a: a.name)
def test_local_recodings_are_searched_for_again(algorithm: Algorithm, people: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"age": sf.intervals(10, 20), "sex": sf.flat()}, sensitive=["disease"])
    folder = people.parent
    model = sf.LDiversity("disease", 2)
    solution = sf.Problem(table, [model], recoding=sf.Local()).solve(algorithm, seed=3)
    solution.write(folder / "released.csv")
    solution.report(folder / "report.json", released=folder / "released.csv")
    verified = verify(folder / "report.json", folder / "released.csv", people)
    assert verified.holds
    assert "not done" not in str(verified)


@pytest.mark.filterwarnings("ignore::sfumato.errors.UnitWarning")
def test_a_local_search_that_was_stopped_is_not_guessed(people: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"age": sf.intervals(10, 20), "sex": sf.flat()}, sensitive=["disease"])
    folder = people.parent
    problem = sf.Problem(table, [sf.KAnonymity(4)], recoding=sf.Local())
    solution = problem.solve(sf.LocalSearch(), time_limit=1e-6)
    solution.write(folder / "released.csv")
    solution.report(folder / "report.json", released=folder / "released.csv")
    verified = verify(folder / "report.json", folder / "released.csv", people)
    assert verified.holds
    assert "not done  cost: a local recoding whose search was stopped" in str(verified)


def test_units_are_counted_in_the_data(people: Path) -> None:
    folder = people.parent
    table = sf.Table(people, quasi_identifiers={"age": sf.intervals(10, 20), "sex": sf.flat()}, unit="note")
    solution = sf.Problem(table, [sf.KAnonymity(3)]).solve()
    solution.write(folder / "released.csv")
    solution.report(folder / "report.json", released=folder / "released.csv")
    assert verify(folder / "report.json", folder / "released.csv", people).holds
    named = differences(folder, lambda report: report["attained"]["k-anonymity"].update(k=5))
    assert named == ["attained in the data's persons, k-anonymity"]


@dataclass(frozen=True)
class Even(sf.ClassModel):
    """Every class has an even number of records."""

    name: ClassVar[str] = "even"
    monotonicity: ClassVar[sf.Monotonicity] = sf.Monotonicity.UP

    def holds(self, summary: sf.ClassSummary) -> bool:
        return summary.size % 2 == 0


def test_models_of_ones_own_are_not_guessed(people: Path) -> None:
    folder = people.parent
    table = sf.Table(people, quasi_identifiers={"sex": sf.flat()}, sensitive=["disease"])
    solution = sf.Problem(table, [Even(), sf.KAnonymity(2)]).solve()
    solution.write(folder / "released.csv")
    solution.report(folder / "report.json", released=folder / "released.csv")
    verified = verify(folder / "report.json", folder / "released.csv", people)
    assert verified.holds
    assert [one.what for one in verified.findings if one.agrees is None] == ["attained, even", "cost"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "is not a report"),
        ('{"status": "optimal"}', "is not a report"),
        ('{"report": 1}', "is damaged: status is not as a report has it"),
        ('{"report": 99}', "was written by a newer version"),
    ],
)
def test_no_report(folder: Path, text: str, message: str) -> None:
    (folder / "bad.json").write_text(text)
    with pytest.raises(sf.InputError, match=message):
        verify(folder / "bad.json", folder / "released.csv")


def test_absent_files(folder: Path) -> None:
    for words in (
        ["absent.json", "released.csv"],
        ["report.json", "absent.csv"],
        ["report.json", "released.csv", "no.csv"],
    ):
        with pytest.raises(sf.InputError, match="There is no file"):
            verify(*(folder / word for word in words))


def test_the_core_stays_out(folder: Path) -> None:
    code = (
        "import sys; from sfumato.report import verify; "
        "assert verify('report.json', 'released.csv', 'people.csv').holds; "
        "assert 'sfumato._core' not in sys.modules, 'core'; assert 'jinja2' not in sys.modules, 'jinja2'"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=folder)
