"""HittingSet: a cut is valid if it closes a node above some member of every rare set; the cheapest such, with a proof.

If J is a set of at most m nodes, none above another, that some transactions have but fewer than k, then every valid
cut generalises a member of J: take a transaction with J and map an item below each member to its node of the cut; were
none above its member, these nodes would be different ones, and no more transactions would have them than have J. So
the least loss is that of a hitting set: minimise the loss of closed nodes such that one of each clause "a parent of a
member of J is closed" is. The first clauses are those that the staged AA met; others follow as they are needed: rare
sets of the cut at hand, raised as far as they stay rare. Branch and bound over linear relaxations; every bound is
checked in whole numbers (`hitting_lp`).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.algorithms.steps.hitting_lp import Fixing, HittingLP
from sfumato.native.items import Flags, ItemCore, cut_answer
from sfumato.native.run import Run
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.settings.given import check_fields

_MOST, _MOST_EACH = 2000, 24  # rare sets that are looked at in one round, and of those that begin alike
_TINY = 1e-6


@dataclass(frozen=True)
class HittingSet(ItemsetAlgorithm):
    """Exact, anytime, for thousands of items: the least loss of a cut, with a lower bound that always holds."""

    name: ClassVar[str] = "hitting-set"
    copies: ClassVar[float] = 8
    paper: ClassVar[str] = "sfumato; the problem: Terrovitis et al., VLDB Journal 2011"

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        core = ItemCore.of_question(question)
        if 0 < question.records < core.k:
            return cut_answer(question, self.name, core, run, Status.INFEASIBLE, None)
        cuts = _Cuts(core, run)
        with run.interruptible():
            cuts.search()
        proved = min(cuts.bound, cuts.cost)
        status = Status.OPTIMAL if proved == cuts.cost else Status.FEASIBLE
        return cut_answer(question, self.name, core, run, status, cuts.best, proved)


@dataclass(eq=False)
class _Cuts:
    """The best cut so far, and what is left to be looked at."""

    core: ItemCore
    run: Run
    waiting: list[tuple[int, int, Fixing]] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_fields(self)
        parent = self.core.items.parent.astype(np.int64)
        children = self.core.items.taxonomy.children
        self.inner = np.array([v for v, below in enumerate(children) if below], dtype=np.int64)
        variable = np.full(len(parent), -1, dtype=np.int64)
        variable[self.inner] = np.arange(len(self.inner))
        self.variable = variable
        above = np.where(self.inner > 0, variable[parent[self.inner]], -1)
        end = np.arange(1, len(self.inner) + 1)
        for v in range(len(self.inner) - 1, 0, -1):
            end[above[v]] = max(end[above[v]], end[v])
        costs = self.core.costs
        price = [costs[v] - sum(costs[u] for u in children[v]) for v in self.inner.tolist()]
        self.lp = HittingLP(above, end, price)
        self.best: Flags = np.zeros(len(parent), dtype=np.uint8)  # the top cut, until there is a better one
        self.best[self.inner] = 1
        self.cost = self.core.baskets.cost(self.best)
        self.bound = 0
        self.number = count()
        self.valid: set[tuple[bytes, int]] = set()  # cuts that hold, down to some depth
        depths = np.zeros(len(parent), dtype=np.int64)
        for v in range(1, len(parent)):
            depths[v] = depths[parent[v]] + 1
        self.height = int(depths.max(initial=0))

    def search(self) -> None:
        """Until everything is looked at, or a limit comes."""
        self.run.begin()
        first = self.core.apriori(self.run, counted=False)
        self._offer(np.array(first.closed, dtype=np.uint8))
        if self.run.interrupted:
            return  # the core has seen the Ctrl-C
        fixing = self.lp.free()
        self.lp.add([tuple(self.variable[clause].tolist()) for clause in first.clauses])
        for depth in range(1, self.height):
            if not self._coarse(fixing, depth):
                return
        self.waiting = [(self.bound, next(self.number), fixing)]
        while self.waiting:
            self.bound = max(self.bound, min(self.waiting[0][0], self.cost))
            self._report()
            if self.bound >= self.cost or self.run.stopped:
                return
            _, _, fixing = heapq.heappop(self.waiting)
            if not self._branch(fixing):
                return
        self.bound = self.cost
        self._keep()

    def _coarse(self, fixing: Fixing, depth: int) -> bool:
        """Clauses down to some depth, where there are few nodes and clauses are strongest; False if stopped."""
        while not self.run.stopped:
            self.run.examined += 1
            solved = self.lp.solve(fixing)
            if solved is None:
                return True
            self.bound = max(self.bound, min(solved[1], self.cost))
            if self.bound >= self.cost or not self._cut_off(solved[0], depth):
                return True
        return False

    def _branch(self, fixing: Fixing) -> bool:
        """Solves the relaxation with more and more clauses, then branches; False if stopped, with the node put back."""
        below = 0
        while True:
            self.run.examined += 1
            solved = self.lp.solve(fixing)
            if solved is None:
                return True
            values, bound = solved
            below = max(below, bound)
            if below >= self.cost:
                return True
            if self.run.stopped:
                heapq.heappush(self.waiting, (below, next(self.number), fixing))
                self.bound = max(self.bound, min(self.cost, *(entry[0] for entry in self.waiting)))
                return False
            if not self._cut_off(values, self.height):
                break
        distance = np.minimum(values, 1 - values)
        undecided = (fixing.most > 0) & (fixing.least == 0)
        worth = np.where(undecided, distance + _TINY, 0) * (1 + np.log1p(np.array(self.lp.price, dtype=np.float64)))
        if not undecided.any():
            return True
        chosen = int(worth.argmax())
        for child in (fixing.closing(chosen, self.lp.end), fixing.opening(chosen, self.lp.parent)):
            heapq.heappush(self.waiting, (below, next(self.number), child))
        return True

    def _cut_off(self, values: NDArray[np.float64], depth: int) -> bool:
        """Adds clauses that the relaxation violates, down to some depth; whether any."""
        thresholds = dict.fromkeys((1 / self.core.m, 0.5, 1 - _TINY))
        return any(self._separate(values, threshold, depth) for threshold in thresholds)

    def _separate(self, values: NDArray[np.float64], threshold: float, depth: int) -> bool:
        """The same at the cut of what reaches the threshold."""
        closed = np.zeros(len(self.best), dtype=np.uint8)
        closed[self.inner] = values >= threshold - _TINY
        checked = (closed.tobytes(), depth)
        if checked in self.valid:
            return False
        rare = self.core.baskets.clauses(closed, self.core.k, self.core.m, depth, _MOST, _MOST_EACH, self.best)
        if not rare:
            self.valid.add(checked)
            if depth >= self.height:
                self._offer(closed)
        clauses = [tuple(self.variable[clause].tolist()) for clause in rare]
        return self.lp.add([clause for clause in clauses if values[list(clause)].sum() < 1 - _TINY]) > 0

    def _offer(self, closed: Flags) -> None:
        """A valid cut: the best so far if it is cheaper."""
        cost = self.core.baskets.cost(closed)
        if cost < self.cost:
            self.cost, self.best = cost, closed
            self._keep()

    def _report(self) -> None:
        self.run.report(self.core.share(self.cost), self.core.share(self.bound))

    def _keep(self) -> None:
        self.run.keep(self.core.share(self.cost), self.core.share(min(self.bound, self.cost)))
