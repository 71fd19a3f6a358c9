"""LatticeSearch: the cheapest node of the full-domain lattice, proved by branch and bound over boxes of nodes.

Our own search. Monotonicity of k-anonymity: Samarati, TKDE 2001; roll-up of counts: LeFevre, DeWitt, Ramakrishnan,
"Incognito: efficient full-domain k-anonymity", SIGMOD 2005.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import CoreCosts, Limits, Progress, reason_of, status_of
from sfumato.problem import Problem
from sfumato.recoding import FullDomain, FullDomainRecoding
from sfumato.solution import Solution, Status


@dataclass(frozen=True)
class LatticeSearch:
    """Exact for any conjunction of class models and any loss; anytime, with a valid bound at every stop.

    A box of nodes is bounded by one evaluation of its top: what is hopeless there is suppressed in the whole box, and
    every other record costs at least what it costs at the box's bottom (docs/algorithms/lattice_search.md).
    """

    name: ClassVar[str] = "lattice-search"
    paper: ClassVar[str] = "sfumato"

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.recoding, FullDomain):
            return f"lattice-search recodes full domains, not {problem.recoding.name}"
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
        result = _core.lattice_search(
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
        status = status_of(found=result.found, complete=result.complete)
        recoding = FullDomainRecoding.at(frequencies, result.node, problem.constraints) if result.found else None
        return Solution(
            problem=problem,
            algorithm=self.name,
            status=status,
            recoding=recoding,
            exact_cost=costs.exact(result.cost) if result.found else None,
            exact_bound=None if status is Status.INFEASIBLE else costs.exact(result.bound),
            examined=end.examined,
            space=problem.recoding.space(frequencies),
            seconds=end.seconds,
            trace=costs.trace(control),
            seed=seed,
            reason=reason_of(status, problem, interrupted=control.interrupted),
            interrupted=control.interrupted,
        )
