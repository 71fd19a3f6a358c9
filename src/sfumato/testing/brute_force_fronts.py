"""Brute force for fronts: every node, every set of weakest classes, every comparison of points; exact fractions.

The oracle for trade-offs. What a class attains is computed by the model's definition, one value after the other,
among all that small classes can attain: it shares nothing with the ratings that it checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from sfumato.data import ClassSummary
from sfumato.native.lattice import level_ranges_of
from sfumato.privacy import ClassModel
from sfumato.problem import Problem
from sfumato.testing.brute_force import classes
from sfumato.testing.plain_engine import Row


@dataclass(frozen=True)
class Varies:
    """A model and a parameter with the values to try, from the loosest to the strictest."""

    model: ClassModel
    parameter: str
    values: tuple[int | Fraction, ...]

    @cached_property
    def models(self) -> list[ClassModel]:
        """The model with each of the values."""
        return [replace(self.model, **{self.parameter: value}) for value in self.values]  # type: ignore[type-var]


@dataclass(frozen=True)
class BrutePoint:
    """A point of the front: the place of each value among those tried, the cost, all nodes, and what they suppress."""

    places: tuple[int, ...]
    cost: Fraction
    nodes: tuple[tuple[int, ...], ...]
    suppressed: tuple[int, ...]


def brute_front(
    problem: Problem, varied: Sequence[Varies], rows: list[Row], *, spend_limit: bool = False
) -> list[BrutePoint]:
    """All points that no other dominates; `problem` has the constraints that hold at every point."""
    evaluated = [
        (places, cost, levels, suppressed)
        for levels in product(*(range(low, high + 1) for low, high in level_ranges_of(problem.question)))
        for places, cost, suppressed in _of_node(problem, varied, rows, levels, spend_limit=spend_limit)
    ]
    points = {(places, cost) for places, cost, _, _ in evaluated}
    front = [point for point in points if not any(_dominates(other, point) for other in points)]
    result = []
    for point in sorted(front):
        tied = sorted((levels, gone) for places, cost, levels, gone in evaluated if (places, cost) == point)
        result.append(BrutePoint(*point, tuple(levels for levels, _ in tied), tuple(gone for _, gone in tied)))
    return result


def _dominates(one: tuple[tuple[int, ...], Fraction], other: tuple[tuple[int, ...], Fraction]) -> bool:
    no_worse = all(a >= b for a, b in zip(one[0], other[0], strict=True)) and one[1] <= other[1]
    return no_worse and one != other


def _of_node(
    problem: Problem, varied: Sequence[Varies], rows: list[Row], levels: tuple[int, ...], *, spend_limit: bool
) -> Iterable[tuple[tuple[int, ...], Fraction, int]]:
    """For every choice of values that the published classes attain, no more suppressed than is allowed."""
    summaries = list(classes(problem, rows, levels).values())
    kept = [s for s in summaries if all(model.holds(s) for model in problem.question.constraints)]
    attained = [tuple(_attained(one, summary) for one in varied) for summary in kept]
    allowed = problem.question.recoding.suppressing.limit * len(rows)
    points = {}
    for wanted in product(*({places[i] for places in attained if min(places) >= 0} for i in range(len(varied)))):
        published = [
            (summary, places)
            for summary, places in zip(kept, attained, strict=True)
            if all(place >= least for place, least in zip(places, wanted, strict=True))
        ]
        suppressed = len(rows) - sum(summary.size for summary, _ in published)
        if published and suppressed <= allowed:
            weakest = tuple(min(places[i] for _, places in published) for i in range(len(varied)))
            cost = problem.question.loss.cost(
                problem.data.frequencies, [summary for summary, _ in published], suppressed
            )
            points[weakest] = (weakest, Fraction(cost), suppressed)
    if not spend_limit:
        return points.values()
    free = {(places, Fraction(0)) for places in points}
    return [points[p] for p, zero in free if not any(_dominates(other, (p, zero)) for other in free)]


def _attained(varies: Varies, summary: ClassSummary) -> int:
    """The place of the strictest value that the class satisfies; -1 if there is none."""
    return max((i for i, model in enumerate(varies.models) if model.holds(summary)), default=-1)
