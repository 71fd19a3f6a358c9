"""A trade-off as searches see it: a problem with the loosest requirements, and what is varied; and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, TypeAlias

from sfumato.privacy import ClassModel
from sfumato.privacy.base import subject
from sfumato.problem import Problem
from sfumato.questions import Answer, ClassQuestion
from sfumato.settings.exact import Number, Value, exactly

Node: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Varied:
    """A model with the parameter that a trade-off varies; what the model says of it is of no account."""

    model: ClassModel
    parameter: str

    @property
    def larger(self) -> bool:
        """Whether larger values ask for more."""
        return self.model.varies[self.parameter].larger

    def at(self, value: Number) -> ClassModel:
        """The model with this value."""
        return replace(self.model, **{self.parameter: value})  # type: ignore[type-var] # what varies is a dataclass

    def read(self, value: Number) -> Value:
        """A value as somebody writes it, exactly; raises a ProblemError where the model does."""
        return exactly(getattr(self.at(value), self.parameter))

    def enough(self, value: Value, wanted: Value) -> bool:
        """Whether a value asks for at least as much as another."""
        return value >= wanted if self.larger else value <= wanted


@dataclass(frozen=True, eq=False)
class FrontQuestion:
    """What a front answers: a problem with the loosest requirements, and what is varied in it."""

    problem: Problem  # its last constraints are the varied ones
    varied: tuple[Varied, ...]
    spend_limit: bool = False  # the paper's front: of each node, only what it attains with the limit spent

    of_sets: ClassVar[bool] = False  # whether its loss is that of columns of sets, which have cuts and not levels

    def asking(self, values: Sequence[Value]) -> Problem:
        """The problem that asks for these values."""
        fixed = list(self.problem.constraints)[: -len(self.varied)]
        models = [varied.at(value) for varied, value in zip(self.varied, values, strict=True)]
        return replace(self.problem, constraints=[*fixed, *models])

    def read(self, parameter: str, value: Number) -> Value:
        """What somebody asks of a parameter, exactly."""
        return next(one for one in self.varied if one.parameter == parameter).read(value)

    def required_by(self, models: Iterable[ClassModel]) -> dict[str, Value]:
        """What models ask of the parameters that are varied here."""
        return {
            one.parameter: one.read(getattr(model, one.parameter))
            for one in self.varied
            for model in models
            if subject(model) == subject(one.model)
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(attribute.name for attribute in self.posed.frequencies.quasi_identifiers)

    @property
    def heights(self) -> Mapping[str, int]:
        """The highest level of each quasi-identifier."""
        return {attribute.name: attribute.hierarchy.height for attribute in self.posed.frequencies.quasi_identifiers}

    def proves(self, point: AttainedPoint, *, complete: bool) -> bool:
        """Whether nothing that attains as much as a point costs less, given whether the whole front was searched."""
        return complete and not self.spend_limit

    @property
    def looked_at(self) -> str:
        """What a search counts."""
        return "cuts examined" if self.of_sets else "nodes evaluated"

    def relative(self, cost: Fraction) -> Fraction:
        """A cost as a share of the worst."""
        return self.posed.relative(cost)

    @property
    def posed(self) -> ClassQuestion:
        """The question about the quasi-identifiers, bound."""
        posed: ClassQuestion = self.problem.question
        return posed

    @property
    def parameters(self) -> tuple[str, ...]:
        """What is varied."""
        return tuple(varied.parameter for varied in self.varied)


@dataclass(frozen=True)
class AttainedPoint:
    """A point of a front: what is attained, what it costs, and the nodes that attain it at that cost."""

    values: tuple[Value, ...]
    cost: Fraction
    nodes: tuple[Node, ...]  # in lexicographic order
    suppressed: int  # by the first of them
    answers: tuple[Answer, ...] = ()  # what was found, where that is not said by nodes


@dataclass(frozen=True, eq=False)
class FrontAnswer:
    """What a search for a front ends with."""

    question: FrontQuestion
    points: Sequence[AttainedPoint]
    evaluated: int  # nodes
    seconds: float
    algorithm: str
    complete: bool = True  # False if it was stopped, or if the search may miss points
    cloud: Sequence[AttainedPoint] | None = None  # what every node evaluated attains, if it was to be kept


def ordered(points: Sequence[AttainedPoint], question: FrontQuestion) -> list[AttainedPoint]:
    """From the loosest requirement to the strictest."""
    signs = [1 if varied.larger else -1 for varied in question.varied]
    return sorted(
        points, key=lambda point: (*(s * v for s, v in zip(signs, point.values, strict=True)), point.cost, point.nodes)
    )


def undominated(points: Sequence[AttainedPoint], question: FrontQuestion) -> list[AttainedPoint]:
    """The points that no other beats: as strict in everything and as cheap, and better in something.

    Nodes with equal values and equal cost are one point, which has all of them.
    """
    signs = [1 if varied.larger else -1 for varied in question.varied]
    tied: dict[tuple[tuple[Value, ...], Fraction], list[AttainedPoint]] = {}
    for point in points:
        key = tuple(s * v for s, v in zip(signs, point.values, strict=True))
        tied.setdefault((key, point.cost), []).append(point)
    kept: list[tuple[Value, ...]] = []
    front = []
    # Cheapest first, the strictest first of equals: whoever comes later beats nobody who is here.
    for (key, _), group in sorted(tied.items(), key=lambda entry: (entry[0][1], tuple(-v for v in entry[0][0]))):
        if any(all(a >= b for a, b in zip(other, key, strict=True)) for other in kept):
            continue
        kept.append(key)
        nodes = sorted((node, point.suppressed) for point in group for node in point.nodes)
        front.append(replace(group[0], nodes=tuple(node for node, _ in nodes), suppressed=nodes[0][1]))
    return front
