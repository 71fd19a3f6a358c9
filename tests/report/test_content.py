"""The six answers, and what a release does not protect from, given what was asked."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from sfumato.report import Report, report_of
from sfumato.solution import Solution, Status
from sfumato.testing.answers import answered

SIX = ["asked", "attained", "lost", "suppressed", "distance", "unprotected"]


def report(table: sf.Table, *models: sf.ClassModel, limit: str = "20%", loss: object = None) -> Report:
    problem = sf.Problem(table, list(models), loss or sf.LM(), sf.FullDomain(suppression_limit=limit))  # type: ignore[arg-type]
    return report_of(problem.solve(), Path())


def limits(page: Report) -> dict[str, str]:
    (section,) = (section for section in page.sections if section.key == "unprotected")
    (bullets,) = section.blocks
    return dict(bullets.entries)  # type: ignore[union-attr]


def answers(page: Report) -> dict[str, str]:
    return {answer.key: " ".join([answer.headline, *answer.details]) for answer in page.answers}


def test_six_answers(solution: Solution) -> None:
    page = report_of(solution, Path())
    assert [answer.key for answer in page.answers] == SIX
    answered = answers(page)
    assert "k-anonymity (k = 4)" in answered["asked"]
    assert "Everybody looks like at least 3 others" in answered["asked"]
    assert "At most 12 records (20%) may be left out." in answered["asked"]
    assert answered["attained"].startswith(f"k = {solution.attained['k-anonymity']['k']} ")
    assert f"{solution.losses['lm']['relative']:.1%} of all detail" in answered["lost"]
    assert f"{solution.suppressed:,} of 60 records" in answered["suppressed"]
    assert "Columns left out entirely: 'name', 'code', 'note' (2 without a role)." in answered["suppressed"]
    assert "Proven: no other choice loses less" in answered["distance"]
    assert f"{solution.examined:,} of {solution.space:,} choices examined" in answered["distance"]
    assert answered["unprotected"].startswith(f"{len(limits(page))} things to know")


def test_what_was_lost_because_it_was_asked_for(table: sf.Table) -> None:
    name = table.frequencies.quasi_identifiers[0].name
    recodings: list[sf.Recoding] = [
        sf.FullDomain("20%", min_level={name: 1}),
        sf.FullSubtree("all-records", suppression_limit="20%", min_level={name: 1}),
    ]
    for recoding in recodings:
        solution = sf.Problem(table, [sf.KAnonymity(4)], recoding=recoding).solve()
        said = answers(report_of(solution, Path()))["lost"]
        assert f"Part of what '{name}' lost was asked for: min_level sets their lowest level." in said


def test_several_requirements(table: sf.Table) -> None:
    answered = answers(
        report(table, sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2), sf.LDiversity("disease", "6/5"))
    )
    assert answered["asked"].startswith(
        "k-anonymity (k = 4); distinct-l-diversity of 'disease' (l = 2); l-diversity of 'dis"
    )
    assert "Everybody looks like" not in answered["asked"]  # three sentences are for the table of requirements
    assert "k-anonymity: k = " in answered["attained"]  # both other models have an l
    two = answers(report(table, sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2)))
    assert two["attained"].startswith("k = ")
    assert "; l = " in two["attained"]
    assert "Everybody looks like" in two["asked"]


def test_all_of_it_is_json(solution: Solution) -> None:
    page = report_of(solution, Path())
    written = json.loads(json.dumps(page.to_json(), allow_nan=False))
    for key, value in solution.to_json().items():
        assert written[key] == value
    assert [answer["key"] for answer in written["answers"]] == SIX
    assert [section["title"] for section in written["sections"]] == [section.title for section in page.sections]
    assert written["checked"]["holds"] is True
    assert written["checked"]["attained"] == written["attained"]
    assert written["risks"]["after"]["smallest_class"] == written["attained"]["k-anonymity"]["k"]
    assert written["versions"].keys() == {"sfumato", "python", "duckdb", "numpy"}


def test_stopped_searches_are_not_called_optimal(solution: Solution) -> None:
    assert solution.exact_cost is not None
    stopped = answered(solution, status=Status.FEASIBLE, exact_bound=solution.exact_cost * Fraction(10, 11))
    assert answers(report_of(stopped, Path()))["distance"].startswith("At most 10% above the least possible")
    heuristic = answered(solution, status=Status.FEASIBLE, exact_bound=None)
    assert answers(report_of(heuristic, Path()))["distance"].startswith("Unknown: no bound was proved")


def test_homogeneity_is_noted_unless_diversity_is_asked(table: sf.Table) -> None:
    only_k = limits(report(table, sf.KAnonymity(4)))
    assert "No requirement protects 'disease'" in only_k["A value that a whole group shares."]
    assert "Good guesses." not in only_k
    diverse = limits(report(table, sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2)))
    assert "A value that a whole group shares." not in diverse
    assert "the most frequent value of a person's group" in diverse["Good guesses."]


def test_the_records_that_share_a_value_are_counted(people: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"disease": sf.flat()}, sensitive=["income"])
    lines = [line.split(",") for line in people.read_text().splitlines()[1:]]
    note = limits(report(table, sf.KAnonymity(1), limit="0"))["A value that a whole group shares."]
    groups = {disease: {line[5] for line in lines if line[4] == disease} for disease in {line[4] for line in lines}}
    certain = sum(line[4] in {d for d, incomes in groups.items() if len(incomes) == 1} for line in lines)
    assert certain == 1  # who has the rare disease
    assert f"{certain} record of the release is in such groups" in note


def test_no_sensitive_column(people: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"sex": sf.flat()})
    notes = limits(report(table, sf.KAnonymity(4)))
    assert "No column was named as sensitive" in notes["A value that a whole group shares."]
    assert "Columns published as they are." not in notes


def test_what_always_holds(table: sf.Table) -> None:
    notes = limits(report(table, sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2)))
    assert {"Two releases of the same people.", "Knowledge of the method.", "Attackers who know more."} <= notes.keys()
    assert "'age', 'town' and 'sex'" in notes["Attackers who know more."]
    assert "'income' is neither blurred nor protected" in notes["Columns published as they are."]


def test_columns_published_as_they_are(people: Path) -> None:
    roles = {"sensitive": ["disease", "income"], "target": "income", "insensitive": ["note"]}
    table = sf.Table(people, quasi_identifiers={"sex": sf.flat()}, **roles)  # type: ignore[arg-type]
    note = limits(report(table, sf.KAnonymity(4)))["Columns published as they are."]
    assert note.startswith("'note' is neither")  # the target is sensitive as well, and named there


@pytest.mark.filterwarnings("ignore::sfumato.errors.UnitWarning")
def test_units(people: Path) -> None:
    quasi = {"sex": sf.flat()}
    assert "Several records of one person." in limits(
        report(sf.Table(people, quasi_identifiers=quasi), sf.KAnonymity(2))
    )
    counted = report(sf.Table(people, quasi_identifiers=quasi, unit="note"), sf.KAnonymity(2))
    assert "Several records of one person." not in limits(counted)
    assert answers(counted)["attained"].startswith("k = 4 ")  # four notes, so four persons
    assert counted.findings.audit.attained["k-anonymity"]["k"] > 4  # type: ignore[operator]


def test_values_without_a_limit(table: sf.Table) -> None:
    model = sf.LPlusDiversity("disease", {"flu": 1, "raredisease": 1}, default="9/10")
    page = report(table, sf.KAnonymity(4), model)
    assert "raredisease" not in set(page.findings.solution.release()["disease"])
    note = limits(page)["Values without a limit."]
    assert note == "In 'disease', 'flu' and 1 more may have any share of a group (theta = 1), so nothing protects them."


def test_every_loss_is_stated(table: sf.Table) -> None:
    page = report(table, sf.KAnonymity(4), loss=sf.Discernibility())
    assert "The search minimised discernibility: " in answers(page)["lost"]
    assert {"lm", "discernibility", "classification", "precision"} <= page.to_json()["losses"].keys()


def test_nothing_published(table: sf.Table) -> None:
    page = report(table, sf.KAnonymity(61), limit="100%")
    answered = answers(page)
    assert "60 of 60 records (100%)" in answered["suppressed"]
    assert answered["attained"].startswith("k = – ")
    json.dumps(page.to_json(), allow_nan=False)


def test_nothing_to_release(table: sf.Table) -> None:
    with pytest.raises(sf.InfeasibleError, match="There is nothing to release: infeasible"):
        report(table, sf.KAnonymity(61), limit="0")


def test_every_column_is_named_with_what_becomes_of_it(solution: Solution) -> None:
    page = report_of(solution, Path())
    (section,) = (section for section in page.sections if section.key == "columns")
    (grid,) = section.blocks
    rows = [(role, names) for role, names, _ in grid.rows]  # type: ignore[union-attr]
    assert ("identifier", "name") in rows
    assert ("no role", "code, note") in rows
    named = [name for _, names in rows for name in names.split(", ")]
    assert sorted(named) == sorted(solution.problem.data.engine.columns)


def test_many_columns_without_a_role(people: Path) -> None:
    frame = pd.read_csv(people)
    wide = pd.concat([frame, pd.DataFrame(0, index=frame.index, columns=[f"extra{i}" for i in range(9)])], axis=1)
    table = sf.Table(wide, quasi_identifiers={"age": sf.intervals(10, 20)})
    page = report_of(sf.Problem(table, [sf.KAnonymity(2)]).solve(), Path())
    rest = [name for name in wide.columns if name != "age"]
    first = ", ".join(f"'{name}'" for name in rest[:6])
    assert f"Columns left out entirely: {first}, {len(rest) - 6} more (without a role)." in answers(page)["suppressed"]
    (section,) = (section for section in page.sections if section.key == "columns")
    assert ", ".join(rest) in [names for _, names, _ in section.blocks[0].rows]  # type: ignore[union-attr]


def test_those_who_look_alike_have_one_name(solution: Solution) -> None:
    """A group is a group throughout; that others call it an equivalence class is said once."""
    page = report_of(solution, Path())
    said = json.dumps([page.to_json()["answers"], page.to_json()["sections"]]).replace("average-class-size", "")
    assert re.findall(r"[\w ]*\bclass(?:es)?\b", said) == ["equivalence classes"]
