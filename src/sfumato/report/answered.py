"""Answered: what sections are about, question by question: the classes of a table, and each column of sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from sfumato.check.audit import Audit
from sfumato.check.itemsets import audit_of as audit_of_items
from sfumato.check.tables import check, check_plan
from sfumato.data import ItemSets
from sfumato.deal import ReleaseCounts
from sfumato.engines import ReleasePlan
from sfumato.evaluate import RiskReport, risks
from sfumato.hierarchies import Hierarchy, HierarchyFile
from sfumato.loss import NCP
from sfumato.privacy import ClassModel, ItemsetModel
from sfumato.problem import Problem
from sfumato.questions import Answer, Status
from sfumato.recoding import Recoded
from sfumato.report.hashes import file_sha256, hierarchy_sha256, plan_sha256, sets_sha256, table_sha256
from sfumato.report.released import as_written
from sfumato.report.statement import source_path
from sfumato.report.transactions import called, hierarchy_hash, input_hashes, published, stated_data
from sfumato.solution import Solution


@dataclass(frozen=True, eq=False)
class ClassAnswer:
    """The answer about the classes of a table: what its quasi-identifiers are published as."""

    recoding: Recoded
    plan: ReleasePlan
    risks: RiskReport


@dataclass(frozen=True, eq=False)
class SetAnswer:
    """The answer about one column of sets: what its items are published as."""

    name: str | None  # of the column; None if there are transactions and no table
    data: ItemSets  # the published records, as they were
    constraints: Sequence[Any]
    loss: NCP
    chosen: Any  # the recoding
    is_local: bool  # whether items are published differently in different sets
    status: Status
    algorithm: str
    seconds: float
    cost: float
    gap: float | None
    audit: Audit  # of the labels that are to be printed
    empty: int  # records of the data without items
    repeated: int  # items that were there twice in one, and were left out


def class_answer(solution: Solution) -> ClassAnswer | None:
    """The answer about the classes of a table, None if the data has no quasi-identifiers."""
    if solution.question.column is not None:
        return None
    return ClassAnswer(solution.chosen, solution.plan(), risks(solution))


def set_answers(solution: Solution) -> tuple[SetAnswer, ...]:
    """The answers about columns of sets."""
    alone = solution.question.column is not None
    data = solution.problem.data
    return tuple(
        _of(None if alone else name, one, data.sets[name].empty + data.empty, data.repeated)
        for name, one in solution.sets.items()
    )


def _of(name: str | None, one: Answer, empty: int, repeated: int) -> SetAnswer:
    question: Any = one.question
    return SetAnswer(
        name=name,
        data=question.items,
        constraints=question.constraints,
        loss=question.loss,
        chosen=one.chosen,
        is_local=question.recoding.local,
        status=one.status,
        algorithm=one.algorithm,
        seconds=one.seconds,
        cost=one.cost or 0.0,
        gap=one.gap,
        audit=audit_of_items(one.chosen.published, question.items.labels, question.constraints),
        empty=empty,
        repeated=repeated,
    )


def constraints_of(solution: Solution) -> list[ClassModel | ItemsetModel]:
    """All that was asked, of classes and of sets."""
    return list(solution.problem.constraints)


def records_of(solution: Solution) -> int:
    """The records of the data."""
    return solution.problem.data.frequencies.records


def audit_of(solution: Solution, plan: ReleasePlan | None, released: Path | None, data: Mapping[str, Any]) -> Audit:
    """The independent check, of the file if there is one, else of the labels that are to be printed.

    data: the section of the project, which says how the file is to be read.
    """
    question, table = solution.question, solution.problem.data
    if plan is None:
        if released is None:
            return _audit_of_sets(set_answers(solution))
        return audit_of_items(*published(released, data), question.constraints)
    names = [attribute.name for attribute in table.frequencies.quasi_identifiers]
    if released is None:
        audit = check_plan(plan, None, quasi_identifiers=names, constraints=question.constraints)
        return audit if not table.sets else audit.joined(_audit_of_sets(set_answers(solution)))
    constraints = [model for one in solution.answers[:2] for model in one.question.constraints]
    return check(
        as_written(released, data),
        quasi_identifiers=names,
        constraints=constraints,
        sets=list(table.sets),
        separator=table.separator,
    )


def _audit_of_sets(answers: Sequence[SetAnswer]) -> Audit:
    """What the published sets attain, from the labels that are to be printed."""
    if len(answers) == 1 and answers[0].name is None:
        return answers[0].audit
    together: dict[str, Any] = {"attained": {}, "violations": {}}
    for one in answers:
        for kind, of_all in together.items():
            of_all |= {f"{key} ({one.name})": value for key, value in getattr(one.audit, kind).items()}
    return Audit(0, 0, **together)


def hashes_of(
    solution: Solution, plan: ReleasePlan | None, released: Path | None, written: Path | None
) -> dict[str, Any]:
    """SHA-256 of the data, of the release, and of the hierarchies that are files or were made by hand."""
    data: Any = solution.problem.data
    name, file = None if released is None else released.name, None if written is None else file_sha256(written)
    if plan is None:
        content = sets_sha256(solution.chosen.published, data.items.labels)
        hierarchies = {}
        if isinstance(data.column.source, HierarchyFile | Hierarchy):
            hierarchies[called(stated_data(data))] = hierarchy_hash(data)
        hashes = input_hashes(data)
    else:
        content = plan_sha256(plan, {column.name for column in data.frequencies.columns})
        hierarchies = {
            column.name: {"source": column.hierarchy.source, "sha256": hierarchy_sha256(column.hierarchy)}
            for column in data.frequencies.columns
            # A generated hierarchy follows from the data, and its hash would confirm guesses about single values.
            if column.hierarchy is not None and isinstance(data.sources[column.name], HierarchyFile | Hierarchy)
        }
        path = source_path(data)
        hashes = {"name": data.engine.name, "sha256": path and file_sha256(path), "content": table_sha256(data)}
    return {"input": hashes, "release": {"name": name, "sha256": file, "content": content}, "hierarchies": hierarchies}


def hashes_of_input(problem: Any) -> tuple[str, dict[str, str]]:
    """The hash of what was counted, and those of the hierarchies by column."""
    data = problem.data
    if problem.question.column is not None:
        return sets_sha256(data.items.records, data.items.labels), {
            called(stated_data(data)): hierarchy_sha256(data.hierarchy)
        }
    columns = {column.name: column.hierarchy for column in data.frequencies.columns if column.hierarchy is not None}
    return table_sha256(data), {name: hierarchy_sha256(hierarchy) for name, hierarchy in columns.items()}


def solution_of(
    report: Mapping[str, Any],
    problem: Any,
    answer: Answer,
    sets: Sequence[Answer] = (),
    counts: ReleaseCounts | None = None,
) -> Solution:
    """The solution that a report is about, with these answers; its seconds are those of all searches."""
    without = (replace(one, seconds=0.0) for one in sets)
    return Solution(problem, (replace(answer, seconds=report["seconds"]), *without), report["seed"], counts=counts)


def answer_of(stated: Mapping[str, Any], question: Any, recoding: Any, cost: Fraction) -> Answer:
    """The answer that a report states, or what it says of one column, with this recoding at this cost."""
    proved = stated["bound"] is not None and stated["bound"] == stated["loss"]["value"]
    return Answer(
        question=question,
        algorithm=stated["algorithm"],
        status=Status(stated["status"]),
        recoding=recoding,
        exact_cost=cost,
        exact_bound=cost if proved else None if stated["bound"] is None else Fraction(stated["bound"]),
        examined=stated["examined"],
        space=stated["space"] or 0,
        seconds=stated["seconds"],
    )


def questions_of_columns(problem: Problem, counts: ReleaseCounts) -> dict[str, Any]:
    """The question about each column of sets, for the records that are published."""
    about: list[Any] = list(problem.questions[1:])
    return {one.column: one.among(*counts.sets_of(problem.data.sets[one.column])) for one in about}
