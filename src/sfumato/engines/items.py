"""Items: sets of them as numbers, equal sets merged; as labels, when they are published; and where transactions are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.set_cells import MARK

_BLOCK = 1 << 15  # sets that are dealt with at a time
COUNT = "\u00d7"  # between an item and how many times it occurs


@dataclass(frozen=True, eq=False)
class ItemRecords:
    """Sets of numbers one after the other, each so many times; `begin` has one more entry than there are sets."""

    begin: NDArray[np.uint64] = field(repr=False)
    items: NDArray[np.uint32] = field(repr=False)  # in increasing order within a set
    weight: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.weight)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many items each set has."""
        begin = self.begin.astype(np.int64)
        lengths: NDArray[np.int64] = begin[1:] - begin[:-1]
        return lengths

    def sets(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Each set, and how many times it is there."""
        items, begin = self.items.tolist(), self.begin.tolist()
        for r, times in enumerate(self.weight.tolist()):
            yield tuple(items[begin[r] : begin[r + 1]]), times

    def blocks(self) -> Iterator[ItemRecords]:
        """All of them, some at a time: what is worked out for a block needs little room."""
        for first in range(0, len(self), _BLOCK):
            begin = self.begin[first : first + _BLOCK + 1]
            items = self.items[int(begin[0]) : int(begin[-1])]
            yield ItemRecords(begin - begin[0], items, self.weight[first : first + _BLOCK])

    @classmethod
    def of(cls, sets: Iterable[tuple[Sequence[int], int]]) -> ItemRecords:
        """Records with these sets, each so many times."""
        listed = list(sets)
        lengths = [len(items) for items, _ in listed]
        flat = [item for items, _ in listed for item in items]
        return cls(
            np.r_[0, np.cumsum(lengths, dtype=np.uint64)].astype(np.uint64),
            np.array(flat, dtype=np.uint32),
            np.array([times for _, times in listed], dtype=np.int64),
        )

    def with_empty(self, times: int) -> ItemRecords:
        """These records, and the set without items so many times."""
        if not times:
            return self
        begin = np.r_[np.uint64(0), self.begin]
        return ItemRecords(begin, self.items, np.r_[np.int64(times), self.weight])

    def taken(self, chosen: NDArray[np.int64]) -> ItemRecords:
        """Some of the records."""
        begin = np.zeros(len(chosen) + 1, dtype=np.uint64)
        np.cumsum(self.begin[chosen + 1] - self.begin[chosen], out=begin[1:])
        items = np.empty(int(begin[-1]), dtype=np.uint32)
        for first in range(0, len(chosen), _BLOCK):  # where each item comes from needs more room than the items
            some = chosen[first : first + _BLOCK]
            to = begin[first : first + len(some) + 1]
            start = np.repeat(self.begin[some] - to[:-1], np.diff(to).astype(np.int64))
            items[int(to[0]) : int(to[-1])] = self.items[start + np.arange(to[0], to[-1], dtype=np.uint64)]
        return ItemRecords(begin, items, self.weight[chosen])


@dataclass(frozen=True, eq=False)
class SetLabels(Sequence[str]):
    """The labels of different sets, their items divided by chr(31); each is made when it is needed."""

    sets: ItemRecords = field(repr=False)  # no two alike
    items: Sequence[str] = field(repr=False)  # the label of each number; no two alike

    def __len__(self) -> int:
        return len(self.sets)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        i = range(len(self))[at]
        begin, end = int(self.sets.begin[i]), int(self.sets.begin[i + 1])
        return MARK.join([self.items[item] for item in self.sets.items[begin:end].tolist()])


@dataclass(frozen=True)
class TransactionSource:
    """Where transactions are, and how they lie there: in rows that name both columns, in lists, or in lines."""

    source: object
    transaction: str | None = None  # the column that says which transaction a row belongs to
    item: str | None = None  # the column of items, or of lists of them
    separator: str | None = None  # between the items of a line; any white space if there is none
