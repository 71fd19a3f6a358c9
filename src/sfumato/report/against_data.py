"""A report against the data that the release was made from: its hashes, and the stated recoding, evaluated anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from sfumato import algorithms
from sfumato.deal import ReleaseCounts
from sfumato.engines import ReadBy
from sfumato.errors import InputError
from sfumato.privacy.base import census_among, keys
from sfumato.problem import Problem
from sfumato.questions import Answer, ClassQuestion, Status
from sfumato.recoding import Recoded
from sfumato.report.against_originals import against_originals
from sfumato.report.against_release import published_content
from sfumato.report.against_sets import of_columns, of_transactions
from sfumato.report.answered import answer_of, audit_of, class_answer, hashes_of_input, set_answers, solution_of
from sfumato.report.answers import answers
from sfumato.report.compared import BOTH, Finding, alike, close, equal
from sfumato.report.findings import Findings
from sfumato.report.hashes import file_sha256, plan_sha256
from sfumato.report.limits import limits
from sfumato.report.stated import Stated
from sfumato.settings.registry import find_part
from sfumato.settings.uri import Uri
from sfumato.solution import Solution

ReportJson = Mapping[str, Any]  # the JSON of a report


def against_data(stated: Stated, original: Path | Uri | ReadBy, released: Path) -> Iterator[Finding]:
    """What the data says: its hashes, the truth of what is published, and the stated recoding, evaluated anew."""
    stated.require_hierarchies()
    place = original.place if isinstance(original, ReadBy) else original
    input_hashes, here = stated.report["hashes"]["input"], file_sha256(place)
    if here is None and isinstance(original, Path):
        raise InputError(f"There is no file '{original}'; give the data that the release was made from.")
    if input_hashes["sha256"] is not None and here is not None:
        yield equal("input: SHA-256 of the file", input_hashes["sha256"], here)
    try:
        problem = stated.problem(original)
    except InputError as error:
        if here is not None and here == input_hashes["sha256"]:  # it is the data, and something else is wrong
            raise
        yield Finding("input: read as the project says", False, str(error))
        return
    content, hierarchies = hashes_of_input(problem)
    yield equal("input: content", input_hashes["content"], content)
    for name, one in stated.report["hashes"]["hierarchies"].items():
        if name in hierarchies:
            yield equal(f"hierarchy of '{name}'", one["sha256"], hierarchies[name])
    section = stated.report["project"]["data"]
    yield against_originals(section, problem, released, of_transactions=stated.of_transactions)
    if stated.foreign:
        yield Finding(
            "cost", None, f"{stated.foreign[0]} is not a model of sfumato's own, or its population was not a file"
        )
    elif stated.of_transactions:
        yield from _recoded_sets(stated.report, problem, published_content(stated, released))
    else:
        yield from _recoded(stated.report, problem, published_content(stated, released))


def _recoded_sets(report: ReportJson, problem: Any, content: str | None) -> Iterator[Finding]:
    """Cost and release of these transactions at the stated cut; content: the hash of what the file publishes."""
    again = of_transactions(report, problem)
    yield from again.findings
    if again.recoding is not None:
        yield from _publishes(content, again.content, "cut")
        answer = answer_of(report, problem.question, again.recoding, again.cost)
        yield from _stated_again(report, solution_of(report, problem, answer))


def _publishes(content: str | None, recoded: str, at: str) -> Iterator[Finding]:
    """Whether the file publishes what the data is at the stated levels, or at the stated cut."""
    what = f"the published records are this data at the stated {at}"
    if content is None:
        yield Finding(what, False, "the file cannot be read as the report says", BOTH)
    else:
        yield Finding(
            what, content == recoded, "" if content == recoded else "the file has other records or other labels", BOTH
        )


def _recoded(report: ReportJson, problem: Problem, published: str | None) -> Iterator[Finding]:
    """Cost, attained values and release of this data at the stated levels; published: the hash of the file's rows."""
    table, question = problem.data, problem.question
    f = table.frequencies
    if report["recoding"].get("search", {"complete": True}).get("complete") is False:
        yield Finding("cost", None, "a local recoding whose search was stopped cannot be reproduced")
        return
    if report["recoding"].get("further_suppression"):
        yield Finding("cost", None, "some classes were suppressed at random, by a seed that the report keeps secret")
        return
    recoding = _stated_recoding(report, problem)
    if recoding is None:
        yield Finding("levels", False, "not such as the recoding allows")
        return
    suppressed, hidden = recoding.withheld_records(f), recoding.withheld_values()
    reads = {model.reads for model in question.constraints if model.reads is not None}
    classes = recoding.summaries(f, reads, census_among(question.constraints))
    cost = question.cost(recoding)
    yield equal("records of the input", report["records"]["in"], f.records)
    yield equal("records suppressed", report["records"]["suppressed"], suppressed)
    yield equal("values suppressed", report["records"]["values_suppressed"], hidden)
    withheld, allowed = question.allowance(recoding)
    yield Finding("suppressed ≤ limit", withheld <= allowed, f"{withheld:,} of {allowed:,} allowed")
    yield close(f"cost ({question.loss.name})", report["loss"]["value"], float(cost))
    yield close("relative cost", report["loss"]["relative"], float(question.share_lost(recoding, cost)))
    for key, model in zip(keys(question.constraints), question.constraints, strict=True):
        yield equal(f"attained in the data's persons, {key}", report["attained"].get(key), model.attained(classes))
    reference = {
        model.reference.name: dict(model.reference.counts) for model in question.constraints if model.reference
    }
    if reference and report.get("reference", {}) is None:
        yield Finding("the input's distribution", None, "the report leaves it out")
    elif reference or report.get("reference"):
        yield Finding("the input's distribution", report.get("reference", {}) == reference)
    plan = recoding.plan(table, report["seed"])
    content = plan_sha256(plan)
    yield equal(
        "content of the release: this data at the stated levels", report["hashes"]["release"]["content"], content
    )
    yield from _publishes(published, content, "levels")
    answer = answer_of(report, question, recoding, cost)
    if table.sets:
        yield from _with_sets(report, problem, answer, ReleaseCounts.of(table, plan, report["seed"]))
    else:
        yield from _stated_again(report, solution_of(report, problem, answer))


def _with_sets(report: ReportJson, problem: Problem, answer: Answer, counts: ReleaseCounts) -> Iterator[Finding]:
    """The columns of sets of the published records, and what follows from them and from the rest together."""
    findings, sets = of_columns(report, problem, counts)
    yield from findings
    if sets is None:
        yield Finding("risks and answers", None, "they follow from sets that the report does not state")
    else:
        # The report is of a whole that is not proved to be the best if its sets are not.
        unproved = any(one.status is not Status.OPTIMAL for one in sets)
        own = Status.OPTIMAL if unproved and answer.exact_bound == answer.exact_cost else answer.status
        yield from _stated_again(report, solution_of(report, problem, replace(answer, status=own), sets, counts))


def _stated_again(report: ReportJson, solution: Solution) -> Iterator[Finding]:
    """The losses, the risks and the six answers, as a report on this solution tells them; of the search, its word."""
    classes = class_answer(solution)
    plan = None if classes is None else classes.plan
    again = Findings(
        solution=solution,
        classes=classes,
        sets=set_answers(solution),
        audit=audit_of(solution, plan, None, report["project"]["data"]),
        **{key: report[key] for key in ("project", "versions", "hashes", "created")},
        released=None,
    )
    if classes is not None:
        yield alike("losses", report["losses"], solution.losses)
        yield alike("loss per attribute", report["loss_per_attribute"], solution.loss_per_attribute)
        yield alike("risks", report["risks"], classes.risks.to_json())
    for answer, stated in zip(answers(again, limits(again)), report["answers"], strict=False):
        if answer.key != "distance" or report["space"] is not None:
            yield alike(f"the answer to '{answer.question}'", stated, asdict(answer))


def _stated_recoding(report: ReportJson, problem: Problem) -> Recoded | None:
    """The recoding that the report states, None if it is none that the problem allows."""
    if report["recoding"].get("search"):
        return _searched_again(report, problem)
    question: ClassQuestion = problem.question
    f = question.frequencies
    return question.recoding.restated(
        report["recoding"], f, question.constraints, question.loss.reads(f), report["seed"]
    )


def _searched_again(report: ReportJson, problem: Problem) -> Recoded | None:
    """A local recoding is too large to be stated: the same search leads to it again."""
    search = {key: value for key, value in report["recoding"].get("search", {}).items() if key != "complete"}
    if not report["recoding"].get("search", {}).get("complete"):
        return None
    algorithm = find_part(search.pop("model", ""), algorithms, "algorithm")(**search)
    recoding: Recoded | None = problem.solve(algorithm, seed=report["seed"]).recoding
    return recoding
