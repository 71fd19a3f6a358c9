"""The paper's search through its enumeration tree: a queue with priorities, of at most MAXSIZE entries.

B. Hore et al., "Constrained generalization for data anonymization", 2011, Sections 3 and 4 and Figure 13, for teaching
and tests: under discernibility, classification and volume, with k-anonymity and whatever else is asked of a block.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from math import prod

from papers.gensearch.partition_tree import Block, Leaf, Node, PartitionTree, Place, Space, children, leaves

Holds = Callable[[Block, Sequence[int]], bool]  # of a block and the numbers of its records


def always(block: Block, records: Sequence[int]) -> bool:
    """What asks nothing."""
    return True


@dataclass(frozen=True)
class Rules:
    """What is minimised, and what must hold of every block that has records."""

    space: Space
    k: int  # no block with records has fewer
    metric: str = "discernibility"  # or classification, volume
    labels: Sequence[str] = ()  # of the records, for classification
    holds: Holds = always  # all else; monotone: if it does not hold of a block, then not of every part of it
    _members: dict[Block, list[int]] = field(default_factory=dict)
    _costs: dict[Block, int] = field(default_factory=dict)
    _least: dict[Block, int] = field(default_factory=dict)

    def members(self, block: Block) -> list[int]:
        """The records of a block, by number."""
        if block not in self._members:
            self._members[block] = [
                number
                for number, place in enumerate(self.space.places)
                if all(low <= x <= high for x, (low, high) in zip(place, block, strict=True))
            ]
        return self._members[block]

    def legal(self, block: Block) -> bool:
        """Whether a block may be published: if it has no records, it is not."""
        records = self.members(block)
        return not records or (len(records) >= self.k and self.holds(block, records))

    def cost(self, block: Block) -> int:
        """What a block costs."""
        if block not in self._costs:
            self._costs[block] = self._cost(block, self.members(block))
        return self._costs[block]

    def least(self, block: Block) -> int:
        """MinCost: what the records cost at least in whatever parts, from the cells that no split divides."""
        if block not in self._least:
            cells: dict[Place, list[int]] = {}
            for number in self.members(block):
                cells.setdefault(self.space.places[number], []).append(number)
            self._least[block] = sum(map(self._penalty, cells.values()))
        return self._least[block]

    def _cost(self, block: Block, records: Sequence[int]) -> int:
        n = len(records)
        if self.metric == "volume":
            return n * prod(high - low + 1 for low, high in block)
        if self.metric == "classification":
            return n - max(Counter(self.labels[number] for number in records).values(), default=0)
        return n * n

    def _penalty(self, records: Sequence[int]) -> int:
        """The least cost of the records of a cell: with k of them alone, or in a block with others."""
        n = len(records)
        if self.metric == "volume":
            return n * (1 if n >= self.k else 2)  # a block of two cells, or of more
        if self.metric == "classification":
            return self._cost((), records)  # others only add to the minority
        return n * max(n, self.k)


def cost(rules: Rules, tree: PartitionTree) -> int:
    """What a partition costs."""
    return sum(rules.cost(leaf.block) for leaf in leaves(tree))


def legal(rules: Rules, tree: PartitionTree) -> bool:
    """Whether every block may be published."""
    return all(rules.legal(leaf.block) for leaf in leaves(tree))


def open_leaves(tree: PartitionTree) -> set[Block]:
    """The blocks that may still be divided at a descendant: those after the last split in pre-order (Property 3)."""
    order: list[tuple[Block, bool]] = []

    def visit(at: PartitionTree) -> None:
        order.append((at.block, isinstance(at, Leaf)))
        for part in at.parts if isinstance(at, Node) else ():
            visit(part)

    visit(tree)
    last = max((i for i, (_, leaf) in enumerate(order) if not leaf), default=-1)
    return {block for block, leaf in order[last + 1 :] if leaf}


def lower_bound(rules: Rules, tree: PartitionTree) -> int:
    """LB (Figure 4): closed blocks as they are, open ones at their MinCost."""
    free = open_leaves(tree)
    return sum(rules.least(leaf.block) if leaf.block in free else rules.cost(leaf.block) for leaf in leaves(tree))


@dataclass(frozen=True)
class Best:
    """What the prioritised search ends with."""

    cost: int
    tree: PartitionTree
    bound: int  # no partition costs less
    visited: int
    dropped: int = 0  # entries that the queue had no room for


Entry = tuple[Fraction, int, int, PartitionTree]  # its key, its number, its lower bound


def prioritized(
    rules: Rules, *, priority: str = "lb", most: int = 10_000, approximation: Fraction = Fraction(1)
) -> Best | None:
    """Prioritized-Enumerate (Figure 13); None if the whole space violates.

    most: MAXSIZE; when the queue is full, a probe goes straight down for a good partition, what it beats is dropped,
    and if that is not enough the least promising half goes too: then the bound says how much may have been lost.
    approximation: with c > 1, nodes whose LB/cost exceeds 1/c are not looked into.
    """
    root: PartitionTree = Leaf(rules.space.whole)
    if not legal(rules, root):
        return None
    keys: dict[str, Callable[[int, int], Fraction]] = {
        "lb": lambda bound, _: Fraction(bound),
        "cost": lambda _, own: Fraction(own),
        "lb/cost": lambda bound, own: Fraction(bound, own) if own else Fraction(0),
    }
    number, best, tree, visited, dropped = count(), cost(rules, root), root, 0, 0
    lost: list[int] = []  # the bounds of what was not looked into
    queue: list[Entry] = [(Fraction(0), next(number), lower_bound(rules, root), root)]
    while queue:
        if len(queue) >= most:
            probe = _probe(rules, queue[0][3])
            if cost(rules, probe) < best:
                best, tree = cost(rules, probe), probe
            queue = sorted(entry for entry in queue if entry[2] < best)
            gone = queue[most // 2 :]
            lost += [min(entry[2] for entry in gone)] if gone else []
            dropped += len(gone)
            queue = queue[: most // 2]
            continue
        _, _, bound, at = heapq.heappop(queue)
        visited += 1
        if bound >= best:
            continue
        if approximation > 1 and bound * approximation > cost(rules, at):
            lost.append(bound)
            continue
        for below in children(rules.space, at):
            if not legal(rules, below):
                continue
            own, least = cost(rules, below), lower_bound(rules, below)
            if own < best:
                best, tree = own, below
            if least < best:
                heapq.heappush(queue, (keys[priority](least, own), next(number), least, below))
    return Best(best, tree, min([best, *lost]), visited, dropped)


def _probe(rules: Rules, tree: PartitionTree) -> PartitionTree:
    """Straight down by the cheapest child, as long as there is a legal one."""
    while True:
        below = [child for child in children(rules.space, tree) if legal(rules, child)]
        if not below:
            return tree
        tree = min(below, key=lambda child: cost(rules, child))
