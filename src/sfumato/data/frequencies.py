"""Frequency table: the distinct combinations of quasi-identifiers, sensitive values and target, with counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.data.distribution import Distribution
from sfumato.engines import UnitCounts
from sfumato.errors import DataError
from sfumato.hierarchies import Hierarchy

MOST_COMBINATIONS = (1 << 31) - 1  # what is published of each is numbered in 32 bits
MOST_RECORDS = (1 << 36) - 1  # the core multiplies counts with thresholds in 128 bits


@dataclass(frozen=True, eq=False)
class Column:
    """A counted column: what its codes stand for."""

    name: str
    labels: tuple[str | None, ...] = field(repr=False)  # by code; None is the missing value
    hierarchy: Hierarchy | None = None
    unknown: int | None = field(default=None, kw_only=True)  # the code of suppressed values, which are no value


@dataclass(frozen=True, eq=False)
class QuasiIdentifier(Column):
    """A column that may be generalised; its codes are the leaves of its hierarchy, depth first."""

    hierarchy: Hierarchy = field()


def require_countable(counts: NDArray[np.int64]) -> None:
    """Raises a DataError if there are more combinations, or more records of them, than searches count."""
    if len(counts) > MOST_COMBINATIONS:
        raise DataError(
            f"The data has {len(counts):,} distinct combinations, and at most {MOST_COMBINATIONS:,} can be counted; "
            "name fewer quasi-identifiers, or anonymize parts of the data, each by itself."
        )
    if (records := counts.sum(dtype=np.float64)) > MOST_RECORDS:  # exact below 2^53, and larger ones stay larger
        raise DataError(
            f"The data has {records:,.0f} records, and at most {MOST_RECORDS:,} can be counted; anonymize parts of "
            "the data, each by itself."
        )


def different_codes(column: NDArray[np.int32]) -> NDArray[np.int64]:
    """The codes that occur in a column, in order."""
    return np.flatnonzero(np.bincount(column, minlength=1))


@dataclass(frozen=True, eq=False)
class FrequencyTable:
    """All that the searches see of the data."""

    quasi_identifiers: tuple[QuasiIdentifier, ...]
    others: tuple[Column, ...]  # sensitive attributes and the target
    codes: NDArray[np.int32] = field(repr=False)  # a row per combination, quasi-identifiers first; rows sorted
    counts: NDArray[np.int64] = field(repr=False)
    units: UnitCounts | None = field(default=None, repr=False)  # None: every record is a unit of its own
    weights: NDArray[np.float64] | None = field(default=None, repr=False)  # the sum of the records' weights
    target: str | None = None  # the column of labels, if there is one
    sensitive: tuple[str, ...] = ()  # the columns whose values must not be learnt

    def __post_init__(self) -> None:
        require_countable(self.counts)
        # A table that was cut down in some columns only would count other people's units without a word.
        for column in (None if self.units is None else self.units.own, self.weights):
            if column is not None and len(column) != len(self.counts):
                raise ValueError("units and weights are those of other combinations; use `taken`")

    @property
    def columns(self) -> tuple[Column, ...]:
        """All counted columns, in the order of the codes."""
        return (*self.quasi_identifiers, *self.others)

    @cached_property
    def records(self) -> int:
        """N, the number of records."""
        return int(self.counts.sum())

    @cached_property
    def leaves(self) -> tuple[NDArray[np.int64], ...]:
        """The codes that occur, by quasi-identifier, in order."""
        return tuple(map(different_codes, self.codes.T[: len(self.quasi_identifiers)]))

    def position(self, name: str) -> int:
        """Where a column stands in the codes."""
        return [column.name for column in self.columns].index(name)

    def taken(self, chosen: NDArray[np.int64]) -> FrequencyTable:
        """These combinations alone, in this order."""
        return replace(
            self,
            codes=self.codes[chosen],
            counts=self.counts[chosen],
            units=self.units and self.units.taken(chosen),
            weights=None if self.weights is None else self.weights[chosen],
        )

    @cached_property
    def distributions(self) -> dict[str, Distribution]:
        """How often each value of the columns that are not generalised occurs, by column."""
        distributions = {}
        for column in self.others:
            records = np.zeros(len(column.labels), dtype=np.int64)
            np.add.at(records, self.codes[:, self.position(column.name)], self.counts)
            if column.unknown is not None:
                records[column.unknown] = 0
            counts = {label or "": n for label, n in zip(column.labels, records.tolist(), strict=True) if n}
            distributions[column.name] = Distribution(column.name, counts, column.hierarchy)
        return distributions

    def generalized(self, levels: Sequence[int]) -> NDArray[np.int32]:
        """The quasi-identifiers' codes at these levels: numbers of nodes along each level."""
        columns = [
            attribute.hierarchy.groups[level][self.codes[:, a]]
            for a, (attribute, level) in enumerate(zip(self.quasi_identifiers, levels, strict=True))
        ]
        return np.stack(columns, axis=1) if columns else np.empty((len(self.counts), 0), dtype=np.int32)
