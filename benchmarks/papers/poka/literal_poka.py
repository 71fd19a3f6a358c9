"""POkA read aloud: Functions 1 to 3 of the paper without its lists, on nodes evaluated label by label.

The oracle for the search. It groups rows by what they would print and asks the loss's definition, and walks as the
pseudo-code does, again and again over the same nodes; what it evaluates, it remembers, for the count alone.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from sfumato.native.lattice import level_ranges_of
from sfumato.problem import Problem
from sfumato.testing.brute_force import classes
from sfumato.testing.plain_engine import Row

Node = tuple[int, ...]


@dataclass(frozen=True)
class Best:
    """(M, k_M, L_M), or the paper's (NULL, 0, 0)."""

    node: Node | None = None
    k: int = 0
    cost: Fraction = Fraction(0)

    def or_better(self, other: Best) -> Best:
        """Of equal (k, L) the first stays."""
        better = other.k > self.k or (other.k == self.k and other.cost < self.cost)
        return other if better else self


@dataclass(eq=False)
class LiteralPOkA:
    """One run. `heeds_loss=False` walks on where only the loss says stop: what then appears was hidden by it."""

    problem: Problem
    rows: list[Row]
    depth: int
    heeds_loss: bool = True
    evaluated: dict[Node, Best] = field(default_factory=dict)

    def run(self, start: Node | None = None) -> list[Best]:
        """Function 3."""
        self.ranges = level_ranges_of(self.problem.question)
        self.base = self.evaluate(start or tuple(highest for _, highest in self.ranges))
        bases = [self.base]
        while self.base.k > 2:
            self.base = self.depth_search(self._base_node)
            if self.base.node is None:
                break
            bases.append(self.base)
        return bases

    def evaluate(self, node: Node) -> Best:
        """Section 5.1: the largest k that the suppression limit buys, and the loss at that k."""
        if node not in self.evaluated:
            self.evaluated[node] = self._evaluated(node)
        return self.evaluated[node]

    def height_search(self, p: Node, use_node: bool) -> Best:
        """Function 1."""
        best = self.evaluate(p) if use_node else Best()
        for c in self._moved(p, 1):
            if self._below(c) and self._distance(c) > 1:
                q = self.height_search(c, False)
            else:
                here = self.evaluate(c)
                fits = here.k < self.base.k and here.cost < self.base.cost
                on = here.k < self.base.k and (fits or not self.heeds_loss)
                q = self.height_search(c, fits) if on else Best()
            best = best.or_better(q)
        return best

    def depth_search(self, p: Node) -> Best:
        """Function 2."""
        best = Best()
        for c in self._moved(p, -1):
            if self._distance(c) < self.depth:
                best = best.or_better(self.depth_search(c))
            else:
                best = best.or_better(self.height_search(c, self.depth == 1))
        return best

    def _evaluated(self, node: Node) -> Best:
        summaries = list(classes(self.problem, self.rows, node).values())
        records: dict[int, int] = defaultdict(int)
        for summary in summaries:
            records[summary.persons] += summary.size
        spent, allowed = 0, self.problem.question.recoding.suppressing.limit * len(self.rows)
        for persons in sorted(records):
            spent += records[persons]
            if spent > allowed:
                kept = [summary for summary in summaries if summary.persons >= persons]
                suppressed = len(self.rows) - sum(summary.size for summary in kept)
                return Best(
                    node, persons, self.problem.question.loss.cost(self.problem.data.frequencies, kept, suppressed)
                )
        return Best()

    def _moved(self, node: Node, way: int) -> list[Node]:
        ends = [highest if way > 0 else lowest for lowest, highest in self.ranges]
        free = [a for a, (level, end) in enumerate(zip(node, ends, strict=True)) if level != end]
        return [tuple(level + way * (a == b) for b, level in enumerate(node)) for a in free]

    @property
    def _base_node(self) -> Node:
        return self.base.node or ()

    def _below(self, node: Node) -> bool:
        return all(n <= b for n, b in zip(node, self._base_node, strict=True))

    def _distance(self, node: Node) -> int:
        return sum(abs(n - b) for n, b in zip(node, self._base_node, strict=True))
