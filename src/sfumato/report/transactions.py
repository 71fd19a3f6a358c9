"""The report on a release of transactions: what was asked and attained, how items were blurred, what is left rare."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sfumato
from sfumato.errors import DataError
from sfumato.itemset_solution import ItemsetSolution
from sfumato.project import Project
from sfumato.project.text import project_text
from sfumato.release import Draft, appearing, placeable
from sfumato.report.blocks import Answer, Bullets, Code, Grid, Section
from sfumato.report.content import Report
from sfumato.report.hashes import file_sha256, hierarchy_sha256
from sfumato.report.items import blurring, supports
from sfumato.report.statement import Sections, sections_of, transactions_data
from sfumato.settings.registry import settings


@dataclass(frozen=True, eq=False)
class ItemsetFindings:
    """What the page's frame asks for."""

    solution: ItemsetSolution
    versions: dict[str, str]
    hashes: dict[str, str | None]
    project: Sections

    def to_json(self) -> dict[str, Any]:
        """The solution, and what it belongs to."""
        told = {"report": "transactions", "versions": self.versions, "hashes": self.hashes, "project": self.project}
        return told | self.solution.to_json()


def write_itemset_report(
    solution: ItemsetSolution,
    *paths: str | os.PathLike[str],
    released: str | os.PathLike[str] | None = None,
    project: Project | None = None,
) -> None:
    """Write the report to each path: as one HTML page, or as JSON, as the name ends."""
    if not paths:
        raise DataError("No path is given for the report; name one, such as 'report.html'.")
    targets = [Path(path) for path in paths]
    for target in targets:
        if target.suffix.lower() not in {".html", ".json"}:
            raise DataError(f"'{target.name}' is no name of a report; end it in .html or .json.")
        placeable(target)
    file = None if released is None else Path(released)
    name = released.target if isinstance(released, Draft) else file
    report = itemset_report(solution, targets[0].parent, name, file, project)
    for target in targets:
        with appearing(target) as draft:
            draft.write_text(_rendered(report, target), encoding="utf-8")


def _rendered(report: Report, target: Path) -> str:
    if target.suffix.lower() == ".json":
        return json.dumps(report.to_json(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    from sfumato.report.html import html  # the page's engine is loaded for pages alone

    return html(report)


def itemset_report(
    solution: ItemsetSolution,
    folder: Path,
    released: Path | None = None,
    written: Path | None = None,
    project: Project | None = None,
) -> Report:
    """The report on a solution; `written` is where the release is as long as it does not have its name."""
    data = solution.problem.data
    file = written or released
    hashes = {
        "hierarchy": hierarchy_sha256(data.hierarchy),
        "release": None if file is None else file_sha256(file),
    }
    sections = sections_of(solution, folder, released, project, transactions_data)
    found = ItemsetFindings(solution, {"sfumato": sfumato.__version__}, hashes, sections)
    arrow = "" if released is None else f" → {released.name}"
    return Report(
        title=f"{data.name}{arrow}",
        subtitle=f"{data.total:,} transactions published, {solution.classes:,} different ones",
        findings=found,  # type: ignore[arg-type]
        answers=_answers(solution),
        sections=(
            _requirements(solution),
            blurring(solution),
            *supports(solution),
            _limits(solution),
            Section("reproduction", "To reproduce it", (Code("The project", project_text(sections)),)),
        ),
    )


def _answers(solution: ItemsetSolution) -> tuple[Answer, ...]:
    cost, gap = solution.cost or 0.0, solution.gap
    proof = (
        "Nothing was proved about how good it is." if gap is None else f"At most {gap:.1%} above the least possible."
    )
    if solution.status == "optimal":
        proof = "Proved: no other cut that meets the requirements loses less."
    promises = tuple(model.promise for model in solution.problem.constraints)
    return (
        Answer("asked", "What was asked?", " ".join(promises)),
        Answer("lost", "What was lost?", f"{cost:.2%} of all detail (NCP)"),
        Answer("distance", "How good is it?", proof, (f"Found by {solution.algorithm} in {solution.seconds:.1f} s.",)),
        Answer("unprotected", "What is not protected?", "Who knows more than was asked for, among others"),
    )


def _requirements(solution: ItemsetSolution) -> Section:
    data, models, audit = solution.problem.data, solution.problem.constraints, solution.audit
    rows = []
    for (key, attained), model in zip(audit.attained.items(), models, strict=True):
        told = {field.name: getattr(model, field.name) for field in settings(type(model))}
        asked = ", ".join(f"{name} = {value}" for name, value in told.items() if name != "sensitive_items")
        reached = ", ".join(f"{name} = {value}" for name, value in attained.items()) or "holds"
        rows.append((key, asked, reached, "VIOLATED" if key in audit.violations else "holds", model.promise))
    header = ("requirement", "asked", "attained", "independent check", "in plain words")
    grid = Grid("Requirements", header, tuple(rows), words=frozenset({1, 2, 3, 4}))
    dropped = [
        (f"{count:,} {what}", "were left out before anything was counted.")
        for count, what in ((data.empty, "empty transactions"), (data.repeated, "repeated items within a transaction"))
        if count and (what != "repeated items within a transaction" or data.multiset == "remove")
    ]
    return Section("requirements", "Asked and attained", (grid, *((Bullets(tuple(dropped)),) if dropped else ())))


def _limits(solution: ItemsetSolution) -> Section:
    model = solution.problem.constraints[0]
    m = getattr(model, "m", None)
    entries = [("Several transactions of one person.", "k counts transactions, not people.")]
    if m is not None:
        entries.insert(0, (f"Who knows more than {m} items.", "Longer sets of items may be in fewer transactions."))
        if not getattr(model, "negative", False):
            entries.append(
                ("What is not there.", "Who knows that an item is missing may use that; it was not asked for.")
            )
    entries.append(
        ("What items tell about others.", "All transactions with some items may have another one in common.")
    )
    return Section("unprotected", "What it does not protect from", (Bullets(tuple(entries)),))
