"""Non-uniform entropy: how much less likely a published value makes the original one.

A. Gionis, T. Tassa, "k-Anonymization with minimal loss of information", TKDE 21(2), 2009; A. De Waal, L. Willenborg,
"Information loss through global recoding and local suppression", Netherlands Official Statistics 14, 1999.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.loss.base import CoreLoss, Loss, ValueLoss

_PARTS = 1 << 32  # logarithms are counted in parts of this size, so that sums are exact and ties are ties


@dataclass(frozen=True)
class NonUniformEntropy(Loss):
    """Cost of a record: -Σ_a ln(count(v_a)/count(v*_a)), counts of the input; suppressed: as if all were the root.

    Each logarithm is rounded to 2^-32, once: the loss is defined by these rounded numbers.
    """

    name: ClassVar[str] = "non-uniform-entropy"
    paper: ClassVar[str] = "Gionis and Tassa, TKDE 2009"

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        published = sum(summary.size * sum(map(_parts, summary.covered)) for summary in classes)
        return Fraction(published + suppressed * self._suppressed(frequencies) - self._offset(frequencies), _PARTS)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        most = frequencies.records * self._suppressed(frequencies) - self._offset(frequencies)
        return cost * _PARTS / most if most else Fraction(0)

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        weights = tuple(
            tuple(np.array([_parts(n) for n in level.tolist()], dtype=np.int64) for level in levels)
            for levels in self._counts(frequencies)
        )
        values = ValueLoss((1,) * len(weights), weights, self._suppressed(frequencies))
        return CoreLoss((values,), denominator=_PARTS, offset=self._offset(frequencies))

    @staticmethod
    def _counts(frequencies: FrequencyTable) -> list[list[NDArray[np.int64]]]:
        """For each quasi-identifier and level, the records of every node."""
        counts = []
        for a, attribute in enumerate(frequencies.quasi_identifiers):
            leaves = np.zeros(len(attribute.hierarchy.leaves), dtype=np.int64)
            np.add.at(leaves, frequencies.codes[:, a], frequencies.counts)
            levels = []
            for groups in attribute.hierarchy.groups:
                nodes = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.int64)
                np.add.at(nodes, groups, leaves)
                levels.append(nodes)
            counts.append(levels)
        return counts

    def _suppressed(self, frequencies: FrequencyTable) -> int:
        return len(frequencies.quasi_identifiers) * _parts(frequencies.records)

    def _offset(self, frequencies: FrequencyTable) -> int:
        """What the original values would cost: ln count(v), for every value of every record."""
        return sum(n * _parts(n) for levels in self._counts(frequencies) for n in levels[0].tolist())


def _parts(records: int) -> int:
    """The logarithm of a number of records, in parts; none have none."""
    return round(log(records) * _PARTS) if records else 0
