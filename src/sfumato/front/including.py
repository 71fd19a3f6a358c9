"""A front that was stopped, and a solution: what its levels attain belongs to the front, proved if the solution is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sfumato.front.front import ParetoFront
from sfumato.front.point import FrontPoint
from sfumato.native.front_question import AttainedPoint, FrontAnswer, undominated
from sfumato.native.fronts import FrontRun
from sfumato.native.lattice import level_ranges_of
from sfumato.questions import Status
from sfumato.settings.exact import Value
from sfumato.solution import Solution


def including(front: ParetoFront, solution: Solution) -> ParetoFront:
    """The front with the solution in it. One that is complete has it, or something better, as it is."""
    if front.complete or front.spend_limit or front.question.of_sets or solution.question.recoding.lattice is None:
        return front
    question = front.question
    levels = [solution.levels[name] for name in question.names]
    ranges = level_ranges_of(question.posed)
    if not all(low <= level <= high for level, (low, high) in zip(levels, ranges, strict=True)):
        return front
    points = [_attained(point) for point in front]
    there = {key for point in front for key in _places(_attained(point))}
    points += [point for point in FrontRun(question).nodes()(levels) if not set(_places(point)) <= there]
    answer = FrontAnswer(
        question,
        undominated(points, question),
        front.evaluated,
        front.seconds,
        front.algorithm,
        complete=False,
        cloud=front.cloud,
    )
    whole = ParetoFront.of(answer)
    proved = {(tuple(point.values.values()), point.exact_cost) for point in front if point.optimal}
    return replace(
        whole,
        points=tuple(
            replace(point, optimal=True)
            if (tuple(point.values.values()), point.exact_cost) in proved or _is_proved(point, front, solution)
            else point
            for point in whole
        ),
    )


def _is_proved(point: FrontPoint, front: ParetoFront, solution: Solution) -> bool:
    """Whether nothing that attains as much as the point costs less, because the solution's problem asks for no more."""
    posed, solved = front.question.posed, solution.question
    required = front.question.required_by(solved.constraints)
    varied = {one.parameter: one for one in front.question.varied}
    names = {(one.model.name, one.model.reads) for one in front.question.varied}
    fixed = [model for model in solved.constraints if (model.name, model.reads) not in names]
    return (
        solution.status is Status.OPTIMAL
        and point.exact_cost == solution.exact_cost
        and solved.loss == posed.loss
        and solved.recoding == posed.recoding
        and all(model in posed.constraints for model in fixed)
        and all(varied[name].enough(point.values[name], value) for name, value in required.items())
    )


def _attained(point: FrontPoint) -> AttainedPoint:
    nodes = tuple(tuple(node.values()) for node in point.nodes)
    return AttainedPoint(tuple(point.values.values()), point.exact_cost, nodes, point.suppressed)


def _places(point: AttainedPoint) -> list[tuple[tuple[Value, ...], Fraction, tuple[int, ...]]]:
    return [(point.values, point.cost, node) for node in point.nodes]
