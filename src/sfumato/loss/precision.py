"""Precision: how high values were raised in their hierarchies, on average.

L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", IJUFKS 10(5), 2002 (Prec).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.loss.base import CoreLoss, Loss, whole_units


@dataclass(frozen=True)
class Precision(Loss):
    """Cost of a record: Σ_a level_a/height_a; suppressed: every value at the top. Prec is 1 - relative cost."""

    name: ClassVar[str] = "precision"
    paper: ClassVar[str] = "Sweeney, IJUFKS 2002"

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        heights = [attribute.hierarchy.height for attribute in frequencies.quasi_identifiers]
        raised = [0] * len(heights)
        for summary in classes:
            for a, level in enumerate(summary.levels):
                raised[a] += summary.size * level
        published = sum((Fraction(n, height) for n, height in zip(raised, heights, strict=True) if height), Fraction(0))
        return published + suppressed * sum(height > 0 for height in heights)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        most = frequencies.records * len(frequencies.quasi_identifiers)
        return cost / most if most else Fraction(0)

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        hierarchies = [attribute.hierarchy for attribute in frequencies.quasi_identifiers]
        prices = [Fraction(1, hierarchy.height or 1) for hierarchy in hierarchies]
        weights = tuple(
            tuple(np.full(len(sizes), level, dtype=np.int64) for level, sizes in enumerate(hierarchy.sizes))
            for hierarchy in hierarchies
        )
        price = Fraction(sum(hierarchy.height > 0 for hierarchy in hierarchies))
        values, denominator = whole_units(frequencies, prices, weights, price)
        return CoreLoss((values,), denominator=denominator)
