"""Solve: picks the algorithm, watches the limits, and returns what is known when they are reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import inf

from sfumato.algorithms import (
    LRA,
    Algorithm,
    BestFirstCuts,
    GenSearch,
    HittingSet,
    LatticeSearch,
    Limits,
    LocalSearch,
    LPlusOptimize,
    Partition,
    Progress,
    SequentialSweep,
    SimulatedAnnealing,
)
from sfumato.algorithms.base import Spacious, cores
from sfumato.errors import ProblemError
from sfumato.problem import Problem
from sfumato.settings.exact import whole
from sfumato.settings.quantities import Quantity, byte_count, seconds
from sfumato.solution import Solution, counted_off

# Exact searches first, then the best heuristics: the first that accepts a problem solves it.
PREFERRED: tuple[Algorithm, ...] = (
    LatticeSearch(),
    LPlusOptimize(),
    GenSearch(),
    SimulatedAnnealing(),
    SequentialSweep(),
    LocalSearch(),
    HittingSet(),
    BestFirstCuts(),
    LRA(),
    Partition(),
)


def solve(
    problem: Problem,
    algorithm: Algorithm | None = None,
    *,
    time_limit: Quantity | None = None,
    threads: int | None = None,
    seed: int = 0,
    memory_limit: Quantity | None = None,
    progress: bool | Callable[[Progress], object] = False,
) -> Solution:
    """The best recoding that can be found, and a lower bound on every other.

    algorithm: a search such as `LatticeSearch()`; the best exact one that accepts the problem if left out.
    time_limit: seconds of search, or a time such as "5m"; then the best so far is returned, with its bound. Ctrl-C does
    the same.
    threads: how many to use, all processors if left out. A solution that is proved does not depend on it.
    seed: for the order of the released rows, and for whatever else is drawn at random.
    memory_limit: bytes that the search may spend on working copies of the data, such as "2GB"; less is slower.
    progress: True shows progress on the terminal; a function is called with a `Progress` now and then.
    """
    chosen = _choose(problem, algorithm)
    limits = Limits(
        seconds=inf if time_limit is None else seconds(time_limit, "time_limit"),
        threads=cores() if threads is None else whole(threads, "threads", least=1),
        **({} if memory_limit is None else {"memory": byte_count(memory_limit, "memory_limit")}),
    )
    with _watcher(problem, chosen, progress) as watch:
        return chosen.run(problem, limits, watch, whole(seed, "seed", least=0))


def _choose(problem: Problem, algorithm: Algorithm | None) -> Algorithm:
    of_items = hasattr(problem.recoding, "anonymizes")
    fitting = tuple(one for one in PREFERRED if hasattr(one, "anonymizes") == of_items)
    candidates = fitting if algorithm is None else (algorithm,)
    refusals = []
    for candidate in candidates:
        if not isinstance(candidate, Algorithm) or isinstance(candidate, type):
            raise ProblemError(f"{candidate!r} is no algorithm; give one such as sf.LatticeSearch().")
        refusal = candidate.accepts(problem)
        if refusal is None:
            return candidate
        refusals.append(refusal)
    raise ProblemError(f"No algorithm for this problem: {'; '.join(refusals)}.")


def _watcher(
    problem: Problem, algorithm: Algorithm, progress: bool | Callable[[Progress], object]
) -> AbstractContextManager[Callable[[Progress], object] | None]:
    if progress is True:
        own = algorithm.space(problem) if isinstance(algorithm, Spacious) else None
        return _shown(algorithm.name, own or problem.recoding.space(problem.data.frequencies))
    return nullcontext(progress or None)


@contextmanager
def _shown(name: str, space: int) -> Iterator[Callable[[Progress], object]]:
    """One line of standard error that follows the search, and leaves nothing behind."""
    from rich.console import Console  # only who asks for progress pays for it

    with Console(stderr=True).status(f"{name} …") as display:

        def show(now: Progress) -> None:
            cost = "none yet" if now.cost is None else f"{now.cost:,.6g}"
            bound = "" if now.bound is None else f"  bound {now.bound:,.6g}"
            gap = "" if not now.cost or not now.bound else f"  gap {now.cost / now.bound - 1:.2%}"
            display.update(
                f"{name}  {now.examined:,} of {counted_off(space)} nodes  best {cost}{bound}{gap}  "
                f"{now.seconds:.0f} s  (Ctrl-C takes the best so far)"
            )

        yield show
