"""Best-first cuts: cuts by what they cost, the cheapest first, until one satisfies every model, monotone or not.

Closing a node more costs more, so every cut comes after those it is made from, and the first valid one is the cheapest.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.native.items import Flags, ItemCore, cut_answer, other_recoding
from sfumato.native.run import Run
from sfumato.native.shares import ShareCore, too_frequent
from sfumato.privacy.base import is_model
from sfumato.privacy.itemset_model import required_share
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.questions.itemsets import MOST_PLAIN, plainly
from sfumato.recoding.item_cut import ItemCutRecoding

_MOST_CUTS = 1_000_000  # that solve() looks at without being asked to


@dataclass(frozen=True)
class BestFirstCuts(ItemsetAlgorithm):
    """Exact for few items, anytime, for all models of sets of items: l^m-diversity and negative knowledge too.

    What is not monotone leaves nothing to prune by: if a limit comes first, the answer is that of diverse-aa where this
    takes the constraint, else the most general cut if it is valid, and else the status is no_solution_found.
    """

    name: ClassVar[str] = "best-first-cuts"
    paper: ClassVar[str] = "sfumato; the problem: Terrovitis et al., VLDB Journal 2011"

    def accepts(self, question: ItemsetQuestion) -> str | None:
        if (reason := other_recoding(self.name, question, local=False)) is not None:
            return reason
        if any(is_model(model) for model in question.constraints):
            return f"{self.name} takes models of sets of items, such as km-anonymity"
        if any(plainly(question.items.records, model) > MOST_PLAIN for model in question.constraints):
            return f"{self.name} counts sets one by one, and here are too many; ask for a smaller m"
        return None

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        core = ItemCore.of(question.items, question.loss, 1, 1, kept=question.protected)
        if reason := too_frequent(question):
            return cut_answer(question, self.name, core, run, Status.INFEASIBLE, None, reason=reason)
        cuts = _Cuts(question, core, run)
        outcome = None
        with run.interruptible():
            cuts.begin()
            outcome = cuts.search()
        status, closed = outcome or cuts.last_resort()
        nothing = "Every cut violates the requirements; ask for less." if status is Status.INFEASIBLE else None
        return cut_answer(question, self.name, core, run, status, closed, cuts.bound, nothing)

    def finishes(self, question: ItemsetQuestion) -> bool:
        """Whether there are so few cuts that they can be looked at, or nothing else takes the question."""
        return question.space <= _MOST_CUTS or not _by_share(question)


def _by_share(question: ItemsetQuestion) -> bool:
    """Whether the question is about l^m-diversity alone."""
    return len(question.constraints) == 1 and required_share(question.constraints[0]) is not None


class _Cuts:
    """The cuts that wait, the cheapest first."""

    def __init__(self, question: ItemsetQuestion, core: ItemCore, run: Run) -> None:
        self.question, self.core, self.run = question, core, run
        children = question.items.taxonomy.children
        self.inner = [node for node, below in enumerate(children) if below]
        self.children = {node: [child for child in children[node] if children[child]] for node in self.inner}
        self.parent = question.items.parent.tolist()
        self.bound = 0
        self.incumbent: Flags | None = None
        self.most: float = inf  # what the incumbent costs

    def begin(self) -> None:
        """A valid cut to start with, so that nothing that costs more waits: that of a heuristic, if there is one."""
        if not _by_share(self.question):
            return
        closed, _ = ShareCore.of(self.question).anonymized(self.run, refined=True, watched=False)
        if closed is not None and self.valid(closed):
            self.incumbent, self.most = closed, self.core.baskets.cost(closed)
            self.run.keep(self.core.share(int(self.most)), self.core.share(0))

    def search(self) -> tuple[Status, Flags | None]:
        """Until a cut is valid."""
        waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        seen: set[tuple[int, ...]] = {()}
        while waiting:
            if self.run.stopped:
                return self.last_resort()
            cost, closed = heapq.heappop(waiting)
            self.bound = cost
            self.run.examined += 1
            self.run.report(None if self.incumbent is None else self.core.share(int(self.most)), self.core.share(cost))
            if self.valid(self.flags(closed)):
                return Status.OPTIMAL, self.flags(closed)
            below = set(closed)
            for node in self.inner:
                if node in below or not all(child in below for child in self.children[node]):
                    continue
                further = tuple(sorted((*closed, node)))
                if further not in seen:
                    seen.add(further)
                    if (price := self.core.baskets.cost(self.flags(further))) < self.most:
                        heapq.heappush(waiting, (price, further))
        if self.incumbent is not None:  # whatever is cheaper was looked at
            self.bound = int(self.most)
            return Status.OPTIMAL, self.incumbent
        return Status.INFEASIBLE, None

    def last_resort(self) -> tuple[Status, Flags | None]:
        """The incumbent, or the most general cut, if it is valid."""
        if self.incumbent is not None:
            return Status.FEASIBLE, self.incumbent
        top = self.flags(tuple(self.inner))
        return (Status.FEASIBLE, top) if self.valid(top) else (Status.NO_SOLUTION_FOUND, None)

    def flags(self, closed: tuple[int, ...]) -> Flags:
        flags = np.zeros(len(self.parent), dtype=np.uint8)
        flags[list(closed)] = 1
        return flags

    def valid(self, closed: Flags) -> bool:
        """Whether a cut satisfies every model, by their definitions."""
        cut = ItemCutRecoding(self.question.items, closed, self.question.protected)
        labels = self.question.items.labels
        published = cut.published.with_empty(self.question.empty)
        plain = {frozenset(labels[node] for node in items): times for items, times in published.sets()}
        return all(model.holds(plain) for model in self.question.constraints)
