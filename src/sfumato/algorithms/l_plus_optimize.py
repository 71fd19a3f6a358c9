"""LPlusOptimize: the cheapest cuts of full-subtree recoding, suppression included, proved by branch and bound.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Sections IV to VII; stronger bounds are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, overload

from sfumato.algorithms.base import Algorithm
from sfumato.algorithms.steps.cut_costs import CutCosts
from sfumato.errors import ProblemError
from sfumato.native.cuts import NativeCuts, cut_metric, cut_of, no_cuts
from sfumato.native.run import Run, status_of
from sfumato.privacy import Monotonicity
from sfumato.questions import Answer, ClassQuestion, Status
from sfumato.recoding import Cut, Scheme
from sfumato.settings.exact import boolean, whole
from sfumato.settings.given import check_fields

BOUNDS = ("strong", "paper")
ORDERS = ("descending", "ascending")


@dataclass(frozen=True)
class LPlusOptimize(Algorithm):
    """Exact for every scheme under LM, discernibility and classification; anytime, with a valid bound at every stop.

    top: how many of the cheapest cuts are wanted: `solution.top`.
    bounds: "strong", or "paper" for those of Section V alone.
    order: of the values to decide, by their records and what they tell of these (the paper's bounds: by records alone);
        "ascending" shows what it is worth.
    update_bounds: tighten them when a value is locked (Section VI-B).
    """

    name: ClassVar[str] = "l-plus-optimize"
    copies: ClassVar[float] = 8
    paper: ClassVar[str] = "Liu and Wang, ICDE 2010"

    top: int = 1
    bounds: str = "strong"
    order: str = "descending"
    update_bounds: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "top", whole(self.top, "top", least=1))
        for name, names in (("bounds", BOUNDS), ("order", ORDERS)):
            if getattr(self, name) not in names:
                raise ProblemError(f"{name} = '{getattr(self, name)}' is unknown; choose {' or '.join(names)}.")
        object.__setattr__(self, "update_bounds", boolean(self.update_bounds, "update_bounds"))

    def accepts(self, question: ClassQuestion) -> str | None:
        if refusal := no_cuts(self.name, question):
            return refusal
        if any(model.populated for model in question.constraints):
            return f"{self.name} counts the records of a class, not its part of a population"
        if cut_metric(question) is None:
            return f"{self.name} minimises losses of values, discernibility or classification, not {question.loss.name}"
        lost = [m.name for m in question.constraints if m.monotonicity is Monotonicity.NONE]
        if question.recoding.suppressing.scheme is Scheme.NONE and lost:
            return (
                f"{self.name} needs models that still hold after further generalization, unlike {lost[0]}; "
                "or suppress all-records"
            )
        return None

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        cuts = NativeCuts.of(question)
        result = cuts.search(
            run,
            top=self.top,
            paper_bounds=self.bounds == "paper",
            ascending=self.order == "ascending",
            update_bounds=self.update_bounds,
        )
        costs = CutCosts(question)
        ranked: list[tuple[Callable[[], Cut], int]] = [
            (partial(cut_of, question, levels), units) for levels, units in zip(result.cuts, result.costs, strict=True)
        ]
        if not result.complete:
            ranked = _with_the_top(costs, ranked)[: self.top]
        proved = status_of(valid=bool(ranked), complete=result.complete)

        def answer(place: int, others: Sequence[Answer] = ()) -> Answer:
            # Only the first is proved to be the cheapest; the others are the next ones, if the search was complete.
            status = proved if place == 0 else Status.FEASIBLE
            bound = cuts.costs.exact(result.bound)
            if place >= len(ranked):
                return run.answer(question, self.name, status, None, None, bound, others=others)
            cut, units = ranked[place]
            recoding, cost = costs.recoded(cut(), run.seed), cuts.costs.exact(units)
            return run.answer(question, self.name, status, recoding, cost, bound, others=others, ranked=self.top > 1)

        return answer(0, _Later(answer, 1, len(ranked)))


def _with_the_top(costs: CutCosts, ranked: list[tuple[Callable[[], Cut], int]]) -> list[tuple[Callable[[], Cut], int]]:
    """The cheapest cuts of a search that was stopped: what the most general one costs need not be exceeded.

    The paper starts with it; here it is looked at in the end, as a complete search never needs it.
    """
    top = costs(costs.top)
    if not top.valid or (ranked and ranked[0][1] <= top.units):
        return ranked
    return [(lambda: costs.top, top.units), *ranked]


class _Later(Sequence[Answer]):
    """Answers that are worked out when somebody looks at them."""

    def __init__(self, make: Callable[[int], Answer], first: int, end: int) -> None:
        self._make, self._places = make, range(first, end)
        self._made: dict[int, Answer] = {}

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Answer]: ...
    def __getitem__(self, index: int | slice) -> Answer | Sequence[Answer]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = self._places[index]
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]
