"""Content: a report as a plain structure, before it is rendered as a page or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sfumato.evaluate import CountQuery
from sfumato.front.front import ParetoFront
from sfumato.project import Project
from sfumato.report.answered import records_of
from sfumato.report.answers import answers
from sfumato.report.blocks import Answer, Section, block_json
from sfumato.report.findings import Findings, find
from sfumato.report.limits import limits
from sfumato.report.sections import sections
from sfumato.solution import Solution


@dataclass(frozen=True, eq=False)
class Report:
    """The findings, the six answers, and the sections that give the details."""

    title: str
    subtitle: str
    findings: Findings
    answers: tuple[Answer, ...]
    sections: tuple[Section, ...]

    def to_json(self) -> dict[str, Any]:
        """The facts, and the same words and figures as on the page."""
        return {
            **self.findings.to_json(),
            "title": self.title,
            "answers": [asdict(answer) for answer in self.answers],
            "sections": [
                {"key": section.key, "title": section.title, "blocks": [block_json(block) for block in section.blocks]}
                for section in self.sections
            ],
        }


def report_of(
    solution: Solution,
    folder: Path,
    *,
    released: Path | None = None,
    written: Path | None = None,
    project: Project | None = None,
    front: ParetoFront | None = None,
    queries: Sequence[CountQuery | str] = (),
    without_reference: bool = False,
) -> Report:
    """The report on a solution; paths in it are relative to the folder.

    released: the name of the release. written: where it is as long as it does not have that name.
    """
    findings = find(
        solution,
        folder,
        released,
        project,
        written=written,
        queries=queries,
        front=front,
        without_reference=without_reference,
    )
    arrow = f" → {released.name}" if released is not None else ""
    return Report(
        title=f"{findings.hashes['input']['name']}{arrow}",
        subtitle=f"{_published(findings)} · {findings.created} UTC",
        findings=findings,
        answers=answers(findings, limits(findings)),
        sections=sections(findings),
    )


def _published(findings: Findings) -> str:
    solution, records = findings.solution, records_of(findings.solution)
    if findings.classes is None:
        return f"{records:,} transactions published, {solution.classes:,} different ones"
    return f"{records - solution.suppressed:,} of {records:,} records published"
