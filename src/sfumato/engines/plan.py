"""Release plan: for every distinct combination of values, what is published in its place, and how many times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import UnitCounts
from sfumato.engines.items import SetLabels
from sfumato.engines.set_cells import MARK

_WIDEST_KEY = 1 << 62


@dataclass(frozen=True, eq=False)
class ReleasePlan:
    """Distinct combination → list of (published row, count); copies of a combination without an entry are suppressed.

    A global map value → value is the case with one entry per combination. Row numbers never enter: equal rows are
    interchangeable.

    The released rows are in the order of a hash, so that every engine releases the same rows in the same order, and
    the order tells nothing that the rows do not. The hash of a row is the MD5, in UTF-8, of these texts joined by
    chr(31): the seed in decimal; the row's cells in the order of the columns; the number of the copy, in decimal, where
    equal rows are counted from 0 on. The text of a published cell is its label, of a kept cell what a CSV file would
    show of it; a missing cell is chr(30). Items of a set, which chr(31) divides in a label, are joined by chr(29).
    Hashes are compared byte by byte, as their hexadecimal texts are.

    Rows that differ can only hash alike if there is a chr(29) or chr(30) in a label, or one of these or a chr(31) in a
    kept cell: such rows come last among those of one hash, in the order of their labels as `columns` has them, then of
    their kept cells, by code point, the missing one first.

    Where a combination has several entries and there are kept columns, its records go to the entries, one entry after
    the other, in the order of the MD5 of the seed, their kept cells, and the number of the copy among those of the
    combination that are equal in them, joined in the same way.
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

    @cached_property
    def printed(self) -> Printed:
        """The different rows that are printed, in the order of what is printed; sets as they are listed."""
        ranks = (_ranks(self.labels[column])[self.published[:, i]] for i, column in enumerate(self.columns))
        keys = row_keys(ranks) if self.columns else np.zeros(len(self.entry), dtype=np.int64)
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        is_first = np.r_[True, keys[1:] != keys[:-1]][: len(keys)]
        first = np.flatnonzero(is_first)
        copies = np.add.reduceat(self.copies[order], first) if len(first) else self.copies[:0]
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.cumsum(is_first) - 1
        return Printed(order[first], copies, number)


@dataclass(frozen=True, eq=False)
class Printed:
    """Different rows that are printed, numbered: several entries may publish the same."""

    entries: NDArray[np.int64] = field(repr=False)  # per row: an entry that publishes it
    copies: NDArray[np.int64] = field(repr=False)  # per row
    number: NDArray[np.int32] = field(repr=False)  # per entry of the plan: its row


def cell_text(label: str | None) -> str:
    """What is hashed of a published cell."""
    return "\x1e" if label is None else label.replace(MARK, "\x1d")


def sorted_rows(columns: Iterable[NDArray[Any]]) -> NDArray[np.int64]:
    """The order that sorts rows of small numbers from 0 up, the first column first; equal rows stay as they are."""
    return np.argsort(row_keys(columns), kind="stable")


def row_keys(columns: Iterable[NDArray[Any]]) -> NDArray[np.int64]:
    """A number from 0 up for each row of small numbers, in the order of the rows, the first column first.

    There are many rows: a column is looked at once, and nothing is made twice.
    """
    rest = iter(columns)
    first = next(rest)
    key, room = first.astype(np.int64), int(first.max(initial=0)) + 1
    for column in rest:
        values = int(column.max(initial=0)) + 1
        if room * values > _WIDEST_KEY:  # the numbers of different keys so far do as well
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            room = int(key.max(initial=0)) + 1
        key *= values
        key += column
        room *= values
    return key


def _ranks(labels: Sequence[str | None]) -> NDArray[np.int64]:
    """The place of each label among all, by code point; the missing value comes first. No two sets are alike."""
    if isinstance(labels, SetLabels):
        return np.arange(len(labels))
    different = sorted(set(labels), key=lambda label: (label is not None, label or ""))
    place = {label: i for i, label in enumerate(different)}
    return np.array([place[label] for label in labels], dtype=np.int32)
