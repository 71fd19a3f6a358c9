"""Set column: a column of a table whose cells hold sets of items, any of which may identify."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.items import ItemRecords
from sfumato.engines.set_cells import MARK, MISSING_ITEM, items_of
from sfumato.errors import DataError, HierarchyError
from sfumato.hierarchies import Hierarchy, HierarchySource

if TYPE_CHECKING:
    from sfumato.data.transactions import Transactions


@dataclass(frozen=True, eq=False)
class SetColumn:
    """The different sets of a column, numbered, and the hierarchy that says how their items may be blurred."""

    name: str
    hierarchy: Hierarchy = field(repr=False)
    source: HierarchySource
    codes: Mapping[str | None, int] = field(repr=False)  # the number of the set that a cell's text stands for
    sets: tuple[tuple[int, ...], ...] = field(repr=False)  # by number: leaves of the hierarchy, in order
    records: NDArray[np.int64] = field(repr=False)  # by number: the records that have the set
    separator: str | None  # between the items of a text; any white space if there is none
    listed: bool  # cells are lists

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
        found: defaultdict[tuple[str, ...], int] = defaultdict(int)
        for text, items in parsed.items():
            found[items] += cells[text]
            for item in items:
                records[item] += cells[text]
        hierarchy = source.build(name, dict(records))
        if hierarchy.kind != "taxonomy":
            raise HierarchyError(
                f"{hierarchy.source} has no levels, but items are raised level by level; use fanout(5)."
            )
        leaves = {items: tuple(sorted(hierarchy.codes[item] for item in items)) for items in found}
        number = {items: i for i, items in enumerate(sorted(found, key=leaves.__getitem__))}
        return cls(
            name,
            hierarchy,
            source,
            {text: number[items] for text, items in parsed.items()},
            tuple(leaves[items] for items in number),
            np.array([found[items] for items in number], dtype=np.int64),
            separator,
            listed,
        )

    @property
    def empty(self) -> int:
        """Records without items."""
        return sum(records for items, records in zip(self.sets, self.records.tolist(), strict=True) if not items)

    def transactions(self, records: NDArray[np.int64]) -> Transactions:
        """The sets as transactions, each in so many records; records without items tell nothing, and are left out."""
        from sfumato.data.transactions import Transactions

        held = [(items, times) for items, times in zip(self.sets, records.tolist(), strict=True) if items and times]
        return Transactions.of(ItemRecords.of(held), self.hierarchy)
