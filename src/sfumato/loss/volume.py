"""Volume: a record costs the unit cells of its box, the product of its lengths; a suppressed one, all cells there are.

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization", 2011,
Section 3 (the volume metric VM).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import ClassVar, Self

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.loss.base import BlockShapes, Boxed, BoxLoss, CoreLoss, Loss
from sfumato.settings.wording import part_named


@dataclass(frozen=True)
class Volume(Loss):
    """Cost of a record: Π_a len_a, the unit cells of an interval or the occurring leaves of a node; suppressed: all."""

    name: ClassVar[str] = "volume"
    paper: ClassVar[str] = "Hore et al., 2011"
    boxes: ClassVar[bool] = True  # it measures boxes, which other recodings have not

    total: int | None = field(default=None, repr=False, compare=False, metadata={"setting": False})

    @property
    def boxed(self) -> Boxed:
        return self

    def in_space(self, volume: int | None) -> Self:
        return replace(self, total=volume)

    def check(self, frequencies: FrequencyTable) -> None:
        if self.total is None:
            boxes = part_named("recoding", "multidimensional", "sf.Multidimensional()")
            raise ProblemError(f"volume measures boxes; use {boxes}, or another loss.")

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        published = sum(summary.size * prod(summary.lengths) for summary in classes)
        return Fraction(published + suppressed * self._all)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        most = frequencies.records * self._all
        return cost / most if most else Fraction(0)

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        raise ProblemError("volume measures boxes, and this search has none; use gen-search or mondrian.")

    def of_boxes(self, frequencies: FrequencyTable, shapes: Sequence[BlockShapes]) -> BoxLoss:
        return BoxLoss("PRODUCT", tuple(tuple(shape.lengths) for shape in shapes), self._all)

    @property
    def _all(self) -> int:
        if self.total is None:
            raise ProblemError("volume measures boxes, and no space is known here; use it in a Problem.")
        return self.total
