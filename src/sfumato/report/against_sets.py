"""Sets of items at the cut that a report states: what they lose, by the definition. No search is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sfumato.deal import ReleaseCounts
from sfumato.questions import Answer
from sfumato.report.answered import answer_of, questions_of_columns
from sfumato.report.compared import Finding, alike, close, equal
from sfumato.report.hashes import sets_sha256

ReportJson = Mapping[str, Any]  # the JSON of a report, or what it says of one column


@dataclass(frozen=True, eq=False)
class Restated:
    """What was looked at, and the recoding that the report states, if it states one."""

    findings: tuple[Finding, ...]
    recoding: Any = None
    cost: Fraction = Fraction(0)
    content: str = ""  # the hash of what it publishes


def of_transactions(report: ReportJson, problem: Any) -> Restated:
    """Transactions: their cost, their cut, and that the release is these at this cut."""
    again = _at_cut(report, problem.question, "cost", "cut")
    if again.recoding is None:
        return again
    content = sets_sha256(again.recoding.published, problem.question.items.labels)
    findings = (
        equal("records of the input", report["records"]["in"], problem.data.total),
        *again.findings,
        equal("content of the release: this data at the stated cut", report["hashes"]["release"]["content"], content),
    )
    return Restated(findings, again.recoding, again.cost, content)


def of_columns(
    report: ReportJson, problem: Any, counts: ReleaseCounts
) -> tuple[tuple[Finding, ...], tuple[Answer, ...] | None]:
    """Each column of sets of a table, for the records that are published; no answers if one is not stated."""
    findings: list[Finding] = []
    answers: list[Answer] = []
    for name, one in questions_of_columns(problem, counts).items():
        sets, stated = f"the sets in '{name}'", report["sets"].get(name, {})
        again = _at_cut(stated, one, f"cost of {sets}", f"the cut of {sets}")
        findings += again.findings
        if again.recoding is not None:
            answers.append(answer_of(stated, one, again.recoding, again.cost))
    return tuple(findings), tuple(answers) if len(answers) == len(problem.data.sets) else None


def _at_cut(column: ReportJson, question: Any, cost_of: str, cut_of: str) -> Restated:
    stated = column.get("recoding", {})
    recoding = question.recoding.restated(stated, question.items, question.protected)
    if recoding is None:
        return Restated((Finding(cost_of, None, "sets are recoded each by itself, in more ways than a report states"),))
    cost = question.cost(recoding)
    bound = column["bound"]
    holds = bound is None or bound <= float(cost) * (1 + 1e-9)
    findings = (
        close(f"{cost_of} ({question.loss.name})", column["loss"]["value"], float(cost)),
        alike(cut_of, stated, recoding.to_json()),
        Finding(f"bound ≤ {cost_of}", holds, f"bound {bound}, cost {float(cost)}"),
    )
    return Restated(findings, recoding, cost)
