"""Release plan: for every distinct combination of values, what is published in its place, and how many times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ReleasePlan:
    """Distinct combination → list of (published row, count); copies of a combination without an entry are suppressed.

    A global map value → value is the case with one entry per combination. Row numbers never enter: equal rows are
    interchangeable, and an engine that must choose among them does so by a seeded hash of what else the rows hold.
    """

    columns: tuple[str, ...]  # what was counted, in the order of publication
    codes: Mapping[str, Mapping[str | None, int]]  # column → value's text (None: missing) → code
    combinations: NDArray[np.int32]  # codes, one row per combination
    counts: NDArray[np.int64]  # records per combination
    entry: NDArray[np.int64]  # per entry: its combination
    published: NDArray[np.int32]  # per entry: position in `labels` of every column
    copies: NDArray[np.int64]  # per entry
    labels: Mapping[str, Sequence[str | None]]  # what is printed; None is an empty cell
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

        The order depends on the entries and the seed alone: the place of a row says nothing about where it came from.
        """
        rows = np.repeat(np.arange(len(self.entry)), self.copies)
        np.random.Generator(np.random.PCG64(self.seed)).shuffle(rows)
        return self.published[rows]
