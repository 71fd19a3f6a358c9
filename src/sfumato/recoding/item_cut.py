"""Item cut: every item is published as the node of one cut through the item hierarchy, the same in all transactions.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Section 3.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.data.transactions import Transactions
from sfumato.engines.baskets import ItemRecords
from sfumato.errors import ProblemError
from sfumato.recoding.views import Spaces


@dataclass(frozen=True)
class ItemCut(Spaces):
    """Global recoding of items: all occurrences of an item become the same node. Equal items of one set become one."""

    name: ClassVar[str] = "item-cut"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"
    anonymizes: ClassVar[str] = "transactions"
    local: ClassVar[bool] = False

    def check(self, transactions: Transactions) -> None:
        """Raises a ProblemError if two nodes would print alike."""
        require_item_labels(transactions)

    def space(self, transactions: Transactions) -> int:
        """The number of cuts."""
        return transactions.taxonomy.space

    def candidate(self, *, bounded: bool) -> str:
        return "a cut through the hierarchy of items"

    def restated(
        self, told: Mapping[str, Any], transactions: Transactions, kept: tuple[str, ...]
    ) -> ItemCutRecoding | None:
        """The cut that `to_json` told so, for the transactions that it was made for; None if it told another thing."""
        if told.get("model") != self.name:
            return None
        named = set(told.get("generalised") or ())
        closed = np.array([label in named for label in transactions.labels], dtype=np.uint8)
        return ItemCutRecoding(transactions, closed, kept)


def require_item_labels(transactions: Transactions) -> None:
    """Raises a ProblemError if two nodes of the item hierarchy print alike."""
    twice = sorted(label for label, nodes in Counter(transactions.labels).items() if nodes > 1)
    if twice:
        raise ProblemError(
            f"In the hierarchy of items, {len(twice)} labels name two nodes, which would print alike; give them "
            "different names.",
            hidden_values=twice,
        )


@dataclass(frozen=True, eq=False)
class ItemCutRecoding:
    """A cut: inner nodes that are closed are published in place of all below them."""

    transactions: Transactions = field(repr=False)
    closed: NDArray[np.uint8] = field(repr=False)
    kept: tuple[str, ...] = ()  # items that are published as they are, whatever the cut

    @cached_property
    def image(self) -> NDArray[np.uint32]:
        """The node that each node is published as."""
        parent, closed = self.transactions.parent.tolist(), self.closed.tolist()
        at = [0] * len(parent)
        for node in range(1, len(parent)):
            above = at[parent[node]]
            at[node] = above if closed[above] else node
        found = np.array(at, dtype=np.uint32)
        for node in nodes_of(self.transactions, self.kept):
            found[node] = node
        return found

    @cached_property
    def published(self) -> ItemRecords:
        """The published sets of nodes, equal ones together."""
        return recoded(self.transactions.records, self.image)

    @property
    def generalised(self) -> Mapping[str, int]:
        """Published nodes that stand for several items, and how many they stand for."""
        tree = self.transactions.taxonomy
        nodes = np.unique(self.image[self.transactions.records.items]).tolist()
        sizes = {node: int(tree.end[node] - tree.first[node]) for node in nodes}
        return {self.transactions.labels[node]: size for node, size in sizes.items() if size > 1}

    @property
    def intact(self) -> int:
        """Occurring items that are published as they are."""
        items = np.unique(self.transactions.records.items)
        tree = self.transactions.taxonomy
        nodes = self.image[items].astype(np.int64)
        return int((tree.end[nodes] - tree.first[nodes] == 1).sum())

    def cost(self, worth: list[int]) -> int:
        """The loss, in units, given what an occurrence of each leaf counts."""
        return local_cost(self.transactions, self.transactions.records, self.image, worth)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        return {"model": ItemCut.name, "generalised": dict(self.generalised), "intact": self.intact}

    def __str__(self) -> str:
        items = len(np.unique(self.transactions.records.items))
        nodes = len(self.generalised)
        return f"cut  {self.intact:,} of {items:,} items as they are, the others as {nodes:,} more general ones"


def nodes_of(transactions: Transactions, items: Sequence[str]) -> list[int]:
    """The nodes of items that occur."""
    codes = [transactions.hierarchy.codes[item] for item in items]
    occurring = transactions.occurrences
    return [int(transactions.node_of[code]) for code in codes if occurring[code]]


def local_cost(transactions: Transactions, records: ItemRecords, image: NDArray[np.uint32], worth: list[int]) -> int:
    """What publishing some records so costs, in units, given what an occurrence of each leaf counts."""
    tree = transactions.taxonomy
    total = 0
    for code, records_with in enumerate(transactions.occurrences_in(records).tolist()):
        if records_with:
            at = int(image[transactions.node_of[code]])
            leaves = int(tree.end[at] - tree.first[at])
            total += records_with * worth[code] * (leaves if leaves > 1 else 0)
    return total


def recoded(records: ItemRecords, image: NDArray[np.uint32]) -> ItemRecords:
    """The records with every item replaced; what becomes equal is merged."""
    merged: Counter[bytes] = Counter()  # numbers of four bytes, the largest first: in order as the sets are
    for block in records.blocks():
        owner = np.repeat(np.arange(len(block)), block.lengths)
        owner, nodes = np.divmod(np.unique(owner * len(image) + image[block.items]), len(image))
        text = nodes.astype(">u4").tobytes()
        ends = (4 * np.cumsum(np.bincount(owner, minlength=len(block)))).tolist()
        for (start, end), times in zip(pairwise([0, *ends]), block.weight.tolist(), strict=True):
            merged[text[start:end]] += times
    sets = sorted(merged)
    lengths = np.array([len(one) // 4 for one in sets], dtype=np.uint64)
    return ItemRecords(
        np.r_[np.uint64(0), np.cumsum(lengths, dtype=np.uint64)],
        np.frombuffer(b"".join(sets), dtype=">u4").astype(np.uint32),
        np.array([merged[one] for one in sets], dtype=np.int64),
    )
