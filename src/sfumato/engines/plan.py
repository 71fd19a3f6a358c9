"""Release plan: for every distinct combination of values, what is published in its place, and how many times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ReleasePlan:
    """Distinct combination → list of (published row, count); copies of a combination without an entry are suppressed.

    A global map value → value is the case with one entry per combination. Row numbers never enter: equal rows are
    interchangeable. Without further columns the release is `rows()`. With them, an engine deals the rows of a
    combination out to its entries, in the order of the hash of their kept cells, and sorts what it releases by the hash
    of all its cells. The hash is MD5 of the seed and the cells, joined by chr(31); a missing cell is chr(30).
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

    def rows(self) -> NDArray[np.int32]:
        """The published rows as positions in `labels`, shuffled, for a release without further columns.

        They are sorted by what is printed before they are shuffled, so that the order depends on the published rows and
        the seed alone: whoever knows the seed and undoes the shuffle learns nothing about the values behind them.
        """
        ranks = [
            _ranks(self.labels[column])[self.published[:, i]] for i, column in reversed([*enumerate(self.columns)])
        ]
        order = np.lexsort(ranks) if ranks else np.arange(len(self.entry))
        rows = np.repeat(order, self.copies[order])
        np.random.Generator(np.random.PCG64(self.seed)).shuffle(rows)
        shuffled: NDArray[np.int32] = self.published[rows]
        return shuffled


def _ranks(labels: Sequence[str | None]) -> NDArray[np.int64]:
    """The place of each label among all, by code point; the missing value comes first."""
    place = {label: i for i, label in enumerate(sorted({label or "" for label in labels}))}
    return np.array([place[label or ""] for label in labels], dtype=np.int64)
