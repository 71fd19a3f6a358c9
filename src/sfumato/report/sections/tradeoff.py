"""The trade-off as a section of a report: where the release lies on it, and what other requirements would cost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sfumato.errors import InfeasibleError, ProblemError
from sfumato.front.front import ParetoFront
from sfumato.front.point import FrontPoint
from sfumato.plots import front_info, without_cloud
from sfumato.questions import Answer
from sfumato.report.blocks import Figures, Section, Text
from sfumato.report.findings import Findings
from sfumato.solution import Solution

_TITLE = "What other requirements would cost"


def section(findings: Findings) -> Section | None:
    """The front, with the point marked that costs what the solution costs, if it has one."""
    front, solution = findings.front, findings.solution
    if front is None:
        return None
    own = _answers(front, solution)
    other_loss = any(answer.question.loss != front.question.posed.loss for answer in own)
    if front.problem.data is not solution.problem.data or other_loss or not own:
        raise ProblemError(
            "The front is about other data, or another loss, than the solution; make both from one table."
        )
    front = front.including(solution)
    if not len(front):
        return Section("tradeoff", _TITLE, (Text("The search for this curve was stopped before its first point."),))
    cost = sum((answer.exact_cost or Fraction(0) for answer in own), Fraction(0))
    here = _point_of(front, solution, own, cost)
    marked = here or _instead(front, own)
    info = without_cloud(front_info(front, marked) if marked else front_info(front))
    spot, most = info.spots[info.chosen], "" if front.complete else "at most "
    blocks = (
        Text(f"{_lead(front, cost, here, marked)}: {spot.words[0]}. {' '.join(spot.words[1:])}"),
        Text(f"{_proof(front, here)} What lies between two points costs {most}what the stronger one costs."),
        Figures((info,)),
    )
    return Section("tradeoff", _TITLE, blocks)


def _answers(front: ParetoFront, solution: Solution) -> tuple[Answer, ...]:
    """The solution's answers to what the front asks: of the quasi-identifiers, or of the columns of sets."""
    of_sets = front.question.of_sets
    return tuple(answer for answer in solution.answers if (answer.question.column is not None) == of_sets)


def _point_of(front: ParetoFront, solution: Solution, own: Sequence[Answer], cost: Fraction) -> FrontPoint | None:
    """The point with the solution's recodings and cost."""
    if front.question.of_sets:
        published = [answer.chosen.to_json() for answer in own]
        same = [
            point
            for point in front
            if point.exact_cost == cost and [a.chosen.to_json() for a in point.answers[-len(own) :]] == published
        ]
    else:
        levels = dict(solution.levels)
        same = [point for point in front if point.exact_cost == cost and levels in [dict(node) for node in point.nodes]]
    return same[0] if same else None


def _instead(front: ParetoFront, own: Sequence[Answer]) -> FrontPoint | None:
    """The cheapest point that attains what the solution was to attain."""
    required = front.question.required_by(own[0].question.constraints)
    if not required:
        return None
    try:
        return front.at(**required)
    except InfeasibleError:
        return None


def _lead(front: ParetoFront, cost: Fraction, here: FrontPoint | None, marked: FrontPoint | None) -> str:
    if here is not None:
        return "The release"
    if marked is not None and marked.exact_cost == cost:
        other = "Another cut gives" if front.question.of_sets else "Other levels give"
        return f"{other} more than the release at the same price"
    if front.spend_limit:
        return "The release is not on this curve, where every point leaves out as many records as it may"
    if marked is not None and marked.exact_cost < cost:
        return "The release is not on this curve: what it asks for can be had for less"
    return "The release is not on this curve, which asks for something else"


def _proof(front: ParetoFront, here: FrontPoint | None) -> str:
    if front.complete:
        return (
            "No point that leaves out as many records as it may is missing."
            if front.spend_limit
            else "Every point is the least loss for what it asks, which is proved."
        )
    if front.question.of_sets and all(point.optimal for point in front):
        return (
            "Every point is the least loss for what it asks, which is proved; stricter requirements were not reached."
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
