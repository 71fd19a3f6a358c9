"""The report: what was asked, attained, lost and suppressed, how good it is, and what it does not protect from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from sfumato.engines.workspace import placeable
from sfumato.errors import DataError, ProblemError, SfumatoWarning
from sfumato.evaluate import CountQuery
from sfumato.front.front import ParetoFront
from sfumato.project import Project
from sfumato.release import Draft, appearing
from sfumato.report.content import Report, report_of
from sfumato.report.verify import Verification, verify
from sfumato.report.words import counted
from sfumato.settings.given import brief, checked, path_of
from sfumato.settings.warned import warn
from sfumato.solution import Solution

__all__ = ["CountQuery", "ParetoFront", "Project", "Report", "Verification", "report_of", "verify", "write_report"]

_UNPUBLISHED = (
    "that the release does not show, so that others can verify what was required; --without-reference leaves them out "
    "(in Python, without_reference=True)."
)


@checked
def write_report(
    solution: Solution,
    *paths: str | os.PathLike[str],
    released: str | os.PathLike[str] | None = None,
    project: Project | None = None,
    front: ParetoFront | None = None,
    queries: Sequence[CountQuery | str] = (),
    without_reference: bool = False,
) -> None:
    """Write the report of a solution to each path: as one HTML page, or as JSON, as the name ends.

    released: the file that the release was written to, or its draft, so that the report can name it and its hash.
    project: the project that was run, for what the solution does not know of it (limits of the search).
    front: the trade-off of the same data, to be shown with the solution in it.
    queries: what to count in the release, such as "age=37..77,sex=Female"; the report tells how well that goes.
    without_reference: leave out how often each sensitive value occurs in the input, which the JSON has for requirements
    that compare with it: it names values that occur in suppressed records alone, too.
    """
    targets = [_target(path) for path in paths]
    if not targets:
        raise DataError("No path is given for the report; name one, such as 'report.html'.")
    if front is not None and not isinstance(front, ParetoFront):
        raise ProblemError(f"front = {brief(front)} is not a trade-off; give what sf.tradeoff(…) returns.")
    if project is not None and not isinstance(project, Project):
        raise ProblemError(f"project = {brief(project)} is not a project; give what sf.Project.load(…) returns.")
    if released is not None and not path_of(released, "released").exists():
        raise DataError(f"There is no file '{released}'; write the release first, then the report.")
    file = None if released is None else Path(released)
    name = released.target if isinstance(released, Draft) else file
    with ExitStack() as drafts:  # all appear, or none
        for folder in dict.fromkeys(target.parent for target in targets):
            report = report_of(
                solution,
                folder,
                released=name,
                written=file,
                project=project,
                front=front,
                queries=queries,
                without_reference=without_reference,
            )
            for target in (target for target in targets if target.parent == folder):
                draft = drafts.enter_context(appearing(target))
                draft.write_text(_rendered(report, target), encoding="utf-8")
        solution.problem.data.require_unchanged()  # the report has hashes of its files
    if not without_reference and any(target.suffix.lower() == ".json" for target in targets):
        _warn_of_values(report.findings.unpublished)


def _warn_of_values(absent: Mapping[str, int]) -> None:
    """Warns if the JSON names values of columns that the release does not show: so many of each."""
    if absent:
        values = " and ".join(f"{counted(number, 'value')} of '{column}'" for column, number in absent.items())
        warn(f"The report's JSON names {values} {_UNPUBLISHED}", SfumatoWarning)


def _target(path: str | os.PathLike[str]) -> Path:
    target = path_of(path)
    if target.suffix.lower() not in {".html", ".json"}:
        raise DataError(f"'{target.name}' is not a name of a report; end it in .html or .json.")
    return placeable(target)


def _rendered(report: Report, target: Path) -> str:
    if target.suffix.lower() == ".json":
        return json.dumps(report.to_json(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    from sfumato.report.html import html  # the page's engine is loaded for pages alone

    return html(report)
