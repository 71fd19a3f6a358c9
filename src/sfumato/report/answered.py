"""Answered: what sections are about, question by question: the classes of a table, and each column of sets.

The one place of the report that knows of which kinds problems and solutions are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from sfumato.check.itemsets import audit_of as audit_of_items
from sfumato.check.tables import Audit, check, check_plan
from sfumato.data import Transactions
from sfumato.engines import CsvFile, ReleasePlan
from sfumato.evaluate import RiskReport, risks
from sfumato.hierarchies import Hierarchy, HierarchyFile
from sfumato.itemset_solution import ItemsetSolution
from sfumato.loss import NCP
from sfumato.privacy import ClassModel, ItemsetModel, KAnonymity
from sfumato.recoding import Recoded
from sfumato.report.hashes import file_sha256, hierarchy_sha256, plan_sha256, sets_sha256, table_sha256
from sfumato.report.statement import source_path
from sfumato.report.transactions import called, hierarchy_hash, input_hashes, published, stated_data
from sfumato.set_table_plan import Dealt
from sfumato.set_table_solution import SetTableSolution
from sfumato.solution import Solution, Status


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
    data: Transactions  # the published records, as they were
    constraints: Sequence[ItemsetModel | KAnonymity]
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
    """The answer about the classes of a table, None if the data is no table."""
    if isinstance(solution, ItemsetSolution):
        return None
    return ClassAnswer(solution.found, solution.plan(), risks(solution))


def set_answers(solution: Solution) -> tuple[SetAnswer, ...]:
    """The answers about columns of sets."""
    if isinstance(solution, ItemsetSolution):
        return (_of(None, solution, solution.problem.data.empty),)
    if isinstance(solution, SetTableSolution):
        columns = solution.problem.data.sets
        return tuple(_of(name, one, columns[name].empty) for name, one in solution.sets.items())
    return ()


def _of(name: str | None, one: ItemsetSolution, empty: int) -> SetAnswer:
    return SetAnswer(
        name=name,
        data=one.problem.data,
        constraints=one.problem.constraints,
        loss=one.problem.loss,
        chosen=one.found,
        is_local=one.problem.recoding.local,
        status=one.status,
        algorithm=one.algorithm,
        seconds=one.seconds,
        cost=one.cost or 0.0,
        gap=one.gap,
        audit=one.audit,
        empty=empty,
        repeated=one.problem.data.repeated if one.problem.data.multiset == "remove" else 0,
    )


def constraints_of(solution: Solution) -> list[ClassModel | ItemsetModel]:
    """All that was asked, of classes and of sets."""
    return [*solution.problem.constraints, *getattr(solution.problem, "set_constraints", ())]


def records_of(solution: Solution) -> int:
    """The records of the data."""
    if isinstance(solution, ItemsetSolution):
        return solution.problem.data.total
    return solution.problem.data.frequencies.records


def as_written(released: Path, data: Mapping[str, Any]) -> Path | CsvFile:
    """The release as a source: a CSV file has the delimiter and the decimal mark of the data it was made from."""
    usual = {"delimiter": (None, ","), "decimal": (None, ".")}
    dialect = {key: value for key in usual if (value := data.get(key)) not in usual[key]}
    is_csv = released.name.lower().removesuffix(".gz").endswith((".csv", ".txt"))
    return CsvFile(released, **dialect) if dialect and is_csv else released


def audit_of(solution: Solution, plan: ReleasePlan | None, released: Path | None, data: Mapping[str, Any]) -> Audit:
    """The independent check, of the file if there is one, else of the labels that are to be printed.

    data: the section of the project, which says how the file is to be read.
    """
    problem = solution.problem
    if isinstance(solution, ItemsetSolution) or plan is None:
        return _audit_of_transactions(solution, released, data)
    names = [attribute.name for attribute in problem.data.frequencies.quasi_identifiers]
    if released is None:
        found = check_plan(plan, None, quasi_identifiers=names, constraints=problem.constraints)
        return found if not problem.data.sets else found.joined(_audit_of_sets(set_answers(solution)))
    of_sets = {
        "sets": list(problem.data.sets),
        "separator": problem.data.separator,
        "constraints": constraints_of(solution),
    }
    return check(as_written(released, data), quasi_identifiers=names, **of_sets)  # type: ignore[arg-type]


def _audit_of_transactions(solution: Any, released: Path | None, data: Mapping[str, Any]) -> Audit:
    found: Audit = solution.audit
    return found if released is None else audit_of_items(*published(released, data), solution.problem.constraints)


def _audit_of_sets(answers: Sequence[SetAnswer]) -> Audit:
    """What the published sets attain, from the labels that are to be printed."""
    found: dict[str, Any] = {"attained": {}, "violations": {}}
    for one in answers:
        for kind, told in found.items():
            told |= {f"{key} ({one.name})": value for key, value in getattr(one.audit, kind).items()}
    return Audit(0, 0, **found)


def hashes_of(solution: Solution, plan: ReleasePlan | None, released: Path | None) -> dict[str, Any]:
    """SHA-256 of the data, of the release, and of the hierarchies that are files or were made by hand."""
    data: Any = solution.problem.data
    name, file = (None, None) if released is None else (released.name, file_sha256(released))
    if plan is None:
        content = sets_sha256(solution.found.published, data.labels)  # type: ignore[attr-defined]
        hierarchies = {}
        if isinstance(data.hierarchy_source, HierarchyFile | Hierarchy):
            hierarchies[called(stated_data(data))] = hierarchy_hash(data)
        told = input_hashes(data)
    else:
        content = plan_sha256(plan, {column.name for column in data.frequencies.columns})
        hierarchies = {
            column.name: {"source": column.hierarchy.source, "sha256": hierarchy_sha256(column.hierarchy)}
            for column in data.frequencies.columns
            # A generated hierarchy follows from the data, and its hash would confirm guesses about single values.
            if column.hierarchy is not None and isinstance(data.sources[column.name], HierarchyFile | Hierarchy)
        }
        path = source_path(data)
        told = {"name": data.engine.name, "sha256": path and file_sha256(path), "content": table_sha256(data)}
    return {"input": told, "release": {"name": name, "sha256": file, "content": content}, "hierarchies": hierarchies}


def hashes_of_input(problem: Any) -> tuple[str, dict[str, str]]:
    """The hash of what was counted, and those of the hierarchies by column."""
    data = problem.data
    if isinstance(data, Transactions):
        return sets_sha256(data.records, data.labels), {called(stated_data(data)): hierarchy_sha256(data.hierarchy)}
    columns = {column.name: column.hierarchy for column in data.frequencies.columns if column.hierarchy is not None}
    return table_sha256(data), {name: hierarchy_sha256(hierarchy) for name, hierarchy in columns.items()}


def solution_of(told: Mapping[str, Any], problem: Any, recoding: Any, cost: Fraction) -> Solution:
    """The solution that a report is about, with this recoding at this cost; of the search, the report's word."""
    bound = told["bound"] if told["bound"] != told["loss"]["value"] else cost
    kind = ItemsetSolution if isinstance(problem.data, Transactions) else Solution
    return kind(
        problem=problem,
        algorithm=told["algorithm"],
        status=Status(told["status"]),
        recoding=recoding,
        exact_cost=cost,
        exact_bound=None if bound is None else Fraction(bound),
        examined=told["examined"],
        space=told["space"] or 0,
        seconds=told["seconds"],
        trace=(),
        seed=told["seed"],
    )


def problems_of_columns(problem: Any, plan: ReleasePlan, seed: int) -> dict[str, Any]:
    """The problem of each column of sets, for the records that a plan publishes."""
    published = Dealt.of(problem.data, plan, seed)
    return {name: problem.of_column(one, published.records(one)) for name, one in problem.data.sets.items()}
