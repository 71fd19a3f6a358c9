"""Release plan: for every distinct combination of values, what is published in its place, and how many times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_MANY = 50_000_000  # records whose order is better kept on disk
_BLOCK = 100_000  # entries written at a time


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

    @property
    def starts(self) -> NDArray[np.int64]:
        """How many copies of its combination come before each entry."""
        before = np.cumsum(self.copies) - self.copies
        first = np.r_[True, self.entry[1:] != self.entry[:-1]][: len(self.entry)]
        return before - np.maximum.accumulate(np.where(first, before, 0)) if len(before) else before

    def rows(self) -> NDArray[np.int32]:
        """The published rows as positions in `labels`, shuffled, for a release without further columns."""
        shuffled: NDArray[np.int32] = self.published[self.shuffled()]
        return shuffled

    def shuffled(self, folder: Path | None = None) -> NDArray[np.int32]:
        """The entry behind each released row; if there are very many, in a file of the folder instead of in memory.

        Rows are sorted by what is printed before they are shuffled, so that the order depends on the published rows and
        the seed alone: whoever knows the seed and undoes the shuffle learns nothing about the values behind them.
        """
        ranks = [
            _ranks(self.labels[column])[self.published[:, i]] for i, column in reversed([*enumerate(self.columns)])
        ]
        order = np.lexsort(ranks) if ranks else np.arange(len(self.entry))
        records = int(self.copies.sum())
        rows: NDArray[np.int32] = np.empty(records, dtype=np.int32)
        if folder is not None and records > _MANY:
            rows = np.asarray(np.memmap(folder / "order", dtype=np.int32, mode="w+", shape=(records,)))
        ends = np.cumsum(self.copies[order])
        for start in range(0, len(order), _BLOCK):
            some = order[start : start + _BLOCK]
            stop = ends[min(start + _BLOCK, len(order)) - 1]
            rows[stop - int(self.copies[some].sum()) : stop] = np.repeat(some, self.copies[some])
        np.random.Generator(np.random.PCG64(self.seed)).shuffle(rows)
        return rows


def _ranks(labels: Sequence[str | None]) -> NDArray[np.int64]:
    """The place of each label among all, by code point; the missing value comes first."""
    place = {label: i for i, label in enumerate(sorted({label or "" for label in labels}))}
    return np.array([place[label or ""] for label in labels], dtype=np.int64)
