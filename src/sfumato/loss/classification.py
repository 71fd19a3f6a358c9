"""Classification: a record costs 1 unless it has the majority label of its class; a suppressed one costs 1.

V. S. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, Section 3 (CM; CE in later papers).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.loss.base import BlockShapes, Boxed, BoxLoss, ClassLoss, CoreLoss, Loss
from sfumato.settings.given import check_fields
from sfumato.settings.wording import setting


@dataclass(frozen=True)
class Classification(Loss):
    """The records that a majority vote in every class gets wrong, and the suppressed ones.

    target: the column of the labels, the table's target if left out.
    """

    name: ClassVar[str] = "classification"
    paper: ClassVar[str] = "Iyengar, KDD 2002"

    target: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)

    def reads(self, frequencies: FrequencyTable) -> str | None:
        """The histogram of the target."""
        return self.target or frequencies.target

    def check(self, frequencies: FrequencyTable) -> None:
        target = self.reads(frequencies)
        if target is None:
            how = setting("target", "income")
            raise ProblemError(f"classification needs labels; give the table a target, such as {how}.")
        if target in {attribute.name for attribute in frequencies.quasi_identifiers}:
            raise ProblemError(f"'{target}' is generalised, so nobody could vote on it; leave it as the target alone.")
        if target not in {column.name for column in frequencies.others}:
            raise ProblemError(f"'{target}' has no labels to vote on; make it the target, or sensitive.")

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        target = str(self.reads(frequencies))
        wrong = sum(summary.size - max(summary.histograms[target].values()) for summary in classes)
        return Fraction(wrong + suppressed)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        return cost / frequencies.records if frequencies.records else Fraction(0)

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        return CoreLoss(classes=(ClassLoss("Classification", reads=self.reads(frequencies)),))

    @property
    def boxed(self) -> Boxed:
        return self

    def of_boxes(self, frequencies: FrequencyTable, shapes: Sequence[BlockShapes]) -> BoxLoss:
        return BoxLoss("MINORITY", tuple(() for _ in shapes), 1, reads=self.reads(frequencies))
