"""Sets of items as searches see them: nodes of the items' hierarchy, equal sets together, each in so many records."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.data.frequencies import require_countable
from sfumato.engines.items import ItemRecords
from sfumato.hierarchies import Hierarchy, Taxonomy


class ItemSets:
    """The different sets of a column, coded by the nodes of their hierarchy."""

    def __init__(self, records: ItemRecords, hierarchy: Hierarchy) -> None:
        """records: sets of the hierarchy's leaves, by code."""
        require_countable(records.weight)
        self.hierarchy = hierarchy
        occurring = np.zeros(len(hierarchy.leaves), dtype=np.bool_)
        occurring[records.items] = True
        self.taxonomy = Taxonomy.of(hierarchy, occurring)
        self.node_of = np.zeros(len(hierarchy.leaves), dtype=np.uint32)  # of leaves that occur
        bottom = np.array(self.taxonomy.bottom, dtype=np.int64)
        self.node_of[self.taxonomy.first[bottom]] = bottom
        # Numbers of nodes keep the order of the leaves, so records that are in order stay so.
        self.records = ItemRecords(records.begin, self.node_of[records.items], records.weight)

    @property
    def total(self) -> int:
        """How many records have a set."""
        return int(self.records.weight.sum())

    @cached_property
    def occurrences(self) -> NDArray[np.int64]:
        """By leaf of the hierarchy: the records that have it."""
        return self.occurrences_in(self.records)

    def occurrences_in(self, records: ItemRecords) -> NDArray[np.int64]:
        """The same, for some of the records."""
        # Numbers of records are far from where doubles begin to round.
        total = np.zeros(len(self.hierarchy.leaves))
        for block in records.blocks():
            times = np.repeat(block.weight.astype(np.float64), block.lengths)
            total += np.bincount(self.taxonomy.first[block.items], weights=times, minlength=len(total))
        return total.astype(np.int64)

    @cached_property
    def parent(self) -> NDArray[np.uint32]:
        """By node of the taxonomy: the node above it; the root is its own."""
        return np.maximum(self.taxonomy.parent, 0).astype(np.uint32)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What each node of the taxonomy prints."""
        return tuple(self.taxonomy.label(node) for node in range(len(self.taxonomy)))

    def nodes_of(self, items: tuple[str, ...]) -> list[int]:
        """The nodes of those of these items that occur."""
        codes = [self.hierarchy.codes[item] for item in items]
        return [int(self.node_of[code]) for code in codes if self.occurrences[code]]
