"""Item cut: every item is published as the node of one cut through the item hierarchy, the same in all transactions.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Section 3.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.data.item_sets import ItemSets
from sfumato.engines.items import ItemRecords
from sfumato.errors import ProblemError
from sfumato.hierarchies.tree import count_of
from sfumato.recoding.given import labels_of, own_json


@dataclass(frozen=True)
class ItemCut:
    """Global recoding of items: all occurrences of an item become the same node. Equal items of one set become one."""

    name: ClassVar[str] = "item-cut"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"
    about: ClassVar[str] = "itemsets"
    local: ClassVar[bool] = False

    def check(self, items: ItemSets) -> None:
        """Raises a ProblemError if two nodes would print alike."""
        require_item_labels(items)

    def space(self, items: ItemSets) -> int:
        """The number of cuts."""
        return items.taxonomy.space

    def candidate(self, *, bounded: bool) -> str:
        return "a cut through the hierarchy of items"

    def restated(self, stated: Mapping[str, Any], items: ItemSets, kept: tuple[str, ...]) -> ItemCutRecoding | None:
        """The cut that `to_json` stated, for the sets that it was made for; None if it stated something else."""
        if stated.get("model") != self.name:
            return None
        named = set(stated.get("generalised") or ())
        closed = np.array([label in named for label in items.labels], dtype=np.uint8)
        return ItemCutRecoding(items, closed, kept)

    def given(self, stated: Any, items: ItemSets, kept: tuple[str, ...]) -> ItemCutRecoding:
        """The cut that somebody states; items below none of its labels stay as they are."""
        report = own_json(stated, self.name)
        listed = stated if report is None else report.get("generalised")
        if report is not None and isinstance(listed, Mapping):  # label → the leaves that it stands for
            listed = list(listed)
        named = labels_of(listed, "The cut of items")
        tree, nodes = items.taxonomy, {label: node for node, label in enumerate(items.labels)}
        if unknown := [label for label in named if label not in nodes and label not in items.hierarchy.codes]:
            raise ProblemError(
                f"In the cut of items, {count_of(len(unknown), 'label')} of {len(named):,} "
                f"{'is' if len(unknown) == 1 else 'are'} neither an item nor a node that may be published; correct the "
                "spelling.",
                hidden_values=unknown,
            )
        chosen = sorted((nodes[label] for label in named if label in nodes), key=lambda node: int(tree.first[node]))
        if any(tree.first[after] < tree.end[before] for before, after in pairwise(chosen)):
            raise ProblemError("In the cut of items a label lies below another; a cut has one node above each item.")
        closed = np.zeros(len(tree), dtype=np.uint8)
        closed[[node for node in chosen if tree.children[node]]] = 1
        return ItemCutRecoding(items, closed, kept)


def require_item_labels(items: ItemSets) -> None:
    """Raises a ProblemError if two nodes of the item hierarchy print alike."""
    twice = sorted(label for label, nodes in Counter(items.labels).items() if nodes > 1)
    if twice:
        raise ProblemError(
            f"In the hierarchy of items, {len(twice)} labels name two nodes, which would print alike; give them "
            "different names.",
            hidden_values=twice,
        )


@dataclass(frozen=True, eq=False)
class Ways:
    """What becomes of the sets of a column: which is published as which, and in how many records."""

    original: NDArray[np.int64] = field(repr=False)  # by number
    published: NDArray[np.int64] = field(repr=False)  # by number among the published sets
    records: NDArray[np.int64] = field(repr=False)


@dataclass(frozen=True, eq=False)
class ItemCutRecoding:
    """A cut: inner nodes that are closed are published in place of all below them."""

    items: ItemSets = field(repr=False)
    closed: NDArray[np.uint8] = field(repr=False)
    kept: tuple[str, ...] = ()  # items that are published as they are, whatever the cut

    @cached_property
    def image(self) -> NDArray[np.uint32]:
        """The node that each node is published as."""
        parent, closed = self.items.parent.tolist(), self.closed.tolist()
        at = [0] * len(parent)
        for node in range(1, len(parent)):
            above = at[parent[node]]
            at[node] = above if closed[above] else node
        image = np.array(at, dtype=np.uint32)
        for node in self.items.nodes_of(self.kept):
            image[node] = node
        return image

    @cached_property
    def published(self) -> ItemRecords:
        """The published sets of nodes, equal ones together."""
        return self._recoded[0]

    @cached_property
    def ways(self) -> Ways:
        """What becomes of each set."""
        records, (_, place) = self.items.records, self._recoded
        return Ways(np.arange(len(records), dtype=np.int64), place, records.weight)

    @cached_property
    def _recoded(self) -> tuple[ItemRecords, NDArray[np.int64]]:
        return recoded(self.items.records, self.image)

    @property
    def generalised(self) -> Mapping[str, int]:
        """Published nodes that stand for several items, and how many they stand for."""
        tree = self.items.taxonomy
        nodes = np.unique(self.image[self.items.records.items]).tolist()
        sizes = {node: int(tree.end[node] - tree.first[node]) for node in nodes}
        return {self.items.labels[node]: size for node, size in sizes.items() if size > 1}

    @property
    def intact(self) -> int:
        """Occurring items that are published as they are."""
        items = np.unique(self.items.records.items)
        tree = self.items.taxonomy
        nodes = self.image[items].astype(np.int64)
        return int((tree.end[nodes] - tree.first[nodes] == 1).sum())

    def cost(self, worth: list[int]) -> int:
        """The loss, in units, given what an occurrence of each leaf counts."""
        return local_cost(self.items, self.items.records, self.image, worth)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        return {"model": ItemCut.name, "generalised": dict(self.generalised), "intact": self.intact}

    def __str__(self) -> str:
        items = len(np.unique(self.items.records.items))
        nodes = len(self.generalised)
        others = f", the others as {nodes:,} more general ones" if nodes else ""
        return f"cut  {self.intact:,} of {items:,} items as they are{others}"


def local_cost(items: ItemSets, records: ItemRecords, image: NDArray[np.uint32], worth: list[int]) -> int:
    """What publishing some records so costs, in units, given what an occurrence of each leaf counts."""
    tree = items.taxonomy
    total = 0
    for code, records_with in enumerate(items.occurrences_in(records).tolist()):
        if records_with:
            at = int(image[items.node_of[code]])
            leaves = int(tree.end[at] - tree.first[at])
            total += records_with * worth[code] * (leaves if leaves > 1 else 0)
    return total


def recoded(records: ItemRecords, image: NDArray[np.uint32]) -> tuple[ItemRecords, NDArray[np.int64]]:
    """The records with every item replaced, those that become equal merged; and what each record has become."""
    number: dict[bytes, int] = {}  # numbers of four bytes, the largest first: in order as the sets are
    first_seen = np.empty(len(records), dtype=np.int64)
    at = 0
    for block in records.blocks():
        owner = np.repeat(np.arange(len(block)), block.lengths)
        owner, nodes = np.divmod(np.unique(owner * len(image) + image[block.items]), len(image))
        text = nodes.astype(">u4").tobytes()
        ends = (4 * np.cumsum(np.bincount(owner, minlength=len(block)))).tolist()
        for start, end in pairwise([0, *ends]):
            first_seen[at] = number.setdefault(text[start:end], len(number))
            at += 1
    sets = sorted(number)
    order = np.empty(len(sets), dtype=np.int64)
    order[[number[one] for one in sets]] = np.arange(len(sets))
    place = order[first_seen]
    weight = np.zeros(len(sets), dtype=np.int64)
    np.add.at(weight, place, records.weight)
    lengths = np.array([len(one) // 4 for one in sets], dtype=np.uint64)
    merged = ItemRecords(
        np.r_[np.uint64(0), np.cumsum(lengths, dtype=np.uint64)],
        np.frombuffer(b"".join(sets), dtype=">u4").astype(np.uint32),
        weight,
    )
    return merged, place
