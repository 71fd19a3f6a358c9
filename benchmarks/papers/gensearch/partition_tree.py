"""The paper's enumeration of hierarchical partitions: each is reached once, by timestamped partition trees.

B. Hore et al., "Constrained generalization for data anonymization", 2011, Sections 2 to 4, for teaching and tests. A
split is out of sequence if it cuts an ancestor's subspace whose split has a *higher* id (Definition 7 misprints lower),
and the test skips the inner nodes of the chain that a split of several children is written as (else some are lost).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import TypeAlias

Place: TypeAlias = tuple[int, ...]  # the cell of a record along each axis
Block: TypeAlias = tuple[tuple[int, int], ...]  # first and last cell along each axis


@dataclass(frozen=True)
class Numeric:
    """Cells in a row, with a split between any two; its ids grow with the values."""

    cells: int


@dataclass(frozen=True)
class Tree:
    """A taxonomy, as nested lists of children; a leaf has none. A node is split at once into all its children."""

    children: Sequence[Tree] = ()

    @property
    def cells(self) -> int:
        """The leaves."""
        return sum(child.cells for child in self.children) if self.children else 1


@dataclass(frozen=True)
class Split:
    """A way to divide any block that spans it: a cut of an axis, or several that are made at once."""

    id: int
    axis: int
    cuts: tuple[int, ...]  # the last cell of each side but the last
    spans: tuple[int, int] | None = None  # the cells of a taxonomy's node, which must be the block's


@dataclass(frozen=True)
class Leaf:
    """A block that is not divided."""

    block: Block


@dataclass(frozen=True)
class Node:
    """A block that is divided, with the time at which it was."""

    block: Block
    split: Split
    time: int
    parts: tuple[PartitionTree, ...]


PartitionTree: TypeAlias = Leaf | Node


@dataclass(frozen=True)
class Space:
    """Axes, and records in their cells."""

    axes: Sequence[Numeric | Tree]
    places: Sequence[Place] = ()
    ids: dict[tuple[int, int], int] = field(default_factory=dict)  # (axis, cut) → id; else by axis, then by value

    @property
    def whole(self) -> Block:
        """The undivided space."""
        return tuple((0, axis.cells - 1) for axis in self.axes)

    def splits(self) -> list[Split]:
        """All splits, by id; those of a taxonomy's upper nodes come before those below."""
        splits: list[Split] = []
        for a, axis in enumerate(self.axes):
            if isinstance(axis, Numeric):
                for cut in range(axis.cells - 1):
                    splits.append(Split(self.ids.get((a, cut), len(splits)), a, (cut,)))
            else:
                for first, tree in _nodes(axis, 0):
                    ends, at = [], first
                    for child in tree.children[:-1]:
                        at += child.cells
                        ends.append(at - 1)
                    spans = (first, first + tree.cells - 1)
                    splits.append(Split(self.ids.get((a, first), len(splits)), a, tuple(ends), spans))
        return sorted(splits, key=lambda split: split.id)

    def size(self, block: Block) -> int:
        """The records in a block."""
        return sum(all(low <= x <= high for x, (low, high) in zip(p, block, strict=True)) for p in self.places)


def _nodes(tree: Tree, first: int) -> Iterator[tuple[int, Tree]]:
    if tree.children:
        yield first, tree
        for child in tree.children:
            yield from _nodes(child, first)
            first += child.cells


def available(splits: Sequence[Split], block: Block) -> list[Split]:
    """The splits that divide a block, in order of their ids."""
    dividing = []
    for split in splits:
        low, high = block[split.axis]
        if low <= split.cuts[0] < high if split.spans is None else split.spans == (low, high):
            dividing.append(split)
    return dividing


def divided(block: Block, split: Split) -> tuple[Block, ...]:
    """The parts of a block."""
    low, high = block[split.axis]
    starts, ends = [low, *(cut + 1 for cut in split.cuts)], [*split.cuts, high]
    sides = zip(starts, ends, strict=True)
    return tuple((*block[: split.axis], side, *block[split.axis + 1 :]) for side in sides)


def leaves(tree: PartitionTree) -> list[Leaf]:
    """The blocks of a partition, in pre-order."""
    return [tree] if isinstance(tree, Leaf) else [leaf for part in tree.parts for leaf in leaves(part)]


def times(tree: PartitionTree) -> list[int]:
    """Timestamps in pre-order; Constraint 1 asks that they grow."""
    return [] if isinstance(tree, Leaf) else [tree.time, *(time for part in tree.parts for time in times(part))]


def is_cut(tree: PartitionTree, split: Split) -> bool:
    """Whether a split runs across the whole subspace of a tree (Is-split-a-cut)."""
    if isinstance(tree, Leaf):
        return False
    if tree.split == split:
        return True
    if tree.split.axis == split.axis:
        # On the same axis only the part that the split lies in counts; a taxonomy's nodes lie in one part or in none.
        low, high = (split.cuts[0], split.cuts[-1] + 1) if split.spans is None else split.spans
        inside = [part for part in tree.parts if part.block[split.axis][0] <= low and high <= part.block[split.axis][1]]
        return bool(inside) and split.spans is None and is_cut(inside[0], split)
    return all(is_cut(part, split) for part in tree.parts)


def children(space: Space, tree: PartitionTree, *, literal: bool = False) -> Iterator[PartitionTree]:
    """The nodes below one of the enumeration tree: one block of the partition divided further, if that is legal.

    A multi-way split counts as one node of the tree, so that nothing is looked at inside its chain; literal: as the
    paper has it, the inner nodes of the chain count as well, and partitions are lost.
    """
    splits, time = space.splits(), max(times(tree), default=0) + 1
    for leaf in leaves(tree):
        for split in available(splits, leaf.block):
            new = _replaced(tree, leaf, Node(leaf.block, split, time, tuple(map(Leaf, divided(leaf.block, split)))))
            if times(new) == sorted(times(new)) and in_sequence(new, split, leaf.block, literal=literal):
                yield new


def in_sequence(tree: PartitionTree, split: Split, block: Block, *, literal: bool = False) -> bool:
    """Detect-legal-split: the split of a block cuts no ancestor's subspace whose own split has a higher id."""
    path = []
    at = tree
    while isinstance(at, Node) and at.block != block:
        path.append(at)
        at = next(part for part in at.parts if _within(block, part.block))
    for ancestor in reversed(path):
        place = next(i for i, part in enumerate(ancestor.parts) if _within(block, part.block))
        # The left-deep chain that a split of several children is written as: its inner nodes have the first parts.
        inner = range(max(place, 1), len(ancestor.parts) - 1) if literal else ()
        for subspace in (*(ancestor.parts[: i + 1] for i in inner), (ancestor,)):
            if not all(is_cut(part, split) for part in subspace):
                return True
            if split.id <= ancestor.split.id:
                return False
    return True


def enumerate_partitions(space: Space, *, literal: bool = False) -> Iterator[PartitionTree]:
    """Every node of the enumeration tree, depth first."""
    waiting: list[PartitionTree] = [Leaf(space.whole)]
    while waiting:
        tree = waiting.pop()
        yield tree
        waiting.extend(reversed(list(children(space, tree, literal=literal))))


# --- the search, for discernibility under k-anonymity


def cost(space: Space, tree: PartitionTree) -> int:
    """DM of a partition."""
    return sum(space.size(leaf.block) ** 2 for leaf in leaves(tree))


def min_cost(space: Space, block: Block, k: int) -> int:
    """MinCost: every record pays at least k, and at least for the records that no split separates from it."""
    cells: dict[Place, int] = {}
    for place in space.places:
        if all(low <= x <= high for x, (low, high) in zip(place, block, strict=True)):
            cells[place] = cells.get(place, 0) + 1
    return sum(n * max(n, k) for n in cells.values())


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


def lower_bound(space: Space, tree: PartitionTree, k: int) -> int:
    """LB_DM: closed blocks as they are, open ones at their MinCost."""
    free = open_leaves(tree)
    return sum(
        min_cost(space, leaf.block, k) if leaf.block in free else space.size(leaf.block) ** 2 for leaf in leaves(tree)
    )


def legal(space: Space, tree: PartitionTree, k: int) -> bool:
    """Whether every block that has records has k of them."""
    return all(not 0 < space.size(leaf.block) < k for leaf in leaves(tree))


@dataclass(frozen=True)
class Found:
    """What the prioritised search ends with."""

    cost: int
    tree: PartitionTree
    bound: int  # no partition costs less
    visited: int


def prioritized(
    space: Space, k: int, *, priority: str = "lb", most: int = 10_000, approximation: Fraction = Fraction(1)
) -> Found | None:
    """Prioritized-Enumerate (Figure 13); None if the whole space violates.

    most: MAXSIZE; when the queue is full, a probe goes straight down for a good partition, what it beats is dropped,
    and if that is not enough the least promising half goes too: then the bound says how much may have been lost.
    approximation: with c > 1, nodes whose LB/cost exceeds 1/c are not looked into.
    """
    root: PartitionTree = Leaf(space.whole)
    if not legal(space, root, k):
        return None
    keys: dict[str, Callable[[int, int], Fraction]] = {
        "lb": lambda bound, _: Fraction(bound),
        "cost": lambda _, own: Fraction(own),
        "lb/cost": lambda bound, own: Fraction(bound, own) if own else Fraction(0),
    }
    number, best, tree, lost, visited = count(), cost(space, root), root, None, 0
    queue = [(keys[priority](0, 0), next(number), lower_bound(space, root, k), root)]
    while queue:
        if len(queue) >= most:
            probe = _probe(space, queue[0][3], k)
            if cost(space, probe) < best:
                best, tree = cost(space, probe), probe
            queue = sorted(entry for entry in queue if entry[2] < best)
            for entry in queue[most // 2 :]:
                lost = entry[2] if lost is None else min(lost, entry[2])
            queue = queue[: most // 2]
            continue
        _, _, bound, at = heapq.heappop(queue)
        visited += 1
        if bound >= best:
            continue
        if approximation > 1 and bound * approximation > cost(space, at):
            lost = bound if lost is None else min(lost, bound)
            continue
        for below in children(space, at):
            if not legal(space, below, k):
                continue
            own, least = cost(space, below), lower_bound(space, below, k)
            if own < best:
                best, tree = own, below
            if least < best:
                heapq.heappush(queue, (keys[priority](least, own), next(number), least, below))
    return Found(best, tree, best if lost is None else min(best, lost), visited)


def _probe(space: Space, tree: PartitionTree, k: int) -> PartitionTree:
    """Straight down by the cheapest child, as long as there is a legal one."""
    while True:
        below = [child for child in children(space, tree) if legal(space, child, k)]
        if not below:
            return tree
        tree = min(below, key=lambda child: cost(space, child))


def _replaced(tree: PartitionTree, old: Leaf, new: Node) -> PartitionTree:
    if tree is old:
        return new
    if isinstance(tree, Leaf):
        return tree
    return Node(tree.block, tree.split, tree.time, tuple(_replaced(part, old, new) for part in tree.parts))


def _within(block: Block, other: Block) -> bool:
    return all(low >= a and high <= b for (low, high), (a, b) in zip(block, other, strict=True))
