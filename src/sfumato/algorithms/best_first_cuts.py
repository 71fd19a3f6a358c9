"""Best-first cuts: cuts by what they cost, the cheapest first, until one satisfies every model, monotone or not.

Closing a node more costs more, so every cut comes after those it is made from, and the first valid one is the cheapest.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.algorithms.base import Limits, Progress
from sfumato.algorithms.itemset_search import Flags, ItemCore, ItemsetAlgorithm, Outcome, Watch, cut_solution
from sfumato.itemset_problem import MOST_PLAIN, ItemsetProblem, plainly
from sfumato.privacy import ItemsetModel
from sfumato.problem import Problem
from sfumato.recoding.item_cut import ItemCutRecoding
from sfumato.solution import Solution, Status


@dataclass(frozen=True)
class BestFirstCuts(ItemsetAlgorithm):
    """Exact for few items, anytime, for any models of sets of items: l^m-diversity and negative knowledge too.

    What is not monotone leaves nothing to prune by: if a limit comes first, the most general cut is tried, and else the
    status is no_solution_found.
    """

    name: ClassVar[str] = "best-first-cuts"
    paper: ClassVar[str] = "sfumato; the problem: Terrovitis et al., VLDB Journal 2011"

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem, ItemsetProblem):
            return f"{self.name} anonymizes transactions, not tables"
        if problem.recoding.local:
            return f"{self.name} recodes items all alike; use item-cut, not {problem.recoding.name}"
        if not all(isinstance(model, ItemsetModel) for model in problem.constraints):
            return f"{self.name} takes models of sets of items, such as km-anonymity"
        if any(plainly(problem.data.records, model.m) > MOST_PLAIN for model in problem.constraints):  # type: ignore[union-attr]
            return f"{self.name} counts sets one by one, and here are too many; ask for a smaller m"
        return None

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        assert isinstance(problem, ItemsetProblem)  # noqa: S101 - `accepts` says so
        core = ItemCore.of(problem.data, problem.loss, 1, 1, kept=problem.protected)
        watch = Watch(limits, progress, core.whole)
        reason = _hopeless(problem)
        if reason:
            return cut_solution(problem, self.name, core, Outcome(Status.INFEASIBLE, None, reason=reason), seed)
        search = _Search(problem, core, watch)
        interrupted = False
        try:
            status, closed = search.run()
        except KeyboardInterrupt:
            interrupted = True
            status, closed = search.last_resort()
        why = {
            Status.INFEASIBLE: "All cuts were looked at, and each violates; ask for less.",
            Status.NO_SOLUTION_FOUND: "The limit came first: allow more time.",
        }.get(status, "")
        bound = None if status is Status.INFEASIBLE else search.bound
        outcome = Outcome(status, closed, bound, watch.examined, watch.seconds, (), why, interrupted=interrupted)
        return cut_solution(problem, self.name, core, outcome, seed)


def _hopeless(problem: ItemsetProblem) -> str:
    """Why no cut can do: nobody who knows nothing may learn a sensitive item too often."""
    total = problem.data.total
    for model in problem.constraints:
        for item in getattr(model, "sensitive_items", ()):
            records = int(problem.data.occurrences[problem.data.hierarchy.codes[item]])
            if records * int(getattr(model, "l", 0)) > total:
                return f"A sensitive item is in {records:,} of the {total:,} transactions, more than 1/l; ask for less."
    return ""


class _Search:
    """The cuts that wait, the cheapest first."""

    def __init__(self, problem: ItemsetProblem, core: ItemCore, watch: Watch) -> None:
        self.problem, self.core, self.watch = problem, core, watch
        children = problem.data.taxonomy.children
        self.inner = [node for node, below in enumerate(children) if below]
        self.children = {node: [child for child in children[node] if children[child]] for node in self.inner}
        self.parent = problem.data.parent.tolist()
        self.bound = 0

    def run(self) -> tuple[Status, Flags | None]:
        """Until a cut is valid."""
        waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        known: set[tuple[int, ...]] = {()}
        while waiting:
            if self.watch.stopped:
                return self.last_resort()
            cost, closed = heapq.heappop(waiting)
            self.bound = cost
            self.watch.examined += 1
            self.watch.tell(None, cost)
            if self.valid(self.flags(closed)):
                return Status.OPTIMAL, self.flags(closed)
            below = set(closed)
            for node in self.inner:
                if node in below or not all(child in below for child in self.children[node]):
                    continue
                further = tuple(sorted((*closed, node)))
                if further not in known:
                    known.add(further)
                    heapq.heappush(waiting, (self.core.baskets.cost(self.flags(further)), further))
        return Status.INFEASIBLE, None

    def last_resort(self) -> tuple[Status, Flags | None]:
        """The most general cut, if it is valid."""
        top = self.flags(tuple(self.inner))
        return (Status.FEASIBLE, top) if self.valid(top) else (Status.NO_SOLUTION_FOUND, None)

    def flags(self, closed: tuple[int, ...]) -> Flags:
        found = np.zeros(len(self.parent), dtype=np.uint8)
        found[list(closed)] = 1
        return found

    def valid(self, closed: Flags) -> bool:
        """Whether a cut satisfies every model, by their definitions."""
        cut = ItemCutRecoding(self.problem.data, closed, self.problem.protected)
        labels = self.problem.data.labels
        plain = {frozenset(labels[node] for node in items): times for items, times in cut.published.sets()}
        return all(model.holds(plain) for model in self.problem.constraints)  # type: ignore[arg-type]
