"""Fronts of sets of items: the optimum of each requirement in turn, from the loosest on, as far as it changes.

The loss never falls as a requirement grows stricter, for what satisfies the stricter one satisfies the looser. So the
optimum for some k is the optimum for all k up to the largest that its cut attains, and the next that is asked is one
more. No cut is left out: where every search ends with a proof, the front is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from sfumato.errors import ProblemError
from sfumato.native.front_question import AttainedPoint, FrontAnswer, FrontQuestion, undominated
from sfumato.native.run import Limits, Progress, Run
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.settings.exact import Number, Value
from sfumato.solution import Solution
from sfumato.solve import Algorithm, choose, questions_of_sets


@dataclass(frozen=True, eq=False)
class SetFrontQuestion(FrontQuestion):
    """What a front of sets answers: the loss of the columns of sets, for each value of what is required of them."""

    of_sets: ClassVar[bool] = True

    @property
    def posed(self) -> ItemsetQuestion:  # type: ignore[override] # what is asked of both is the same
        """The question about the first column of sets."""
        question: Any = self.problem.questions[-self.columns]
        posed: ItemsetQuestion = question
        return posed

    @property
    def columns(self) -> int:
        """How many columns of sets there are."""
        return len(self.problem.data.sets)

    @property
    def names(self) -> tuple[str, ...]:
        """None: points have no levels."""
        return ()

    @property
    def heights(self) -> Mapping[str, int]:
        """None: there is no lattice."""
        return {}

    @property
    def strictest(self) -> int:
        """The largest m that is worth asking for: nobody has more items."""
        columns = self.problem.data.sets.values()
        return max(int(column.items.records.lengths.max(initial=1)) for column in columns)

    def read(self, parameter: str, value: Number) -> Value:
        asked = super().read(parameter, value)
        return min(asked, self.strictest) if parameter == "m" else asked

    def relative(self, cost: Fraction) -> Fraction:
        """The mean of the columns' losses, which are shares already."""
        return cost / self.columns

    @cached_property
    def main(self) -> Answer | None:
        """The answer about the quasi-identifiers, which no requirement on sets changes; None if there are none."""
        return self.main_within(Limits())

    def main_within(self, limits: Limits) -> Answer | None:
        """The same, as far as limits allow."""
        if len(self.problem.questions) == self.columns:
            return None
        question = self.problem.questions[0].bound
        return choose(question).search(question, Run(limits))

    def solution_of(self, values: tuple[Value, ...], answers: tuple[Answer, ...]) -> Solution:
        """A point as the solution of the problem that asks for its values."""
        problem = self.asking(values)
        posed = problem.questions[-self.columns :]
        main, sets = answers[: -self.columns], answers[-self.columns :]
        own = [
            replace(one, question=replace(one.question, constraints=question.constraints))  # type: ignore[type-var]
            for one, question in zip(sets, posed, strict=True)
        ]
        return Solution(problem, (*main, *own), counts=questions_of_sets(problem, main[0])[0] if main else None)


@dataclass(eq=False)
class _Search:
    """The optima so far, and the limits that all searches share."""

    question: SetFrontQuestion
    algorithm: Algorithm | None
    limits: Limits
    watch: Callable[[Progress], object] | None
    began: float = field(default_factory=time.monotonic)
    examined: int = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def left(self) -> Limits:
        """What is left of the limits."""
        return replace(self.limits, seconds=max(self.limits.seconds - self.seconds, 0.0))

    def solve(self, posed: ItemsetQuestion) -> Answer:
        """The best of one column for one requirement."""
        answer = choose(posed, self.algorithm).search(posed, Run(self.left, self._watching))
        self.examined += answer.examined
        return answer

    def _watching(self, now: Progress) -> None:
        if self.watch is not None:
            self.watch(replace(now, seconds=self.seconds, examined=self.examined + now.examined))


def set_front(
    question: SetFrontQuestion,
    limits: Limits,
    watch: Callable[[Progress], object] | None = None,
    algorithm: Any = None,
) -> FrontAnswer:
    """The front, as far as the limits allow: every point but those stricter than the last that was proved."""
    search = _Search(question, algorithm, limits, watch)
    main = question.main_within(search.left)
    points: list[AttainedPoint] = []
    complete, name = True, "none"
    if main is not None and main.recoding is None:
        posed: list[ItemsetQuestion] = []
        complete = main.status is Status.INFEASIBLE
    else:
        posed = _posed(question, main)
    if posed:
        name = choose(posed[0], algorithm).name
        points, complete = _points(question, search, posed, main)
        complete &= main is None or main.status is Status.OPTIMAL
    return FrontAnswer(
        question,
        undominated(points, question),
        evaluated=search.examined,
        seconds=search.seconds,
        algorithm=name,
        complete=complete,
    )


def _posed(question: SetFrontQuestion, main: Answer | None) -> list[ItemsetQuestion]:
    """The questions about the columns, of the records that are published."""
    if main is not None:
        return questions_of_sets(question.problem, main)[1]
    every: Any = question.problem.questions
    return list(every)


def _points(
    question: SetFrontQuestion, search: _Search, posed: list[ItemsetQuestion], main: Answer | None
) -> tuple[list[AttainedPoint], bool]:
    """A point for every value up to which an optimum stays the optimum; and whether all of them are proved."""
    (varied,) = question.varied
    most = question.strictest if varied.parameter == "m" else min(one.records for one in posed)
    value, proved = int(varied.model.varies[varied.parameter].loosest), True
    held: list[tuple[Answer, int]] = []  # of each column: its best, and the largest value that it attains
    points: list[AttainedPoint] = []
    while value <= most:
        answers = []
        for number, one in enumerate(posed):
            if len(held) > number and held[number][1] >= value:
                answers.append(held[number])
                continue
            answer = search.solve(_at(one, question, value))
            if answer.recoding is None:
                return points, proved and answer.status is Status.INFEASIBLE
            if answer.status is not Status.OPTIMAL and (answer.interrupted or search.left.seconds <= 0):
                return points, False  # stopped: what it has may be dearer than need be
            proved &= answer.status is Status.OPTIMAL
            answers.append((answer, _reached(answer, question, value, most)))
        held = answers
        reached = min(value for _, value in held)
        cost = sum((answer.exact_cost or Fraction(0) for answer, _ in held), Fraction(0))
        own = tuple(answer for answer, _ in held)
        left_out = 0 if main is None else main.suppressed
        points.append(AttainedPoint((reached,), cost, ((),), left_out, own if main is None else (main, *own)))
        value = reached + 1
    return points, proved


def _at(posed: ItemsetQuestion, question: SetFrontQuestion, value: int) -> ItemsetQuestion:
    """The question with this requirement; the varied one is the last."""
    (varied,) = question.varied
    return replace(posed, constraints=(*posed.constraints[:-1], varied.at(value)))


def _reached(answer: Answer, question: SetFrontQuestion, value: int, most: int) -> int:
    """A value that the published sets attain, the largest up to `most` that is easily known: counted anew."""
    (varied,) = question.varied
    posed: Any = answer.question
    stated = posed.attained(answer.chosen)[varied.model.name].get(varied.parameter)
    if varied.parameter == "k" and stated is not None:
        return max(value, min(int(stated), most))
    low, step = value, 1
    while low + step <= most and posed.holds(answer.chosen, varied.at(low + step)):
        low, step = low + step, 2 * step
    while step > 1:
        step //= 2
        if low + step <= most and posed.holds(answer.chosen, varied.at(low + step)):
            low += step
    return low


def require_front_of_sets(spend_limit: bool, keep_nodes: bool, algorithm: Any) -> None:
    """Raises a ProblemError where something is asked for that only a lattice has."""
    if spend_limit:
        raise ProblemError("spend_limit is about records that may be suppressed; sets are all published. Leave it out.")
    if keep_nodes:
        raise ProblemError("keep_nodes keeps nodes of a lattice, and a front of sets has none; leave it out.")
    if isinstance(algorithm, str):
        raise ProblemError(
            f"algorithm = '{algorithm}' evaluates a lattice; for sets leave it out, or give a search such as sf.AA()."
        )
