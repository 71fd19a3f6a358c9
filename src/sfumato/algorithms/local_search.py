"""LocalSearch: local recoding with little loss, by annealed moves of classes, and a proof of how little it could be.

Ours. Every record is published at a generalised tuple of its class; the bound is a feasible point of the dual of set
partitioning, checked in integers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.algorithms.base import Limits, Progress
from sfumato.algorithms.local_core import LocalCore, LocalOrder
from sfumato.algorithms.sweep_core import not_local, violated_whole
from sfumato.privacy import ClassModel, Monotonicity
from sfumato.problem import Problem
from sfumato.recoding import LocalRecoding
from sfumato.settings.exact import rounded_down, whole
from sfumato.solution import Solution, Status, TracePoint

if TYPE_CHECKING:
    from sfumato import _core

_MOST_RECORDS = 1 << 32
_MOST_CELLS = 1 << 16  # of an order
_ENDLESS = 1 << 40  # steps: as many as there is time for


@dataclass(frozen=True)
class LocalSearch:
    """Anytime: the longer it may take, the less is lost; `bound` says how little any local recoding could lose.

    steps: moves that are tried; left out, 100 for each distinct combination, at most a million without a time limit.
    rounds: of the ascent of the bound, each a walk through all generalised tuples; 0 leaves the bound by records.
    The same steps, rounds and seed give the same answer, unless a time limit comes first.
    """

    name: ClassVar[str] = "local-search"
    paper: ClassVar[str] = "(ours)"

    steps: int | None = None
    rounds: int = 10

    def __post_init__(self) -> None:
        if self.steps is not None:
            object.__setattr__(self, "steps", whole(self.steps, "steps", least=0))
        object.__setattr__(self, "rounds", whole(self.rounds, "rounds", least=0))

    def accepts(self, problem: Problem) -> str | None:
        if (reason := not_local(self.name, problem, intervals=True)) is not None:
            return reason
        f = problem.data.frequencies
        if f.records >= _MOST_RECORDS:
            return f"{self.name} knows at most {_MOST_RECORDS:,} records"
        loss = problem.loss.core(f)
        if loss.classes or not loss.values:
            return f"{self.name} minimises what values lose, and {problem.loss.name} looks at whole classes; choose lm"
        orders = [one.axis for one in LocalCore(problem).attributes if isinstance(one, LocalOrder)]
        if orders and problem.loss.boxed is None:
            return (
                f"{problem.loss.name} says not what intervals of '{orders[0].name}' lose; choose lm, or give it a "
                "hierarchy and leave it out of splits"
            )
        if wide := [axis.name for axis in orders if axis.cells > _MOST_CELLS]:
            return (
                f"{self.name} knows at most {_MOST_CELLS:,} values of an order, and '{wide[0]}' has more; give it a "
                f"number of splits, as in Local(splits={{'{wide[0]}': 1000}})"
            )
        refusals = (self._refused(model) for model in problem.constraints)
        return next((reason for reason in refusals if reason is not None), None)

    def space(self, problem: Problem) -> int:
        """The moves that are tried."""
        return self._steps(problem, Limits())

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        core = LocalCore(problem, {"model": self.name, "steps": self.steps, "rounds": self.rounds})
        control = limits.control()
        steps = self._steps(problem, limits)
        reason = violated_whole(problem)
        recoding: LocalRecoding | None = None
        cost = bound = None
        trace: tuple[TracePoint, ...] = ()
        if not problem.data.frequencies.records:
            recoding, cost, bound = core.nothing(), Fraction(0), Fraction(0)
        elif not reason:
            told = (lambda now: progress(self._progress(now, core))) if progress else None
            result = core.run({"steps": steps, "rounds": self.rounds}, seed, control, told)
            recoding = core.recoding(result, seed)
            cost = problem.loss.cost(problem.data.frequencies, recoding.summaries(problem.data.frequencies), 0)
            bound = core.exact(result.bound)
            points = [self._progress(point, core) for point in control.trace()]
            trace = tuple(TracePoint(p.seconds, p.examined, p.cost, p.bound) for p in points)
        end = control.progress()
        status = Status.INFEASIBLE if recoding is None else Status.OPTIMAL if bound == cost else Status.FEASIBLE
        return Solution(
            problem=problem,
            algorithm=self.name,
            status=status,
            recoding=recoding,
            exact_cost=cost,
            exact_bound=bound,
            examined=end.examined,
            space=end.examined if steps == _ENDLESS else steps,
            seconds=end.seconds,
            trace=trace,
            seed=seed,
            reason=reason,
            interrupted=control.interrupted,
        )

    def _steps(self, problem: Problem, limits: Limits) -> int:
        if self.steps is not None:
            return self.steps
        if np.isfinite(limits.seconds):
            return _ENDLESS
        return min(1000 + 100 * len(problem.data.frequencies.counts), 1_000_000)

    @staticmethod
    def _progress(now: _core.Progress, core: LocalCore) -> Progress:
        from sfumato import _core

        cost = None if now.incumbent >= _core.NO_COST else float(core.exact(now.incumbent))
        return Progress(now.seconds, now.examined, cost, rounded_down(core.exact(now.bound)))

    def _refused(self, model: ClassModel) -> str | None:
        """Why a model cannot be searched for."""
        if model.induces() is not None:
            return (
                f"{self.name} leaves sensitive values as they are, and {model.name} lets local recoding generalise "
                "them; choose sequential-sweep"
            )
        if model.populated:
            return f"{self.name} knows no population, which {model.name} compares with"
        if model.monotonicity is Monotonicity.NONE:
            return f"{self.name} merges classes, which may break {model.name}"
        return None
