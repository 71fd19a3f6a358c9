"""The examples of the GenSearch paper, worked out anew: Figures 1 to 3, 5, 9 to 11, 27 to 29.

    python benchmarks/papers/gensearch/examples.py --write

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization", 2011. The
paper's drawings are not in its text; what the text says of them is kept. Without --write, what would be written is
printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from papers.gensearch.partition_search import Rules, cost, lower_bound
from papers.gensearch.partition_tree import (
    Block,
    Leaf,
    Node,
    Numeric,
    PartitionTree,
    Place,
    Space,
    Split,
    Tree,
    children,
    divided,
    in_sequence,
    leaves,
    times,
)
from papers.results import Outline, Result, Table, Tiles, write_or_print


@dataclass(frozen=True)
class Named:
    """A node of a taxonomy with its name."""

    name: str
    below: tuple[Named, ...] = ()

    @property
    def tree(self) -> Tree:
        return Tree([one.tree for one in self.below])

    def nodes(self, first: int = 0, depth: int = 0) -> Iterator[tuple[int, tuple[int, int], Named]]:
        """All nodes in pre-order, each with its depth and its first and last leaf."""
        yield depth, (first, first + self.tree.cells - 1), self
        for one in self.below:
            yield from one.nodes(first, depth + 1)
            first += one.tree.cells


def numbered(axes: Sequence[Numeric], places: Sequence[Place] = ()) -> Space:
    """A space whose splits have the paper's ids, which begin at 1."""
    cuts = [(a, cut) for a, axis in enumerate(axes) for cut in range(axis.cells - 1)]
    return Space(axes, places, ids={cut: i + 1 for i, cut in enumerate(cuts)})


FOUR = numbered([Numeric(3), Numeric(3)])  # Figures 2 and 3
SEQUENCE = (3, 1, 4, 2)
RECORDS = (2, 2, 2, 2, 2, 1, 1, 3, 0)  # Figure 5, k = 2
SELF_EMPLOYED = Named("Self-employed", (Named("incorporated"), Named("not incorporated")))
GOVERNMENT = Named("Government", (Named("Federal"), Named("State"), Named("Local")))
NOT_WORKING = Named("Not working", (Named("without pay"), Named("never worked")))
WORK = Named("Working class", (SELF_EMPLOYED, GOVERNMENT, Named("Private"), NOT_WORKING))  # Figures 10 and 11
SALARY = Space([WORK.tree, Numeric(4)])
TWO = numbered([Numeric(2), Numeric(2)])  # Figures 27 and 28
THREE = numbered([Numeric(3), Numeric(2)])
# A pinwheel: five blocks of which none runs across; the generic scheme of Figure 1.
GENERIC: tuple[Block, ...] = (((0, 1), (0, 0)), ((2, 2), (0, 1)), ((1, 2), (2, 2)), ((0, 0), (1, 2)), ((1, 1), (1, 1)))
COMMAND = "python benchmarks/papers/gensearch/examples.py --write"


def grown(space: Space, ids: Sequence[int]) -> Iterator[PartitionTree]:
    """The trees after each split: with each id in turn, of the first block in pre-order for which that is legal."""
    tree: PartitionTree = Leaf(space.whole)
    yield tree
    for wanted in ids:
        tree = next(child for child in children(space, tree) if last_split(child).id == wanted)
        yield tree


def last_split(tree: PartitionTree) -> Split:
    """The split that was made last."""
    last, waiting = max(times(tree)), [tree]
    while True:
        at = waiting.pop()
        if isinstance(at, Node):
            if at.time == last:
                return at.split
            waiting += at.parts


def split_at(tree: PartitionTree, space: Space, ids: Sequence[int]) -> PartitionTree:
    """A tree that is split by given ids from the root down, on both sides: no matter whether they are in sequence."""
    if not ids or not isinstance(tree, Leaf):
        return tree
    split = next(one for one in space.splits() if one.id == ids[0])
    low, high = tree.block[split.axis]
    if not low <= split.cuts[0] < high:
        return split_at(tree, space, ids[1:])
    parts = tuple(split_at(Leaf(block), space, ids[1:]) for block in divided(tree.block, split))
    return Node(tree.block, split, 1, parts)


def hierarchical(blocks: Sequence[Block]) -> bool:
    """Whether a partition is hierarchical: a cut runs across it, and both sides are hierarchical (Definition 4)."""
    if len(blocks) == 1:
        return True
    for axis in range(len(blocks[0])):
        for cut in {block[axis][1] for block in blocks}:
            low = [block for block in blocks if block[axis][1] <= cut]
            high = [block for block in blocks if block[axis][0] > cut]
            if low and high and len(low) + len(high) == len(blocks):
                return hierarchical(low) and hierarchical(high)
    return False


def tiles(title: str, space: Space, blocks: Sequence[Block]) -> Tiles:
    """A partition of two attributes."""
    wide, high = (axis.cells for axis in space.axes)
    names = ("working class", "salary") if space is SALARY else ("attribute 1", "attribute 2")
    places = tuple(("", x[0] / wide, (x[1] + 1) / wide, y[0] / high, (y[1] + 1) / high) for x, y in blocks)
    return Tiles(title, *names, places)


def blocks_of(tree: PartitionTree) -> list[Block]:
    return [leaf.block for leaf in leaves(tree)]


def tree_lines(tree: PartitionTree, depth: int = 0, *, timed: bool = True) -> Iterator[tuple[int, str]]:
    """A partition tree as lines: a split with its time, or a block."""
    if isinstance(tree, Leaf):
        yield (
            depth,
            "block " + " × ".join(f"{low + 1}–{high + 1}" if low < high else f"{low + 1}" for low, high in tree.block),
        )
        return
    yield depth, f"split ({tree.split.id})" + (f" [{tree.time}]" if timed else "")
    for part in tree.parts:
        yield from tree_lines(part, depth + 1, timed=timed)


def figure_1() -> Result:
    space = Space([Numeric(3), Numeric(3)])
    grid = [((0, 0), (0, 1)), ((1, 2), (0, 1)), ((0, 0), (2, 2)), ((1, 2), (2, 2))]
    nested = [((0, 0), (0, 2)), ((1, 2), (0, 0)), ((1, 1), (1, 2)), ((2, 2), (1, 2))]
    assert [hierarchical(blocks) for blocks in (grid, nested, GENERIC)] == [True, True, False]
    diagrams = (
        tiles("(a) a grid: global recoding", space, grid),
        tiles("(b) hierarchical: local recoding", space, nested),
        tiles("(c) generic: no cut runs across it", space, GENERIC),
    )
    claim = "Partitions of space: by a grid, hierarchical, generic. GenSearch searches hierarchical ones."
    return _example("figure-1", "Figure 1: partitioning schemes", claim, diagrams=diagrams)


def figure_2() -> Result:
    blocks = [((x, x), (y, y)) for x in range(3) for y in range(3)]
    diagrams = (tiles("All four splits: (1) and (2) across, (3) and (4) upwards", FOUR, blocks),)
    claim = "Two splits of each of two attributes divide space into nine blocks at most."
    return _example("figure-2", "Figure 2: the finest partition", claim, diagrams=diagrams)


def figure_3() -> Result:
    *_, tree = grown(FOUR, SEQUENCE)
    fifth = [child for child in children(FOUR, tree) if last_split(child).id == 2]
    assert not fifth
    diagrams = (
        tiles("After splits (3), (1), (4), (2)", FOUR, blocks_of(tree)),
        Outline("Its partition tree, with times in brackets", tuple(tree_lines(tree))),
    )
    claim = "A sequence of splits with its partition tree; a fifth split, (2) at time [5], would be out of sequence."
    agreement = "The same splits are legal here, and the fifth is refused."
    return Result(
        "gensearch", "figure-3", "Figure 3: a sequence of splits", claim, agreement, COMMAND, diagrams=diagrams
    )


def figure_5() -> Result:
    space = numbered([Numeric(9)], [(cell,) for cell, n in enumerate(RECORDS) for _ in range(n)])
    *_, tree = grown(space, [1, 2, 3, 4, 6])
    rules = Rules(space, 2)
    assert (cost(rules, tree), lower_bound(rules, tree)) == (41, 33)
    lines = tuple(
        (depth, f"{line}: {_records(space, line)}" if line.startswith("block") else line)
        for depth, line in tree_lines(tree)
    )
    diagrams = (Outline("A partition tree, with the records of its blocks", lines),)
    rows = (
        ("DM of the partition", str(cost(rules, tree))),
        ("its lower bound, k = 2", str(lower_bound(rules, tree))),
    )
    claim = "Only the blocks right of the last split can still be divided, so all others count as they are."
    tables = (Table(("", "value"), rows),)
    return _example("figure-5", "Figure 5: the lower bound", claim, diagrams=diagrams, tables=tables)


def _records(space: Space, line: str) -> str:
    ends = [int(end) - 1 for end in line.removeprefix("block ").split("–")]
    n = space.size(((ends[0], ends[-1]),))
    return f"{n} record{'s' if n != 1 else ''}"


def enumeration(space: Space, tree: PartitionTree, depth: int = 0, name: str = "no split") -> Iterator[tuple[int, str]]:
    """The partition enumeration tree below a partition, as lines."""
    yield depth, name
    for child in children(space, tree):
        parts = len(leaves(child))
        yield from enumeration(space, child, depth + 1, f"+ split ({last_split(child).id}): {parts} blocks")


def figure_9() -> Result:
    lines = tuple(enumeration(THREE, Leaf(THREE.whole)))
    title = f"Two splits of one attribute, (1) and (2), one of another, (3): {len(lines)} partitions"
    claim = "Each node adds a split to its parent, and each partition is reached once."
    diagrams = (Outline(title, lines),)
    return _example("figure-9", "Figure 9: the partition enumeration tree", claim, diagrams=diagrams)


def ids_of_work() -> dict[tuple[int, int], tuple[int, ...]]:
    """The ids of the cuts between a node's children, from left to right, by the node's leaves.

    Siblings have consecutive ids, the lowest at the right; those of upper nodes come first (Section 4.1).
    """
    ids, last = {}, 0
    for _, span, node in WORK.nodes():
        cuts = len(node.below) - 1
        if cuts > 0:
            ids[span] = tuple(range(last + cuts, last, -1))
            last += cuts
    return ids


def figure_10() -> Result:
    ids = ids_of_work() | {(-1, -1): tuple(range(8, 11))}
    assert sorted(i for own in ids.values() for i in own) == list(range(1, 11))

    def line(name: str, span: tuple[int, int]) -> str:
        return name + (f": {' '.join(f'({i})' for i in ids[span])}" if span in ids else "")

    lines = [(depth, line(node.name, span)) for depth, span, node in WORK.nodes()]
    lines.append((0, line("Salary", (-1, -1))))
    diagrams = (Outline("The splits between the children of each node, from left to right", tuple(lines)),)
    claim = (
        "Splits of a taxonomy: those of upper nodes come before those below them, siblings have consecutive ids, "
        "the lowest at the right."
    )
    return _example("figure-10", "Figure 10: split priorities of a taxonomy", claim, NAMES, diagrams=diagrams)


def binary_lines(tree: PartitionTree) -> list[tuple[int, str]]:
    """The tree as the paper writes it: a split into several children is a left-deep chain, times in pre-order."""
    names, ids = {span: node.name for _, span, node in WORK.nodes()}, ids_of_work()
    lines: list[tuple[int, str]] = []
    clock = count(1)

    def write(at: PartitionTree, depth: int) -> None:
        if isinstance(at, Leaf):
            work, (low, high) = at.block
            lines.append((depth, f"{names[work]}, salary {low + 1}" + (f"–{high + 1}" if high > low else "")))
        else:
            own = ids[at.split.spans] if at.split.spans is not None else (8 + at.split.cuts[0],)
            chain(at.parts, own, depth)

    def chain(parts: Sequence[PartitionTree], own: Sequence[int], depth: int) -> None:
        if own:
            lines.append((depth, f"split ({own[-1]}) [{next(clock)}]"))
            chain(parts[:-1], own[:-1], depth + 1)
            write(parts[-1], depth + 1)
        else:
            write(parts[0], depth)

    write(tree, 0)
    return lines


def figure_11() -> Result:
    first = next(child for child in children(SALARY, Leaf(SALARY.whole)) if last_split(child).spans == (0, 7))
    second = next(
        child
        for child in children(SALARY, first)
        if last_split(child).axis == 1 and last_split(child).cuts == (1,) and _in_second(child)
    )
    third = next(child for child in children(SALARY, second) if last_split(child).spans == (2, 4))
    assert [len(leaves(tree)) for tree in (first, second, third)] == [4, 5, 7]
    lines = binary_lines(third)
    assert [line.strip() for _, line in lines if "split" in line] == [
        "split (1) [1]", "split (2) [2]", "split (3) [3]", "split (9) [4]", "split (5) [5]", "split (6) [6]",
    ]  # fmt: skip
    pictures = tuple(
        tiles(title, SALARY, blocks_of(tree))
        for title, tree in (
            ("(a) Working class divided: four blocks at once", first),
            ("(b) Salary divided in the second", second),
            ("(b) The lower part of it divided into three", third),
        )
    )
    diagrams = (*pictures, Outline("Its partition tree, with times in brackets", tuple(lines)))
    claim = (
        "A split along a taxonomy makes as many blocks in one step as the node has children; in the binary partition "
        "tree it is a left-deep chain."
    )
    agreement = f"{NAMES} The tree has the paper's splits and times."
    return _example("figure-11", "Figure 11: splits into several children", claim, agreement, diagrams=diagrams)


def _in_second(tree: PartitionTree) -> bool:
    """Whether the block of the second child is the one that was divided."""
    return sum(block[0] == (2, 4) for block in blocks_of(tree)) == 2


def figure_27() -> Result:
    return _switch(27, "orthogonal", TWO, (1, 2), (2, 1))


def figure_28() -> Result:
    return _switch(28, "parallel", THREE, (1, 2), (2, 1))


def _switch(number: int, kind: str, space: Space, one: Sequence[int], other: Sequence[int]) -> Result:
    trees = [split_at(Leaf(space.whole), space, ids) for ids in (one, other)]
    assert set(blocks_of(trees[0])) == set(blocks_of(trees[1]))
    diagrams = (
        tiles("One partition", space, blocks_of(trees[0])),
        *(
            Outline(f"Split ({ids[0]}) first", tuple(tree_lines(t, timed=False)))
            for ids, t in zip((one, other), trees, strict=True)
        ),
    )
    claim = f"Two {kind} splits can change places between a parent and its child: the partition is the same."
    return _example(f"figure-{number}", f"Figure {number}: switch of {kind} splits", claim, diagrams=diagrams)


def kd_trees(space: Space, block: Block, parts: Sequence[Block]) -> Iterator[PartitionTree]:
    """Every way to divide a block, split by split, into these parts."""
    if len(parts) == 1:
        yield Leaf(block)
        return
    for split in space.splits():
        cut = split.cuts[0]
        low = [part for part in parts if part[split.axis][1] <= cut]
        high = [part for part in parts if part[split.axis][0] > cut]
        if low and high and len(low) + len(high) == len(parts):
            below, above = divided(block, split)
            for left in kd_trees(space, below, low):
                yield from (Node(block, split, 1, (left, right)) for right in kd_trees(space, above, high))


def conflict_free(tree: PartitionTree) -> bool:
    """Whether all splits are in sequence (Constraint 2)."""
    waiting = [tree]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Node):
            if not in_sequence(tree, at.split, at.block):
                return False
            waiting += at.parts
    return True


def path_to(tree: PartitionTree, block: Block) -> list[int]:
    """The splits from the root to a block."""
    if isinstance(tree, Leaf):
        return []
    part = next(one for one in tree.parts if block in blocks_of(one))
    return [tree.split.id, *path_to(part, block)]


def figure_29() -> Result:
    *_, four = grown(FOUR, SEQUENCE)
    above = next(leaf.block for leaf in leaves(four) if leaf.block == ((0, 2), (2, 2)))
    parts = [block for block in blocks_of(four) if block != above] + [((0, 1), (2, 2)), ((2, 2), (2, 2))]
    trees = list(kd_trees(FOUR, FOUR.whole, parts))
    (free,) = [tree for tree in trees if conflict_free(tree)]
    other = next(tree for tree in trees if isinstance(tree, Node) and tree.split.id == 4)
    block = ((2, 2), (2, 2))
    paths = [" ".join(f"({i})" for i in path_to(tree, block)) for tree in (free, other)]
    diagrams = (
        tiles(f"One partition, of {len(trees)} kd-trees", FOUR, parts),
        Outline(f"Conflict-free; the path to block 3 × 3: {paths[0]}", tuple(tree_lines(free, timed=False)), (0,)),
        Outline(f"Not so; its path: {paths[1]}", tuple(tree_lines(other, timed=False)), (0,)),
    )
    claim = (
        "Were there two conflict-free trees of a partition, the paths to some block would part at a node of both; one "
        "of the two splits there has priority, so only one tree is conflict-free."
    )
    agreement = (
        f"The paper's is a sketch; this is Figure 3's partition with its fifth split. Of its {len(trees)} kd-trees one "
        "is conflict-free; the paths part at the root, where marked."
    )
    title = "Figure 29: uniqueness of the conflict-free kd-tree"
    return _example("figure-29", title, claim, agreement, diagrams=diagrams)


DRAWN = "Drawn after the text, by the enumeration of the paper as it is programmed here."
NAMES = (
    "As the text has it: the ids, how many children there are, and those of Government; the other names are Adult's."
)


def _example(figure: str, title: str, claim: str, agreement: str = DRAWN, **content: object) -> Result:
    return Result("gensearch", figure, title, claim, agreement, COMMAND, **content)  # type: ignore[arg-type]


def results() -> Iterator[Result]:
    """All of them."""
    yield from (figure_1(), figure_2(), figure_3(), figure_5(), figure_9(), figure_10(), figure_11())
    yield from (figure_27(), figure_28(), figure_29())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="results files for the gallery")
    write_or_print(results(), parser.parse_args().write)


if __name__ == "__main__":
    main()
