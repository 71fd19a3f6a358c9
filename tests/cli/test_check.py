"""sfumato check: what a published file attains, from any tool; exit code 1 if it is not enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def released(tmp_path: Path) -> Path:
    path = tmp_path / "released.csv"
    path.write_text("age;sex;disease\n30s;f;flu\n30s;f;cold\n40s;m;SECRET\n40s;m;SECRET\n40s;m;*\n")
    return path


def test_holds(run: Run, released: Path) -> None:
    code, printed, errors = run("check", released, "--qi", "age,sex", "--require", "k-anonymity:k=2")
    assert (code, errors) == (0, "")
    assert printed == "5 records in 2 classes\nk-anonymity: holds (k = 2)\n"


def test_violated(run: Run, released: Path) -> None:
    words = ["check", released, "--qi", "age", "--qi", "sex", "--sensitive", "disease"]
    code, printed, errors = run(*words, "--require", "k-anonymity:k=3", "--require", "distinct-l-diversity:l=1")
    assert (code, errors) == (1, "")
    assert "k-anonymity: violated in 1 of 2 classes, by 2 of 5 records (k = 2)" in printed
    assert "distinct-l-diversity: holds (l = 1)" in printed
    assert "SECRET" not in printed


def test_json(run: Run, released: Path) -> None:
    words = ["check", released, "--qi", "age,sex", "--sensitive", "disease", "--json"]
    code, printed, _ = run(*words, "--require", "k-anonymity:k=3")
    assert code == 1
    assert json.loads(printed) == {
        "holds": False,
        "records": 5,
        "classes": 2,
        "attained": {"k-anonymity": {"k": 2}},
        "violations": {"k-anonymity": {"classes": 1, "records": 2}},
        "notes": [
            "Suppressed values (*) of 'disease', which count as unknown: 1.",
        ],
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--qi", "age,sexx"], "released.csv has no column 'sexx'; did you mean 'sex'?"),
        (["--qi", "a,b"], "released.csv has no column 'a'; is its first line a header? See it with --show-values."),
        (["--qi", ","], "No quasi-identifiers; name at least one column"),
        (["--qi", "age", "--sensitive", "income"], "released.csv has no column 'income'; it has age, sex, disease."),
        (["--qi", "age", "--require", "k-anon:k=2"], "'k-anon' is not a privacy model; did you mean 'k-anonymity'?"),
        (["--qi", "age", "--require", "distinct-l-diversity:l=2"], "does not say sensitive; write it like"),
        ([], "--qi is missing: name the columns that an attacker may know"),
    ],
)
def test_wrong_calls(run: Run, released: Path, words: list[str], message: str) -> None:
    code, printed, errors = run("check", released, "--require", "k-anonymity:k=2", *words)
    assert (code, printed) == (2, "")
    assert message in errors


def test_show_values(run: Run, released: Path) -> None:
    code, _, errors = run("check", released, "--require", "k-anonymity:k=2", "--qi", "zz", "--show-values")
    assert code == 2
    assert errors.splitlines()[1:] == ["  age", "  sex", "  disease"]


def test_no_file(run: Run, tmp_path: Path) -> None:
    code, _, errors = run("check", tmp_path / "no.csv", "--require", "k-anonymity:k=2", "--qi", "age")
    assert code == 2
    assert "There is no file" in errors


def test_help(run: Run) -> None:
    code, printed, _ = run("check", "--help")
    assert code == 0
    assert "sfumato check released.csv --qi age,zipcode,sex --require k-anonymity:k=5" in printed


def test_unit(run: Run, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("age,who\n30s,1\n30s,1\n40s,2\n40s,3\n")
    words = ["check", tmp_path / "visits.csv", "--qi", "age", "--require", "k-anonymity:k=2"]
    assert run(*words).code == 0
    code, printed, errors = run(*words, "--unit", "who")
    assert (code, errors) == (1, "")
    assert "k-anonymity: violated in 1 of 2 classes, by 2 of 4 records (k = 1)" in printed
    assert "Persons are counted, by 'who': 3." in printed


# --- models that compare with the input


@pytest.fixture
def original(tmp_path: Path) -> Path:
    path = tmp_path / "original.csv"
    path.write_text("age;sex;disease\n31;f;flu\n32;f;cold\n41;m;SECRET\n42;m;SECRET\n43;m;flu\n")
    return path


def test_reference(run: Run, released: Path, original: Path, tmp_path: Path) -> None:
    words = ["check", released, "--qi", "age,sex", "--sensitive", "disease", "--require", "beta-likeness:beta=1.2"]
    code, printed, _ = run(*words)
    assert code == 0
    assert "The input's distribution of 'disease' is not given, so the release's own was used" in printed
    code, printed, _ = run(*words, "--reference", original)
    assert code == 1
    assert "beta-likeness: violated in 1 of 2 classes, by 2 of 5 records (beta = 1.5)" in printed
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"reference": {"disease": {"flu": 2, "cold": 1, "SECRET": 2}}}))
    assert run(*words, "--reference", report)[:2] == (1, printed)
    report.write_text("[]")
    code, _, errors = run(*words, "--reference", report)
    assert (code, "has no reference; give the JSON of the release, or the data" in errors) == (2, True)
    code, _, errors = run(*words, "--reference", tmp_path / "none.json")
    assert (code, "none.json'; give the JSON of the release, or the data" in errors) == (2, True)


def test_hierarchy_of_a_sensitive_column(run: Run, released: Path, original: Path, tmp_path: Path) -> None:
    tree = tmp_path / "disease.csv"
    tree.write_text("flu;lung;*\ncold;lung;*\nSECRET;other;*\n")
    words = ["check", released, "--qi", "age,sex", "--reference", original]
    words += ["--require", "t-closeness:t=0.6,distance=hierarchical"]
    code, printed, _ = run(*words, "--sensitive", f"disease={tree}")
    assert code == 0
    assert "t-closeness: holds (t = 0.6)" in printed
    code, _, errors = run(*words, "--sensitive", "disease")
    assert (code, "needs a hierarchy of 'disease'" in errors) == (2, True)
    code, _, errors = run(*words, "--sensitive", "disease=")
    assert (code, "write it like disease=disease.csv" in errors) == (2, True)
