"""OA, optimal anonymization: all cuts from the bottom up, breadth first; what is above a valid cut is left out.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithm 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.algorithms.base import Limits, Progress, status_of
from sfumato.algorithms.itemset_search import ItemCore, ItemsetAlgorithm, Outcome, cut_solution, run_core, too_few
from sfumato.itemset_problem import ItemsetProblem
from sfumato.problem import Problem
from sfumato.solution import Solution


@dataclass(frozen=True)
class OA(ItemsetAlgorithm):
    """Exact, for some dozens of items: the number of cuts is exponential. HittingSet proves the same for thousands."""

    name: ClassVar[str] = "oa"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core  # only who searches waits for it

        assert isinstance(problem, ItemsetProblem)  # noqa: S101 - `accepts` says so
        core = ItemCore.of_problem(problem)
        result, control = run_core(_core.optimal_anonymization, core, limits, progress)
        end = control.progress()
        status = status_of(found=result.found, complete=result.complete)
        closed = np.array(result.closed, dtype=np.uint8) if result.found else None
        reason = (
            "" if result.found else too_few(problem) if result.complete else "The limit came first: allow more time."
        )
        bound = None if closed is None else core.baskets.cost(closed) if result.complete else 0
        outcome = Outcome(status, closed, bound, end.examined, end.seconds, (), reason, control.interrupted)
        return cut_solution(problem, self.name, core, outcome, seed)
