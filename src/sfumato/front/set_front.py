"""Fronts of sets of items: the optimum of each requirement in turn, from the loosest on, as far as it changes.

The loss never falls as a requirement grows stricter, for what satisfies the stricter one satisfies the looser. So the
optimum for some k is the optimum for all k up to the largest that its cut attains, and the next that is asked is one
more. No cut is left out: where every search ends with a proof, the front is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sfumato.errors import ProblemError
from sfumato.front.set_question import SetFrontQuestion
from sfumato.native.front_question import AttainedPoint, FrontAnswer, undominated
from sfumato.native.limits import Limits
from sfumato.native.run import Progress, Run
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.solve import Algorithm, choose


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
        posed = question.beside(main)
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
            answer = search.solve(question.at(one, value))
            if answer.recoding is None:
                return points, proved and answer.status is Status.INFEASIBLE
            if answer.status is not Status.OPTIMAL and (answer.interrupted or search.left.seconds <= 0):
                return points, False  # stopped: what it has may cost more than it must
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


def _reached(answer: Answer, question: SetFrontQuestion, value: int, most: int) -> int:
    """A value that the published sets attain, the largest up to `most` that is easily known: counted anew."""
    (varied,) = question.varied
    posed: Any = answer.question
    alone = replace(posed, constraints=(varied.at(value),))
    stated = alone.attained(answer.chosen)[varied.model.name].get(varied.parameter)
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
