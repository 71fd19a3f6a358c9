"""The paper's enumeration of hierarchical partitions: each is reached once, by timestamped partition trees.

B. Hore et al., "Constrained generalization for data anonymization", 2011, Sections 2 to 4, for teaching and tests. A
split is out of sequence if it cuts an ancestor's subspace whose split has a *higher* id (Definition 7 misprints lower),
and the test skips the inner nodes of the chain that a split of several children is written as (else some are lost).
The search through this tree is beside it, in partition_search.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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


def _replaced(tree: PartitionTree, old: Leaf, new: Node) -> PartitionTree:
    if tree is old:
        return new
    if isinstance(tree, Leaf):
        return tree
    return Node(tree.block, tree.split, tree.time, tuple(_replaced(part, old, new) for part in tree.parts))


def _within(block: Block, other: Block) -> bool:
    return all(low >= a and high <= b for (low, high), (a, b) in zip(block, other, strict=True))
