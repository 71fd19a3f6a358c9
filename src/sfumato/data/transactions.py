"""Transactions: sets of items, any of which may identify, and the hierarchy that says how items may be blurred."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.data.inputs import Input, data_inputs
from sfumato.data.table import HierarchyLike
from sfumato.engines import Watcher, watched
from sfumato.engines.baskets import BasketEngine, ItemRecords
from sfumato.errors import DataError, HierarchyError
from sfumato.hierarchies import Hierarchy, HierarchySource, Taxonomy, as_source
from sfumato.hierarchies.tree import ROOT
from sfumato.settings.quantities import Quantity, byte_count

_MULTISETS = ("remove", "count")


class Transactions:
    """Baskets, clicks, diagnoses, playlists: one set of items per person or visit.

    source: a text file with one transaction per line (also .gz); or a table of any kind that has a row per transaction
    and item, with `transaction` and `item` naming these columns; or a frame or Parquet file with a column `item` of
    lists; or lists of items.
    hierarchy: how items may be blurred, for all items together: a file, or a generator such as `fanout(5)`.
    separator: between the items of a line; any white space if left out.
    multiset: an item that occurs several times in a transaction is there once ("remove", the default; `repeated` tells
    how many were removed), or is another item than the one that occurs once ("count").
    memory_limit: of the process while it reads, such as "1GB" (192 MB at least); what does not fit goes to disk.
    Empty transactions tell nothing and are left out; `empty` tells how many.
    """

    def __init__(
        self,
        source: object,
        *,
        hierarchy: HierarchyLike,
        transaction: str | None = None,
        item: str | None = None,
        separator: str | None = None,
        multiset: str = "remove",
        memory_limit: Quantity | None = None,
        progress: Watcher = False,
    ) -> None:
        if multiset not in _MULTISETS:
            raise DataError(f"multiset = '{multiset}' is unknown; choose from {', '.join(_MULTISETS)}.")
        if separator is not None and (not separator or "\n" in separator):
            raise DataError(f"separator = {separator!r} separates nothing; give a text such as ',', or leave it out.")
        self.source, self.separator, self.multiset = source, separator, multiset
        self.columns = (transaction, item)
        self.memory_limit = None if memory_limit is None else byte_count(memory_limit, "memory_limit")
        self.engine = BasketEngine(source, transaction, item, separator, self.memory_limit)
        with watched(self.engine, "reading", progress):
            counted = multiset == "count"
            found = self.engine.occurring(counted)
            base: dict[str, int] = defaultdict(int)
            for name, _, records in found.values():
                base[name] += records
            self.sources: dict[str, HierarchySource] = {item or "item": as_source(hierarchy)}
            self.inputs: tuple[Input, ...] = data_inputs(source, self.sources)
            built = as_source(hierarchy).build(item or "item", dict(base))
            if built.kind != "taxonomy":
                raise HierarchyError(
                    f"{built.source} has no levels, but items are raised level by level; use fanout(5)."
                )
            labels: dict[str, list[tuple[int, str]]] = defaultdict(list)
            for label, (name, times, _) in found.items():
                labels[name].append((times, label))
            self.hierarchy = _with_counts(built, labels) if counted else built
            self.empty, self.repeated = self.engine.empty, self.engine.repeated
            merged = self.engine.merged({label: self.hierarchy.codes[label] for label in found})
            self.engine.forget()
            self.records = self._encode(merged)

    @classmethod
    def of(cls, records: ItemRecords, hierarchy: Hierarchy) -> Transactions:
        """Transactions that are coded already: sets of the hierarchy's leaves, by code."""
        made = object.__new__(cls)
        made.source, made.separator, made.multiset, made.columns = None, None, "remove", (None, None)
        made.memory_limit, made.inputs, made.sources = None, (), {}
        made.hierarchy, made.empty, made.repeated = hierarchy, 0, 0
        made.records = made._encode(records)
        return made

    @property
    def name(self) -> str:
        """What messages call the source."""
        return self.engine.name if hasattr(self, "engine") else "transactions"

    @property
    def total(self) -> int:
        """How many transactions there are."""
        return int(self.records.weight.sum())

    @cached_property
    def occurrences(self) -> NDArray[np.int64]:
        """By leaf of the hierarchy: the transactions that have it."""
        return self.occurrences_in(self.records)

    def occurrences_in(self, records: ItemRecords) -> NDArray[np.int64]:
        """The same, for some of the transactions."""
        # Numbers of transactions are far from where doubles begin to round.
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

    def __repr__(self) -> str:
        occurring = int((self.occurrences > 0).sum())
        return (
            f"Transactions({self.total:,} transactions, {len(self.records):,} distinct; {occurring:,} items, "
            f"{int(self.occurrences.sum()):,} occurrences)"
        )

    def _encode(self, coded: ItemRecords) -> ItemRecords:
        """The records with leaves of the hierarchy as nodes of the taxonomy, whose numbers keep the order."""
        occurring = np.zeros(len(self.hierarchy.leaves), dtype=np.bool_)
        occurring[coded.items] = True
        self.taxonomy = Taxonomy.of(self.hierarchy, occurring)
        self.node_of = np.zeros(len(self.hierarchy.leaves), dtype=np.uint32)  # of leaves that occur
        bottom = np.array(self.taxonomy.bottom, dtype=np.int64)
        self.node_of[self.taxonomy.first[bottom]] = bottom
        return ItemRecords(coded.begin, self.node_of[coded.items], coded.weight)


def _with_counts(hierarchy: Hierarchy, labels: dict[str, list[tuple[int, str]]]) -> Hierarchy:
    """The hierarchy with a leaf for each number of times that an item occurs, all below the item's parent."""
    rows = []
    for row in hierarchy.rows:
        above = row[1:] or (ROOT,)
        rows += [(label, *above) for _, label in sorted(labels.get(row[0], [(1, row[0])]))]
    return Hierarchy(tuple(rows), hierarchy.source)
