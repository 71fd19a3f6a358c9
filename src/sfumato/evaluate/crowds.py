"""Crowds: among how many persons each person of a table hides.

A person's crowd is the number of different persons of its class; who has records in several classes is found where the
crowd is smallest. A record whose unit is not known may be anybody's in its class; a class of such records alone is one
person.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum

import numpy as np
from numpy.typing import NDArray

from sfumato.engines import UnitCounts


@dataclass(frozen=True, eq=False)
class Crowds:
    """How many persons have a crowd of each size."""

    sizes: NDArray[np.int64] = field(repr=False)  # the different sizes, the smallest first
    persons: NDArray[np.int64] = field(repr=False)  # by size

    @property
    def total(self) -> int:
        """All persons."""
        return int(self.persons.sum())

    @property
    def smallest(self) -> int:
        """The smallest crowd; 0 if there is nobody."""
        return int(self.sizes[0]) if len(self.sizes) else 0

    def below(self, k: int) -> int:
        """Persons in crowds of fewer than k."""
        return int(self.persons[self.sizes < k].sum())

    @property
    def highest(self) -> float:
        """The largest chance to pick the right person out of a crowd."""
        return 1 / self.smallest if self.total else 0.0

    @property
    def average(self) -> float:
        """The mean of that chance over all persons."""
        return fsum((self.persons / self.sizes).tolist()) / self.total if self.total else 0.0

    def above(self, threshold: Fraction) -> float:
        """The share of persons for whom that chance is above a threshold."""
        n, d = threshold.numerator, threshold.denominator
        pairs = zip(self.sizes.tolist(), self.persons.tolist(), strict=True)
        risky = sum(persons for size, persons in pairs if size * n < d)  # 1 / size > n / d
        return risky / self.total if self.total else 0.0


def crowds(
    ids: NDArray[np.int64], per_class: NDArray[np.int64], counts: NDArray[np.int64], units: UnitCounts | None
) -> Crowds:
    """The crowds of everybody in a table.

    ids: the class of each combination. per_class: the crowd of each class. counts: records per combination.
    """
    if units is None:
        return _gathered(per_class[ids], counts)
    nowhere = np.iinfo(np.int64).max
    least = np.full(int(units.person.max(initial=-1)) + 1, nowhere)
    np.minimum.at(least, units.person, per_class[ids[units.combination]])
    least = least[least < nowhere]  # some persons may have records only where no record is published
    # Classes in which nobody is known: somebody is there.
    has_units = np.zeros(len(per_class), dtype=bool)
    has_units[ids[units.own > 0]] = True
    has_units[ids[units.combination]] = True
    nobody = per_class[~has_units]
    ones = np.ones(len(least) + len(nobody), dtype=np.int64)
    return _gathered(np.concatenate([per_class[ids], least, nobody]), np.concatenate([units.own, ones]))


def _gathered(sizes: NDArray[np.int64], persons: NDArray[np.int64]) -> Crowds:
    different, place = np.unique(sizes[persons > 0], return_inverse=True)
    total = np.zeros(len(different), dtype=np.int64)
    np.add.at(total, place, persons[persons > 0])
    return Crowds(different, total)
