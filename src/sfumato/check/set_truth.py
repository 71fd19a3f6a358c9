"""Truth of sets of items: whether published sets stand for the original ones, item by item, read off the labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.formulas import unguarded
from sfumato.engines.items import ItemRecords, SetLabels
from sfumato.engines.set_cells import MARK, items_of

if TYPE_CHECKING:
    from sfumato.data import SetColumn
    from sfumato.hierarchies import Hierarchy

_BLOCK = 1 << 14  # pairs of sets that are compared at a time


def printed_sets(labels: Sequence[str | None], column: SetColumn, separator: str | None) -> SetLabels:
    """Labels of sets as sets of labels of items."""
    if isinstance(labels, SetLabels):
        return labels
    between = MARK if column.listed else separator
    sets = [items_of(text, between) for text in labels]
    names = sorted({item for items in sets for item in items})
    number = {item: i for i, item in enumerate(names)}
    return SetLabels(ItemRecords.of(([number[item] for item in items], 1) for items in sets), names)


def covers_items(column: SetColumn, printed: SetLabels, pairs: NDArray[np.int64]) -> bool:
    """Whether in every pair of an original set and a printed one, each item of either has one of the other.

    A printed item stands for an original one if it is its label at some level of the hierarchy.
    """
    number = {label: i for i, label in enumerate(printed.items)}
    above = numbers_above(column, number)
    return all(
        _block_covers(column.leaves.taken(some[:, 0]), printed.sets.taken(some[:, 1]), above, len(number))
        for some in (pairs[first : first + _BLOCK] for first in range(0, len(pairs), _BLOCK))
    )


def spelled(hierarchy: Hierarchy, labels: Sequence[str]) -> list[str]:
    """Labels as the hierarchy has them: what a spreadsheet would take for a formula may have an apostrophe in front."""
    labels_there = {label for row in hierarchy.rows for label in row}
    return [label if label in labels_there else unguarded(label) for label in labels]


def numbers_above(column: SetColumn, number: Mapping[str, int]) -> NDArray[np.int64]:
    """By level and leaf, the number of the printed label that the leaf has there; -1 if it is not printed."""
    rows = column.hierarchy.rows
    return np.array([[number.get(label, -1) for label in level] for level in zip(*rows, strict=True)], dtype=np.int64)


def _block_covers(originals: ItemRecords, printed: ItemRecords, above: NDArray[np.int64], count: int) -> bool:
    """The same for the pairs of a block."""
    pair = np.repeat(np.arange(len(originals)), originals.lengths)
    leaf = originals.items.astype(np.int64)
    keys = np.repeat(np.arange(len(printed)), printed.lengths) * count + printed.items.astype(np.int64)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    hit = np.zeros(len(keys), dtype=np.bool_)
    waiting = np.arange(len(leaf))  # original items that no printed one has covered yet
    for labels in above:  # the leaf itself, then level by level
        label = labels[leaf[waiting]]
        wanted = pair[waiting] * count + label
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        covered: NDArray[Any] = (label >= 0) & (keys[place] == wanted) if len(keys) else np.zeros(len(wanted), np.bool_)
        hit[place[covered]] = True
        waiting = waiting[~covered]
    return not len(waiting) and bool(hit.all())


class SetCovering:
    """Which original sets of a column a published set may stand for."""

    def __init__(
        self, hierarchy: Hierarchy, originals: Sequence[Sequence[str]], printed: Sequence[Sequence[str]]
    ) -> None:
        self._rows = {row[0]: frozenset(row) for row in hierarchy.rows}
        self._sets, self._printed = originals, printed
        self._numbers: dict[int, list[int]] = {}
        self._having: dict[str, set[int]] = {}  # by label: the originals with an item that it stands for
        for number, items in enumerate(self._sets):
            for label in frozenset().union(*(self._above(item) for item in items)):
                self._having.setdefault(label, set()).add(number)

    @classmethod
    def of_texts(
        cls,
        hierarchy: Hierarchy,
        values: Sequence[str | None],
        labels: Sequence[str | None],
        separator: str | None,
        *listed: bool,  # whether the originals are lists, and whether the published sets are
    ) -> SetCovering:
        """The same for cells of a table."""
        mine, theirs = (MARK if is_list else separator for is_list in listed)
        printed = [spelled(hierarchy, items_of(text, theirs)) for text in labels]
        return cls(hierarchy, [items_of(text, mine) for text in values], printed)

    def originals(self, label: int) -> NDArray[np.int64]:
        """Which originals a published set may stand for, both by number."""
        return np.array(self._covered(frozenset(self._printed[label])), dtype=np.int64)

    def values(self, label: int) -> NDArray[np.bool_]:
        """The same as a mask of the originals."""
        if label not in self._numbers:
            self._numbers[label] = self._covered(frozenset(self._printed[label]))
        mask = np.zeros(len(self._sets), dtype=np.bool_)
        mask[self._numbers[label]] = True
        return mask

    def _covered(self, printed: frozenset[str]) -> list[int]:
        if not printed:
            return [number for number, items in enumerate(self._sets) if not items]
        there = sorted((self._having.get(label, set()) for label in printed), key=len)
        some = there[0].intersection(*there[1:])
        return [number for number in some if all(self._above(item) & printed for item in self._sets[number])]

    def _above(self, item: str) -> frozenset[str]:
        return self._rows.get(item, frozenset((item,)))
