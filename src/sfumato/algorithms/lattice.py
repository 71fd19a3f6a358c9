"""What searches of the full-domain lattice share: how a problem goes to the core, and how a solution comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sfumato.algorithms.base import CoreCosts, Limits, Progress, reason_of
from sfumato.privacy import ClassModel, Monotonicity
from sfumato.problem import Problem
from sfumato.recoding import FullDomainRecoding
from sfumato.solution import Solution, Status


class LatticeRun:
    """One search by the core, from the problem to the solution."""

    def __init__(self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None) -> None:
        from sfumato import _core
        from sfumato.native.tables import NativeProblem

        loss = problem.loss.core(problem.data.frequencies)
        self.problem = problem
        self.costs = CoreCosts(loss, _core.NO_COST)
        self._native = NativeProblem.of(problem.data.frequencies, problem.constraints, loss)
        self._control = limits.control()
        self._progress = (lambda now: progress(self.costs.progress(now))) if progress else None

    def search(self, function: Callable[..., Any]) -> Any:
        """What a search of the core finds; it takes the problem with the most records that may be suppressed."""
        return self._search(function, may_suppress(self.problem))

    def search_unsuppressed(self, function: Callable[..., Any]) -> Any:
        """What a search finds that suppresses nothing."""
        return self._search(function)

    def solution(
        self,
        algorithm: str,
        status: Status,
        *,
        nodes: Sequence[Sequence[int]],  # the one to be published first
        cost: int | None = None,
        bound: int | None = None,
        space: int | None = None,
        seed: int = 0,
        minimal: bool = False,  # the nodes are all there are, and are told
        reason: str | None = None,
    ) -> Solution:
        """What was found and proved, in the words of the problem."""
        frequencies, end = self.problem.data.frequencies, self._control.progress()
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        interrupted = self._control.interrupted
        return Solution(
            problem=self.problem,
            algorithm=algorithm,
            status=status,
            recoding=FullDomainRecoding.at(frequencies, nodes[0], self.problem.constraints) if nodes else None,
            exact_cost=None if cost is None else self.costs.exact(cost),
            exact_bound=None if bound is None or status is Status.INFEASIBLE else self.costs.exact(bound),
            examined=end.examined,
            space=self.problem.recoding.space(frequencies) if space is None else space,
            seconds=end.seconds,
            trace=self.costs.trace(self._control),
            seed=seed,
            reason=reason_of(status, self.problem, interrupted=interrupted) if reason is None else reason,
            interrupted=interrupted,
            minimal=[dict(zip(names, node, strict=True)) for node in nodes] if minimal else (),
        )

    def _search(self, function: Callable[..., Any], *limit: int) -> Any:
        ranges = level_ranges_of(self.problem)
        return function(
            self._native.frequencies,
            self._native.models,
            self._native.loss,
            *limit,
            [lowest for lowest, _ in ranges],
            [highest for _, highest in ranges],
            self._control,
            self._progress,
        )


def may_suppress(problem: Problem) -> int:
    """The most records that may be suppressed."""
    return problem.recoding.suppressing.records(problem.data.frequencies.records)


def level_ranges_of(problem: Problem) -> list[tuple[int, int]]:
    """The lowest and the highest level of each quasi-identifier."""
    lattice = problem.recoding.lattice
    if lattice is None:
        raise TypeError(f"{problem.recoding.name} has no lattice")  # `other_recoding` refuses it
    return lattice.ranges(problem.data.frequencies)


def other_recoding(algorithm: str, problem: Problem) -> str | None:
    """Why a search of the lattice cannot solve the problem, if it asks for another recoding."""
    if problem.recoding.lattice is not None:
        return None
    return f"{algorithm} recodes full domains, not {problem.recoding.name}"


def not_upwards(problem: Problem) -> ClassModel | None:
    """A model that a node above a valid one may violate; if there is none, the top decides whether anything is valid.

    Suppression asks for more: then what violates must violate in every part, for parts of it are suppressed below.
    """
    enough = {Monotonicity.STRONGLY_UP} if may_suppress(problem) else {Monotonicity.UP, Monotonicity.STRONGLY_UP}
    return next((model for model in problem.constraints if model.monotonicity not in enough), None)
