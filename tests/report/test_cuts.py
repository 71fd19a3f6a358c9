"""Reports of full-subtree recoding: trees, what was withheld and why, and verification of it all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.report import Report, report_of, verify
from sfumato.report.blocks import Code, Grid, Section, Text
from sfumato.solution import Solution

SCHEMES = ["none", "violating-values", "all-values", "violating-records", "all-records"]


def solved(table: sf.Table, scheme: str, theta: str = "1/2", loss: sf.LM | None = None) -> Solution:
    problem = sf.Problem(
        table, [sf.LPlusDiversity("disease", theta=theta)], loss or sf.LM(), sf.FullSubtree(suppression=scheme)
    )
    return problem.solve(sf.SimulatedAnnealing(moves=150), seed=2)


def section(report: Report, key: str) -> Section:
    (one,) = (section for section in report.sections if section.key == key)
    return one


def texts(one: Section) -> str:
    return " ".join(block.text for block in one.blocks if isinstance(block, Text))


def rows(one: Section) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for block in one.blocks if isinstance(block, Grid) for row in block.rows}


def test_the_cut_of_each_column_is_a_tree_with_counts(table: sf.Table) -> None:
    solution = solved(table, "all-records")
    cuts = section(report_of(solution, Path()), "cuts")
    trees = {block.caption: block.text for block in cuts.blocks if isinstance(block, Code)}
    for name, labels in solution.recoding.published_cuts.items():  # type: ignore[union-attr]
        if name in solution.chosen.intact:
            assert rows(cuts)[name][0] == "as it is"
            continue
        tree = trees[f"The cut of '{name}'"]
        assert all(f"{label}  {records:,}" in tree for label, records in labels.items())
        assert sum(labels.values()) == 60 - solution.suppressed


@pytest.mark.parametrize(
    ("scheme", "why"),
    [
        ("violating-values", "every occurrence of that value is printed as *"),
        ("all-values", "all values are printed as *"),
        ("violating-records", "as few records as possible are left out"),
        ("all-records", "All records of a group that does not satisfy"),
    ],
)
def test_what_was_withheld_and_why(table: sf.Table, scheme: str, why: str) -> None:
    """The disease that only one record has must not be named where that record or its value is withheld."""
    solution = solved(table, scheme, theta="2/5", loss=sf.LM(record=0, value=0))
    withheld = section(report_of(solution, Path()), "withheld")
    assert why in texts(withheld)
    amounts = rows(withheld)
    assert amounts["records left out"][0].startswith(f"{solution.suppressed:,} of 60")
    if solution.values_suppressed:
        assert amounts["values of 'disease' printed as *"][0].startswith(f"{solution.values_suppressed:,} of 60")
    shown = {str(value) for value in solution.release()["disease"]}
    for value in ("flu", "cold", "pox", "raredisease"):
        assert value in shown or value not in amounts


def test_stars_that_tell_their_value_are_counted(tmp_path: Path) -> None:
    """In North every other disease occurs, so * is flu; in South it may be one of two."""
    path = tmp_path / "small.csv"
    cells = (
        [("North", "flu")] * 4 + [("North", "cold"), ("North", "pox")] + [("South", "cold")] * 3 + [("South", "pox")]
    )
    path.write_text("town,disease\n" + "\n".join(map(",".join, cells)) + "\n")
    table = sf.Table(path, quasi_identifiers={"town": sf.flat()}, sensitive=["disease"])
    problem = sf.Problem(
        table,
        [sf.LPlusDiversity("disease", theta="1/2")],
        sf.LM(value=0),
        sf.FullSubtree("violating-values", max_level={"town": 0}),
    )
    report = report_of(problem.solve(), Path())
    assert "In 1 group every other value of 'disease' is shown" in texts(section(report, "withheld"))
    limit = next(answer for answer in report.answers if answer.key == "unprotected")
    assert "What stars stand for" in limit.details[0]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_true_report_agrees(table: sf.Table, scheme: str, people: Path) -> None:
    folder = people.parent
    solution = solved(table, scheme)
    assert solution.status == "feasible"
    solution.write(folder / "released.csv")
    solution.report(folder / "report.json", folder / "report.html", released=folder / "released.csv")
    verified = verify(folder / "report.json", folder / "released.csv", people)
    assert not verified.differences, str(verified)
    assert all(finding.agrees for finding in verified.findings)
    assert "bound" in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "differing"),
    [
        (lambda report: report["loss"].update(value=1.0), "cost (lm)"),
        (lambda report: report["records"].update(values_suppressed=1), "values suppressed"),
        (
            lambda report: report["recoding"]["levels"].update(town=[[0, 2], [1, 3]]),
            "content of the release: this data at the stated levels",
        ),
        (lambda report: report["recoding"]["levels"].update(town=[[1, 1], [0, 4]]), "levels"),  # half a node
        (lambda report: report["recoding"]["levels"].update(town=[[0, 9]]), "levels"),
        (lambda report: report["recoding"]["levels"].update(town="no"), "levels"),
        (lambda report: report["recoding"]["levels"].pop("town"), "levels"),
    ],
)
def test_lies_are_named(
    table: sf.Table, people: Path, change: Callable[[dict[str, Any]], object], differing: str
) -> None:
    folder = people.parent
    solution = solved(table, "violating-records")
    assert solution.suppressed
    solution.write(folder / "released.csv")
    solution.report(folder / "report.json", released=folder / "released.csv")
    report = json.loads((folder / "report.json").read_text())
    change(report)
    (folder / "lie.json").write_text(json.dumps(report))
    verified = verify(folder / "lie.json", folder / "released.csv", people)
    assert differing in [one.what for one in verified.differences]


def test_no_value_of_suppressed_records_is_shown(table: sf.Table, people: Path) -> None:
    """The only record of raretown is left out: neither the page nor the JSON names its town or disease."""
    folder = people.parent
    solution = sf.Problem(
        table,
        [sf.KAnonymity(4)],
        sf.LM(record="1/10"),
        sf.FullSubtree("all-records", max_level={"town": 0}),
    ).solve(sf.SimulatedAnnealing(moves=100))
    assert "raretown" not in set(solution.release()["town"])
    solution.report(folder / "report.html", folder / "report.json")
    for name in ("report.html", "report.json"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "raretown" not in text
        assert "raredisease" not in text


def test_full_domain_reports_are_as_ever(solution: Solution) -> None:
    keys = [section.key for section in report_of(solution, Path()).sections]
    assert "levels" in keys
    assert not {"cuts", "withheld"} & set(keys)
