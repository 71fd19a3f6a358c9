"""Average class size: records per published class, in multiples of k.

K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006 (C_AVG).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.loss.base import ClassLoss, CoreLoss, Loss
from sfumato.settings.exact import whole
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class AverageClassSize(Loss):
    """N / (classes · k); a release without a class costs (N + 1)/k, more than everything in one class.

    k: the class size asked for, so that 1 is the best there is; with k = 1 it is the average size itself.
    """

    name: ClassVar[str] = "average-class-size"
    paper: ClassVar[str] = "LeFevre et al., ICDE 2006"

    k: int = 1

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "k", whole(self.k, "k", least=1))

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        return self._of(frequencies.records, sum(1 for _ in classes))

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        return cost * self.k / frequencies.records if frequencies.records else Fraction(0)

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        return _FewClasses(self, frequencies.records)

    def _of(self, records: int, classes: int) -> Fraction:
        return Fraction(records, classes * self.k) if classes > 0 else Fraction(records + 1, self.k)


class _FewClasses(CoreLoss):
    """The core counts records less classes, and the loss falls with the number of classes."""

    def __init__(self, loss: AverageClassSize, records: int) -> None:
        super().__init__(classes=(ClassLoss("AverageClassSize"),))
        object.__setattr__(self, "_loss", loss)
        object.__setattr__(self, "_records", records)

    def exact(self, units: int) -> Fraction:
        loss: AverageClassSize = self._loss  # type: ignore[attr-defined]
        records: int = self._records  # type: ignore[attr-defined]
        return loss._of(records, records - units)
