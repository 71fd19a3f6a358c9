"""Axes: the quasi-identifiers of multidimensional recoding as cells, and the blocks of cells that are published."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.data import QuasiIdentifier
from sfumato.errors import ProblemError
from sfumato.hierarchies import MISSING
from sfumato.hierarchies.numeric import show

EVERY = "*"  # what a block prints that says nothing


@dataclass(frozen=True, eq=False)
class Axis:
    """One quasi-identifier. A block is named by its lowest and its highest cell; that of `Unordered`, by its values."""

    attribute: QuasiIdentifier
    cells: int
    cell_of: NDArray[np.int32] = field(repr=False)  # by leaf; -1 for leaves that lie in no cell

    @property
    def name(self) -> str:
        """The attribute's name."""
        return self.attribute.name

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        raise TypeError

    @property
    def whole(self) -> tuple[int, int]:
        """The block of all cells."""
        return (0, self.cells - 1)

    def around(self, cells: NDArray[np.int64]) -> tuple[int, int]:
        """The smallest block that has these cells."""
        return (int(cells.min()), int(cells.max()))

    def covers(self, block: tuple[int, int]) -> NDArray[np.bool_]:
        """Which leaves a block stands for."""
        raise TypeError

    def label(self, block: tuple[int, int]) -> str | None:
        """What is printed; None is the empty cell."""
        raise TypeError

    def length(self, block: tuple[int, int]) -> int:
        """Its unit cells: of an interval all of them, of a node the leaves below it that occur."""
        raise TypeError

    def leaves(self, block: tuple[int, int]) -> Fraction:
        """How many leaves it stands for; the cells of an ordered attribute share its leaves evenly."""
        raise TypeError

    def level(self, block: tuple[int, int]) -> int:
        """The level of the hierarchy that it is like."""
        raise TypeError

    def width(self, block: tuple[int, int]) -> Fraction | None:
        """How wide it is in the attribute's own unit; None where there is no limit, or no unit."""
        raise TypeError

    def priced(self) -> list[tuple[int, int]]:
        """A block for each place of a table of prices, as the core numbers them."""
        raise TypeError

    def as_it_is(self, block: tuple[int, int]) -> bool:
        """Whether it prints a value of the data as it came; a range that holds one value only prints its bounds."""
        covered = np.flatnonzero(self.covers(block)).tolist()
        return len(covered) == 1 and self.label(block) == self.leaf_label(covered[0])

    def leaf_label(self, leaf: int) -> str | None:
        """A value as it came, None if it is the missing one."""
        return self.attribute.labels[leaf]

    def tight(self, leaves: NDArray[np.int32]) -> str | None:
        """What is printed for just these leaves, where the extent of a class is printed."""
        return self.label(self.around(self.cell_of[leaves].astype(np.int64)))


@dataclass(frozen=True, eq=False)
class OrderedAxis(Axis):
    """Consecutive ranges of values. A missing value is a cell of its own, the last one, and is cut off first."""

    rank: NDArray[np.int64] = field(repr=False)  # by leaf: its place in the order
    first: NDArray[np.int64] = field(repr=False)  # by cell of values: the leaf that begins it …
    last: NDArray[np.int64] = field(repr=False)  # … and the last one
    bounds: tuple[Fraction, ...] | None = field(repr=False)  # of ranges of numbers, one more than there are
    numbers: tuple[Fraction | None, ...] = field(repr=False)  # by leaf

    @property
    def missing(self) -> bool:
        """Whether the last cell is the missing value."""
        return self.cells > len(self.first)

    @property
    def blocks(self) -> int:
        values = len(self.first)
        return values * (values + 1) // 2 + 2 * self.missing

    @cached_property
    def _absent(self) -> NDArray[np.bool_]:
        """Which leaves are the missing value."""
        return np.array([leaf == MISSING for leaf in self.attribute.hierarchy.leaves], dtype=np.bool_)

    def covers(self, block: tuple[int, int]) -> NDArray[np.bool_]:
        low, high = block
        if self._any(block):
            return np.ones(len(self.rank), dtype=np.bool_)
        if self.missing and high == self.cells - 1:
            return self._absent.copy()
        within = (self.rank >= self.rank[self.first[low]]) & (self.rank <= self.rank[self.last[high]])
        covered: NDArray[np.bool_] = within & ~self._absent
        return covered

    def label(self, block: tuple[int, int]) -> str | None:
        low, high = block
        if self._any(block):
            return EVERY
        if self.missing and high == self.cells - 1:
            return None
        if self.bounds is None:
            return self._between(int(self.first[low]), int(self.last[high]))
        end = "]" if high == len(self.first) - 1 else ")"
        return f"[{show(self.bounds[low])}, {show(self.bounds[high + 1])}{end}"

    def tight(self, leaves: NDArray[np.int32]) -> str | None:
        present = leaves[[self.attribute.hierarchy.leaves[leaf] != MISSING for leaf in leaves.tolist()]]
        if len(present) < len(leaves):
            return EVERY if len(present) else None
        order = present[np.argsort(self.rank[present])]
        return self._between(int(order[0]), int(order[-1]))

    def length(self, block: tuple[int, int]) -> int:
        return self.cells if self._any(block) else block[1] - block[0] + 1

    def leaves(self, block: tuple[int, int]) -> Fraction:
        further = len(self.attribute.hierarchy.leaves) - 1
        return 1 + Fraction((self.length(block) - 1) * further, max(self.cells - 1, 1))

    def level(self, block: tuple[int, int]) -> int:
        return self.attribute.hierarchy.height if self.length(block) > 1 else 0

    def width(self, block: tuple[int, int]) -> Fraction | None:
        low, high = block
        if self._any(block):
            return None
        if self.missing and high == self.cells - 1:
            return Fraction(0)
        if self.bounds is not None:
            return self.bounds[high + 1] - self.bounds[low]
        least, most = self.numbers[int(self.first[low])], self.numbers[int(self.last[high])]
        if least is None or most is None:
            raise ProblemError(
                f"'{self.name}' has no numbers, so its intervals have no width; limit the width of numbers, or of a "
                "hierarchy, whose leaves are counted."
            )
        return most - least

    def priced(self) -> list[tuple[int, int]]:
        return [(0, 0), *((0, length - 1) for length in range(1, self.cells + 1))]

    def _any(self, block: tuple[int, int]) -> bool:
        return self.missing and block[1] == self.cells - 1 and block[0] < block[1]

    def _between(self, first: int, last: int) -> str | None:
        if first == last:
            return self.leaf_label(first)
        return f"[{self.leaf_label(first)}, {self.leaf_label(last)}]"


@dataclass(frozen=True, eq=False)
class TreeAxis(Axis):
    """The leaves of a taxonomy, those that occur or all; a block is a node, the lowest one with its cells."""

    low: NDArray[np.int64] = field(repr=False)  # by node, the root first: its cells …
    high: NDArray[np.int64] = field(repr=False)
    begin: NDArray[np.int64] = field(repr=False)  # … and its leaves, absent ones included
    end: NDArray[np.int64] = field(repr=False)
    at: NDArray[np.int64] = field(repr=False)  # its level
    children: tuple[tuple[int, ...], ...] = field(repr=False)
    occurring: NDArray[np.bool_] = field(repr=False)  # by leaf

    @cached_property
    def nodes(self) -> dict[tuple[int, int], int]:
        """The node of each block."""
        return {block: node for node, block in enumerate(self.priced())}

    @property
    def blocks(self) -> int:
        return len(self.low)

    def around(self, cells: NDArray[np.int64]) -> tuple[int, int]:
        node = self.node(int(cells.min()), int(cells.max()))
        return (int(self.low[node]), int(self.high[node]))

    def node(self, low: int, high: int) -> int:
        """The lowest node that has these cells."""
        if (exact := self.nodes.get((low, high))) is not None:
            return exact
        at = 0
        while True:
            below = self.children[at]  # in the order of their cells
            place = bisect_right(below, low, key=lambda child: int(self.low[child])) - 1
            if place < 0 or high > self.high[below[place]]:
                return at
            at = below[place]

    def covers(self, block: tuple[int, int]) -> NDArray[np.bool_]:
        node = self.node(*block)
        covered = np.zeros(len(self.cell_of), dtype=np.bool_)
        covered[self.begin[node] : self.end[node]] = True
        return covered

    def label(self, block: tuple[int, int]) -> str | None:
        node = self.node(*block)
        leaf, level = int(self.begin[node]), int(self.at[node])
        if level == 0:
            return self.leaf_label(leaf)
        text = self.attribute.hierarchy.rows[leaf][level]
        return None if text == MISSING else text

    @cached_property
    def _occurring_before(self) -> NDArray[np.int64]:
        """By leaf, how many leaves before it occur."""
        before: NDArray[np.int64] = np.r_[0, np.cumsum(self.occurring)]
        return before

    def length(self, block: tuple[int, int]) -> int:
        node, before = self.node(*block), self._occurring_before
        return int(before[self.end[node]] - before[self.begin[node]])

    def leaves(self, block: tuple[int, int]) -> Fraction:
        node = self.node(*block)
        return Fraction(int(self.end[node] - self.begin[node]))

    def level(self, block: tuple[int, int]) -> int:
        return int(self.at[self.node(*block)])

    def width(self, block: tuple[int, int]) -> Fraction | None:
        return self.leaves(block)

    def priced(self) -> list[tuple[int, int]]:
        return list(zip(self.low.tolist(), self.high.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class SetAxis(Axis):
    """Values without order, each a cell. A block is (0, values), the values as bits; a split takes one value out."""

    @property
    def blocks(self) -> int:
        return (1 << self.cells) - 1

    @property
    def whole(self) -> tuple[int, int]:
        return (0, (1 << self.cells) - 1)

    def around(self, cells: NDArray[np.int64]) -> tuple[int, int]:
        return (0, sum(1 << cell for cell in set(cells.tolist())))

    def values(self, block: tuple[int, int]) -> list[int]:
        """The cells of a block."""
        return [cell for cell in range(self.cells) if block[1] >> cell & 1]

    def covers(self, block: tuple[int, int]) -> NDArray[np.bool_]:
        return np.isin(self.cell_of, self.values(block))

    def label(self, block: tuple[int, int]) -> str | None:
        leaves = [int(np.flatnonzero(self.cell_of == cell)[0]) for cell in self.values(block)]
        if len(leaves) == 1:
            return self.leaf_label(leaves[0])
        if len(leaves) == self.cells:
            return EVERY
        return f"{{{', '.join(self.leaf_label(leaf) or 'missing' for leaf in leaves)}}}"

    def length(self, block: tuple[int, int]) -> int:
        return block[1].bit_count()

    def leaves(self, block: tuple[int, int]) -> Fraction:
        return Fraction(self.length(block))

    def level(self, block: tuple[int, int]) -> int:
        return self.attribute.hierarchy.height if self.length(block) > 1 else 0

    def width(self, block: tuple[int, int]) -> Fraction | None:
        return self.leaves(block)

    def priced(self) -> list[tuple[int, int]]:
        return [(0, 1), *((0, (1 << values) - 1) for values in range(1, self.cells + 1))]
