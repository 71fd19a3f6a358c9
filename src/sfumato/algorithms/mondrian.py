"""Mondrian: boxes are split as long as every part satisfies the constraints; greedy, fast, and without a proof.

K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006 (median, strict and
relaxed); steepest as in B. Hore et al., "Constrained generalization for data anonymization", 2011.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import CoreCosts, Limits, Progress, reason_of
from sfumato.algorithms.median import Median
from sfumato.algorithms.native_boxes import NativeBoxes, no_boxes
from sfumato.errors import ProblemError
from sfumato.problem import Problem
from sfumato.settings.exact import boolean
from sfumato.solution import Solution, Status, TracePoint

_SPLITS = ("steepest", "median")


@dataclass(frozen=True)
class Mondrian:
    """A heuristic; nothing is proved about its loss.

    split: "steepest" takes the split whose parts cost least; "median" cuts the widest attribute after its median.
    relaxed: with median, records at the median go to either side, so that both have as many; boxes may overlap.
    """

    name: ClassVar[str] = "mondrian"
    paper: ClassVar[str] = "LeFevre et al., ICDE 2006"

    split: str = "steepest"
    relaxed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "relaxed", boolean(self.relaxed, "relaxed"))
        if self.split not in _SPLITS:
            raise ProblemError(f"split = '{self.split}' is unknown; choose {' or '.join(_SPLITS)}.")
        if self.relaxed and self.split != "median":
            raise ProblemError("relaxed deals records at the median out; give split='median' with it.")

    def accepts(self, problem: Problem) -> str | None:
        if refusal := no_boxes(self.name, problem):
            return refusal
        if self.relaxed and problem.data.frequencies.units is not None:
            return f"{self.name} deals records out, and where a person has several, k counts persons; leave unit out"
        if self.relaxed and any(model.measures for model in problem.constraints):
            return f"{self.name} draws tight boxes when it is relaxed, and their width cannot be limited"
        return None

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core

        native = NativeBoxes.of(problem)
        costs, control = CoreCosts(native.costs, _core.NO_COST), limits.control()
        recoding = None
        if self.split == "steepest":
            told = (lambda now: progress(costs.progress(now))) if progress else None
            found = native.search(_core.mondrian, control, told).found
            recoding = native.recoded(found[0]) if found else None
        else:
            recoding = Median(native, self.relaxed, control).run()
        end, f = control.progress(), problem.data.frequencies
        cost = None
        if recoding is not None:
            read = problem.loss.reads(f)
            classes = recoding.summaries(f, [] if read is None else [read])
            cost = problem.loss.cost(f, classes, recoding.withheld_records(f))
        status = Status.FEASIBLE if recoding is not None else Status.NO_SOLUTION_FOUND
        if recoding is None and all(model.monotonicity.value != "none" for model in problem.constraints):
            status = Status.INFEASIBLE
        return Solution(
            problem=problem,
            algorithm=self.name,
            status=status,
            recoding=recoding,
            exact_cost=cost,
            exact_bound=None,
            examined=end.examined,
            space=problem.recoding.space(f),
            seconds=end.seconds,
            trace=() if cost is None else (TracePoint(end.seconds, end.examined, float(cost), None),),
            seed=seed,
            reason=reason_of(status, problem, interrupted=control.interrupted),
            interrupted=control.interrupted,
        )
