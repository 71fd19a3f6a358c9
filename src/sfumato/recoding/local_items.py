"""Local items: transactions are recoded in parts, so that an item may be published differently in each.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Section 4.5; Y. He, J. F. Naughton, "Anonymization of set-valued data via top-down, local
generalization", PVLDB 2(1), 2009.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.data.transactions import Transactions
from sfumato.engines.baskets import ItemRecords
from sfumato.recoding.item_cut import local_cost, recoded, require_item_labels
from sfumato.recoding.views import Spaces

Part = tuple[ItemRecords, NDArray[np.uint32]]  # some transactions, and the node that each node is published as


@dataclass(frozen=True)
class LocalItems(Spaces):
    """Local recoding of items: every part of the transactions has a cut of its own."""

    name: ClassVar[str] = "local-items"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011; He and Naughton, PVLDB 2009"
    anonymizes: ClassVar[str] = "transactions"
    local: ClassVar[bool] = True

    def check(self, transactions: Transactions) -> None:
        """Raises a ProblemError if two nodes would print alike."""
        require_item_labels(transactions)

    def space(self, transactions: Transactions) -> int:
        """The number of cuts that each part may have."""
        return transactions.taxonomy.space

    def candidate(self, *, bounded: bool) -> str:
        return "a cut through the hierarchy of items, for some of the transactions"

    def restated(self, told: Mapping[str, Any], transactions: Transactions, kept: tuple[str, ...]) -> None:
        """None: the parts with a cut each are too many to be told."""
        return


@dataclass(frozen=True, eq=False)
class LocalItemsRecoding:
    """What becomes of the items in each part."""

    transactions: Transactions = field(repr=False)
    parts: Sequence[Part] = field(repr=False)

    @cached_property
    def published(self) -> ItemRecords:
        """The published sets of nodes, equal ones together."""
        merged: Counter[tuple[int, ...]] = Counter()
        for records, image in self.parts:
            for items, times in recoded(records, image).sets():
                merged[items] += times
        return ItemRecords.of(sorted(merged.items()))

    def cost(self, worth: list[int]) -> int:
        """The loss, in units, given what an occurrence of each leaf counts."""
        return sum(local_cost(self.transactions, records, image, worth) for records, image in self.parts)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        return {"model": LocalItems.name, "parts": len(self.parts), "nodes": len(np.unique(self.published.items))}

    def __str__(self) -> str:
        nodes = len(np.unique(self.published.items))
        return f"{len(self.parts):,} parts with a cut each; {nodes:,} different items are published"
