"""Pareto front: all that cannot be had more private without losing more, nor at less loss without being less private.

R. Dewri, I. Ray, I. Ray, D. Whitley, "POkA: identifying Pareto-optimal k-anonymous nodes in a domain hierarchy
lattice", CIKM 2009; here with every class size of a node, so that each point is the optimum of its requirement.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING, Any

from sfumato.data import Table
from sfumato.errors import InfeasibleError, ProblemError
from sfumato.front.comparison import FrontComparison, compared
from sfumato.front.landmarks import Landmarks
from sfumato.front.point import FrontPoint
from sfumato.native.front_question import AttainedPoint, FrontAnswer, FrontQuestion, ordered
from sfumato.problem import Problem
from sfumato.questions.answer import counted_off
from sfumato.settings.exact import Number, Value, plain, readable
from sfumato.settings.given import brief, checked
from sfumato.settings.optional import pandas_for
from sfumato.solution import Solution

if TYPE_CHECKING:
    import pandas as pd

    from sfumato.report.front_page import FrontPlot


@dataclass(frozen=True, eq=False)
class ParetoFront:
    """The points that no other beats, from the loosest requirement to the strictest.

    The exact front has the optimum of every requirement: `at(k=10)` costs what solving for 10-anonymity costs.
    """

    question: FrontQuestion = field(repr=False)
    points: tuple[FrontPoint, ...]
    evaluated: int  # nodes
    space: int  # nodes there are
    seconds: float
    algorithm: str
    complete: bool = True  # False if it was stopped, or if the search may miss points
    # What every node evaluated attains and costs, if it was to be kept: a point per value, dominated or not.
    cloud: tuple[AttainedPoint, ...] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, answer: FrontAnswer) -> ParetoFront:
        """The front that a search ends with."""
        question, space = answer.question, answer.question.posed.space
        points = tuple(
            FrontPoint(
                values=dict(zip(question.parameters, point.values, strict=True)),
                exact_cost=point.cost,
                nodes=tuple(dict(zip(question.names, node, strict=True)) for node in point.nodes),
                suppressed=point.suppressed,
                optimal=question.proves(point, complete=answer.complete),
                question=question,
                effort=(answer.evaluated, space, answer.seconds),
                algorithm=answer.algorithm,
                answers=point.answers,
            )
            for point in ordered(answer.points, question)
        )
        cloud = None if answer.cloud is None else tuple(answer.cloud)
        return cls(question, points, answer.evaluated, space, answer.seconds, answer.algorithm, answer.complete, cloud)

    @classmethod
    @checked
    def load(cls, path: str | os.PathLike[str], table: Table) -> ParetoFront:
        """A front that was saved, about the table that it was made from."""
        from sfumato.report.front_file import read_front

        return read_front(path, table)

    @property
    def problem(self) -> Problem:
        """What is solved at every point, with the loosest requirements."""
        return self.question.problem

    @property
    def stopped(self) -> bool:
        """Whether a limit or Ctrl-C ended an evaluation that would have found the whole front."""
        return not self.complete and self.algorithm.endswith("-evaluation")

    @property
    def spend_limit(self) -> bool:
        """Whether it is the paper's front."""
        return self.question.spend_limit

    @property
    def parameters(self) -> tuple[str, ...]:
        """What is varied."""
        return self.question.parameters

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[FrontPoint]:
        return iter(self.points)

    @checked
    def __getitem__(self, number: int) -> FrontPoint:
        if not -len(self) <= number < len(self):
            raise IndexError(f"The front has {len(self)} points, and {brief(number)} is not the number of one.")
        return self.points[number]

    def at(self, **values: Number) -> FrontPoint:
        """The cheapest point that attains at least these values; of the exact front, the optimum of that requirement.

        Parameters that are not named may have any value.
        """
        varied = {one.parameter: one for one in self.question.varied}
        for name in values:
            if name not in varied:
                raise ProblemError(f"This front does not vary '{name}'; ask for {' and '.join(varied)}.")
        required = {name: self.question.read(name, value) for name, value in values.items()}
        enough = [
            point
            for point in self.points
            if all(varied[name].enough(point.values[name], value) for name, value in required.items())
        ]
        if not enough:
            raise InfeasibleError(self._too_strict(required))
        return min(enough, key=lambda point: point.exact_cost)

    def knee(self) -> FrontPoint:
        """The point farthest from the chord between the ends, on logarithmic axes: there more privacy becomes dear.

        Points without a logarithm, where the value or the cost is 0, are passed over.
        """
        if len(self.question.varied) > 1:
            raise ProblemError("Two parameters make a surface, which has no knee; fix one of them as a constraint.")
        if not self.points:
            raise InfeasibleError(self._too_strict({}))
        placed = [(log(p.value), log(p.exact_cost), p) for p in self.points if p.value > 0 and p.exact_cost > 0]
        if len(placed) < 3:
            return placed[0][2] if placed else self.points[0]
        (x0, y0, _), (x1, y1, _) = placed[0], placed[-1]
        return max(placed, key=lambda at: abs((x1 - x0) * (at[1] - y0) - (y1 - y0) * (at[0] - x0)))[2]

    @property
    def landmarks(self) -> Landmarks:
        """The points that are worth a look first."""
        varied = self.question.varied
        return Landmarks(self.points, varied[0].parameter, varied[0].larger, len(varied) == 1)

    def including(self, solution: Solution) -> ParetoFront:
        """The front with a solution in it, in case the search was stopped; see `sfumato.front.including`."""
        from sfumato.front.including import including

        return including(self, solution)

    def to_frame(self) -> pd.DataFrame:
        """A row per point: its values, cost, records suppressed, and the levels of its first node."""
        pandas = pandas_for("A frame", "take the points one by one, as in a loop over the front")
        rows = [
            {name: int(value) if value == int(value) else float(value) for name, value in point.values.items()}
            | {"cost": point.cost, "relative": point.relative, "suppressed": point.suppressed}
            | {"nodes": len(point.nodes)}
            | dict(point.levels)
            for point in self.points
        ]
        columns = [*self.parameters, "cost", "relative", "suppressed", "nodes", *self.question.names]
        frame: pd.DataFrame = pandas.DataFrame(rows, columns=columns)
        return frame

    def plot(self, **chosen: Number) -> FrontPlot:
        """The front as a picture, with k = 5 marked, or the point that `at` gives for what is chosen."""
        from sfumato.report.front_page import plot_front

        return plot_front(self, **chosen)

    @checked
    def against(self, true: ParetoFront) -> FrontComparison:
        """Which points of a complete front this one has, which it misses, and which of its own are beaten."""
        if not true.complete:
            raise ProblemError("The front to compare with is itself incomplete; leave algorithm out, and let it end.")
        if self.parameters != true.parameters:
            raise ProblemError(
                f"One front varies {', '.join(self.parameters)}, the other {', '.join(true.parameters)}; compare "
                "fronts of the same parameter."
            )
        return compared(self.points, true.points)

    def to_json(self) -> dict[str, Any]:
        """All about the front, for JSON."""
        from sfumato.report.front_file import front_json

        return front_json(self)

    @checked
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the front to a JSON file, for `ParetoFront.load`."""
        from sfumato.report.front_file import write_front

        write_front(self, path)

    def __str__(self) -> str:
        kind = "the paper's front" if self.spend_limit else "front"
        whole = "" if self.complete else "  INCOMPLETE: points may be missing, and costs may not be the least"
        head = (
            f"{kind} of {', '.join(self.parameters)} and {self.question.posed.loss.name}: {len(self):,} points, "
            f"{self.evaluated:,} of {counted_off(self.space)} {self.question.looked_at} in {self.seconds:.2f} s{whole}"
        )
        rows = [(*self.parameters, "cost", "relative", "suppressed", "items" if self.question.of_sets else "levels")]
        listed = self.landmarks.listed()
        for point in (self.points[i] for i in listed):
            values = [readable(value) for value in point.values.values()]
            levels = point.described
            more = f" (and {len(point.nodes) - 1} more)" if len(point.nodes) > 1 else ""
            rows.append(
                (*values, f"{point.cost:,.6g}", f"{point.relative:.2%}", f"{point.suppressed:,}", levels + more)
            )
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
        lines = [
            "  ".join([*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows
        ]
        rest = (
            [f"{len(listed)} of {len(self):,} points are listed; to_frame() has all"] if len(listed) < len(self) else []
        )
        return "\n".join([head, *lines, *rest])

    __repr__ = __str__

    def _too_strict(self, required: Mapping[str, Value]) -> str:
        values = " and ".join(f"{name} = {plain(Fraction(value))}" for name, value in required.items())
        wanted = f"No point of the front attains {values}" if required else "The front has no point"
        reached = ", ".join(
            f"{one.parameter} = {readable((max if one.larger else min)(p.values[one.parameter] for p in self.points))}"
            for one in self.question.varied
            if self.points
        )
        way = f"ask for less (the strictest there is: {reached}), or" if reached else "ask for less, or"
        return f"{wanted}; {way} allow more suppression or higher levels."
