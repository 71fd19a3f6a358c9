"""Fronts of a whole lattice: how a trade-off goes to the core, and how its points come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from sfumato.native import core as _core
from sfumato.native.front_question import AttainedPoint, FrontAnswer, FrontQuestion, Node
from sfumato.native.lattice import level_ranges_of, may_suppress
from sfumato.native.run import CoreCosts, Run
from sfumato.native.tables import NativeProblem, rating_of
from sfumato.settings.exact import Value, exactly

_COPIES = 5  # of the coded data in memory at a time, at least


class FrontRun:
    """One question, handed to the core: for the front of all nodes, or for the points of single ones."""

    def __init__(self, question: FrontQuestion) -> None:
        posed, varied = question.posed, question.varied
        frequencies, loss = posed.frequencies, posed.loss.core(posed.frequencies)
        native = NativeProblem.of(frequencies, posed.constraints, loss)
        read = [*(model.reads for model in posed.constraints if model.reads is not None), *loss.reads]
        rated = [rating_of(one.model, one.parameter, frequencies, tuple(dict.fromkeys(read))) for one in varied]
        ranges = level_ranges_of(posed)
        self.question = question
        self.costs = CoreCosts(loss)
        self._coded_bytes = posed.coded_bytes
        self._values = [value for _, value in rated]
        self._arguments = (
            native.frequencies,
            native.models[: -len(varied)],
            [rating for rating, _ in rated],
            native.loss,
            may_suppress(posed),
            [lowest for lowest, _ in ranges],
            [highest for _, highest in ranges],
            question.spend_limit,
        )

    def serves(self, how: str, *, keep: bool) -> bool:
        """Whether it is proved that this evaluation finds the front: some leave nodes out."""
        return bool(_core.serves(*self._arguments, _core.FrontSearch[how.upper()], keep))

    def front(self, run: Run, *, how: str, keep: bool) -> FrontAnswer:
        """The front, as far as the limits allow."""
        run.limits = run.limits.reserving(_COPIES * self._coded_bytes, f"the {how} evaluation of fronts")
        with run.core(self.costs) as (control, on_progress):
            result = _core.front(*self._arguments, _core.FrontSearch[how.upper()], keep, control, on_progress)
        return FrontAnswer(
            self.question,
            [self._point(point) for point in result.points],
            evaluated=run.examined,
            seconds=run.seconds,
            algorithm=f"{how}-evaluation",
            complete=result.complete,
            cloud=[self._node_point(point) for point in result.kept] if keep else None,
        )

    def nodes(self) -> Callable[[Sequence[int]], list[AttainedPoint]]:
        """A function that tells the points of a node, for searches that walk the lattice themselves."""
        single = _core.FrontNodes(*self._arguments)
        return lambda node: [self._node_point(point) for point in single.at(list(node))]

    def _point(self, point: _core.ParetoPoint) -> AttainedPoint:
        nodes = sorted(zip(map(tuple, point.nodes), point.suppressed, strict=True))
        tied: tuple[Node, ...] = tuple(node for node, _ in nodes)
        return AttainedPoint(self._strength(point.strength), self.costs.exact(point.cost), tied, nodes[0][1])

    def _node_point(self, point: _core.NodePoint) -> AttainedPoint:
        node: Any = tuple(point.node)
        return AttainedPoint(self._strength(point.strength), self.costs.exact(point.cost), (node,), point.suppressed)

    def _strength(self, rates: Sequence[tuple[int, int]]) -> tuple[Value, ...]:
        return tuple(exactly(value(Fraction(*rate))) for value, rate in zip(self._values, rates, strict=True))
