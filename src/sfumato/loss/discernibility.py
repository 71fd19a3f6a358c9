"""Discernibility: a record costs the number of records that look like it; a suppressed one, the whole table.

R. J. Bayardo, R. Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005 (DM; DCN in later papers).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.loss.base import BlockShapes, Boxed, BoxLoss, ClassLoss, CoreLoss, Loss


@dataclass(frozen=True)
class Discernibility(Loss):
    """Cost of a record: n, the size of its class; suppressed: N."""

    name: ClassVar[str] = "discernibility"
    paper: ClassVar[str] = "Bayardo and Agrawal, ICDE 2005"

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        return Fraction(sum(summary.size**2 for summary in classes) + suppressed * frequencies.records)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        return cost / frequencies.records**2 if frequencies.records else Fraction(0)

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        return CoreLoss(classes=(ClassLoss("Discernibility", (frequencies.records,)),))

    @property
    def boxed(self) -> Boxed:
        return self

    def of_boxes(self, frequencies: FrequencyTable, shapes: Sequence[BlockShapes]) -> BoxLoss:
        return BoxLoss("SQUARE", tuple(() for _ in shapes), frequencies.records)
