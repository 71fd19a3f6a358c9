"""What an engine counts: combinations of codes, whose records they are, and what the records weigh."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# A weight: a number from 0 up, as people and programs write it.
WEIGHT = r"\+?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"


@dataclass(frozen=True, eq=False)
class UnitCounts:
    """Whose privacy it is, where a person may have several records.

    Persons with all their records in one combination are interchangeable, so they are only counted; the others are
    numbered, and listed with every combination that they have records in. A record without a unit may be anybody's:
    it makes no class larger, except that nobody's class is empty.
    """

    own: NDArray[np.int64] = field(repr=False)  # per combination: units with records nowhere else
    person: NDArray[np.int64] = field(repr=False)  # of each pair: the number of a unit, from 0 on
    combination: NDArray[np.int64] = field(repr=False)  # of each pair: where that unit has records
    unknown: int = 0  # records without a unit

    @property
    def persons(self) -> int:
        """How many different units there are."""
        return int(self.own.sum()) + len(np.unique(self.person))

    def are_records(self, counts: NDArray[np.int64]) -> bool:
        """Whether every record is a unit of its own."""
        return np.array_equal(self.own, counts)

    def taken(self, chosen: NDArray[np.int64]) -> UnitCounts:
        """The units of these combinations, in this order; none is chosen twice."""
        place = np.full(len(self.own), -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        there = place[self.combination] >= 0
        return UnitCounts(self.own[chosen], self.person[there], place[self.combination[there]], self.unknown)

    def per_class(self, ids: NDArray[np.int64], classes: int) -> NDArray[np.int64]:
        """The different units of each class, at least one; `ids` is the class of each combination."""
        units = np.zeros(classes, dtype=np.int64)
        np.add.at(units, ids, self.own)
        cells = np.unique(self.person * classes + ids[self.combination])
        np.add.at(units, cells % max(classes, 1), 1)
        return np.maximum(units, 1)


@dataclass(frozen=True, eq=False)
class Counted:
    """The different combinations of codes, one row each, in any order."""

    combinations: NDArray[np.int32] = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)  # rows per combination
    units: UnitCounts | None = None  # if a unit was asked for
    weights: NDArray[np.float64] | None = field(default=None, repr=False)  # if asked for: their sum by combination
    weightless: int = 0  # rows whose weight is missing, negative, or not a number


def unit_text(text: str | None) -> str | None:
    """The text that a unit is known by: without spaces around it, and 38.0 is 38. Few names are the safe side."""
    return re.sub(r"^(-?[0-9]+)\.0+$", r"\1", (text or "").strip(" \t")) or None


def weight_of(text: str | None) -> float | None:
    """The weight that a text says; None where it says none."""
    trimmed = (text or "").strip(" \t")
    weight = float(trimmed) if re.fullmatch(WEIGHT, trimmed, re.ASCII) else np.inf
    return weight if np.isfinite(weight) else None
