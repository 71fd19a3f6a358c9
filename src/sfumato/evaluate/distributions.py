"""Distributions: how far a release shifts the shares of values, how large its classes are, and what it leaves empty.

Both sides print the labels of the release, as for marginals. The total variation distance is half the sum of the
differences of all shares: the least share of records to change to make the two equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum

import numpy as np

from sfumato.check.classes import UNKNOWN
from sfumato.evaluate.marginals import Marginal, Share, marginal
from sfumato.evaluate.sides import Side

_BANDS = (1, 2, 5, 10, 20, 50, 100, 1000)  # where bands of class sizes begin


@dataclass(frozen=True)
class Distribution:
    """One published column, before and after, by records.

    Only published labels are listed; what the data has besides them is one number.
    """

    column: str
    shares: tuple[Share, ...] = field(repr=False)  # of the published labels; none if nothing can be compared
    withheld: float | None  # the share of the original whose label is not published at all
    total_variation: float | None  # None: it is not known which labels stand for which values
    missing_before: float  # the share of empty cells
    missing_after: float
    suppressed: float  # the share of released cells that print *

    @property
    def largest(self) -> float | None:
        """The largest difference of a published label's share."""
        return max((abs(share.difference) for share in self.shares), default=None)


@dataclass(frozen=True)
class SizeBand:
    """Classes of some sizes, in persons, and the records in them."""

    least: int
    most: int | None  # None: no limit
    classes_before: int
    records_before: int
    classes_after: int | None  # None: whose the released records are is unknown
    records_after: int | None

    def __str__(self) -> str:
        if self.most is None:
            return f"{self.least:,} or more"
        return f"{self.least:,}" if self.least == self.most else f"{self.least:,} to {self.most:,}"


def distribution(name: str, before: Side, after: Side, compared: Marginal | None) -> Distribution:
    """A column of both sides; `compared` is its marginal by records, or None if its labels cannot be compared."""
    old, new = (_shares(side.records(name)) for side in (before, after))
    cells = old.get(None, 0.0), new.get(None, 0.0), new.get(UNKNOWN, 0.0)
    if compared is None:
        return Distribution(name, (), None, None, *cells)
    published = tuple(share for share in compared.shares if share.released)
    withheld = fsum(share.original for share in compared.shares if not share.released)
    return Distribution(name, published, withheld, compared.total_variation, *cells)


def _shares(records: Mapping[str | None, int]) -> dict[str | None, float]:
    total = sum(records.values())
    return {label: n / total for label, n in records.items()}


def blurred(name: str, before: Side, after: Side, label_of: Mapping[str | None, str | None] | None) -> Marginal | None:
    """The marginal of a column by records; `label_of` says what is published in place of a value, as far as it is.

    A value without a label stays as it is, for no published label stands for it. None if nothing can be compared.
    """
    old, new = before.records(name), after.records(name)
    if label_of is None or not old or not new:
        return None
    original: dict[str | None, Fraction] = {}
    for value, records in old.items():
        label = label_of.get(value, value)
        original[label] = original.get(label, Fraction(0)) + records
    return marginal(name, "records", original, {label: Fraction(records) for label, records in new.items()})


def class_sizes(before: Side, after: Side | None) -> tuple[SizeBand, ...]:
    """How many classes have how many persons, and how many records are in them, in bands from 1 to 1,000 and more.

    after: None if it does not tell whose its records are.
    """
    ends = [*(least - 1 for least in _BANDS[1:]), None]
    return tuple(
        SizeBand(
            least,
            most,
            *_between(before, least, most),
            *((None, None) if after is None else _between(after, least, most)),
        )
        for least, most in zip(_BANDS, ends, strict=True)
    )


def _between(side: Side, least: int, most: int | None) -> tuple[int, int]:
    """The classes of a side with so many persons, and the records in them."""
    inside = side.persons >= least
    if most is not None:
        inside &= side.persons <= most
    return int(np.count_nonzero(inside)), int(side.classes.sizes[inside].sum())
