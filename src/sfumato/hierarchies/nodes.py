"""Nodes: every node of a hierarchy with its depth, for recodings that publish values at any of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes numbered depth first, parents before children, children in the hierarchy's order; the root is node 0.

    Neighbouring levels of a row that have the same label and the same leaves are one node, so leaves may lie at
    different depths; the root has depth 0.
    """

    hierarchy: Hierarchy
    depth: NDArray[np.int32] = field(repr=False)
    parent: NDArray[np.int32] = field(repr=False)  # the root is its own
    level: NDArray[np.int32] = field(repr=False)  # the lowest of its levels
    sizes: NDArray[np.int64] = field(repr=False)  # leaves below it, absent ones included
    first: NDArray[np.int64] = field(repr=False)  # the first of them

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> Nodes:
        """All nodes of a hierarchy."""
        entries = [(0, 0, hierarchy.height, len(hierarchy.rows), 0)]  # depth, parent, level, size, first
        above = [0] * len(hierarchy.labels[hierarchy.height])  # the node of each group of the level above
        for level in range(hierarchy.height - 1, -1, -1):
            groups, sizes = hierarchy.groups[level], hierarchy.sizes[level].tolist()
            starts = np.flatnonzero(np.diff(groups, prepend=-1))
            over = hierarchy.groups[level + 1][starts].tolist()
            here = []
            for group, (start, size) in enumerate(zip(starts.tolist(), sizes, strict=True)):
                node = above[over[group]]
                alike = hierarchy.labels[level][group] == hierarchy.labels[level + 1][over[group]]
                depth, parent, _, all_leaves, first = entries[node]
                if alike and size == all_leaves:
                    entries[node] = (depth, parent, level, size, first)
                    here.append(node)
                else:
                    here.append(len(entries))
                    entries.append((depth + 1, node, level, size, start))
            above = here
        columns = np.array(entries, dtype=np.int64).T
        order = np.lexsort((columns[0], columns[4]))  # a node comes before those that begin with the same leaf below it
        number = np.argsort(order)
        depth, parent, level, size, first = columns[:, order]
        return cls(
            hierarchy, depth.astype(np.int32), number[parent].astype(np.int32), level.astype(np.int32), size, first
        )

    def __len__(self) -> int:
        return len(self.depth)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What each node prints."""
        rows = self.hierarchy.rows
        return tuple(rows[leaf][level] for leaf, level in zip(self.first.tolist(), self.level.tolist(), strict=True))

    @cached_property
    def namesakes(self) -> NDArray[np.bool_]:
        """The nodes that are called like another: of those of one label the root, or else the smallest, is not one.

        Where records are published at any nodes, nobody could tell two of one label apart.
        """
        namesakes = np.zeros(len(self), dtype=np.bool_)
        labels, seen = self.labels, set()
        for node in np.lexsort((self.level, self.sizes, self.depth > 0)).tolist():
            namesakes[node] = labels[node] in seen
            seen.add(labels[node])
        return namesakes

    @cached_property
    def distinct(self) -> NDArray[np.int32]:
        """By node, itself or the first above it that is not called like another."""
        distinct = np.arange(len(self), dtype=np.int32)
        for node in np.flatnonzero(self.namesakes).tolist():  # parents come before children
            distinct[node] = distinct[self.parent[node]]
        return distinct

    def records(self, by_leaf: NDArray[np.int64]) -> NDArray[np.int64]:
        """The records below each node, from those of each leaf."""
        upto = np.r_[0, np.cumsum(by_leaf)]
        below: NDArray[np.int64] = upto[self.first + self.sizes] - upto[self.first]
        return below

    @cached_property
    def leaves(self) -> NDArray[np.int32]:
        """The node of each leaf."""
        leaf_nodes = np.zeros(len(self.hierarchy.rows), dtype=np.int32)
        at = np.flatnonzero(self.level == 0)
        leaf_nodes[self.first[at]] = at
        return leaf_nodes

    @cached_property
    def paths(self) -> NDArray[np.int32]:
        """paths[depth, leaf]: the node above a leaf at that depth; below the leaf, the leaf itself."""
        node = self.leaves
        paths = np.tile(node, (int(self.depth.max()) + 1, 1))
        while (self.depth[node] > 0).any():
            paths[self.depth[node], np.arange(len(node))] = node
            node = self.parent[node]
        paths[0] = 0
        return paths
