"""LPlusOptimize: the cheapest cuts of full-subtree recoding, suppression included, proved by branch and bound.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Sections IV to VII; stronger bounds are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, overload

from sfumato.algorithms.base import CoreCosts, Limits, Progress, reason_of, status_of
from sfumato.algorithms.cut_costs import CutCosts, no_cuts
from sfumato.algorithms.native_cuts import NativeCuts, cut_metric, cut_of
from sfumato.errors import ProblemError
from sfumato.privacy import Monotonicity
from sfumato.problem import Problem
from sfumato.recoding import Scheme
from sfumato.settings.exact import whole
from sfumato.solution import Solution, Status

BOUNDS = ("strong", "paper")
ORDERS = ("descending", "ascending")


@dataclass(frozen=True)
class LPlusOptimize:
    """Exact for every scheme under LM, discernibility and classification; anytime, with a valid bound at every stop.

    top: how many of the cheapest cuts are wanted: `solution.top`.
    bounds: "strong", or "paper" for those of Section V alone.
    order: of the values to decide, by their records and what they tell of these (the paper's bounds: by records alone);
        "ascending" shows what it is worth.
    update_bounds: tighten them when a value is locked (Section VI-B).
    """

    name: ClassVar[str] = "l-plus-optimize"
    paper: ClassVar[str] = "Liu and Wang, ICDE 2010"

    top: int = 1
    bounds: str = "strong"
    order: str = "descending"
    update_bounds: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "top", whole(self.top, "top", least=1))
        for name, known in (("bounds", BOUNDS), ("order", ORDERS)):
            if getattr(self, name) not in known:
                raise ProblemError(f"{name} = '{getattr(self, name)}' is unknown; choose {' or '.join(known)}.")
        if not isinstance(self.update_bounds, bool):
            raise ProblemError(f"update_bounds = {self.update_bounds!r} is no truth value; give True or False.")

    def accepts(self, problem: Problem) -> str | None:
        if refusal := no_cuts(self.name, problem):
            return refusal
        if any(model.populated for model in problem.constraints):
            return f"{self.name} knows the records of a class, not its part of a population"
        if cut_metric(problem) is None:
            return f"{self.name} minimises losses of values, discernibility or classification, not {problem.loss.name}"
        lost = [m.name for m in problem.constraints if m.monotonicity is Monotonicity.NONE]
        if problem.recoding.suppressing.scheme is Scheme.NONE and lost:
            return (
                f"{self.name} needs models that further generalization keeps, unlike {lost[0]}; or suppress all-records"
            )
        return None

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core

        native = NativeCuts.of(problem)
        costs, control = CoreCosts(native.loss, _core.NO_COST), limits.control()
        result = native.search(
            control,
            (lambda now: progress(costs.progress(now))) if progress else None,
            top=self.top,
            paper_bounds=self.bounds == "paper",
            ascending=self.order == "ascending",
            update_bounds=self.update_bounds,
        )
        end, frequencies = control.progress(), problem.data.frequencies
        status = status_of(found=bool(result.cuts), complete=result.complete)

        def solution(place: int, others: Sequence[Solution] = ()) -> Solution:
            found = place < len(result.cuts)
            # Only the first is proved to be the cheapest; the others are the next ones, if the search was complete.
            told = status if place == 0 else Status.FEASIBLE
            return Solution(
                problem=problem,
                algorithm=self.name,
                status=told,
                recoding=CutCosts(problem).recoded(cut_of(problem, result.cuts[place]), seed) if found else None,
                exact_cost=costs.exact(result.costs[place]) if found else None,
                exact_bound=None if status is Status.INFEASIBLE else costs.exact(result.bound),
                examined=end.examined,
                space=problem.recoding.space(frequencies),
                seconds=end.seconds,
                trace=costs.trace(control),
                seed=seed,
                reason=reason_of(told, problem, interrupted=control.interrupted),
                interrupted=control.interrupted,
                others=others,
            )

        return solution(0, _Later(solution, 1, len(result.cuts)))


class _Later(Sequence[Solution]):
    """Solutions that are worked out when somebody looks at them."""

    def __init__(self, make: Callable[[int], Solution], first: int, end: int) -> None:
        self._make, self._places = make, range(first, end)
        self._made: dict[int, Solution] = {}

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Solution: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Solution]: ...
    def __getitem__(self, index: int | slice) -> Solution | Sequence[Solution]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = self._places[index]
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]
