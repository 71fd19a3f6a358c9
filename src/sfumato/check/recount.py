"""Recount of published sets: is every set of up to m items that occurs in k transactions? By products of matrices.

Items come from the rarest to the most frequent. The transactions with some items are the rows of a matrix, and the
items after these, its columns; the product of the matrix with itself says how many transactions have each pair with
them. Long transactions come first, and as soon as every pair is in k of them, the others need no look. A matrix is no
larger than the data: where the least frequent item is in n transactions, each of the columns is in n or more. No search
is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.items import ItemRecords

Matrix = NDArray[Any]  # of numbers in which k is exact

_HEAD = 1024  # rows that are looked at first
_FEW = 64  # columns of which no two are sought that are equal


def rare_supports(records: ItemRecords, k: int, m: int, most: int) -> list[int]:
    """Supports, below k, of sets of up to m items that occur: of each such set or a part of it, but at most so many.

    Of items that the same transactions have, where these are few, one may stand for all.
    """
    return list(islice(_Recount(k).over(records, m), most))


@dataclass(frozen=True)
class _Recount:
    k: int
    kind: Any = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", np.float32 if self.k < 1 << 24 else np.float64)

    def over(self, records: ItemRecords, m: int) -> Iterator[int]:
        """The supports of rare items, and of rare sets by their least frequent item."""
        owner = np.repeat(np.arange(len(records)), records.lengths)
        codes, item = np.unique(records.items, return_inverse=True)
        support = np.bincount(item, weights=records.weight[owner], minlength=len(codes))
        yield from support[support < self.k].astype(np.int64).tolist()
        held = np.bincount(item, minlength=len(codes))
        rank = np.empty(len(codes), dtype=np.int64)
        rank[np.lexsort((support, held))] = np.arange(len(codes))
        if m < 2:
            return
        owner, rank = np.divmod(np.sort(owner * len(codes) + rank[item]), max(len(codes), 1))
        end = np.cumsum(records.lengths)  # of each transaction
        places = np.argsort(rank, kind="stable")
        begin = np.searchsorted(rank[places], np.arange(len(codes) + 1))
        weight = np.minimum(records.weight, self.k)
        for first in range(len(codes)):
            at = places[begin[first] : begin[first + 1]]
            rows = owner[at]
            if records.weight[rows].sum() >= self.k:
                yield from self._beginning(at, end[rows], weight[rows], rank, m)

    def _beginning(
        self,
        at: NDArray[np.int64],
        end: NDArray[np.int64],
        weight: NDArray[np.int64],
        rank: NDArray[np.int64],
        m: int,
    ) -> Iterator[int]:
        """The rare sets whose least frequent item is at these places of transactions that end there."""
        longest = np.argsort(at - end, kind="stable")
        at, end, weight = at[longest], end[longest], weight[longest]
        after = end - at - 1
        row = np.repeat(np.arange(len(at)), after)
        skipped = np.repeat(at + 1 - np.r_[0, np.cumsum(after)[:-1]], after)
        names, column = np.unique(rank[skipped + np.arange(len(row))], return_inverse=True)
        support = np.bincount(column, weights=weight[row], minlength=len(names))
        yield from support[support < self.k].astype(np.int64).tolist()
        kept = np.flatnonzero(support >= self.k)
        if m < 3 or len(kept) < 2:
            return
        number = np.full(len(names), -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        column = number[column]
        matrix = np.zeros((len(at), len(kept)), dtype=self.kind)
        matrix[row[column >= 0], column[column >= 0]] = 1
        yield from self._below(matrix, weight.astype(self.kind), m - 1)

    def _below(self, matrix: Matrix, weight: Matrix, size: int) -> Iterator[int]:
        """The rare sets of 2 to `size` columns, each of which is frequent enough by itself."""
        several = matrix.sum(axis=1) > 1
        matrix, weight = matrix[several], weight[several]
        if matrix.shape[1] > max(len(matrix), _FEW):
            matrix = np.unique(matrix, axis=1)
        supports = self._pairs(matrix, weight)
        pairs = np.triu(supports, 1)
        yield from pairs[(pairs > 0) & (pairs < self.k)].astype(np.int64).tolist()
        if size == 2:
            return
        enough = np.triu(supports >= self.k, 1)
        for first in range(matrix.shape[1] - 2):
            columns = np.flatnonzero(enough[first])
            if len(columns) < 2 or (size == 3 and self._plenty(matrix[:_HEAD], weight[:_HEAD], first, columns)):
                continue
            rows = np.flatnonzero(matrix[:, first])
            yield from self._below(matrix[rows[:, None], columns], weight[rows], size - 1)

    def _plenty(self, matrix: Matrix, weight: Matrix, first: int, columns: NDArray[np.int64]) -> bool:
        """Whether some rows are enough to have k of each pair of columns together with the first."""
        some = matrix[:, columns]
        return bool((some.T @ (some * (weight * matrix[:, first])[:, None]) >= self.k).all())

    def _pairs(self, matrix: Matrix, weight: Matrix) -> Matrix:
        """How many rows have each pair of columns; counted no further than all of them are k."""
        done, step = 0, _HEAD
        counts = np.zeros((matrix.shape[1],) * 2, dtype=self.kind)
        while done < len(matrix) and not (counts >= self.k).all():
            some = matrix[done : done + step]
            counts += some.T @ (some * weight[done : done + step, None])
            done, step = done + step, 4 * step
        return counts
