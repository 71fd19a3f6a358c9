"""Samarati's search: a valid node of the least height of the full-domain lattice, by binary search on the height.

P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001, Section 5.
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
class Samarati:
    """A heuristic for the loss: the cheapest of all valid nodes of the least height, the sum of the levels.

    Proves that no valid node has a lesser height, and nothing about the loss: a higher node may be cheaper.
    """

    name: ClassVar[str] = "samarati"
    paper: ClassVar[str] = "Samarati, TKDE 2001"

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.recoding, FullDomain):
            return f"samarati recodes full domains, not {problem.recoding.name}"
        suppresses = problem.recoding.suppressing.records(problem.data.frequencies.records) > 0
        needed = {Monotonicity.STRONGLY_UP} if suppresses else {Monotonicity.UP, Monotonicity.STRONGLY_UP}
        for model in problem.constraints:
            if model.monotonicity not in needed:
                under = "under suppression" if suppresses else "when classes merge"
                return f"samarati needs monotone models, and {model.name} is not monotone {under}"
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
        result = _core.samarati(
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
        found = bool(result.nodes)
        nothing = Status.INFEASIBLE if result.complete else Status.NO_SOLUTION_FOUND
        status = Status.FEASIBLE if found else nothing
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        return Solution(
            problem=problem,
            algorithm=self.name,
            status=status,
            recoding=FullDomainRecoding.at(frequencies, result.nodes[0], problem.constraints) if found else None,
            exact_cost=costs.exact(result.costs[0]) if found else None,
            exact_bound=None,
            examined=end.examined,
            space=problem.recoding.space(frequencies),
            seconds=end.seconds,
            trace=costs.trace(control),
            seed=seed,
            reason=reason_of(status, problem, interrupted=control.interrupted),
            interrupted=control.interrupted,
            minimal=[dict(zip(names, node, strict=True)) for node in result.nodes] if result.complete else (),
        )
