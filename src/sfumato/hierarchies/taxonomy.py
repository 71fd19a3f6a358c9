"""Taxonomy: the nodes of a hierarchy that cuts are made of, once what would publish the same table is one node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """Nodes numbered depth first, parents before children, children in the hierarchy's order.

    A cut is a set of nodes that covers every leaf once. A node with one child is one node with it, named like the
    child, and a node that covers no occurring leaf has no children: cuts through either would publish the same table.
    """

    hierarchy: Hierarchy
    level: NDArray[np.int32] = field(repr=False)  # at which the node is published: the lowest one that has its leaves
    first: NDArray[np.int64] = field(repr=False)  # its leaves are those with codes from here …
    end: NDArray[np.int64] = field(repr=False)  # … to before here, absent ones included
    parent: NDArray[np.int64] = field(repr=False)  # -1 above the top
    children: tuple[tuple[int, ...], ...] = field(repr=False)
    top: tuple[int, ...]  # the most general cut: the root alone, unless the highest level is below it

    @classmethod
    def of(
        cls, hierarchy: Hierarchy, occurring: NDArray[np.bool_], lowest: int = 0, highest: int | None = None
    ) -> Taxonomy:
        """The nodes between two levels; `occurring` says of each leaf whether it is in the data."""
        groups = hierarchy.groups
        top_level = hierarchy.height if highest is None else highest
        seen = np.r_[0, np.cumsum(occurring)]
        starts = [np.r_[np.flatnonzero(np.diff(level, prepend=-1)), len(level)] for level in groups]
        entries: list[tuple[int, int, int, int]] = []  # level, first, end, parent
        below: list[list[int]] = []
        waiting = [(top_level, first, end, -1) for first, end in reversed(list(pairwise(starts[top_level].tolist())))]
        while waiting:
            level, first, end, parent = waiting.pop()
            while level > lowest and groups[level - 1, first] == groups[level - 1, end - 1]:
                level -= 1
            node = len(entries)
            entries.append((level, first, end, parent))
            below.append([])
            if parent >= 0:
                below[parent].append(node)
            if level > lowest and seen[end] > seen[first]:
                bounds = starts[level - 1]
                inner = bounds[np.searchsorted(bounds, first) : np.searchsorted(bounds, end) + 1].tolist()
                waiting += [(level - 1, left, right, node) for left, right in reversed(list(pairwise(inner)))]
        columns = np.array(entries, dtype=np.int64).reshape(len(entries), 4).T
        return cls(
            hierarchy,
            columns[0].astype(np.int32),
            columns[1],
            columns[2],
            columns[3],
            tuple(tuple(children) for children in below),
            tuple(np.flatnonzero(columns[3] < 0).tolist()),
        )

    def __len__(self) -> int:
        return len(self.level)

    @property
    def bottom(self) -> tuple[int, ...]:
        """The most specific cut."""
        return tuple(node for node, children in enumerate(self.children) if not children)

    @property
    def space(self) -> int:
        """The number of cuts: of a node 1 + the product over its children, and the product over the top."""
        counts = [1] * len(self)
        for node in reversed(range(len(self))):
            if self.children[node]:
                counts[node] = 1 + prod(counts[child] for child in self.children[node])
        return prod(counts[node] for node in self.top)

    def cuts(self) -> Iterator[tuple[int, ...]]:
        """Every cut, the most general first; there may be very many."""
        return self._cuts_of(self.top)

    def label(self, node: int) -> str:
        """What a node prints."""
        level = int(self.level[node])
        return self.hierarchy.labels[level][int(self.hierarchy.groups[level, int(self.first[node])])]

    def levels(self, cut: Iterable[int]) -> NDArray[np.int32]:
        """For each leaf, the level at which a cut publishes it; it must cover every leaf once."""
        nodes = np.array(sorted(cut, key=lambda node: int(self.first[node])), dtype=np.int64)
        first, end = self.first[nodes], self.end[nodes]
        leaves = len(self.hierarchy.rows)
        if not len(nodes) or first[0] != 0 or end[-1] != leaves or (first[1:] != end[:-1]).any():
            raise ValueError("these nodes are not a cut: some leaf is covered twice, or by none")
        return np.repeat(self.level[nodes], end - first)

    def _cuts_of(self, nodes: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Every way to cut the trees below these nodes."""
        if not nodes:
            yield ()
            return
        head, rest = nodes[0], nodes[1:]
        own: list[tuple[int, ...]] = [(head,)]
        if self.children[head]:
            own += self._cuts_of(self.children[head])
        for left in own:
            for right in self._cuts_of(rest):
                yield (*left, *right)
