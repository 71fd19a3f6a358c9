"""The six answers, and what a release does not protect from, given what was asked."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.report import Report, report_of
from sfumato.solution import Solution, Status
from sfumato.testing.answers import answered

SIX = ["asked", "attained", "lost", "suppressed", "distance", "unprotected"]


def report(table: sf.Table, *models: sf.ClassModel, limit: str = "20%", loss: object = None) -> Report:
    problem = sf.Problem(table, list(models), loss or sf.LM(), sf.FullDomain(suppression_limit=limit))  # type: ignore[arg-type]
    return report_of(problem.solve(), Path())


def limits(found: Report) -> dict[str, str]:
    (section,) = (section for section in found.sections if section.key == "unprotected")
    (bullets,) = section.blocks
    return dict(bullets.entries)  # type: ignore[union-attr]


def answers(found: Report) -> dict[str, str]:
    return {answer.key: " ".join([answer.headline, *answer.details]) for answer in found.answers}


def test_six_answers(solution: Solution) -> None:
    found = report_of(solution, Path())
    assert [answer.key for answer in found.answers] == SIX
    told = answers(found)
    assert "k-anonymity (k = 4)" in told["asked"]
    assert "Everybody looks like at least 3 others" in told["asked"]
    assert "At most 12 records (20%) may be left out." in told["asked"]
    assert told["attained"].startswith(f"k = {solution.attained['k-anonymity']['k']} ")
    assert f"{solution.losses['lm']['relative']:.1%} of all detail" in told["lost"]
    assert f"{solution.suppressed:,} of 60 records" in told["suppressed"]
    assert "Columns left out entirely: 'name', 2 columns without a role." in told["suppressed"]
    assert "Proven: no other choice loses less" in told["distance"]
    assert f"{solution.examined:,} of {solution.space:,} choices examined" in told["distance"]
    assert told["unprotected"].startswith(f"{len(limits(found))} things to know")


def test_several_requirements(table: sf.Table) -> None:
    told = answers(
        report(table, sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2), sf.LDiversity("disease", "6/5"))
    )
    assert told["asked"].startswith(
        "k-anonymity (k = 4); distinct-l-diversity of 'disease' (l = 2); l-diversity of 'dis"
    )
    assert "Everybody looks like" not in told["asked"]  # three sentences are for the table of requirements
    assert "k-anonymity: k = " in told["attained"]  # both other models have an l
    two = answers(report(table, sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2)))
    assert two["attained"].startswith("k = ")
    assert "; l = " in two["attained"]
    assert "Everybody looks like" in two["asked"]


def test_all_of_it_is_json(solution: Solution) -> None:
    found = report_of(solution, Path())
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    for key, value in solution.to_json().items():
        assert told[key] == value
    assert [answer["key"] for answer in told["answers"]] == SIX
    assert [section["title"] for section in told["sections"]] == [section.title for section in found.sections]
    assert told["checked"]["holds"] is True
    assert told["checked"]["attained"] == told["attained"]
    assert told["risks"]["after"]["smallest_class"] == told["attained"]["k-anonymity"]["k"]
    assert told["versions"].keys() == {"sfumato", "python", "duckdb", "numpy"}


def test_stopped_searches_are_not_called_optimal(solution: Solution) -> None:
    assert solution.exact_cost is not None
    stopped = answered(solution, status=Status.FEASIBLE, exact_bound=solution.exact_cost * Fraction(10, 11))
    assert answers(report_of(stopped, Path()))["distance"].startswith("At most 10% above the least possible")
    heuristic = answered(solution, status=Status.FEASIBLE, exact_bound=None)
    assert answers(report_of(heuristic, Path()))["distance"].startswith("Not known: no bound was proved")


def test_homogeneity_is_told_unless_diversity_is_asked(table: sf.Table) -> None:
    only_k = limits(report(table, sf.KAnonymity(4)))
    assert "Nothing was asked about 'disease'" in only_k["A value that a whole group shares."]
    assert "Good guesses." not in only_k
    diverse = limits(report(table, sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2)))
    assert "A value that a whole group shares." not in diverse
    assert "the best guess" in diverse["Good guesses."]


def test_the_records_that_share_a_value_are_counted(people: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"disease": sf.flat()}, sensitive=["income"])
    lines = [line.split(",") for line in people.read_text().splitlines()[1:]]
    told = limits(report(table, sf.KAnonymity(1), limit="0"))["A value that a whole group shares."]
    groups = {disease: {line[5] for line in lines if line[4] == disease} for disease in {line[4] for line in lines}}
    certain = sum(line[4] in {d for d, incomes in groups.items() if len(incomes) == 1} for line in lines)
    assert certain == 1  # who has the rare disease
    assert f"{certain} record of the release is in groups" in told


def test_no_sensitive_column(people: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"sex": sf.flat()})
    told = limits(report(table, sf.KAnonymity(4)))
    assert "No column was named as sensitive" in told["A value that a whole group shares."]
    assert "Columns published as they are." not in told


def test_always_told(table: sf.Table) -> None:
    told = limits(report(table, sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2)))
    assert {"Two releases of the same people.", "Knowledge of the method.", "Attackers who know more."} <= told.keys()
    assert "'age', 'town' and 'sex'" in told["Attackers who know more."]
    assert "'income' is neither blurred nor protected" in told["Columns published as they are."]


def test_columns_published_as_they_are(people: Path) -> None:
    roles = {"sensitive": ["disease", "income"], "target": "income", "insensitive": ["note"]}
    table = sf.Table(people, quasi_identifiers={"sex": sf.flat()}, **roles)  # type: ignore[arg-type]
    told = limits(report(table, sf.KAnonymity(4)))["Columns published as they are."]
    assert told.startswith("'note' is neither")  # the target is sensitive as well, and told there


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
    found = report(table, sf.KAnonymity(4), model)
    assert "raredisease" not in set(found.findings.solution.release()["disease"])
    told = limits(found)["Values without a limit."]
    assert told == "In 'disease', 'flu' and 1 more may have any share of a group (theta = 1), so nothing protects them."


def test_every_loss_is_told(table: sf.Table) -> None:
    found = report(table, sf.KAnonymity(4), loss=sf.Discernibility())
    assert "What was minimised, discernibility, is" in answers(found)["lost"]
    assert {"lm", "discernibility", "classification", "precision"} <= found.to_json()["losses"].keys()


def test_nothing_published(table: sf.Table) -> None:
    found = report(table, sf.KAnonymity(61), limit="100%")
    told = answers(found)
    assert "60 of 60 records (100%)" in told["suppressed"]
    assert told["attained"].startswith("k = – ")
    json.dumps(found.to_json(), allow_nan=False)


def test_nothing_found(table: sf.Table) -> None:
    with pytest.raises(sf.InfeasibleError, match="There is nothing to release: infeasible"):
        report(table, sf.KAnonymity(61), limit="0")
