"""SimulatedAnnealing: a walk from cut to cut that takes steps uphill less and less often; a heuristic, and a rival.

S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983; for cuts as in
J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section VIII-B, which gives no schedule.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf
from random import Random
from typing import ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.algorithms.steps.cut_costs import CutCost, CutCosts
from sfumato.algorithms.steps.cut_walk import CutWalk
from sfumato.native.cuts import no_cuts
from sfumato.native.run import Run
from sfumato.privacy import Monotonicity
from sfumato.questions import Answer, ClassQuestion, Status
from sfumato.recoding import Scheme
from sfumato.recoding.views import Cut
from sfumato.settings.exact import LARGEST_SEED, whole
from sfumato.settings.given import check_fields

_TRIED = 100  # random moves that the start temperature is taken from
_COOLED = 1e-3  # the last temperature, as a share of the first
_PROGRESS = 0.2  # seconds between two calls of whoever watches


@dataclass(frozen=True)
class SimulatedAnnealing(Algorithm):
    """Specialises or generalises one value at a time, at random; anytime, and without any bound.

    A move that costs d more is taken with probability exp(-d/T). T starts at the mean difference that 100 random moves
    make, and falls geometrically to a thousandth of that over `moves` moves. A run starts at the most general cut.
    seed: of all chance; that of `solve` if left out. runs: how many, one after the other; the best cut of all counts.
    moves: of each run.
    """

    name: ClassVar[str] = "simulated-annealing"
    copies: ClassVar[float] = 3.5
    paper: ClassVar[str] = "Kirkpatrick et al., Science 1983"

    seed: int | None = None
    runs: int = 1
    moves: int = 5000

    def __post_init__(self) -> None:
        check_fields(self)
        if self.seed is not None:
            object.__setattr__(self, "seed", whole(self.seed, "seed", least=0, most=LARGEST_SEED))
        object.__setattr__(self, "runs", whole(self.runs, "runs", least=1))
        object.__setattr__(self, "moves", whole(self.moves, "moves", least=1))

    def accepts(self, question: ClassQuestion) -> str | None:
        return no_cuts(self.name, question)

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        run.begin()
        cuts = _Annealing(CutCosts(question), run)
        chance = run.seed if self.seed is None else self.seed
        with run.interruptible():
            for each in range(self.runs):
                cuts.anneal(Random(f"{chance}/{each}"), self.moves)  # noqa: S311 - no secret
                if run.stopped:
                    break
        return cuts.answer(self.name)


class _Annealing:
    """The best cut of all runs so far, and when to stop."""

    def __init__(self, costs: CutCosts, run: Run) -> None:
        self._costs, self._run, self._shown = costs, run, -inf
        self._best: tuple[CutCost, Cut] | None = None

    def anneal(self, random: Random, moves: int) -> None:
        """One run."""
        walk, here, temperature = self._start(random)
        cooling = _COOLED ** (1 / moves)
        for _ in range(moves):
            if self._run.stopped or not walk.movable:
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
            if self._run.stopped or not walk.movable:
                break
            walk.move(random)
            there = self._look(walk.cut)
            differences.append(abs(there.units - here.units))
            here = there
            if there.excess < best[0].excess:
                best = (there, walk.cut)
        temperature = sum(differences) / len(differences) if differences else 0.0
        return CutWalk(self._costs.taxonomies, best[1]), best[0], temperature

    def answer(self, algorithm: str) -> Answer:
        """What the runs end with; nothing is proved, except by the most general cut."""
        question, run = self._costs.question, self._run
        if self._best is not None:
            recoding = self._costs.recoded(self._best[1], run.seed)
            return run.answer(question, algorithm, Status.FEASIBLE, recoding, self._exact(self._best[0]))
        status = Status.INFEASIBLE if run.examined and _top_decides(question) else Status.NO_SOLUTION_FOUND
        reason = None
        if status is Status.NO_SOLUTION_FOUND and not run.interrupted and not run.stopped:
            reason = "No cut that was looked at is valid, though others may be: allow more moves, or ask for less."
        return run.answer(question, algorithm, status, None, None, reason=reason)

    def _exact(self, cost: CutCost) -> Fraction:
        return self._costs.exact(cost.units)

    def _look(self, cut: Cut) -> CutCost:
        """The cost of a cut, which may be the best so far."""
        run, there = self._run, self._costs(cut)
        is_best = there.valid and (self._best is None or there.units < self._best[0].units)
        if is_best:
            self._best = (there, cut)
        run.examined += 1  # only now: if Ctrl-C comes before, nothing is said of the cut
        if is_best:
            run.keep(self._exact(there), None)
        if run.seconds - self._shown > _PROGRESS:
            self._shown = run.seconds
            run.report(None if self._best is None else self._exact(self._best[0]), None)
        return there


def _taken(here: CutCost, there: CutCost, temperature: float, random: Random) -> bool:
    """Whether a move is made: towards what is valid always, away from it never."""
    if here.excess or there.excess:
        return there.excess <= here.excess
    more = there.units - here.units
    return more <= 0 or (temperature > 0 and random.random() < exp(-more / temperature))


def _top_decides(question: ClassQuestion) -> bool:
    """Whether nothing is valid if the most general cut is not."""
    rising = {Monotonicity.UP, Monotonicity.STRONGLY_UP}
    monotone = all(model.monotonicity in rising for model in question.constraints)
    return question.recoding.suppressing.scheme is Scheme.NONE and monotone
