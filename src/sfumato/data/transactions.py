"""Transactions: a table of one column, whose cells are sets of items, any of which may identify."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np

from sfumato.data.frequencies import FrequencyTable
from sfumato.data.inputs import AsRead, Input, data_inputs
from sfumato.data.item_sets import ItemSets
from sfumato.data.set_column import SetColumn, require_levels
from sfumato.data.table import HierarchyLike, Table
from sfumato.engines import ItemRecords, TransactionsEngine, Watcher, open_transactions, watched
from sfumato.errors import DataError
from sfumato.hierarchies import Hierarchy, HierarchySource, as_source
from sfumato.hierarchies.tree import ROOT
from sfumato.settings.given import brief, checked, located
from sfumato.settings.quantities import Quantity, memory

_MULTISETS = ("remove", "count")
ITEMS = "items"  # what the column of sets is called where the source has no name for it


class Transactions(Table):
    """Baskets, clicks, diagnoses, playlists: one set of items per person or visit.

    source: a text file with one transaction per line (also .gz); or a table of any kind that has a row per transaction
    and item, with `transaction` and `item` naming these columns; or a frame or Parquet file with a column `item` of
    lists; or lists of items.
    hierarchy: how items may be blurred, for all items together: a file, or a generator such as `fanout(5)`.
    separator: between the items of a line; any white space if left out.
    multiset: an item that occurs several times in a transaction is there once ("remove", the default; `repeated` says
    how many were removed), or is another item than the one that occurs once ("count").
    memory_limit: of the process while it reads, such as "1GB" (192 MB at least); what does not fit goes to disk.
    Empty transactions tell nothing and are left out; `empty` says how many.
    """

    classes = False

    @checked
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
            raise DataError(
                f"separator = {brief(separator)} separates nothing; give a text such as ',', or leave it out."
            )
        if transaction is not None and transaction == item:
            raise DataError(f"'{item}' is both transaction and item; name two columns.")
        self.source, self.separator, self.multiset = located(source), separator, multiset
        self.columns = (transaction, item)
        self.memory_limit = None if memory_limit is None else memory(memory_limit, "memory_limit")
        self._as_read = AsRead.of(source, hierarchy)
        self.engine = open_transactions(source, transaction, item, separator, memory_limit=self.memory_limit)
        given = as_source(hierarchy)
        with watched(self.engine, "reading", progress):
            column = self._read(item or ITEMS, given)
        self.empty, self.repeated = self.engine.empty, self.engine.repeated
        if not len(column.records) and not isinstance(source, list):  # a list may well be empty
            raise DataError(f"{self.engine.name} has no transactions with items; is it the right file?")
        self.engine.forget()
        self._hold(column)

    @classmethod
    @checked
    def of(cls, records: ItemRecords, hierarchy: Hierarchy) -> Transactions:
        """Transactions that are coded already: sets of the hierarchy's leaves, by code. They have no engine."""
        made = object.__new__(cls)
        made.source, made.separator, made.multiset, made.columns = None, None, "remove", (None, None)
        made._as_read, made.memory_limit, made.empty, made.repeated = (), None, 0, 0
        made._hold(SetColumn(ITEMS, hierarchy, hierarchy, records))
        return made

    @cached_property
    def engine(self) -> TransactionsEngine:  # type: ignore[override] # of other verbs
        """Of transactions that are coded already: what is released comes back as lists."""
        return open_transactions([])

    @property
    def name(self) -> str:
        """What messages call the source."""
        return self.engine.name

    @property
    def column(self) -> SetColumn:
        """The only column."""
        return next(iter(self.sets.values()))

    @property
    def published(self) -> tuple[str, ...]:
        """The column of the release."""
        return (self.column.name,)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What is read: the data, and the file of the hierarchy."""
        return data_inputs(self.source, {self.columns[1] or "item": self.column.source})

    @property
    def hierarchy(self) -> Hierarchy:
        """How items may be blurred."""
        return self.column.hierarchy

    @property
    def items(self) -> ItemSets:
        """The different transactions, as the searches see them."""
        return self.column.items

    @property
    def total(self) -> int:
        """How many transactions there are."""
        return self.frequencies.records

    def __repr__(self) -> str:
        occurrences = self.items.occurrences
        return (
            f"Transactions({self.total:,} transactions, {len(self.items.records):,} distinct; "
            f"{int((occurrences > 0).sum()):,} items, {int(occurrences.sum()):,} occurrences)"
        )

    def _hold(self, column: SetColumn) -> None:
        """A table of this column alone."""
        total = int(column.records.sum())
        counts = np.array([total] if total else [], dtype=np.int64)
        self.frequencies = FrequencyTable((), (), np.zeros((len(counts), 0), dtype=np.int32), counts)
        self.identifiers, self.insensitive, self.sensitive = (), (), ()
        self.target, self.unit, self.weight, self.strip = None, None, None, False
        self.codes, self.sources, self.sets = {}, {}, {column.name: column}

    def _read(self, name: str, source: HierarchySource) -> SetColumn:
        """The column: its hierarchy, and the transactions as sets of the hierarchy's leaves."""
        counted = self.multiset == "count"
        occurring = self.engine.occurring(counted)
        base: dict[str, int] = defaultdict(int)
        for item, _, records in occurring.values():
            base[item] += records
        built = source.build("item" if name == ITEMS else name, dict(base))
        require_levels(built)
        labels: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for label, (item, times, _) in occurring.items():
            labels[item].append((times, label))
        hierarchy = _with_counts(built, labels) if counted else built
        leaves = self.engine.merged({label: hierarchy.codes[label] for label in occurring})
        return SetColumn(name, hierarchy, source, leaves, separator=self.separator)


def _with_counts(hierarchy: Hierarchy, labels: dict[str, list[tuple[int, str]]]) -> Hierarchy:
    """The hierarchy with a leaf for each number of times that an item occurs, all below the item's parent."""
    rows = []
    for row in hierarchy.rows:
        above = row[1:] or (ROOT,)
        rows += [(label, *above) for _, label in sorted(labels.get(row[0], [(1, row[0])]))]
    return Hierarchy(tuple(rows), hierarchy.source)
