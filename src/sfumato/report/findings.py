"""Findings: all that a report tells, computed once, before a word is written."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.check.audit import Audit
from sfumato.evaluate import CountQuery
from sfumato.front.front import ParetoFront
from sfumato.project import Project
from sfumato.report.answered import ClassAnswer, SetAnswer, audit_of, class_answer, hashes_of, set_answers
from sfumato.report.statement import Sections, sections_of
from sfumato.solution import Solution

FORMAT = 1  # of the JSON; raised when a reader of an older one would misunderstand it


@dataclass(frozen=True, eq=False)
class Findings:
    """A solution, and what is known about its release."""

    solution: Solution
    classes: ClassAnswer | None  # None where there are transactions and no table
    sets: tuple[SetAnswer, ...]  # by column of sets
    audit: Audit  # of the published values
    project: Sections
    versions: Mapping[str, str]
    hashes: Mapping[str, Any]
    released: Path | None
    created: str  # date and time, UTC
    queries: Sequence[CountQuery | str] = ()  # what to count in the release
    front: ParetoFront | None = None  # the trade-off that the solution is shown in
    without_reference: bool = False  # whether the input's distributions stay out

    @property
    def unpublished(self) -> Mapping[str, int]:
        """For each column of the reference, how many of its values the release shows nowhere, if any."""
        absent = {}
        for name, counts in self.solution.reference.items():
            plan = self.solution.plan()
            shown = np.unique(plan.published[:, plan.columns.index(name)]).tolist()
            absent[name] = len(set(counts).difference(plan.labels[name][place] for place in shown))
        return {name: values for name, values in absent.items() if values}

    def to_json(self) -> dict[str, Any]:
        """The facts, as `sfumato verify` reads them; those of the solution are as everywhere else."""
        return {
            "report": FORMAT,
            "created": self.created,
            "versions": dict(self.versions),
            **self.solution.to_json(),
            **({"reference": None} if self.without_reference and self.solution.reference else {}),
            "seed": self.solution.seed,
            "checked": {"holds": self.audit.holds, **asdict(self.audit)},
            **({} if self.classes is None else {"risks": self.classes.risks.to_json()}),
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
    queries: Sequence[CountQuery | str] = (),
    front: ParetoFront | None = None,
    without_reference: bool = False,
) -> Findings:
    """What there is to say about a solution; paths are relative to the folder of the report.

    released: the file that the release was written to; without it the release is known by its content alone.
    written: where the release is as long as it does not have that name.
    """
    file = written or released
    classes, sections = class_answer(solution), sections_of(solution, folder, released, project)
    plan = None if classes is None else classes.plan
    return Findings(
        solution=solution,
        classes=classes,
        sets=set_answers(solution),
        audit=audit_of(solution, plan, file, sections["data"]),
        project=sections,
        versions=_versions(),
        hashes=hashes_of(solution, plan, released, file),
        released=released,
        created=datetime.now(UTC).isoformat(sep=" ", timespec="minutes").removesuffix("+00:00"),
        queries=queries,
        front=front,
        without_reference=without_reference,
    )


def _versions() -> dict[str, str]:
    from sfumato import __version__

    return {
        "sfumato": __version__,
        "python": platform.python_version(),
        "duckdb": version("duckdb"),
        "numpy": version("numpy"),
    }
