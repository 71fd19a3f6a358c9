"""SimulatedAnnealing: a walk from cut to cut that takes steps uphill less and less often; a heuristic, and a rival.

S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983; for cuts as in
J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section VIII-B, which gives no schedule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf
from random import Random
from time import perf_counter
from typing import ClassVar

from sfumato.algorithms.base import Limits, Progress, reason_of
from sfumato.algorithms.cut_costs import CutCost, CutCosts, no_cuts
from sfumato.algorithms.cut_walk import CutWalk
from sfumato.privacy import Monotonicity
from sfumato.problem import Problem
from sfumato.recoding import Cut, Scheme
from sfumato.settings.exact import whole
from sfumato.solution import Solution, Status, TracePoint

_TRIED = 100  # random moves that the start temperature is taken from
_COOLED = 1e-3  # the last temperature, as a share of the first
_PROGRESS = 0.2  # seconds between two calls of whoever watches


@dataclass(frozen=True)
class SimulatedAnnealing:
    """Specialises or generalises one value at a time, at random; anytime, and without any bound.

    A move that costs d more is taken with probability exp(-d/T). T starts at the mean difference that 100 random moves
    make, and falls geometrically to a thousandth of that over `moves` moves. A run starts at the most general cut.
    seed: of all chance; that of `solve` if left out. runs: how many, one after the other; the best cut of all counts.
    moves: of each run.
    """

    name: ClassVar[str] = "simulated-annealing"
    paper: ClassVar[str] = "Kirkpatrick et al., Science 1983"

    seed: int | None = None
    runs: int = 1
    moves: int = 5000

    def __post_init__(self) -> None:
        if self.seed is not None:
            object.__setattr__(self, "seed", whole(self.seed, "seed", least=0))
        object.__setattr__(self, "runs", whole(self.runs, "runs", least=1))
        object.__setattr__(self, "moves", whole(self.moves, "moves", least=1))

    def accepts(self, problem: Problem) -> str | None:
        return no_cuts(self.name, problem)

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        search = _Search(CutCosts(problem), limits, progress)
        chance = seed if self.seed is None else self.seed
        interrupted = False
        try:
            for run in range(self.runs):
                search.anneal(Random(f"{chance}/{run}"), self.moves)  # noqa: S311 - no secret
                if search.over:
                    break
        except KeyboardInterrupt:
            interrupted = True
        return search.solution(self.name, seed, interrupted)


class _Search:
    """The best cut of all runs so far, and when to stop."""

    def __init__(self, costs: CutCosts, limits: Limits, progress: Callable[[Progress], object] | None) -> None:
        self._costs, self._limits, self._progress = costs, limits, progress
        self._begin, self._told = perf_counter(), -inf
        self._examined = 0
        self._best: tuple[CutCost, Cut] | None = None
        self._trace: list[TracePoint] = []

    @property
    def over(self) -> bool:
        """Whether a limit is reached."""
        most = self._limits.examined
        return self._seconds >= self._limits.seconds or (most is not None and self._examined >= most)

    def anneal(self, random: Random, moves: int) -> None:
        """One run."""
        walk, here, temperature = self._start(random)
        cooling = _COOLED ** (1 / moves)
        for _ in range(moves):
            if self.over or not walk.movable:
                return
            move = walk.move(random)
            there = self._look(walk.cut)
            if _taken(here, there, temperature, random):
                here = there
            else:
                walk.undo(move)
            temperature *= cooling

    def _start(self, random: Random) -> tuple[CutWalk, CutCost, float]:
        """The most general cut, and the mean difference of cost between the cuts of a random walk that begins there.

        Where it is not valid, the cut of the walk that is least so: there is a way to go.
        """
        top, differences = self._costs.top, []
        walk = CutWalk(self._costs.taxonomies, top)
        here = self._look(top)
        best = (here, top)
        for _ in range(_TRIED):
            if self.over or not walk.movable:
                break
            walk.move(random)
            there = self._look(walk.cut)
            differences.append(abs(there.units - here.units))
            here = there
            if there.excess < best[0].excess:
                best = (there, walk.cut)
        temperature = sum(differences) / len(differences) if differences else 0.0
        return CutWalk(self._costs.taxonomies, best[1]), best[0], temperature

    def solution(self, algorithm: str, seed: int, interrupted: bool) -> Solution:
        """What was found; nothing is proved, except by the most general cut."""
        problem = self._costs.problem
        status = Status.FEASIBLE if self._best is not None else Status.NO_SOLUTION_FOUND
        if self._best is None and self._examined and _top_decides(problem):
            status = Status.INFEASIBLE
        stopped = interrupted or self.over
        reason = reason_of(status, problem, interrupted=interrupted)
        if status is Status.NO_SOLUTION_FOUND and not stopped:
            reason = "No cut that was looked at is valid, though others may be: allow more moves, or ask for less."
        return Solution(
            problem=problem,
            algorithm=algorithm,
            status=status,
            recoding=None if self._best is None else self._costs.recoded(self._best[1], seed),
            exact_cost=None if self._best is None else self._exact(self._best[0]),
            exact_bound=None,
            examined=self._examined,
            space=self._costs.recoding.space(problem.data.frequencies),
            seconds=self._seconds,
            trace=tuple(self._trace),
            seed=seed,
            reason=reason,
            interrupted=interrupted,
        )

    @property
    def _seconds(self) -> float:
        return perf_counter() - self._begin

    def _exact(self, cost: CutCost) -> Fraction:
        return self._costs.exact(cost.units)

    def _look(self, cut: Cut) -> CutCost:
        """The cost of a cut, which may be the best so far."""
        found = self._costs(cut)
        self._examined += 1
        if found.valid and (self._best is None or found.units < self._best[0].units):
            self._best = (found, cut)
            self._trace.append(TracePoint(self._seconds, self._examined, float(self._exact(found)), None))
        if self._progress is not None and self._seconds - self._told > _PROGRESS:
            self._told = self._seconds
            cost = None if self._best is None else float(self._exact(self._best[0]))
            self._progress(Progress(self._seconds, self._examined, cost, None))
        return found


def _taken(here: CutCost, there: CutCost, temperature: float, random: Random) -> bool:
    """Whether a move is made: towards what is valid always, away from it never."""
    if here.excess or there.excess:
        return there.excess <= here.excess
    more = there.units - here.units
    return more <= 0 or (temperature > 0 and random.random() < exp(-more / temperature))


def _top_decides(problem: Problem) -> bool:
    """Whether nothing is valid if the most general cut is not."""
    rising = {Monotonicity.UP, Monotonicity.STRONGLY_UP}
    monotone = all(model.monotonicity in rising for model in problem.constraints)
    return problem.recoding.suppressing.scheme is Scheme.NONE and monotone
