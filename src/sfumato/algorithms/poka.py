"""POkA: from one Pareto-optimal node of the full-domain lattice to the next one, with a smaller k and a lower loss.

R. Dewri, I. Ray, I. Ray, D. Whitley, "POkA: identifying Pareto-optimal k-anonymous nodes in a domain hierarchy
lattice", CIKM 2009, Functions 1 to 3 with the lists HBest and DBest of Section 5.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.errors import ProblemError
from sfumato.native import core as _core
from sfumato.native.front_question import AttainedPoint, FrontAnswer, FrontQuestion, undominated
from sfumato.native.lattice import level_ranges_of, may_suppress, other_recoding
from sfumato.native.run import CoreCosts, Run
from sfumato.native.tables import NativeProblem
from sfumato.questions import Answer, ClassQuestion
from sfumato.settings.exact import whole
from sfumato.settings.given import brief, check_fields
from sfumato.settings.wording import wording

# Nodes are numbered in 64 bits.
_MOST_NODES = 1 << 62


@dataclass(frozen=True)
class POkA(Algorithm):
    """The paper's search for the trade-off between k and a loss, as published: it evaluates little, and misses points.

    depth: how far below a node the search for the next one turns around; ⌈Σ heights / attributes⌉ if left out.
    start: the levels of the first node; those left out are the highest.
    """

    name: ClassVar[str] = "poka"
    paper: ClassVar[str] = "Dewri et al., CIKM 2009"
    fronts: ClassVar[bool] = True

    depth: int | None = None
    start: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.depth is not None:
            object.__setattr__(self, "depth", whole(self.depth, "depth", least=1))
        if not isinstance({} if self.start is None else self.start, Mapping):
            raise ProblemError(
                f"start = {brief(self.start)} does not say whose; give a dictionary such as {{'age': 2}}."
            )
        levels = {key: whole(level, f"start['{key}']", least=0) for key, level in (self.start or {}).items()}
        object.__setattr__(self, "start", MappingProxyType(levels))

    def accepts(self, question: ClassQuestion) -> str | None:
        how = wording("sf.tradeoff(…, algorithm=sf.POkA())", "sfumato tradeoff --algorithm poka")
        return f"poka finds what every k costs, not one solution; use {how}"

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        raise ProblemError(f"No algorithm for this problem: {self.accepts(question)}.")

    def accepts_tradeoff(self, question: FrontQuestion) -> str | None:
        """None if it searches such a front, else why not."""
        posed, varied = question.posed, question.varied
        if (reason := other_recoding(self.name, posed)) is not None:
            return reason
        counts_people = varied[0].parameter == "k" and varied[0].model.counts_only
        if len(varied) > 1 or not counts_people:
            return "poka varies k of k-anonymity alone; leave algorithm out"
        if len(posed.constraints) > 1:
            return f"poka takes no requirement beside k, such as {posed.constraints[0].name}; leave algorithm out"
        if may_suppress(posed) >= posed.records:
            return "poka suppresses as many records as it may, and it may suppress all; lower suppression_limit"
        if posed.space >= _MOST_NODES:
            return "poka numbers the nodes of the lattice, and there are too many"
        return None

    def front(self, question: FrontQuestion, run: Run, *, keep: bool = False) -> FrontAnswer:
        """What it takes for the paper's front; marked incomplete, for it proves nothing."""
        if (reason := self.accepts_tradeoff(question)) is not None:
            raise ProblemError(f"No algorithm for this trade-off: {reason}.")
        posed, ranges = question.posed, level_ranges_of(question.posed)
        loss = posed.loss.core(posed.frequencies)
        costs, native = CoreCosts(loss), NativeProblem.of(posed.frequencies, (), loss)
        with run.core(costs) as (control, on_progress):
            result = _core.poka(
                native.frequencies,
                native.loss,
                may_suppress(posed),
                [lowest for lowest, _ in ranges],
                [highest for _, highest in ranges],
                self._start(posed),
                self._depth(ranges),
                control,
                on_progress,
                keep,
            )
        spent = replace(question, spend_limit=True)
        points = [_attained(point, costs) for point in result.points]
        if not points:  # stopped before the first node: what it starts from can be had in any case
            from sfumato.native.fronts import FrontRun

            points = FrontRun(spent).nodes()(self._start(posed))
        return FrontAnswer(
            spent,
            undominated(points, spent),
            evaluated=run.examined,
            seconds=run.seconds,
            algorithm=self.name,
            complete=False,
            cloud=[_attained(point, costs) for point in result.nodes] if keep else None,
        )

    def _depth(self, ranges: list[tuple[int, int]]) -> int:
        """The paper's average number of steps from the top to the bottom of an attribute."""
        steps = sum(highest - lowest for lowest, highest in ranges)
        return self.depth or max(1, ceil(Fraction(steps, len(ranges))))

    def _start(self, question: ClassQuestion) -> list[int]:
        frequencies, start = question.frequencies, dict(self.start or {})
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        for name in start:
            if name not in names:
                raise ProblemError(
                    f"start has '{name}', which is not a quasi-identifier; choose from {', '.join(names)}."
                )
        levels = []
        for name, (lowest, highest) in zip(names, level_ranges_of(question), strict=True):
            level = start.get(name, highest)
            if not lowest <= level <= highest:
                raise ProblemError(f"start['{name}'] = {level}, but '{name}' has levels {lowest} to {highest}.")
            levels.append(level)
        return levels


def _attained(point: _core.PokaPoint, costs: CoreCosts) -> AttainedPoint:
    return AttainedPoint((point.k,), costs.exact(point.cost), (tuple(point.node),), point.suppressed)
