"""Singling out: how many people are the only one with their values, or are among a few, in one or several columns.

Article 29 Data Protection Working Party, Opinion 05/2014 on anonymisation techniques, Section 2.2. Uniqueness in a
sample: L. Sweeney, "Simple demographics often identify people uniquely", Carnegie Mellon University, 2000.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import class_ids
from sfumato.engines import UnitCounts
from sfumato.errors import InputError
from sfumato.evaluate.crowds import crowds
from sfumato.settings.exact import whole

_MOST_CANDIDATES = 200_000  # sets that are looked at by their bounds

Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class SinglingOut:
    """Records that some columns, taken together, tell apart from all or nearly all others; with units, persons."""

    columns: tuple[str, ...]
    records: int
    classes: int  # different combinations of values
    alone: int  # records whose combination nobody shares
    small: int  # records whose combination fewer than k share, themselves included
    k: int

    @property
    def alone_share(self) -> float:
        """The share of records that are alone."""
        return self.alone / self.records if self.records else 0.0

    @property
    def small_share(self) -> float:
        """The share of records in classes of fewer than k."""
        return self.small / self.records if self.records else 0.0


@dataclass(frozen=True)
class Ranking:
    """The sets of columns that single out most people, the worst first."""

    sets: tuple[SinglingOut, ...]
    examined: int  # sets that were counted; bounds ruled the others out
    complete: bool  # False: there were too many sets, and one that was not counted may belong here


def singled_out(
    columns: Sequence[str], codes: Codes, counts: NDArray[np.int64], k: int = 5, units: UnitCounts | None = None
) -> SinglingOut:
    """The measure of all these columns together, on a frequency table: rows of codes, and how often each occurs.

    units: whose records they are; then persons are counted, and someone with several records is as easy to single out
    as the easiest of them.
    """
    codes, counts = _coded(columns, codes, counts)
    k = whole(k, "k", least=1)
    if units is None:
        return _measured(columns, _class_sizes(codes, counts), k)
    return _measured_by_person(columns, codes, counts, units, k)


def rank(
    columns: Sequence[str],
    codes: Codes,
    counts: NDArray[np.int64],
    *,
    size: int,
    k: int = 5,
    top: int = 5,
    most: int = 1_000,
    units: UnitCounts | None = None,
) -> Ranking:
    """The `top` sets of `size` columns by records alone, then by records in small classes; with units, by persons.

    One more column with v values splits a class of n records into min(n, v) classes at most. So the parts of a set
    bound its classes, and with them its records or persons alone; sets are counted in the order of that bound until it
    falls below those already listed. At most `most` are counted at each size; `complete` says whether that was enough.
    """
    codes, counts = _coded(columns, codes, counts)
    size, k = whole(size, "size", least=0), whole(k, "k", least=1)
    top, most = whole(top, "top", least=1), whole(most, "most", least=1)
    table = np.asfortranarray(codes)
    values = np.array([len(np.unique(column)) for column in table.T], dtype=np.int64)
    chosen = _worth_looking_at(values.tolist(), size)
    # splits[subset][i]: at most so many classes if column i joins in.
    splits: dict[tuple[int, ...], NDArray[np.int64]] = {(): np.minimum(values, counts.sum())}
    complete, examined, ranked = len(chosen) == len(values), 0, list[SinglingOut]()
    for members in range(1, size + 1):
        ranked, used = [], 0
        for bound, subset in _by_bound(chosen, members, splits):
            splits[subset] = bound * values
            if len(ranked) >= top and (not ranked or bound < ranked[-1].alone):
                continue
            if used == most:
                complete = False
                continue
            sizes = _class_sizes(table[:, list(subset)], counts)
            splits[subset] = _splits(sizes, values)
            names = [columns[i] for i in subset]
            if units is None:
                measured = _measured(names, sizes, k)
            else:
                measured = _measured_by_person(names, table[:, list(subset)], counts, units, k)
            ranked = sorted([*ranked, measured], key=lambda one: (-one.alone, -one.small))[:top]
            used += 1
        examined += used
    return Ranking(tuple(ranked), examined, complete)


def _coded(columns: Sequence[str], codes: Any, counts: Any) -> tuple[Codes, NDArray[np.int64]]:
    """The frequency table, if it is one: a column of codes for each name, and a count for each row."""
    try:
        table, times = np.asarray(codes), np.asarray(counts)
        fits = table.shape == (len(times), len(columns)) and times.ndim == 1 and not isinstance(columns, str)
    except (TypeError, ValueError):
        fits = False
    if not fits or table.dtype.kind not in "iu" or times.dtype.kind not in "iu":
        raise InputError(
            "What is given is not a frequency table; give codes with a column for each name, and a count for each row, "
            "such as frequencies.codes and frequencies.counts of a table."
        )
    return table, times.astype(np.int64, copy=False)


def _measured(columns: Sequence[str], sizes: NDArray[np.int64], k: int) -> SinglingOut:
    alone, small = int((sizes == 1).sum()), int(sizes[sizes < k].sum())
    return SinglingOut(tuple(columns), int(sizes.sum()), len(sizes), alone, small, k)


def _measured_by_person(
    columns: Sequence[str], codes: Codes, counts: NDArray[np.int64], units: UnitCounts, k: int
) -> SinglingOut:
    ids = class_ids(codes)
    classes = int(ids.max(initial=-1)) + 1
    crowd = crowds(ids, units.per_class(ids, classes), counts, units)
    return SinglingOut(tuple(columns), crowd.total, classes, crowd.below(2), crowd.below(k), k)


def _worth_looking_at(values: Sequence[int], size: int) -> list[int]:
    """All columns if their sets can be listed, else those with the most values."""
    chosen = sorted(range(len(values)), key=lambda i: -values[i])
    while len(chosen) > size and comb(len(chosen), size) > _MOST_CANDIDATES:
        chosen.pop()
    return sorted(chosen)


def _by_bound(
    chosen: Sequence[int], members: int, splits: Mapping[tuple[int, ...], NDArray[np.int64]]
) -> list[tuple[int, tuple[int, ...]]]:
    """The sets of so many columns, each after a bound on its number of classes, the largest bound first."""
    bounded = [
        (min(int(splits[subset[:i] + subset[i + 1 :]][subset[i]]) for i in range(members)), subset)
        for subset in combinations(chosen, members)
    ]
    return sorted(bounded, key=lambda entry: (-entry[0], entry[1]))


def _splits(sizes: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each number of values, the sum of min(n, values) over all class sizes n."""
    ordered = np.sort(sizes)
    sums = np.concatenate([[0], np.cumsum(ordered)])
    smaller = np.searchsorted(ordered, values)
    return np.asarray(sums[smaller] + values * (len(ordered) - smaller), dtype=np.int64)


def _class_sizes(codes: Codes, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Records per class."""
    values = [int(column.max(initial=0)) + 1 for column in codes.T]
    if prod(values) <= 4 * len(codes) + 1024:  # a counter for each possible class, without sorting
        key = np.zeros(len(codes), dtype=np.int64)
        for column, room in zip(codes.T, values, strict=True):
            key = key * room + column
    else:
        key = class_ids(codes)
    # Sums of whole numbers below 2^53 are exact in float64.
    sizes = np.bincount(key, weights=counts).astype(np.int64)
    return sizes[sizes > 0]
