"""Solve: picks the algorithms, watches the limits, and makes the solution of what they answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from math import inf
from typing import Any, TypeAlias, cast

from sfumato import algorithms
from sfumato.algorithms import Algorithm
from sfumato.deal import ReleaseCounts
from sfumato.errors import ProblemError
from sfumato.native.limits import Limits
from sfumato.native.run import Progress, Run
from sfumato.problem import Problem
from sfumato.questions import Answer, OtherShape, Question, Status
from sfumato.questions.answer import counted_off
from sfumato.settings.exact import LARGEST_SEED, whole
from sfumato.settings.given import brief, check_arguments
from sfumato.settings.quantities import Quantity, memory, seconds
from sfumato.settings.registry import about
from sfumato.settings.status_line import status_line
from sfumato.solution import Solution

__all__ = ["PREFERRED", "Algorithm", "Progress", "Solution", "choose", "limits_of", "shown", "solve", "solve_within"]

_MOST_THREADS = 1024
Watch: TypeAlias = bool | Callable[[Progress], object]

# Exact searches first, then the best heuristics: the first that accepts a question answers it. Names of classes, of
# which those are loaded that are tried.
PREFERRED = {
    "classes": (
        "LatticeSearch",
        "LPlusOptimize",
        "GenSearch",
        "SimulatedAnnealing",
        "SequentialSweep",
        "LocalSearch",
    ),
    "itemsets": ("HittingSet", "BestFirstCuts", "DiverseAA", "LRA", "Partition"),
}


def solve(
    problem: Problem,
    algorithm: Algorithm | None = None,
    *,
    set_algorithm: Algorithm | None = None,
    time_limit: Quantity | None = None,
    threads: int | None = None,
    seed: int = 0,
    memory_limit: Quantity | None = None,
    progress: Watch = False,
) -> Solution:
    """The best recoding, and a lower bound on every other.

    algorithm: a search such as `LatticeSearch()`; the best exact one that accepts the problem if left out.
    set_algorithm: the same for the columns of sets of a table.
    time_limit: seconds of search, or a time such as "5m"; then the best so far is returned, with its bound. Ctrl-C does
    the same. Of a table with sets, the quasi-identifiers have half of it, and the columns of sets share what is left.
    threads: how many to use, all processors if left out. A solution that is proved does not depend on it.
    seed: for the order of the released rows, and for whatever else is drawn at random.
    memory_limit: of the process while it searches, such as "2GB": working copies have what is left; less is slower.
    progress: True shows progress on the terminal; a function is called with a `Progress` now and then.
    """
    check_arguments(progress=(progress, "Watch"))
    limits = limits_of(time_limit, threads, memory_limit)
    if set_algorithm is not None and about(set_algorithm) != "itemsets":
        raise ProblemError(f"{brief(set_algorithm)} is not a search for sets; use one such as sf.AA().")
    return solve_within(
        problem, algorithm, limits, whole(seed, "seed", least=0, most=LARGEST_SEED), set_algorithm, progress
    )


def limits_of(time_limit: Quantity | None, threads: int | None, memory_limit: Quantity | None) -> Limits:
    """The limits of a search, as people write them."""
    limits = Limits(
        seconds=inf if time_limit is None else seconds(time_limit, "time_limit"),
        threads=_cores() if threads is None else whole(threads, "threads", least=1, most=_MOST_THREADS),
    )
    if memory_limit is None:
        return limits
    return replace(limits, memory=memory(memory_limit, "memory_limit"), of_process=True)


def solve_within(
    problem: Problem,
    algorithm: Algorithm | None = None,
    limits: Limits | None = None,
    seed: int = 0,
    set_algorithm: Algorithm | None = None,
    progress: Watch = False,
) -> Solution:
    """The same with limits that may be about steps."""
    limits = limits or Limits()
    first, *others = problem.questions
    share = replace(limits, seconds=limits.seconds / 2) if others else limits
    answer = _answered(first.bound, algorithm, share, seed, progress)
    if not others:
        return Solution(problem, (answer,), seed, _Others(problem, answer.others, seed))
    left = max(limits.seconds - answer.seconds, limits.seconds / 2) / (1 + len(answer.others))
    share = replace(limits, seconds=left / len(others))
    completed = [with_sets(problem, one, set_algorithm, share, seed, progress) for one in (answer, *answer.others)]
    return replace(completed[0], others=tuple(completed[1:]))


def with_sets(
    problem: Problem,
    main: Answer,
    set_algorithm: Algorithm | None = None,
    limits: Limits | None = None,
    seed: int = 0,
    progress: Watch = False,
) -> Solution:
    """The solution of an answer about the quasi-identifiers, with the best of each column of sets, if there are any."""
    if main.recoding is None or len(problem.questions) == 1:
        return Solution(problem, (main,), seed)
    counts, among = questions_of_sets(problem, main, seed)
    answers = [_answered(question, set_algorithm, limits or Limits(), seed, progress) for question in among]
    return Solution(problem, _together(main, answers), seed, counts=counts)


def questions_of_sets(problem: Problem, main: Answer, seed: int = 0) -> tuple[ReleaseCounts, list[Any]]:
    """The questions about the columns of sets, of the records that are published, and which these are."""
    table = problem.data
    counts = ReleaseCounts.of(table, main.chosen.plan(table, seed), seed)
    columns = [(question, table.sets[str(question.column)]) for question in problem.questions[1:]]
    among = [cast("Any", question).among(*counts.sets_of(column)) for question, column in columns]
    return counts, among


def _together(main: Answer, answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answer about the quasi-identifiers with those about the sets; nothing if one of these has nothing."""
    lost = next((one for one in answers if one.recoding is None), None)
    if lost is None:
        return (main, *answers)
    # With other records left out the sets might do, so that is proved only if none is.
    proved = lost.status is Status.INFEASIBLE and not main.question.recoding.suppressing.records(1 << 40)
    nothing = Answer(
        main.question,
        main.algorithm,
        Status.INFEASIBLE if proved else Status.NO_SOLUTION_FOUND,
        examined=main.examined,
        space=main.space,
        seconds=main.seconds + sum(one.seconds for one in answers),
        trace=main.trace,
        reason=f"'{lost.question.column}': {lost.reason}",
        interrupted=main.interrupted or any(one.interrupted for one in answers),
    )
    return (nothing,)


def _answered(question: Question, algorithm: Algorithm | None, limits: Limits, seed: int, progress: Watch) -> Answer:
    chosen = choose(question, algorithm)
    with _watcher(question, chosen, progress) as watch:
        reserving = limits.reserving(chosen.copies * question.coded_bytes, chosen.name)
        return chosen.search(question, Run(reserving, watch, seed))


def choose(question: Question, algorithm: Algorithm | None = None) -> Algorithm:
    """The algorithm, or the first of the preferred ones, if it accepts the question; else a ProblemError."""
    preferred = (getattr(algorithms, name)() for name in PREFERRED[question.about])
    refusals = []
    for candidate in preferred if algorithm is None else [algorithm]:
        if isinstance(candidate, type) or not isinstance(candidate, Algorithm):
            raise ProblemError(f"{brief(candidate)} is not an algorithm; use one such as sf.LatticeSearch().")
        refusal = candidate.accepts(question) if about(candidate) == question.about else _other(candidate, question)
        if refusal is None and algorithm is None and not candidate.finishes(question):
            refusal = f"{candidate.name} would not come to an end"
        if refusal is None:
            return candidate
        refusals.append(refusal)
    # Of those that search for such recodings one wants to hear why they cannot do it here, and of no others.
    closest = [refusal for refusal in refusals if not isinstance(refusal, OtherShape)] or refusals
    raise ProblemError(f"No algorithm for this problem: {'; '.join(closest)}.")


def _other(algorithm: Algorithm, question: Question) -> str:
    """Why an algorithm cannot answer a question about another facet."""
    anonymizes = {"classes": "tables", "itemsets": "transactions"}
    return f"{algorithm.name} anonymizes {anonymizes[about(algorithm)]}, not {anonymizes[question.about]}"


class _Others(Sequence[Solution]):
    """Solutions that are made when somebody looks at them."""

    def __init__(self, problem: Problem, answers: Sequence[Answer], seed: int) -> None:
        self._problem, self._answers, self._seed = problem, answers, seed
        self._made: dict[int, Solution] = {}

    def __len__(self) -> int:
        return len(self._answers)

    def __getitem__(self, index: int | slice) -> Solution | Sequence[Solution]:  # type: ignore[override]
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]  # type: ignore[misc]
        place = range(len(self))[index]
        if place not in self._made:
            self._made[place] = Solution(self._problem, (self._answers[place],), self._seed)
        return self._made[place]


def _cores() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _watcher(
    question: Question, algorithm: Algorithm, progress: Watch
) -> AbstractContextManager[Callable[[Progress], object] | None]:
    if progress is True:
        return shown(algorithm.name, algorithm.space(question), question.noun)
    return nullcontext(progress or None)


@contextmanager
def shown(name: str, space: int, noun: str) -> Iterator[Callable[[Progress], object]]:
    """One line of standard error that follows the search, and leaves nothing behind."""
    with status_line(f"{name} …") as update:

        def show(now: Progress) -> None:
            cost = "none yet" if now.cost is None else f"{now.cost:,.6g}"
            bound = "" if now.bound is None else f"  bound {now.bound:,.6g}"
            gap = "" if not now.cost or not now.bound else f"  gap {now.cost / now.bound - 1:.2%}"
            update(
                f"{name}  {now.examined:,} of {counted_off(space)} {noun}  best {cost}{bound}{gap}  "
                f"{now.seconds:.0f} s  (Ctrl-C takes the best so far)"
            )

        yield show
