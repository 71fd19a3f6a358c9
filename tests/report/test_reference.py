"""The input's distributions in a report: what is said of them, and what becomes of verification without them."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.report import report_of, verify
from sfumato.report.html import html

RARE = "qzdisease1qz"
ASK = (
    *("--qi", "age=flat", "--sensitive", "disease", "--suppression-limit", "10%"),
    *("--require", "k-anonymity:k=3", "--require", "t-closeness:t=0.5"),
)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """One of them is alone with her age, and with her disease."""
    rows = [(20 + i % 2, "flu" if i % 3 else "cold") for i in range(30)] + [(77, RARE)]
    path = tmp_path / "people.csv"
    pd.DataFrame(rows, columns=["age", "disease"]).to_csv(path, index=False)
    return path


def solved(people: Path) -> sf.Solution:
    table = sf.Table(people, quasi_identifiers={"age": sf.flat()}, sensitive=["disease"])
    models = [sf.KAnonymity(3), sf.TCloseness("disease", 0.5)]
    return sf.Problem(table, models, recoding=sf.FullDomain("10%", max_level={"age": 0})).solve()


def test_a_report_that_names_what_the_release_does_not_show_says_so(people: Path, tmp_path: Path) -> None:
    solution = solved(people)
    assert solution.suppressed == 1
    with pytest.warns(
        sf.SfumatoWarning, match="The report's JSON names 1 value of 'disease' that the release does not"
    ):
        solution.report(tmp_path / "report.json")
    assert RARE in (tmp_path / "report.json").read_text()


def test_no_warning_where_nothing_more_is_named(people: Path, tmp_path: Path) -> None:
    people.write_text(people.read_text().replace(RARE, "flu"))
    solved(people).report(tmp_path / "report.json")


def test_a_page_alone_says_nothing(people: Path, tmp_path: Path) -> None:
    solved(people).report(tmp_path / "report.html")
    assert RARE not in (tmp_path / "report.html").read_text()


def test_it_is_left_out_on_request(people: Path, tmp_path: Path) -> None:
    solution = solved(people)
    solution.write(tmp_path / "released.csv")
    paths = tmp_path / "report.html", tmp_path / "report.json"
    solution.report(*paths, released=tmp_path / "released.csv", without_reference=True)
    assert not any(RARE in path.read_text() for path in paths)
    assert json.loads(paths[1].read_text())["reference"] is None
    assert "occurs in the input is left out of the JSON" in html(report_of(solution, tmp_path, without_reference=True))
    for original in (None, people):
        verification = verify(paths[1], tmp_path / "released.csv", original)
        assert verification.holds, verification.differences
        not_done = {one.what: one.why for one in verification.findings if one.agrees is None}
        assert not_done["attained, t-closeness"] == "the report leaves out the input's distribution"
        assert ("the input's distribution" in not_done) == (original is not None)


def test_a_changed_release_still_differs(people: Path, tmp_path: Path) -> None:
    solution = solved(people)
    solution.write(tmp_path / "released.csv")
    solution.report(tmp_path / "report.json", released=tmp_path / "released.csv", without_reference=True)
    text = (tmp_path / "released.csv").read_text()
    (tmp_path / "released.csv").write_text(text + text.splitlines()[-1] + "\n")
    differing = {one.what for one in verify(tmp_path / "report.json", tmp_path / "released.csv").differences}
    assert "release: records" in differing


@pytest.mark.parametrize("without", [False, True])
@pytest.mark.parametrize("as_json", [False, True])
def test_on_the_command_line(
    people: Path, tmp_path: Path, without: bool, as_json: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    more = [*(["--without-reference"] if without else []), *(["--json"] if as_json else [])]
    words = ["anonymize", people, "-o", tmp_path / "released.csv", *ASK, "--report", tmp_path / "report.html", *more]
    assert main(list(map(str, words))) == 0
    shown = capfd.readouterr()
    assert (RARE in shown.out) == (as_json and not without)
    if without:
        assert shown.err == ""
    else:
        assert shown.err.startswith("sfumato: warning: The report's JSON names 1 value of 'disease'")
        assert len(shown.err.splitlines()) == 1
        assert RARE not in shown.err
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["reference"] is None) == without
    assert report["project"]["release"].get("without_reference", False) == without


def test_in_a_project_file(people: Path, tmp_path: Path) -> None:
    project = tmp_path / "sfumato.toml"
    project.write_text(
        '[data]\nsource = "people.csv"\nsensitive = ["disease"]\nquasi_identifiers = { age = "flat" }\n'
        '[[constraints]]\nmodel = "t-closeness"\nt = 0.5\n[recoding]\nmodel = "full-domain"\n'
        '[release]\noutput = "released.csv"\nreport = "report.html"\nwithout_reference = true\n'
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.Project.load(project).run()
    assert json.loads((tmp_path / "report.json").read_text())["reference"] is None
