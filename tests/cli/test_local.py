"""Local recoding on the command line and in a project file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

ROWS = """name,age,zipcode,disease
a,20,10000,hepatitis
b,20,10001,hepatitis
c,20,10002,hepatitis
d,20,10003,hepatitis
e,29,10004,phthisis
f,33,10004,hepatitis
g,32,10005,phthisis
h,31,10006,phthisis
i,30,10007,phthisis
j,30,10005,anemia
k,28,10019,hepatitis
l,29,10017,flu
"""
TREE = "hepatitis;hemal disease;*\nanemia;hemal disease;*\nphthisis;respiratory disease;*\nflu;respiratory disease;*\n"
COLUMNS = ("--identifier", "name", "--qi", "age=intervals:10,20,40", "--qi", "zipcode=masking")


@pytest.fixture
def patients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "patients.csv").write_text(ROWS)
    (tmp_path / "disease.csv").write_text(TREE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(tau: str = "0.5", *more: str) -> tuple[str, ...]:
    return (
        *("anonymize", "patients.csv", "-o", "out.csv", *COLUMNS, "--sensitive", "disease=disease.csv"),
        *("--require", f"tau-l-diversity:tau={tau},l=3", "--loss", "retained-information", "--recoding", "local"),
        *more,
    )


def test_release_check_report_and_verify(run: Run, patients: Path) -> None:
    done = run(*asked("0.5", "--report", "r.html", "--report", "r.json", "--json"))
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert (answer["algorithm"], answer["status"], answer["bound"]) == ("sequential-sweep", "feasible", None)
    assert answer["records"] == {"in": 12, "out": 12, "suppressed": 0, "values_suppressed": 0}
    assert sum(answer["recoding"]["generalised"]["disease"].values()) > 0
    page = (patients / "r.html").read_text(encoding="utf-8")
    assert "Sensitive values that were generalised" in page
    assert "likely after the release" in page
    done = run(*"check out.csv --qi age,zipcode --sensitive disease=disease.csv".split(),
               *"--reference patients.csv --require tau-l-diversity:tau=0.5,l=3".split())  # fmt: skip
    assert done.code == 0, done.err
    assert "holds (tau = 0.5, l = 3, excess = 0)" in done.out
    done = run("verify", "r.json", "out.csv", "--original", "patients.csv")
    assert done.code == 0, done.out
    assert "agrees    cost (retained-information)" in done.out
    assert "agrees    the published records are this data" in done.out


def test_what_cannot_be_met_writes_nothing(run: Run, patients: Path) -> None:
    done = run(*asked("0.2"))
    assert done.code == 1
    assert "The nearest that can be met: tau = 0.25, l = 3." in done.err
    assert not (patients / "out.csv").exists()


def test_settings_of_the_search(run: Run, patients: Path) -> None:
    done = run(*asked("0.5", "--algorithm", "sequential-sweep:min_class=4,sa_first=true", "--json"))
    assert done.code == 0, done.err
    assert json.loads(done.out)["recoding"]["search"]["min_class"] == 4
    done = run(*asked("0.5", "--algorithm", "sequential-sweep:sa_first=true"))
    assert done.code == 2
    assert "give min_class too" in done.err


def test_a_project_file(run: Run, patients: Path) -> None:
    (patients / "sfumato.toml").write_text(
        """
[data]
source = "patients.csv"
identifiers = ["name"]
[data.sensitive]
disease = "disease.csv"
[data.quasi_identifiers]
age = { intervals = [10, 20, 40] }
zipcode = "masking"
[[constraints]]
model = "tau-l-diversity"
sensitive = "disease"
tau = 0.5
l = 3
[loss]
model = "retained-information"
[recoding]
model = "local"
[solve]
algorithm = { model = "sequential-sweep", min_class = 3 }
"""
    )
    done = run("anonymize", "sfumato.toml", "-o", "out.csv", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["recoding"]["search"]["min_class"] == 3


def least(*more: str) -> tuple[str, ...]:
    return (
        *(
            "anonymize",
            "patients.csv",
            "-o",
            "out.csv",
            *COLUMNS,
            "--recoding",
            "local",
            "--require",
            "k-anonymity:k=3",
        ),
        *more,
    )


def test_local_search_with_its_bound(run: Run, patients: Path) -> None:
    steps = ("--algorithm", "local-search:steps=2000,rounds=4", "--seed", "3")
    done = run(*least(*steps, "--report", "r.html", "--report", "r.json", "--json"))
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert answer["algorithm"] == "local-search"
    assert 0 < answer["bound"] <= answer["loss"]["value"]
    assert answer["recoding"]["search"] == {"model": "local-search", "steps": 2000, "rounds": 4, "complete": True}
    page = (patients / "r.html").read_text(encoding="utf-8")
    assert "no release that satisfies the requirements can lose less than" in page
    assert run(*"check out.csv --qi age,zipcode --require k-anonymity:k=3".split()).code == 0
    done = run("verify", "r.json", "out.csv", "--original", "patients.csv")
    assert done.code == 0, done.out
    assert "agrees    bound ≤ cost" in done.out
    assert "agrees    the published records are this data" in done.out


def test_least_loss_is_the_default_of_local_recoding(run: Run, patients: Path) -> None:
    done = run(*least("--json"))
    assert done.code == 0, done.err
    assert json.loads(done.out)["algorithm"] == "local-search"
    done = run(*least("--time-limit", "0.2s", "--json"))
    assert json.loads(done.out)["recoding"]["search"]["complete"] is False  # as many steps as there was time for


def test_one_dimensional(run: Run, patients: Path) -> None:
    done = run(
        *("anonymize", "patients.csv", "-o", "out.csv", *COLUMNS, "--sensitive", "disease", "--recoding", "local"),
        *("--require", "l-diversity:l=2", "--algorithm", "one-dimensional", "--json"),
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["records"]["out"] == 12


def test_ages_as_intervals_of_any_bounds(run: Run, patients: Path) -> None:
    cut = ("--recoding", "local:splits.age=every", "--algorithm", "local-search:steps=500")
    done = run(*least(*cut, "--report", "r.html", "--report", "r.json", "--json"))
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert 0 < answer["bound"] <= answer["loss"]["value"]
    assert '"[' in (patients / "out.csv").read_text(encoding="utf-8")
    assert "intervals, of " in (patients / "r.html").read_text(encoding="utf-8")
    assert run(*"check out.csv --qi age,zipcode --require k-anonymity:k=3".split()).code == 0
    done = run("verify", "r.json", "out.csv", "--original", "patients.csv")
    assert done.code == 0, done.out
    assert "agrees    the published records are this data" in done.out
    done = run(*least("--recoding", "local:splits.agr=every"))
    assert done.code == 2
    assert "splits has 'agr', which is not a quasi-identifier; choose from age, zipcode." in done.err


def test_intervals_in_a_project_file(run: Run, patients: Path) -> None:
    (patients / "sfumato.toml").write_text(
        """
[data]
source = "patients.csv"
identifiers = ["name"]
[data.quasi_identifiers]
age = { intervals = [10, 20, 40] }
zipcode = "masking"
[[constraints]]
model = "k-anonymity"
k = 3
[recoding]
model = "local"
splits = { age = [25, 31] }
[solve]
algorithm = { model = "local-search", steps = 200 }
"""
    )
    done = run("anonymize", "sfumato.toml", "-o", "out.csv", "--json")
    assert done.code == 0, done.err
    lines = (patients / "out.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert {line.split('"')[1] for line in lines} <= {f"[{a}, {b}" for a in (20, 25, 31) for b in ("25)", "31)", "33]")}
