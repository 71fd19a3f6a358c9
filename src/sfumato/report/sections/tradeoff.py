"""The trade-off as a section of a report: where the release lies on it, and what other requirements would cost."""

from __future__ import annotations

from sfumato.errors import InfeasibleError, ProblemError
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
    front = front.including(solution)
    here = _point_of(front, solution)
    marked = here or _instead(front, solution)
    info = without_cloud(front_info(front, marked) if marked else front_info(front))
    spot, most = info.spots[info.chosen], "" if front.complete else "at most "
    blocks = (
        Text(f"{_lead(front, solution, here, marked)}: {spot.words[0]}. {' '.join(spot.words[1:])}"),
        Text(f"{_proof(front, here)} What lies between two points costs {most}what the stronger one costs."),
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


def _instead(front: ParetoFront, solution: Solution) -> FrontPoint | None:
    """The cheapest point that attains what the solution was to attain."""
    asked = front.question.asked_by(solution.question.constraints)
    if not asked:
        return None
    try:
        return front.at(**asked)
    except InfeasibleError:
        return None


def _lead(front: ParetoFront, solution: Solution, here: FrontPoint | None, marked: FrontPoint | None) -> str:
    if here is not None:
        return "The release"
    if marked is not None and marked.exact_cost == solution.exact_cost:
        return "Other levels give more than the release at the same price"
    if front.spend_limit:
        return "The release is not on this curve, where every point leaves out as many records as it may"
    if marked is not None and solution.exact_cost is not None and marked.exact_cost < solution.exact_cost:
        return "The release is not on this curve: what it asks for can be had for less"
    return "The release is not on this curve, which asks for something else"


def _proof(front: ParetoFront, here: FrontPoint | None) -> str:
    if front.complete:
        return (
            "No point that leaves out as many records as it may is missing."
            if front.spend_limit
            else "Every point is the least loss for what it asks, which is proved."
        )
    if not front.stopped:
        return "The points were found by a search that may miss some; others may be cheaper."
    stopped = (
        f"The search for this curve was stopped after {front.evaluated:,} of {front.space:,} choices of levels: each "
        "point can be had at its price, but points may be missing, and some may be had for less."
    )
    return (
        f"{stopped} The release itself is proved to be the least loss for what it asks."
        if here and here.optimal
        else stopped
    )
