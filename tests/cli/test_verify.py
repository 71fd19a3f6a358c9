"""sfumato verify, and reports of sfumato anonymize."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

WORDS = ["--qi", "age=intervals:10,20", "--qi", "sex=flat", "--sensitive", "disease", "--identifier", "name"]
WORDS += ["--require", "k-anonymity:k=4", "--suppression-limit", "20%"]


@pytest.fixture
def folder(run: Run, people: Path) -> Path:
    out, report = people.parent / "released.csv", people.parent / "report.html"
    code, printed, errors = run("anonymize", people, "-o", out, *WORDS, "--report", report)
    assert (code, errors) == (0, "")
    assert printed.endswith(f"released.csv written and checked\nreport: {report} and {report.with_suffix('.json')}\n")
    return people.parent


def test_a_page_and_its_json(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert page.startswith("<!doctype html>")
    assert report["hashes"]["release"]["name"] == "released.csv"
    for text in (page, json.dumps(report)):
        assert "SECRETNAME" not in text
        assert "SECRETTOWN" not in text


def test_agreement(run: Run, folder: Path) -> None:
    code, printed, errors = run(
        "verify", folder / "report.json", folder / "released.csv", "--original", folder / "people.csv"
    )
    assert (code, errors) == (0, "")
    assert "DIFFERS" not in printed
    assert "agrees    cost (lm)\n" in printed
    verdict = "The published file is the one that the report describes, and both agree with the data."
    assert printed.startswith(f"{verdict}\n\nThe report, by itself\n  agrees    bound ≤ cost")


def test_differences(run: Run, folder: Path) -> None:
    released = folder / "released.csv"
    released.write_text("\n".join(released.read_text().splitlines()[:-1]) + "\n")
    code, printed, errors = run("verify", folder / "report.json", released)
    assert (code, errors) == (1, "")
    assert "DIFFERS   release: SHA-256 of the file: " in printed
    assert "DIFFERS   release: content: " in printed
    verdict = "DIFFERENT: the published file is not the one that the report describes ("
    assert printed.startswith(verdict)
    assert " comparisons differ).\n" in printed


def test_each_line_says_what_it_compared(run: Run, folder: Path) -> None:
    """Of a file with altered records nothing agrees that sounds as if it were the data at the stated levels."""
    released = folder / "released.csv"
    head, *rows = released.read_text().splitlines()
    released.write_text("\n".join([head, *(row.replace(",f", ",m") for row in rows)]) + "\n")
    words = ["verify", folder / "report.json", released, "--original", folder / "people.csv"]
    code, printed, _ = run(*words)
    assert code == 1
    assert printed.startswith("DIFFERENT: the published file is not the one that the report describes; ")
    report_and_data, file_and_data = printed.split("The report and the data\n")[1].split(
        "The published file and the data"
    )
    assert "DIFFERS" not in report_and_data
    assert "the published records" not in report_and_data
    assert (
        "DIFFERS   the published records are this data at the stated levels: the file has other records"
        in file_and_data
    )
    assert "agrees" not in file_and_data
    answer = json.loads(run(*words, "--json").out)
    assert answer["verdict"] == printed.splitlines()[0]
    compared = {one["compared"] for one in answer["findings"] if one["agrees"] is False}
    assert compared == {"the report and the published file", "the published file and the data"}


def test_json(run: Run, folder: Path) -> None:
    code, printed, _ = run("verify", folder / "report.json", folder / "released.csv", "--json")
    assert code == 0
    answer = json.loads(printed)
    assert answer["holds"] is True
    cost = {"what": "cost", "agrees": None, "why": "needs the data; give --original DATA"}
    assert {**cost, "compared": "the report and the data"} in answer["findings"]
    assert answer["verdict"].endswith("Neither was compared with the data.")


def test_hierarchies_elsewhere(run: Run, folder: Path) -> None:
    (folder / "sex.csv").write_text("f;*\nm;*\n")
    words = ["verify", folder / "report.json", folder / "released.csv", "--original", folder / "people.csv"]
    assert run(*words, "--hierarchy", f"sex={folder / 'sex.csv'}").code == 0
    code, _, errors = run(*words, "--hierarchy", "sex")
    assert code == 2
    assert "--hierarchy sex has no hierarchy; write sex=flat" in errors


def test_the_reference_of_check(run: Run, people: Path) -> None:
    out, report = people.parent / "released.csv", people.parent / "report.json"
    words = [*WORDS, "--require", "t-closeness:t=1/2", "--report", report]
    assert run("anonymize", people, "-o", out, *words).code == 0
    assert (people.parent / "report.html").exists()
    require = ["--sensitive", "disease", "--require", "t-closeness:t=1/2"]
    code, printed, _ = run("check", out, "--qi", "age,sex", *require, "--reference", report)
    assert code == 0
    assert "not known" not in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["report.html", "released.csv"], "cannot be read as JSON; give report.json, not the page."),
        (["absent.json", "released.csv"], "There is no file"),
        (["report.json", "absent.csv"], "There is no file"),
        (["report.json"], "Missing argument 'RELEASED'"),
    ],
)
def test_wrong_calls(run: Run, folder: Path, words: list[str], message: str) -> None:
    code, _, errors = run("verify", *(folder / word for word in words))
    assert code == 2
    assert message in errors


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("report.pdf", "'report.pdf' is not a name of a report; end it in .html or .json."),
        ("absent/report.html", "there is no folder"),
    ],
)
def test_wrong_reports_are_named_before_the_data_is_read(run: Run, people: Path, name: str, message: str) -> None:
    out = people.parent / "released.csv"
    people.write_text("this is no data")
    code, _, errors = run("anonymize", people, "-o", out, *WORDS, "--report", people.parent / name)
    assert code == 2
    assert message in errors


def test_nothing_is_reported_where_nothing_is_released(run: Run, people: Path) -> None:
    words = ["--qi", "sex=flat", "--require", "k-anonymity:k=1000", "--report", people.parent / "report.html"]
    assert run("anonymize", people, "-o", people.parent / "released.csv", *words).code == 1
    assert not (people.parent / "report.html").exists()


def test_projects_name_a_report(run: Run, people: Path) -> None:
    project = people.parent / "sfumato.toml"
    project.write_text(
        '[data]\nsource = "people.csv"\n[data.quasi_identifiers]\nage = { intervals = [10, 20] }\nsex = "flat"\n'
        '[[constraints]]\nmodel = "k-anonymity"\nk = 4\n[recoding]\nmodel = "full-domain"\nsuppression_limit = "20%"\n'
        '[solve]\ntime_limit = "60s"\nseed = 3\n[release]\noutput = "released.csv"\nreport = "report.html"\n'
        "spreadsheet_safe = true\n"
    )
    assert run("anonymize", project).code == 0
    report = json.loads((people.parent / "report.json").read_text(encoding="utf-8"))
    assert report["project"]["solve"] == {"algorithm": "lattice-search", "seed": 3, "time_limit": "60s"}
    assert report["project"]["release"] == {"output": "released.csv", "spreadsheet_safe": True}
    words = ["verify", people.parent / "report.json", people.parent / "released.csv", "--original", people]
    assert run(*words).code == 0
    other = people.parent / "other.json"
    assert run("anonymize", project, "--report", other, "-o", people.parent / "other.csv").code == 0
    assert json.loads(other.read_text(encoding="utf-8"))["title"] == "people.csv → other.csv"


def test_help(run: Run) -> None:
    code, printed, _ = run("verify", "--help")
    assert code == 0
    assert "sfumato verify report.json released.csv --original people.csv" in printed
