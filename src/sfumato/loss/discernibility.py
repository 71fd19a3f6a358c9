"""Discernibility: a record costs the number of records it cannot be told from; a suppressed one, the whole table.

R. J. Bayardo, R. Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005 (DM; DCN in later papers).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.loss.base import BlockShapes, BoxLoss, ClassLoss, CoreLoss


@dataclass(frozen=True)
class Discernibility:
    """Cost of a record: n, the size of its class; suppressed: N."""

    name: ClassVar[str] = "discernibility"
    paper: ClassVar[str] = "Bayardo and Agrawal, ICDE 2005"

    def reads(self, frequencies: FrequencyTable) -> None:
        return None

    def check(self, frequencies: FrequencyTable) -> None:
        return

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        return Fraction(sum(summary.size**2 for summary in classes) + suppressed * frequencies.records)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        return cost / frequencies.records**2 if frequencies.records else Fraction(0)

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        return CoreLoss(classes=(ClassLoss("Discernibility", (frequencies.records,)),))

    def of_boxes(self, frequencies: FrequencyTable, shapes: Sequence[BlockShapes]) -> BoxLoss:
        return BoxLoss("SQUARE", tuple(() for _ in shapes), frequencies.records)
