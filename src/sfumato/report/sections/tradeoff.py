"""The trade-off as a section of a report: where the release lies on it, and what other requirements would cost."""

from __future__ import annotations

from sfumato.errors import ProblemError
from sfumato.front.front import FrontPoint, ParetoFront
from sfumato.plots import front_info, without_cloud
from sfumato.report.blocks import Figures, Section, Text
from sfumato.report.findings import Findings
from sfumato.solution import Solution


def section(findings: Findings) -> Section | None:
    """The front, with the point marked that costs what the solution costs, if it has one."""
    front, solution = findings.front, findings.solution
    if front is None:
        return None
    if solution.sets:
        raise ProblemError("A trade-off is of quasi-identifiers alone; leave front out of the report of sets.")
    if front.problem.data is not solution.problem.data or front.question.posed.loss != solution.question.loss:
        raise ProblemError(
            "The front is about other data, or another loss, than the solution; make both from one table."
        )
    here = _point_of(front, solution)
    info = without_cloud(front_info(front, here))
    spot = info.spots[info.chosen]
    lead = "The release" if here is not None else "The release is not on this curve; its knee"
    proven = (
        "Every point is the least loss for what it asks, which is proved."
        if front.complete and not front.spend_limit
        else "The points were found by a search that may miss some; others may be cheaper."
    )
    blocks = (
        Text(f"{lead}: {spot.words[0]}. {' '.join(spot.words[1:])}"),
        Text(f"{proven} What lies between two points costs what the stronger one costs."),
        Figures((info,)),
    )
    return Section("tradeoff", "What other requirements would cost", blocks)


def _point_of(front: ParetoFront, solution: Solution) -> FrontPoint | None:
    """The point with the solution's levels and cost."""
    same = [
        point
        for point in front
        if point.exact_cost == solution.exact_cost and dict(solution.levels) in [dict(node) for node in point.nodes]
    ]
    return same[0] if same else None
