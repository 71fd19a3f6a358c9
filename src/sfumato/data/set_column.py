"""Set column: a column of a table whose cells hold sets of items, any of which may identify."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.data.item_sets import ItemSets
from sfumato.engines.items import ItemRecords
from sfumato.engines.set_cells import MARK, MISSING_ITEM, items_of
from sfumato.errors import DataError, HierarchyError
from sfumato.hierarchies import Hierarchy, HierarchySource


@dataclass(frozen=True, eq=False)
class SetColumn:
    """The different sets of a column, numbered, and the hierarchy that says how their items may be blurred."""

    name: str
    hierarchy: Hierarchy = field(repr=False)
    source: HierarchySource
    leaves: ItemRecords = field(repr=False)  # by number: leaves of the hierarchy, and the records that have the set
    codes: Mapping[str | None, int] = field(default_factory=dict, repr=False)  # cell's text → number, in a table
    separator: str | None = None  # between the items of a text; any white space if there is none
    listed: bool = True  # cells are lists

    @classmethod
    def read(
        cls,
        name: str,
        cells: Mapping[str | None, int],
        source: HierarchySource,
        separator: str | None,
        listed: bool,
    ) -> SetColumn:
        """The column whose cells have these texts, each in so many records."""
        parsed = {text: items_of(text, MARK if listed else separator) for text in cells}
        missing = sum(cells[text] for text, items in parsed.items() if MISSING_ITEM in items)
        if missing:
            raise DataError(f"'{name}': in {missing:,} records an item is missing or empty; leave such items out.")
        records: Counter[str] = Counter()
        different: defaultdict[tuple[str, ...], int] = defaultdict(int)
        for text, items in parsed.items():
            different[items] += cells[text]
            for item in items:
                records[item] += cells[text]
        hierarchy = source.build(name, dict(records))
        require_levels(hierarchy)
        leaves = {items: tuple(sorted(hierarchy.codes[item] for item in items)) for items in different}
        number = {items: i for i, items in enumerate(sorted(different, key=leaves.__getitem__))}
        return cls(
            name,
            hierarchy,
            source,
            ItemRecords.of((leaves[items], different[items]) for items in number),
            {text: number[items] for text, items in parsed.items()},
            separator,
            listed,
        )

    @property
    def records(self) -> NDArray[np.int64]:
        """By number: the records that have the set."""
        return self.leaves.weight

    @cached_property
    def empty(self) -> int:
        """Records without items."""
        return int(self.records[self.leaves.lengths == 0].sum())

    @cached_property
    def items(self) -> ItemSets:
        """The sets of all records as searches see them."""
        return self.items_of(self.records)

    def items_of(self, records: NDArray[np.int64]) -> ItemSets:
        """The sets, each in so many records. Records without items tell nothing, and are left out."""
        chosen = self.numbers_of(records)
        if records is self.records and len(chosen) == len(self.leaves):
            return ItemSets(self.leaves, self.hierarchy)
        return ItemSets(replace(self.leaves.taken(chosen), weight=records[chosen]), self.hierarchy)

    def numbers_of(self, records: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the sets with items that some of these records have."""
        return np.flatnonzero((records > 0) & (self.leaves.lengths > 0))


def require_levels(hierarchy: Hierarchy) -> None:
    """Raises a HierarchyError if items cannot be raised level by level."""
    if hierarchy.kind != "taxonomy":
        raise HierarchyError(f"{hierarchy.source} has no levels, but items are raised level by level; use fanout(5).")
