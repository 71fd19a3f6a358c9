"""What a search takes."""

from __future__ import annotations

import time

import sfumato as sf
from sfumato.algorithms import Algorithm, Limits
from sfumato.solve import solve_within


def timed(problem: sf.Problem, algorithm: Algorithm, limits: Limits) -> tuple[sf.Solution, float]:
    """The solution, and CPU seconds of one thread or, of several, seconds of wall time; the data is counted before."""
    problem.data.frequencies  # noqa: B018
    clock = time.process_time if limits.threads == 1 else time.perf_counter
    start = clock()
    solution = solve_within(problem, algorithm, limits)
    return solution, clock() - start
