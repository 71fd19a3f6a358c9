"""Local items: transactions are recoded in parts, so that an item may be published differently in each.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Section 4.5; Y. He, J. F. Naughton, "Anonymization of set-valued data via top-down, local
generalization", PVLDB 2(1), 2009.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.data.item_sets import ItemSets
from sfumato.engines.items import ItemRecords
from sfumato.errors import ProblemError
from sfumato.recoding.item_cut import ItemCutRecoding, Ways, local_cost, recoded, require_item_labels

Part = tuple[ItemRecords, NDArray[np.uint32]]  # some transactions, and the node that each node is published as


@dataclass(frozen=True)
class LocalItems:
    """Local recoding of items: every part of the transactions has a cut of its own."""

    name: ClassVar[str] = "local-items"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011; He and Naughton, PVLDB 2009"
    about: ClassVar[str] = "itemsets"
    local: ClassVar[bool] = True

    def check(self, items: ItemSets) -> None:
        """Raises a ProblemError if two nodes would print alike."""
        require_item_labels(items)

    def space(self, items: ItemSets) -> int:
        """The number of cuts that each part may have."""
        return items.taxonomy.space

    def candidate(self, *, bounded: bool) -> str:
        return "a cut through the hierarchy of items, for some of the transactions"

    def restated(self, stated: Mapping[str, Any], items: ItemSets, kept: tuple[str, ...]) -> None:
        """None: there are too many parts, each with its own cut, to state them all."""
        return

    def given(self, stated: Any, items: ItemSets, kept: tuple[str, ...]) -> ItemCutRecoding:
        """None either; one cut for all is the other recoding's."""
        raise ProblemError(
            "local-items recoding has a cut for every part, so no single one can be given; evaluate a cut with "
            "recoding = item-cut."
        )


@dataclass(frozen=True, eq=False)
class LocalItemsRecoding:
    """What becomes of the items in each part."""

    items: ItemSets = field(repr=False)
    parts: Sequence[Part] = field(repr=False)

    @property
    def published(self) -> ItemRecords:
        """The published sets of nodes, equal ones together."""
        return self._merged[0]

    @property
    def ways(self) -> Ways:
        """What becomes of each set: parts of its records may be published differently."""
        return self._merged[1]

    @cached_property
    def _merged(self) -> tuple[ItemRecords, Ways]:
        place = {items: number for number, (items, _) in enumerate(self.items.records.sets())}
        ids: dict[tuple[int, ...], int] = {}  # of the published sets
        columns = [np.empty((3, 0), dtype=np.int64)]  # of a set and what becomes of it: original, published, times
        for records, image in self.parts:
            published, became = recoded(records, image)
            number = np.array([ids.setdefault(items, len(ids)) for items, _ in published.sets()], dtype=np.int64)
            original = np.fromiter((place[items] for items, _ in records.sets()), np.int64, len(records))
            columns.append(np.stack([original, number[became], records.weight]))
        del place
        listed = sorted(ids)
        rank = np.argsort(np.array([ids[items] for items in listed], dtype=np.int64))
        originals, numbers, times = np.concatenate(columns, axis=1)
        pairs, pair = np.unique(originals * max(len(ids), 1) + rank[numbers], return_inverse=True)
        copies, total = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(ids), dtype=np.int64)
        np.add.at(copies, pair, times)
        original, number = np.divmod(pairs, max(len(ids), 1))
        np.add.at(total, number, copies)
        return ItemRecords.of(zip(listed, total.tolist(), strict=True)), Ways(original, number, copies)

    def cost(self, worth: list[int]) -> int:
        """The loss, in units, given what an occurrence of each leaf counts."""
        return sum(local_cost(self.items, records, image, worth) for records, image in self.parts)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        return {"model": LocalItems.name, "parts": len(self.parts), "nodes": len(np.unique(self.published.items))}

    def __str__(self) -> str:
        nodes = len(np.unique(self.published.items))
        return f"{len(self.parts):,} parts with a cut each; {nodes:,} different items are published"
