"""Datafly: generalise the attribute with the most distinct values, until few enough records are left to suppress.

L. Sweeney, "Guaranteeing anonymity when sharing medical data, the Datafly system", AMIA Fall Symposium 1997; its core
as in L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", 2002.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import CoreCosts, Limits, Progress, reason_of
from sfumato.privacy import Monotonicity
from sfumato.problem import Problem
from sfumato.recoding import FullDomain, FullDomainRecoding
from sfumato.solution import Solution, Status


@dataclass(frozen=True)
class Datafly:
    """A greedy heuristic: one way up the lattice, whatever the loss; fast, and often far from the least loss.

    The suppression limit is the problem's; the paper's own, k records, is suppression_limit = k / N.
    """

    name: ClassVar[str] = "datafly"
    paper: ClassVar[str] = "Sweeney, AMIA 1997"

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.recoding, FullDomain):
            return f"datafly recodes full domains, not {problem.recoding.name}"
        return None

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core
        from sfumato.native import NativeProblem

        frequencies = problem.data.frequencies
        loss = problem.loss.core(frequencies)
        native = NativeProblem.of(frequencies, problem.constraints, loss)
        costs = CoreCosts(loss, _core.NO_COST)
        ranges = problem.recoding.ranges(frequencies)
        control = limits.control()
        result = _core.datafly(
            native.frequencies,
            native.models,
            native.loss,
            problem.recoding.suppressing.records(frequencies.records),
            [lowest for lowest, _ in ranges],
            [highest for _, highest in ranges],
            control,
            (lambda now: progress(costs.progress(now))) if progress else None,
        )
        end = control.progress()
        nothing = Status.INFEASIBLE if result.complete and _top_decides(problem) else Status.NO_SOLUTION_FOUND
        status = Status.FEASIBLE if result.found else nothing
        given_up = status is Status.NO_SOLUTION_FOUND and result.complete
        return Solution(
            problem=problem,
            algorithm=self.name,
            status=status,
            recoding=FullDomainRecoding.at(frequencies, result.node, problem.constraints) if result.found else None,
            exact_cost=costs.exact(result.cost) if result.found else None,
            exact_bound=None,
            examined=end.examined,
            space=problem.recoding.space(frequencies),
            seconds=end.seconds,
            trace=costs.trace(control),
            seed=seed,
            reason=_GIVEN_UP if given_up else reason_of(status, problem, interrupted=control.interrupted),
            interrupted=control.interrupted,
        )


_GIVEN_UP = "The one way up that datafly takes has no valid node, though others may: ask for less, or raise the limit."


def _top_decides(problem: Problem) -> bool:
    """Whether nothing is valid if the top is not: what violates there violates everywhere below, and is suppressed."""
    suppresses = problem.recoding.suppressing.records(problem.data.frequencies.records) > 0
    enough = {Monotonicity.STRONGLY_UP} if suppresses else {Monotonicity.UP, Monotonicity.STRONGLY_UP}
    return all(model.monotonicity in enough for model in problem.constraints)
