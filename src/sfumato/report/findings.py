"""Findings: all that a report tells, computed once, before a word is written."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sfumato.check.tables import Audit, check, check_plan
from sfumato.engines import CsvFile, ReleasePlan
from sfumato.evaluate import RiskReport, risks
from sfumato.hierarchies import Hierarchy, HierarchyFile
from sfumato.project import Project
from sfumato.report.hashes import file_sha256, hierarchy_sha256, plan_sha256, table_sha256
from sfumato.report.statement import Sections, sections_of, source_path
from sfumato.solution import Solution

FORMAT = 1  # of the JSON; raised when a reader of an older one would misunderstand it


@dataclass(frozen=True, eq=False)
class Findings:
    """A solution, and what was found out about its release."""

    solution: Solution
    plan: ReleasePlan
    audit: Audit  # of the published values
    risks: RiskReport
    project: Sections
    versions: Mapping[str, str]
    hashes: Mapping[str, Any]
    released: Path | None
    created: str  # date and time, UTC

    def to_json(self) -> dict[str, Any]:
        """The facts, as `sfumato verify` reads them; those of the solution are as everywhere else."""
        return {
            "report": FORMAT,
            "created": self.created,
            "versions": dict(self.versions),
            **self.solution.to_json(),
            "seed": self.solution.seed,
            "checked": {"holds": self.audit.holds, **asdict(self.audit)},
            "risks": self.risks.to_json(),
            "project": self.project,
            "hashes": dict(self.hashes),
        }


def find(
    solution: Solution,
    folder: Path,
    released: Path | None = None,
    project: Project | None = None,
    *,
    written: Path | None = None,
) -> Findings:
    """What there is to say about a solution; paths are told from the folder of the report.

    released: the file that the release was written to; without it the release is told by its content alone.
    written: where the release is as long as it does not have that name.
    """
    file = written or released
    plan = solution.plan()
    sections = sections_of(solution, folder, released, project)
    return Findings(
        solution=solution,
        plan=plan,
        audit=audit_of(solution, plan, None if file is None else as_written(file, sections)),
        risks=risks(solution),
        project=sections,
        versions=_versions(),
        hashes=_hashes(solution, plan, released, file),
        released=released,
        created=datetime.now(UTC).isoformat(sep=" ", timespec="minutes").removesuffix("+00:00"),
    )


def as_written(released: Path, sections: Sections) -> Path | CsvFile:
    """The release as a source: a CSV file has the delimiter and the decimal mark of the data it was made from."""
    usual = {"delimiter": (None, ","), "decimal": (None, ".")}
    dialect = {key: value for key in usual if (value := sections["data"].get(key)) not in usual[key]}
    is_csv = released.name.lower().removesuffix(".gz").endswith((".csv", ".txt"))
    return CsvFile(released, **dialect) if dialect and is_csv else released


def audit_of(solution: Solution, plan: ReleasePlan, released: Path | CsvFile | None) -> Audit:
    """The independent check, of the file if there is one, else of the labels that are to be printed."""
    problem = solution.problem
    names = [attribute.name for attribute in problem.data.frequencies.quasi_identifiers]
    if released is None:
        found = check_plan(plan, None, quasi_identifiers=names, constraints=problem.constraints)
        return found if not problem.data.sets else found.joined(audit_of_sets(solution))
    of_sets = {
        "sets": list(problem.data.sets),
        "separator": problem.data.separator,
        "constraints": [*problem.constraints, *getattr(problem, "set_constraints", ())],
    }
    return check(released, quasi_identifiers=names, **of_sets)  # type: ignore[arg-type]


def audit_of_sets(solution: Solution) -> Audit:
    """What the published sets attain, from the labels that are to be printed."""
    found: dict[str, Any] = {"attained": {}, "violations": {}}
    for name, one in solution.sets.items():  # type: ignore[attr-defined]
        for kind, told in found.items():
            told |= {f"{key} ({name})": value for key, value in getattr(one.audit, kind).items()}
    return Audit(0, 0, **found)


def _versions() -> dict[str, str]:
    from sfumato import __version__

    return {
        "sfumato": __version__,
        "python": platform.python_version(),
        "duckdb": version("duckdb"),
        "numpy": version("numpy"),
    }


def _hashes(solution: Solution, plan: ReleasePlan, released: Path | None, file: Path | None) -> dict[str, Any]:
    table = solution.problem.data
    path = source_path(table)
    hierarchies: dict[str, Any] = {}
    for column in table.frequencies.columns:
        # A generated hierarchy follows from the data, and its hash would confirm guesses about single values.
        if column.hierarchy is not None and isinstance(table.sources[column.name], HierarchyFile | Hierarchy):
            told = {"source": column.hierarchy.source, "sha256": hierarchy_sha256(column.hierarchy)}
            hierarchies[column.name] = told
    return {
        "input": {"name": table.engine.name, "sha256": path and file_sha256(path), "content": table_sha256(table)},
        "release": {
            "name": None if released is None else released.name,
            "sha256": None if file is None else file_sha256(file),
            "content": plan_sha256(plan, {column.name for column in table.frequencies.columns}),
        },
        "hierarchies": hierarchies,
    }
