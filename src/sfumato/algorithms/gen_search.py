"""GenSearch: the cheapest hierarchical partition of space into boxes, with a proof; or the best so far, with a bound.

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization: a
systematic search based approach", 2011. The recurrence over boxes in place of the paper's enumeration is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from sfumato.algorithms.base import CoreCosts, Limits, Progress, reason_of, status_of
from sfumato.algorithms.native_boxes import NativeBoxes, no_boxes
from sfumato.errors import ProblemError
from sfumato.problem import Problem
from sfumato.recoding import MultidimensionalRecoding
from sfumato.settings.exact import Number, boolean, exact
from sfumato.solution import Solution, Status

_PRIORITIES = {"lb": "BOUND", "cost": "COST", "lb/cost": "RATIO"}
_MOST_OPTIMA = 10_000
_FINEST = 1 << 40


@dataclass(frozen=True)
class GenSearch:
    """Exact for any conjunction of class models under lm, discernibility, classification and volume; anytime.

    approximation: stop as soon as the cost is proved to be at most so many times the least.
    priority: which split of a box is looked at first: "lb" (least lower bound), "cost" or "lb/cost".
    all_optima: find all cheapest partitions, 10,000 at most; `solution.top` has them.
    start: a solution of the same problem to begin with, such as one by Mondrian, in place of none.
    """

    name: ClassVar[str] = "gen-search"
    paper: ClassVar[str] = "Hore et al., 2011"

    approximation: Number = 1
    priority: str = "lb"
    all_optima: bool = False
    start: Solution | None = field(default=None, repr=False, compare=False, metadata={"setting": False})

    def __post_init__(self) -> None:
        factor = exact(self.approximation, "approximation")
        if factor < 1:
            raise ProblemError(f"approximation = {self.approximation} is below the least cost; give 1 or more.")
        object.__setattr__(self, "approximation", factor)
        object.__setattr__(self, "all_optima", boolean(self.all_optima, "all_optima"))
        if self.priority not in _PRIORITIES:
            raise ProblemError(f"priority = '{self.priority}' is unknown; choose {', '.join(_PRIORITIES)}.")

    def accepts(self, problem: Problem) -> str | None:
        return no_boxes(self.name, problem)

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core

        native = NativeBoxes.of(problem)
        costs, control = CoreCosts(native.costs, _core.NO_COST), limits.control()
        start = self._start(problem)
        factor = exact(self.approximation, "approximation").limit_denominator(_FINEST)
        result = native.search(
            _core.gen_search,
            control,
            (lambda now: progress(costs.progress(now))) if progress else None,
            priority=_PRIORITIES[self.priority],
            # One more than it costs: if nothing is cheaper, what is found costs the same and is proved.
            upper=None if start is None else native.units(start[1]) + 1,
            factor=min(factor, exact(self.approximation, "approximation")),
            optima=_MOST_OPTIMA if self.all_optima else 1,
        )
        end, f = control.progress(), problem.data.frequencies
        found = result.found
        recodings = [native.recoded(one) for one in found[:1]]
        cost = costs.exact(found[0].cost) if found else None
        complete = result.complete
        if start is not None and (cost is None or start[1] < cost):
            recodings, cost, complete = [start[0]], start[1], start[1] == costs.exact(result.bound)
        status = status_of(found=cost is not None, complete=complete)

        def solution(recoding: MultidimensionalRecoding | None, others: tuple[Solution, ...] = ()) -> Solution:
            return Solution(
                problem=problem,
                algorithm=self.name,
                status=status,
                recoding=recoding,
                exact_cost=cost,
                exact_bound=None
                if status is Status.INFEASIBLE
                else min(costs.exact(result.bound), cost or costs.exact(result.bound)),
                examined=end.examined,
                space=problem.recoding.space(f),
                seconds=end.seconds,
                trace=costs.trace(control),
                seed=seed,
                reason=reason_of(status, problem, interrupted=control.interrupted),
                interrupted=control.interrupted,
                others=others,
            )

        later = tuple(solution(native.recoded(one)) for one in found[1:]) if recodings else ()
        return solution(recodings[0] if recodings else None, later)

    def _start(self, problem: Problem) -> tuple[MultidimensionalRecoding, Fraction] | None:
        """What there is to begin with, if it is valid here, and what it costs here."""
        if self.start is None:
            return None
        found, f = self.start.recoding, problem.data.frequencies
        if not isinstance(found, MultidimensionalRecoding) or self.start.problem.data is not problem.data:
            raise ProblemError("start is no solution of this table's boxes; give one by problem.solve(sf.Mondrian()).")
        reads = {name for name in [problem.loss.reads(f), *(m.reads for m in problem.constraints)] if name is not None}
        classes = found.summaries(f, reads)
        broken = [model.name for model in problem.constraints if not all(map(model.holds, classes))]
        out = found.withheld_records(f)
        if broken or (out and problem.recoding.suppressing.limit == 0):
            raise ProblemError(
                f"start does not satisfy the problem ({broken[0] if broken else 'it leaves records out'}); give one."
            )
        return found, problem.loss.cost(f, classes, out)
