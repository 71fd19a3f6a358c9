"""Re-identification risk: how likely it is that somebody finds the record of a person.

The prosecutor knows that a person is in the data, and picks one of the persons of its class; the journalist does not
know it, and picks one of the population; the marketer links everybody, and counts how often that is right.
K. El Emam, "Guide to the De-Identification of Personal Health Information", CRC Press, 2013, Chapter 16; the marketer:
F. K. Dankar, K. El Emam, "A method for evaluating marketer re-identification risk", PAIS 2010.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.evaluate.crowds import Crowds, crowds
from sfumato.evaluate.sides import Side
from sfumato.settings.exact import Number, share, whole


@dataclass(frozen=True)
class Attack:
    """The risk of persons under one attack."""

    highest: float | None  # of the person at the highest risk
    average: float | None  # the mean over all persons
    at_risk: float | None  # the share of persons whose risk is above the threshold


@dataclass(frozen=True)
class Risk:
    """What a table gives away to somebody who knows the quasi-identifiers of a person; all 0 if it has no records.

    Persons are the units, or the records where everybody has one. Who has records in several classes is as easy to
    find as in the smallest of them. `highest`, `average` and `at_risk` are the prosecutor's.
    Where persons have several records, and the table does not say whose each is, what counts persons is None: unknown.
    """

    records: int
    persons: int | None
    classes: int
    smallest_class: int | None  # persons
    uniques: int | None  # persons who are alone in their class
    small: int | None  # persons in classes of fewer than k
    k: int
    highest: float | None
    average: float | None
    at_risk: float | None
    threshold: float
    marketer: float | None  # the expected share of persons that are found
    journalist: Attack

    @property
    def prosecutor(self) -> Attack:
        """The risk of a person who is known to be in the data."""
        return Attack(self.highest, self.average, self.at_risk)

    @property
    def uniques_share(self) -> float | None:
        """The share of persons who are alone."""
        return self._share(self.uniques)

    @property
    def small_share(self) -> float | None:
        """The share of persons in classes of fewer than k."""
        return self._share(self.small)

    def _share(self, some: int | None) -> float | None:
        if some is None or self.persons is None:
            return None
        return some / self.persons if self.persons else 0.0


def unknown_risk(side: Side, *, threshold: Number = 0.05, k: int = 5) -> Risk:
    """What can be said of a side that does not tell whose its records are, where persons have several."""
    records, classes = side.frequencies.records, len(side.classes.sizes)
    limit, least = float(share(threshold, "threshold")), whole(k, "k", least=1)
    unknown = Attack(None, None, None)
    return Risk(records, None, classes, None, None, None, least, None, None, None, limit, None, unknown)


def risk(side: Side, *, threshold: Number = 0.05, k: int = 5, population: NDArray[np.int64] | None = None) -> Risk:
    """The risk of one side.

    threshold: a risk above it is too high. k: a class with fewer persons is small.
    population: the persons of each class in the population; without it, the journalist is as well off as the
    prosecutor. Whoever is in the data is in the population, so no class counts fewer persons there than here.
    """
    limit, least = share(threshold, "threshold"), whole(k, "k", least=1)
    classes, f = side.classes, side.frequencies
    here = crowds(classes.ids, side.persons, f.counts, f.units)
    there = here
    if population is not None:
        there = crowds(classes.ids, np.maximum(population, side.persons), f.counts, f.units)

    def attack(who: Crowds) -> Attack:
        return Attack(who.highest, who.average, who.above(limit))

    prosecutor, journalist = attack(here), attack(there)
    return Risk(
        records=f.records,
        persons=here.total,
        classes=len(classes.sizes),
        smallest_class=here.smallest,
        uniques=here.below(2),
        small=here.below(least),
        k=least,
        highest=prosecutor.highest,
        average=prosecutor.average,
        at_risk=prosecutor.at_risk,
        threshold=float(limit),
        marketer=journalist.average,
        journalist=journalist,
    )
