"""Mining loss of transactions: frequent sets of items, at every level of the hierarchy, that a release does not show.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Section 3.3 (ML^2 and dML^2); multi-level mining after J. Han, Y. Fu, VLDB 1995.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.check.itemsets import rare_by_size
from sfumato.data import ItemSets
from sfumato.engines.items import ItemRecords
from sfumato.errors import ProblemError
from sfumato.hierarchies import Nodes
from sfumato.privacy.itemset_model import required_support
from sfumato.settings.exact import Number, share
from sfumato.settings.given import checked
from sfumato.solution import Solution

Itemset = frozenset[int]  # of nodes
Sets = list[tuple[Itemset, int]]  # transactions, each so many times
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class MiningLoss:
    """What multi-level mining of a release misses, and how many sets of each size were rare."""

    support: Fraction  # the share of transactions from which on a set is frequent
    frequent: tuple[int, ...]  # by level of the hierarchy, 0 the items: frequent sets of the original
    found: tuple[int, ...]  # and of the release, at the same level
    ml2: float  # 1 - found/frequent: the share that is not found at its level
    dml2: float  # levels that frequent sets are found too high, on average over all of them (Equation 2)
    dml2_lost: float  # the same over those alone that are not found at their level, as in the paper's figures
    rare_before: tuple[int, ...] = ()  # sets of 1, 2, … items with support below k
    rare_after: tuple[int, ...] = ()


@checked
def mining(solution: Solution, support: Number = "1%", *, longest: int | None = None, rare: bool = True) -> MiningLoss:
    """The mining loss of a release of transactions.

    support: from which share of the transactions on a set is frequent. longest: look at sets of at most so many items.
    rare: also count the sets of up to m items that were rare before and after.
    """
    if solution.question.column is None:
        raise ProblemError("Mining loss is one of transactions; of tables, see sf.evaluate.marginals.")
    least = share(support, "support")
    if not least:
        raise ProblemError("support = 0 makes every set frequent; give a share such as 1%.")
    data: ItemSets = solution.question.items
    count = max(1, ceil(least * data.total))
    recoding: Any = solution.chosen
    if solution.question.recoding.local:
        raise ProblemError("Mining loss compares levels, so that items must be published alike; use item-cut recoding.")
    published, original = _Levels(data, recoding.published), _Levels(data, data.records)
    frequent, kept, raised, lost = [], [], 0, 0
    by_level = [_frequent(published.at(level), count, longest) for level in range(data.hierarchy.height + 1)]
    for level in range(data.hierarchy.height + 1):
        own = _frequent(original.at(level), count, longest)
        frequent.append(len(own))
        kept.append(sum(itemset in by_level[level] for itemset in own))
        for itemset in own:
            if itemset not in by_level[level]:
                lost += 1
                raised += _first_level(itemset, level, by_level, original) - level
    total = sum(frequent)
    required = required_support(solution.question.constraints[0]) if rare else None
    counts = (
        [(), ()]
        if required is None
        else [rare_by_size(records, *required) for records in (data.records, recoding.published)]
    )
    return MiningLoss(
        least,
        tuple(frequent),
        tuple(kept),
        1 - sum(kept) / total if total else 0.0,
        raised / total if total else 0.0,
        raised / lost if lost else 0.0,
        *counts,
    )


class _Levels:
    """Transactions whose nodes are raised to a level of the hierarchy, as far as they are not above it already."""

    def __init__(self, data: ItemSets, records: ItemRecords) -> None:
        self._nodes = Nodes.of(data.hierarchy)
        self._records, tree = records, data.taxonomy
        # A node of the taxonomy as a node of the whole hierarchy: the lowest that has its leaves.
        where = {
            (int(first), int(size)): node
            for node, (first, size) in enumerate(zip(self._nodes.first, self._nodes.sizes, strict=True))
        }
        self._whole = [where[int(first), int(end - first)] for first, end in zip(tree.first, tree.end, strict=True)]

    def at(self, level: int) -> Sets:
        """The transactions at a level; what is published above it is not an item of that level, and is left out."""
        image = [self.raised(node, level) for node in self._whole]
        kept = [node if self._nodes.level[node] <= level else -1 for node in image]
        return [(frozenset(kept[v] for v in items if kept[v] >= 0), times) for items, times in self._records.sets()]

    def raised(self, node: int, level: int) -> int:
        """The node above it at a level: the highest whose own level is not above it."""
        while node and self._nodes.level[self._nodes.parent[node]] <= level:
            node = int(self._nodes.parent[node])
        return node


def _first_level(itemset: Itemset, level: int, by_level: list[dict[Itemset, int]], levels: _Levels) -> int:
    """The lowest level from some level on at which a set, or a more general form of it, is frequent in a release."""
    for higher in range(level + 1, len(by_level)):
        if frozenset(levels.raised(node, higher) for node in itemset) in by_level[higher]:
            return higher
    return len(by_level)


def _frequent(sets: Sets, count: int, longest: int | None) -> dict[Itemset, int]:
    """Every set of nodes in at least so many transactions, with its support: depth first, by masks of transactions."""
    ordered = sorted(sets, key=lambda pair: -pair[1])  # the most frequent first: the masks of high bits are short
    places: dict[int, list[int]] = {}
    for place, (items, _) in enumerate(ordered):
        for node in items:
            places.setdefault(node, []).append(place)
    times = np.array([n for _, n in ordered], dtype=np.int64)
    weights = _bits(times)

    def supported(mask: int) -> int:
        return sum((mask & bit).bit_count() << power for power, bit in enumerate(weights))

    supports: dict[Itemset, int] = {}

    def extend(prefix: Itemset, candidates: list[tuple[int, int, int]]) -> None:
        for at, (node, mask, support) in enumerate(candidates):
            itemset = prefix | {node}
            supports[itemset] = support
            if longest is not None and len(itemset) >= longest:
                continue
            both = [(other, mask & theirs) for other, theirs, _ in candidates[at + 1 :]]
            further = [(other, shared, supported(shared)) for other, shared in both]
            extend(itemset, [one for one in further if one[2] >= count])

    single = [(node, held, int(times[held].sum())) for node, held in sorted(places.items())]
    extend(frozenset(), [(node, _mask(held), support) for node, held, support in single if support >= count])
    return supports


def _bits(times: Counts) -> list[int]:
    """For each power of two, the mask of the transactions whose number of copies has that bit."""
    powers = range(int(times.max(initial=0)).bit_length())
    return [_mask(np.flatnonzero(times >> power & 1)) for power in powers]


def _mask(places: Sequence[int] | Counts) -> int:
    """A number with these bits."""
    where = np.asarray(places, dtype=np.int64)
    present = np.zeros(int(where.max(initial=-1)) + 1, dtype=np.uint8)
    present[where] = 1
    return int.from_bytes(np.packbits(present, bitorder="little").tobytes(), "little")
