"""Incognito: all minimal full-domain generalizations without suppression, found subset by subset of the attributes.

K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity", SIGMOD 2005, Section 3; with
models of diversity as in A. Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 2007, Section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import ClassVar

from sfumato.algorithms.base import CoreCosts, Limits, Progress, reason_of, status_of
from sfumato.privacy import Monotonicity
from sfumato.problem import Problem
from sfumato.recoding import FullDomain, FullDomainRecoding
from sfumato.solution import Solution, Status

# Nodes of all subsets are numbered in 64 bits.
_MOST_NODES = 1 << 62


@dataclass(frozen=True)
class Incognito:
    """Exact for monotone models without suppression; lists all minimal nodes, and returns the cheapest of them.

    Subsets of the attributes come first: what violates a model with respect to few of them violates it with respect to
    more (docs/algorithms/incognito.md).
    """

    name: ClassVar[str] = "incognito"
    paper: ClassVar[str] = "LeFevre et al., SIGMOD 2005"

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.recoding, FullDomain):
            return f"incognito recodes full domains, not {problem.recoding.name}"
        if problem.recoding.suppressing.records(problem.data.frequencies.records) > 0:
            return "incognito suppresses nothing; leave out suppression_limit, or use lattice-search"
        for model in problem.constraints:
            if model.monotonicity not in {Monotonicity.UP, Monotonicity.STRONGLY_UP}:
                return (
                    f"incognito needs monotone models, and {model.name} may hold in two classes and not in their union"
                )
        if self.space(problem) >= _MOST_NODES:
            return "incognito walks all subsets of the quasi-identifiers, and these are too many; use lattice-search"
        return None

    def space(self, problem: Problem) -> int:
        """The nodes of all subsets of the quasi-identifiers."""
        ranges = problem.recoding.ranges(problem.data.frequencies)
        return prod(highest - lowest + 2 for lowest, highest in ranges) - 1

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
        result = _core.incognito(
            native.frequencies,
            native.models,
            native.loss,
            [lowest for lowest, _ in ranges],
            [highest for _, highest in ranges],
            control,
            (lambda now: progress(costs.progress(now))) if progress else None,
        )
        end = control.progress()
        found = bool(result.minimal)
        proved = result.complete or (found and result.bound == result.costs[0])
        status = status_of(found=found, complete=proved)
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        solution = Solution(
            problem=problem,
            algorithm=self.name,
            status=status,
            recoding=FullDomainRecoding.at(frequencies, result.minimal[0], problem.constraints) if found else None,
            exact_cost=costs.exact(result.costs[0]) if found else None,
            exact_bound=None if status is Status.INFEASIBLE else costs.exact(result.bound),
            examined=end.examined,
            space=self.space(problem),
            seconds=end.seconds,
            trace=costs.trace(control),
            seed=seed,
            reason=reason_of(status, problem, interrupted=control.interrupted),
            interrupted=control.interrupted,
            minimal=[dict(zip(names, node, strict=True)) for node in result.minimal] if result.complete else (),
        )
        if result.overflow:
            return replace(solution, reason="There are too many candidates to hold: use lattice-search.")
        return solution
