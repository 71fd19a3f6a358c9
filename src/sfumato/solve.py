"""Solve: picks the algorithm, watches the limits, and returns what is known when they are reached."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from math import inf

from sfumato.algorithms import Algorithm, LatticeSearch, Limits, Progress
from sfumato.algorithms.base import cores
from sfumato.algorithms.progress import shown
from sfumato.errors import ProblemError
from sfumato.exact import whole
from sfumato.problem import Problem
from sfumato.solution import Solution

# Exact searches first: the first that accepts a problem solves it.
PREFERRED: tuple[Algorithm, ...] = (LatticeSearch(),)


def solve(
    problem: Problem,
    algorithm: Algorithm | None = None,
    *,
    time_limit: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: bool | Callable[[Progress], object] = False,
) -> Solution:
    """The best recoding that can be found, and a lower bound on every other.

    algorithm: a search such as `LatticeSearch()`; the best exact one that accepts the problem if left out.
    time_limit: seconds of search; then the best so far is returned, with its bound. Ctrl-C does the same.
    threads: how many to use, all processors if left out. The solution does not depend on it.
    seed: for the order of the released rows, and for whatever else is drawn at random.
    progress: True shows progress on the terminal; a function is called with a `Progress` now and then.
    """
    chosen = _choose(problem, algorithm)
    limits = Limits(
        seconds=inf if time_limit is None else _seconds(time_limit),
        threads=cores() if threads is None else whole(threads, "threads", least=1),
    )
    with _watcher(problem, chosen, progress) as watch:
        return chosen.run(problem, limits, watch, whole(seed, "seed", least=0))


def _choose(problem: Problem, algorithm: Algorithm | None) -> Algorithm:
    candidates = PREFERRED if algorithm is None else (algorithm,)
    refusals = []
    for candidate in candidates:
        if not isinstance(candidate, Algorithm) or isinstance(candidate, type):
            raise ProblemError(f"{candidate!r} is no algorithm; give one such as sf.LatticeSearch().")
        refusal = candidate.accepts(problem)
        if refusal is None:
            return candidate
        refusals.append(refusal)
    raise ProblemError(f"No algorithm for this problem: {'; '.join(refusals)}.")


def _seconds(time_limit: float) -> float:
    if not time_limit >= 0:
        raise ProblemError(f"time_limit = {time_limit} is no time; give seconds, such as 60.")
    return float(time_limit)


def _watcher(
    problem: Problem, algorithm: Algorithm, progress: bool | Callable[[Progress], object]
) -> AbstractContextManager[Callable[[Progress], object] | None]:
    if progress is True:
        return shown(algorithm.name, problem.recoding.space(problem.data.frequencies))
    return nullcontext(progress or None)
