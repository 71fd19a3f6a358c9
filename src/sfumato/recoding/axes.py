"""Axes: the quasi-identifiers of multidimensional recoding as cells, and the blocks of cells that are published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable, QuasiIdentifier
from sfumato.errors import ProblemError
from sfumato.hierarchies import MISSING
from sfumato.hierarchies.hierarchy import number
from sfumato.hierarchies.numeric import show

# Where an ordered attribute is cut: so many times, at these values, or between any two.
Splits: TypeAlias = int | tuple[str | Fraction, ...] | None

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
        """Whether it prints a value of the data as it came."""
        return int(self.covers(block).sum()) == 1

    def leaf_label(self, leaf: int) -> str | None:
        """A value as it came, None if it is the missing one."""
        return self.attribute.labels[leaf]

    def tight(self, leaves: NDArray[np.int32]) -> str | None:
        """What is printed for just these leaves, where the extent of a class is told."""
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

    def covers(self, block: tuple[int, int]) -> NDArray[np.bool_]:
        low, high = block
        absent = np.array([leaf == MISSING for leaf in self.attribute.hierarchy.leaves])
        if self._any(block):
            return np.ones(len(self.rank), dtype=np.bool_)
        if self.missing and high == self.cells - 1:
            return absent
        within = (self.rank >= self.rank[self.first[low]]) & (self.rank <= self.rank[self.last[high]])
        found: NDArray[np.bool_] = within & ~absent
        return found

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
        known = leaves[[self.attribute.hierarchy.leaves[leaf] != MISSING for leaf in leaves.tolist()]]
        if len(known) < len(leaves):
            return EVERY if len(known) else None
        order = known[np.argsort(self.rank[known])]
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
        at = 0
        while True:
            below = [child for child in self.children[at] if self.low[child] <= low and high <= self.high[child]]
            if not below:
                return at
            at = below[0]

    def covers(self, block: tuple[int, int]) -> NDArray[np.bool_]:
        node = self.node(*block)
        found = np.zeros(len(self.cell_of), dtype=np.bool_)
        found[self.begin[node] : self.end[node]] = True
        return found

    def label(self, block: tuple[int, int]) -> str | None:
        node = self.node(*block)
        leaf, level = int(self.begin[node]), int(self.at[node])
        if level == 0:
            return self.leaf_label(leaf)
        text = self.attribute.hierarchy.rows[leaf][level]
        return None if text == MISSING else text

    def length(self, block: tuple[int, int]) -> int:
        return int(self.occurring[self.covers(block)].sum())

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


def axis_of(frequencies: FrequencyTable, a: int, *, split: bool, splits: Splits, every_leaf: bool) -> Axis:
    """The axis of a quasi-identifier; split: it is cut as an order; every_leaf: also leaves that do not occur."""
    attribute = frequencies.quasi_identifiers[a]
    records = np.zeros(len(attribute.hierarchy.rows), dtype=np.int64)
    np.add.at(records, frequencies.codes[:, a], frequencies.counts)
    if split or attribute.hierarchy.kind == "ordered":
        return _ordered(attribute, records, splits)
    if attribute.hierarchy.kind == "unordered":
        cell_of = np.full(len(records), -1, dtype=np.int32)
        there = np.flatnonzero(records)
        cell_of[there] = np.arange(len(there))
        return SetAxis(attribute, max(len(there), 1), cell_of)
    return _tree(attribute, records > 0, every_leaf)


def _ordered(attribute: QuasiIdentifier, records: NDArray[np.int64], splits: Splits) -> OrderedAxis:
    leaves = attribute.hierarchy.leaves
    numbers = tuple(None if (found := number(leaf)) is None else Fraction(found) for leaf in leaves)
    known = [leaf for leaf in range(len(leaves)) if leaves[leaf] != MISSING]
    numeric = all(numbers[leaf] is not None for leaf in known)
    if attribute.hierarchy.kind != "ordered" and not numeric:
        raise ProblemError(
            f"'{attribute.name}' has texts without an order, and splits cut an order; give it ordered([…]) with the "
            "values from low to high, or leave it out of splits."
        )
    if numeric:
        known.sort(key=lambda leaf: numbers[leaf] or 0)
    rank = np.full(len(leaves), len(leaves), dtype=np.int64)
    rank[known] = np.arange(len(known))
    there = [leaf for leaf in known if records[leaf]]
    starts = _starts(attribute, there, records, splits, numbers if numeric else None)
    bounds = None
    if not there:
        first, last = known[:1], known[-1:]
    elif splits is None:
        first, last = there, there
    else:
        first = [there[0], *starts]
        last = [known[int(rank[leaf]) - 1] for leaf in first[1:]] + [there[-1]]
        if numeric:
            given = _bounds(splits, numbers, there)
            bounds = given if given is not None else tuple(numbers[leaf] or Fraction(0) for leaf in [*first, there[-1]])
            first, last = _ranges(bounds, known, numbers)
    missing = bool(records[[leaf for leaf in range(len(leaves)) if leaves[leaf] == MISSING]].sum())
    cells = max(len(first), 0) + missing
    cell_of = np.full(len(leaves), -1, dtype=np.int32)
    for leaf in known:
        cell_of[leaf] = _cell(leaf, first, last, rank, bounds, numbers)
    if missing:
        cell_of[leaves.index(MISSING)] = cells - 1
    return OrderedAxis(
        attribute,
        max(cells, 1),
        cell_of,
        rank,
        np.array(first, dtype=np.int64),
        np.array(last, dtype=np.int64),
        bounds,
        numbers,
    )


def _cell(
    leaf: int,
    first: Sequence[int],
    last: Sequence[int],
    rank: NDArray[np.int64],
    bounds: tuple[Fraction, ...] | None,
    numbers: Sequence[Fraction | None],
) -> int:
    """The cell of a value, -1 if it lies in none."""
    value = numbers[leaf]
    if bounds is not None and value is not None:
        if not bounds[0] <= value <= bounds[-1]:
            return -1
        return min(sum(value >= bound for bound in bounds[1:]), len(bounds) - 2)
    for cell, (start, stop) in enumerate(zip(first, last, strict=True)):
        if rank[start] <= rank[leaf] <= rank[stop]:
            return cell
    return -1


def _starts(
    attribute: QuasiIdentifier,
    there: Sequence[int],
    records: NDArray[np.int64],
    splits: Splits,
    numbers: Sequence[Fraction | None] | None,
) -> list[int]:
    """The occurring values that begin a cell, but the first."""
    if splits is None or not there:
        return []
    if isinstance(splits, int):
        upto = np.cumsum(records[list(there)]).tolist()
        total, free = upto[-1], list(range(len(there) - 1))  # a boundary after each value but the last
        chosen = []
        for j in range(1, min(splits, len(free)) + 1):
            best = min(free, key=lambda i: (abs(Fraction(total * j, splits + 1) - upto[i]), i))
            free.remove(best)
            chosen.append(best)
        return [there[i + 1] for i in sorted(chosen)]
    if numbers is not None:
        return []  # as numbers they are bounds themselves
    leaves = attribute.hierarchy.leaves
    for text in splits:
        if text not in leaves:
            raise ProblemError(
                f"splits['{attribute.name}'] cuts before a value that '{attribute.name}' does not have; "
                "name the first value of each part.",
                hidden_values=[str(text)],
            )
    wanted = sorted({leaves.index(str(text)) for text in splits})
    return [leaf for leaf in wanted if leaf > there[0] and leaf <= there[-1]]


def _bounds(splits: Splits, numbers: Sequence[Fraction | None], there: Sequence[int]) -> tuple[Fraction, ...] | None:
    """The bounds of ranges that are cut at given numbers; those that cut nothing off are left out."""
    if not isinstance(splits, tuple):
        return None
    least, most = numbers[there[0]] or Fraction(0), numbers[there[-1]] or Fraction(0)
    cuts = {Fraction(cut) for cut in splits}
    return (least, *sorted(cut for cut in cuts if least < cut <= most), most)


def _ranges(
    bounds: tuple[Fraction, ...], known: Sequence[int], numbers: Sequence[Fraction | None]
) -> tuple[list[int], list[int]]:
    """For each range the first and the last leaf in it; of one without leaves, those around it."""
    first, last = [], []
    for i, (low, high) in enumerate(pairwise(bounds)):
        closed = i == len(bounds) - 2
        inside = [
            leaf for leaf in known if low <= (numbers[leaf] or 0) < high or (closed and (numbers[leaf] or 0) == high)
        ]
        first.append(inside[0] if inside else next(leaf for leaf in known if (numbers[leaf] or 0) >= low))
        last.append(inside[-1] if inside else next(leaf for leaf in reversed(known) if (numbers[leaf] or 0) < high))
    return first, last


def _tree(attribute: QuasiIdentifier, occurring: NDArray[np.bool_], every_leaf: bool) -> TreeAxis:
    hierarchy = attribute.hierarchy
    there = np.ones(len(occurring), dtype=np.bool_) if every_leaf or not occurring.any() else occurring
    before = np.r_[0, np.cumsum(there)]
    starts = [np.r_[np.flatnonzero(np.diff(level, prepend=-1)), len(level)] for level in hierarchy.groups]
    found: list[tuple[int, int, int]] = []  # begin, end, level
    children: list[list[int]] = []
    waiting = [(hierarchy.height, 0, len(occurring), -1)]
    while waiting:
        level, begin, end, parent = waiting.pop()
        parts = [(begin, end)]
        while level > 0:
            bounds = starts[level - 1]
            inner = bounds[np.searchsorted(bounds, begin) : np.searchsorted(bounds, end) + 1].tolist()
            parts = [(left, right) for left, right in pairwise(inner) if before[right] > before[left]]
            level -= 1
            if len(parts) > 1:
                level += 1
                break
            begin, end = parts[0]
        node = len(found)
        found.append((begin, end, level))
        children.append([])
        if parent >= 0:
            children[parent].append(node)
        if level > 0:
            waiting += [(level - 1, left, right, node) for left, right in reversed(parts)]
    cell_of = np.where(there, before[:-1], -1).astype(np.int32)
    begins, ends, levels = np.array(found, dtype=np.int64).T
    return TreeAxis(
        attribute,
        int(there.sum()),
        cell_of,
        before[begins],
        before[ends] - 1,
        begins,
        ends,
        levels,
        tuple(tuple(below) for below in children),
        occurring,
    )
