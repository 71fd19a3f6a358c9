"""Retained information: 1 - um, where um is the share of the input's information that a release retains.

H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Definition 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import ClassVar

import numpy as np

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.loss.base import CoreLoss, Loss, Weights, whole_units

_WIDEST = 1 << 40  # beyond that many parts of a value's information, the searches count in parts of this size


@dataclass(frozen=True)
class RetainedInformation(Loss):
    """A published value retains 1/leaves(v) of its information, sensitive values included; a suppressed record nothing.

    The cost is 1 - um: the share of all information, N · (quasi-identifiers + sensitive attributes), that is lost.
    """

    name: ClassVar[str] = "retained-information"
    paper: ClassVar[str] = "Tian and Zhang, ITNG 2009"

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        by_leaves: dict[int | Fraction, int] = defaultdict(int)  # values that cover so many leaves
        retained = Fraction(0)
        for summary in classes:
            for leaves in summary.leaves:
                by_leaves[leaves] += summary.size
            if summary.retained is None:
                by_leaves[1] += summary.size * len(frequencies.sensitive)
            else:
                retained += summary.retained
        retained += sum((Fraction(values, leaves) for leaves, values in by_leaves.items()), Fraction(0))
        everything = self._everything(frequencies)
        return 1 - retained / everything if everything else Fraction(0)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        """The cost itself: it is a share already."""
        return cost

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        prices, weights = [], []
        everything = self._everything(frequencies) or 1
        for attribute in frequencies.quasi_identifiers:
            sizes = [level.tolist() for level in attribute.hierarchy.sizes]
            parts = min(lcm(*(size for level in sizes for size in level)), _WIDEST)
            weights.append(tuple(np.array([parts - parts // n for n in level], dtype=np.int64) for level in sizes))
            prices.append(Fraction(1, parts * everything))
        price = Fraction(self._columns(frequencies), everything)
        table: Weights = tuple(weights)
        values, denominator = whole_units(frequencies, prices, table, price)
        return CoreLoss((values,), denominator=denominator)

    @staticmethod
    def _columns(frequencies: FrequencyTable) -> int:
        return len(frequencies.quasi_identifiers) + len(frequencies.sensitive)

    def _everything(self, frequencies: FrequencyTable) -> int:
        """I(O): every value of the input is worth 1."""
        return frequencies.records * self._columns(frequencies)
