"""Release: the published data of a solution. Nothing leaves before the independent check has read it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.algorithms.steps.blur import blurred
from sfumato.check.itemsets import audit_of
from sfumato.check.published import NOT_PLANNED, read_published
from sfumato.check.tables import check, check_plan, check_published
from sfumato.check.truth import require_true_plan
from sfumato.data import Table
from sfumato.data.inputs import Input, Output, require_apart
from sfumato.engines import (
    ReleasePlan,
    Watcher,
    formulas,
    is_writable_format,
    open_transactions,
    watched,
    workspace,
)
from sfumato.engines.workspace import placeable
from sfumato.errors import DataError, PrivacyViolation, ProblemError
from sfumato.export import DbtExport, Name, Types, to_dbt, to_sql
from sfumato.hierarchies import HierarchyFile
from sfumato.hierarchies.opened import OpenHierarchy
from sfumato.privacy import ClassModel
from sfumato.settings.exact import Number
from sfumato.settings.given import checked, path_of
from sfumato.settings.registry import settings
from sfumato.settings.wording import one_of
from sfumato.solution import Solution

__all__ = ["DbtExport", "Name", "Types", "to_dbt", "to_sql"]  # beside what is defined here, for who has a solution
_NAMED = (".csv", ".csv.gz", ".parquet", ".duckdb")  # formats of tables that messages name
_LINES = (".txt", ".txt.gz", ".csv", ".parquet")  # and of transactions


def release(solution: Solution) -> Any:
    """The published data in the kind the data came in: pandas in, pandas out; a CSV file comes back as pandas.

    Rows are in an order that the seed decides, so their place says nothing about where they stood.
    """
    data, plan = solution.problem.data, solution.plan()
    require_true_plan(plan, data, solution.suppressed)
    released = data.engine.recode(plan)
    _audit_solution(released, solution, plan)
    return released


@checked
def write(
    solution: Solution,
    path: str | os.PathLike[str],
    *,
    spreadsheet_safe: bool = False,
    progress: Watcher = False,
) -> None:
    """Write the published data: as CSV (also .csv.gz), Parquet or a DuckDB database, as the name ends.

    The file appears only once it is whole and has passed the check. spreadsheet_safe: texts that a spreadsheet would
    take for a formula, such as those that start with =, get an apostrophe in front. progress: as for `Table`.
    """
    with drafted(solution, path, spreadsheet_safe=spreadsheet_safe, progress=progress):
        pass


@dataclass(frozen=True)
class Draft(os.PathLike[str]):
    """A release that is written and checked, and has not yet taken its name."""

    path: Path
    target: Path

    def __fspath__(self) -> str:
        return os.fspath(self.path)


@checked
@contextmanager
def drafted(
    solution: Solution, path: str | os.PathLike[str], *, spreadsheet_safe: bool = False, progress: Watcher = False
) -> Iterator[Draft]:
    """The release, written and checked; it takes its name at the end, if nothing goes wrong until then."""
    data, plan = solution.problem.data, solution.plan()
    engine, target = data.engine, writable(path, data.engine.formats, is_folder=data.engine.writes_folders)
    require_apart([Output(target, "the release")], [*data.inputs, *model_inputs(solution.problem.constraints)])
    require_true_plan(plan, data, solution.suppressed)
    with engine.drafted(target) as draft:
        with watched(engine, "writing the release of", progress):
            written = engine.recode(plan, draft, safe=spreadsheet_safe)
        _audit_solution(written, solution, plan, safe=spreadsheet_safe)
        yield Draft(Path(draft), target)


@checked
def apply(solution: Solution, source: object, *, unknown: str = "error", violations: str = "suppress") -> Any:
    """The same recoding on other data with the same columns, in the kind that data came in.

    unknown: values that the hierarchies do not have are an "error", or are published as the root ("*").
    violations: classes of the new data that violate a constraint are left out ("suppress"), are an "error", or stay in
    the result ("keep"; for data that is not to be published, such as a test set for a model).
    """
    if unknown not in {"error", "*"}:
        raise ProblemError(f"unknown = '{unknown}' is not a choice; give 'error' or '*'.")
    if violations not in {"suppress", "error", "keep"}:
        raise ProblemError(f"violations = '{violations}' is not a choice; give 'suppress', 'error' or 'keep'.")
    if solution.sets:
        raise ProblemError("A cut of items is made for its own records, whose sets others do not share; solve anew.")
    original, question = solution.problem.data, solution.question
    recoding = solution.chosen
    table = Table(
        source,
        quasi_identifiers={
            attribute.name: OpenHierarchy.of(attribute.hierarchy) if unknown == "*" else attribute.hierarchy
            for attribute in original.frequencies.quasi_identifiers
        },
        sensitive=original.sensitive,
        target=original.target,
        unit=original.unit,
        weight=original.weight,
        identifiers=original.identifiers,
        insensitive=original.insensitive,
        strip=original.strip,
        like=original.engine,
    )
    models = () if violations == "keep" else question.constraints
    majority = question.loss.reads(table.frequencies)
    applied = recoding.applied(table.frequencies, models, majority, solution.seed)
    withheld = applied.withheld_records(table.frequencies) + applied.withheld_values()
    if violations == "error" and withheld:
        what = "are in classes that violate" if not applied.withheld_values() else "have values that are too frequent"
        raise PrivacyViolation(
            f"{withheld:,} of the {table.frequencies.records:,} new records {what}; "
            "suppress them with violations='suppress'."
        )
    plan = applied.plan(table, solution.seed)
    require_true_plan(plan, table, applied.withheld_records(table.frequencies))
    released = table.engine.recode(plan)
    if violations != "keep":
        _audit(released, table, plan, question.constraints)
    table.require_unchanged()
    return released


@checked
def blur(solution: Solution, seed: int, steps: int = 1, suppress: Number = 0) -> Solution:
    """A solution blurred further at random, against whoever argues from what the best one would have been.

    steps: so many times, the values below a random node of the hierarchies become that node. suppress: then random
    classes are suppressed as well, with at most this share of the published records, or of their sensitive values where
    the scheme suppresses values. seed: decides all chance. Keep it secret: with it, all that can be worked out again.
    """
    return blurred(solution, seed, steps, suppress)


def writable(path: str | os.PathLike[str], formats: Collection[str] | None = None, *, is_folder: bool = False) -> Path:
    """The path, if a release can be written there: in these formats, those of tables if none; as a file or a folder."""
    target = path_of(path)
    if not is_writable_format(target, formats):
        usual = _NAMED if formats is None or ".duckdb" in formats else _LINES
        known = one_of([ending for ending in usual if formats is None or ending in formats])
        raise DataError(f"'{target.name}' names no known format; end the name in {known}.")
    return placeable(target, is_folder=is_folder)


def model_inputs(models: Iterable[object]) -> tuple[Input, ...]:
    """What models read besides the data, such as a population."""
    inputs = []
    for model in models:
        for field in settings(type(model)) if is_dataclass(model) else ():
            value = getattr(model, field.name) if field.metadata.get("path") else None
            value = value.path if isinstance(value, HierarchyFile) else value
            value = value.source if isinstance(value, Table) else value
            inputs.append(Input(value, f"the {field.name} of {model.name}"))  # type: ignore[attr-defined]
    return tuple(inputs)


def appearing(path: str | os.PathLike[str]) -> AbstractContextManager[Path]:
    """A file to write that takes its name only when all went well, in one step."""
    return workspace.drafted(Path(path))


def _audit_solution(released: object, solution: Solution, plan: ReleasePlan, *, safe: bool = False) -> None:
    """Raises a PrivacyViolation unless what is read back satisfies all constraints, and is what was to be published."""
    solution.problem.data.require_unchanged()
    if solution.question.column is not None:
        _audit_transactions(released, solution, formulas.spreadsheet_safe if safe else str)
        return
    table = solution.problem.data
    _audit(released, table, plan, solution.question.constraints, safe=safe)
    for column, answer in solution.sets.items():
        check(
            released,
            sets=[column],
            separator=table.separator,
            constraints=answer.question.constraints,
            like=table.engine,
        ).raise_if_violated()


def _audit_transactions(released: object, solution: Solution, written: Callable[[str], str]) -> None:
    """The same of transactions, which are compared set by set; `written` is how a label stands in the file."""
    data: Any = solution.problem.data
    published, labels = solution.chosen.published, solution.question.items.labels
    engine = open_transactions(released, like=data.engine, memory_limit=data.memory_limit)
    node = {written(label): number for number, label in enumerate(labels)}
    items = engine.occurring(counted=False)
    if strange := [label for label in items if label not in node]:
        raise PrivacyViolation(
            f"What was written is not what was to be published: {len(strange):,} labels are not in the hierarchy; "
            "nothing is published.",
            hidden_values=strange,
        )
    whole = engine.empty == engine.repeated == 0
    records = engine.merged({label: node[label] for label in items})
    engine.forget()
    audit_of(records, labels, solution.question.constraints).raise_if_violated()
    # Both are in order, by the numbers of their nodes.
    pairs = ((records.weight, published.weight), (records.begin, published.begin), (records.items, published.items))
    if not whole or not all(np.array_equal(one, other) for one, other in pairs):
        raise PrivacyViolation(f"{NOT_PLANNED}; nothing is published.")


def _audit(
    released: object, table: Table, plan: ReleasePlan, constraints: Sequence[ClassModel], *, safe: bool = False
) -> None:
    """Raises a PrivacyViolation unless the published values satisfy the constraints, and the persons behind them do."""
    names = [attribute.name for attribute in table.frequencies.quasi_identifiers]
    units, sets = table.frequencies.units, {name: column.listed for name, column in table.sets.items()}
    published = read_published(
        released, plan.columns, sets=sets, separator=table.separator, like=table.engine, memory_limit=table.memory_limit
    )
    check_published(published, names, constraints, like=table.engine).raise_if_violated()
    published.require_planned(plan, sets, separator=table.separator, safe=safe)
    if units is not None:
        check_plan(plan, units, quasi_identifiers=names, constraints=constraints).raise_if_violated()
