"""Release plan: for every distinct combination of values, what is published in its place, and how many times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import UnitCounts

_MANY = 50_000_000  # records whose order is better kept on disk
_BLOCK = 100_000  # rows whose copies are laid out at a time
_WIDEST_KEY = 1 << 62


@dataclass(frozen=True, eq=False)
class ReleasePlan:
    """Distinct combination → list of (published row, count); copies of a combination without an entry are suppressed.

    A global map value → value is the case with one entry per combination. Row numbers never enter: equal rows are
    interchangeable. Without further columns the release is `rows()`. With them, an engine deals the rows of a
    combination out to its entries, in the order of the hash of their kept cells, and sorts what it releases by the hash
    of all its cells. The hash is the last 64 bits of MD5, the lowest byte first, of the seed and the cells, joined by
    chr(31); a missing cell is chr(30).
    So every engine releases the same rows in the same order, and the order tells nothing that the rows do not.
    """

    columns: tuple[str, ...]  # what was counted
    codes: Mapping[str, Mapping[str | None, int]] = field(repr=False)  # column → value's text (None: missing) → code
    combinations: NDArray[np.int32] = field(repr=False)  # codes, one row per combination
    counts: NDArray[np.int64] = field(repr=False)  # records per combination
    entry: NDArray[np.int64] = field(repr=False)  # per entry: its combination; those of one combination stand together
    published: NDArray[np.int32] = field(repr=False)  # per entry: position in `labels` of every column
    copies: NDArray[np.int64] = field(repr=False)  # per entry
    labels: Mapping[str, Sequence[str | None]] = field(repr=False)  # what is printed; None is an empty cell
    unchanged: frozenset[str]  # columns that are published as they came, so that they keep their type
    kept: tuple[str, ...] = ()  # further columns of the source, published as they are
    order: tuple[str, ...] = ()  # all published columns, in order
    seed: int = 0

    @property
    def whole(self) -> bool:
        """Every combination goes to one place, all its records together."""
        return len(np.unique(self.entry)) == len(self.entry) and bool((self.copies == self.counts[self.entry]).all())

    def placed(self, units: UnitCounts) -> UnitCounts:
        """The units of every entry, given those of every combination.

        Where a combination goes to several places, it is not known whose record goes where: they count for nobody.
        """
        whole = np.flatnonzero(self.copies == self.counts[self.entry])
        there = units.taken(self.entry[whole])
        own = np.zeros(len(self.entry), dtype=np.int64)
        own[whole] = there.own
        return UnitCounts(own, there.person, whole[there.combination], units.unknown)

    @property
    def starts(self) -> NDArray[np.int64]:
        """How many copies of its combination come before each entry."""
        before = np.cumsum(self.copies) - self.copies
        first = np.r_[True, self.entry[1:] != self.entry[:-1]][: len(self.entry)]
        return before - np.maximum.accumulate(np.where(first, before, 0)) if len(before) else before

    def rows(self) -> NDArray[np.int32]:
        """The published rows as positions in `labels`, shuffled, for a release without further columns."""
        different, copies = self.printed
        shuffled: NDArray[np.int32] = self.published[different[self.shuffled(copies)]]
        return shuffled

    @cached_property
    def printed(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """An entry for each different row that is printed, in the order of what is printed; and the copies of it."""
        ranks = [_ranks(self.labels[column])[self.published[:, i]] for i, column in enumerate(self.columns)]
        keys = row_keys(ranks) if ranks else np.zeros(len(self.entry), dtype=np.int64)
        order = np.argsort(keys, kind="stable")
        first = np.flatnonzero(np.diff(keys[order], prepend=-1))
        copies = np.add.reduceat(self.copies[order], first) if len(first) else self.copies[:0]
        return order[first], copies

    def shuffled(self, copies: NDArray[np.int64], folder: Path | None = None) -> NDArray[np.int32]:
        """The number of the printed row at each place of the release; if there are very many, in a file of the folder.

        Rows are in the order of what is printed before they are shuffled, so that their places depend on the published
        rows and the seed alone: whoever knows the seed and undoes the shuffle learns nothing about the values behind.
        """
        from sfumato import _core

        records = int(copies.sum())
        rows: NDArray[np.int32] = np.empty(0 if folder and records > _MANY else records, dtype=np.int32)
        if folder is not None and records > _MANY:
            rows = np.asarray(np.memmap(folder / "order", dtype=np.int32, mode="w+", shape=(records,)))
        stop = 0
        for start in range(0, len(copies), _BLOCK):
            some = copies[start : start + _BLOCK]
            begin, stop = stop, stop + int(some.sum())
            rows[begin:stop] = np.repeat(np.arange(start, start + len(some), dtype=np.int32), some)
        _core.shuffle(rows, np.random.PCG64(self.seed))
        return rows


def sorted_rows(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """The order that sorts rows of small numbers from 0 up, the first column first; equal rows stay as they are."""
    return np.argsort(row_keys(columns), kind="stable")


def row_keys(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """A number from 0 up for each row of small numbers, in the order of the rows, the first column first."""
    key, room = columns[0].astype(np.int64), int(columns[0].max(initial=0)) + 1
    for column in columns[1:]:
        values = int(column.max(initial=0)) + 1
        if room * values > _WIDEST_KEY:  # the numbers of different keys so far do as well
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            room = int(key.max(initial=0)) + 1
        key = key * values + column
        room *= values
    return key


def _ranks(labels: Sequence[str | None]) -> NDArray[np.int64]:
    """The place of each label among all, by code point; the missing value comes first."""
    place = {label: i for i, label in enumerate(sorted({label or "" for label in labels}))}
    return np.array([place[label or ""] for label in labels], dtype=np.int64)
