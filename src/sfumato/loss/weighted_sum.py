"""Weighted sum: several losses at once, each as a share of its worst, by weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Any, ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.loss.average_class_size import AverageClassSize
from sfumato.loss.base import WIDEST_SUM, CoreLoss, Loss
from sfumato.loss.classification import Classification
from sfumato.loss.discernibility import Discernibility
from sfumato.loss.lm import LM
from sfumato.loss.non_uniform_entropy import NonUniformEntropy
from sfumato.loss.precision import Precision
from sfumato.settings.exact import Number, exact, numbers
from sfumato.settings.given import check_fields

_PARTS: Mapping[str, Any] = {
    part.name: part for part in (LM, Discernibility, Classification, Precision, NonUniformEntropy)
}
_FINE_ENOUGH = 1 << 30


@dataclass(frozen=True)
class WeightedSum(Loss):
    """Σ weight · relative loss, so that losses of different scales can be weighed against each other.

    weights: by the name of a loss, such as {"lm": 2, "discernibility": 1}.
    """

    name: ClassVar[str] = "weighted-sum"
    paper: ClassVar[str] = "sfumato"

    weights: Mapping[str, Number]

    def __post_init__(self) -> None:
        check_fields(self)
        weights = numbers(self.weights, "weights")
        for name in weights:
            if name == AverageClassSize.name:
                raise ProblemError(f"'{name}' is a quotient, and does not add up with others; leave it out.")
            if name not in _PARTS:
                raise ProblemError(f"weights has '{name}', which is not a loss; choose from {', '.join(_PARTS)}.")
        if not any(weights.values()):
            raise ProblemError("weights has no loss; give at least one, as in {'lm': 2, 'discernibility': 1}.")
        object.__setattr__(self, "weights", MappingProxyType(weights))

    def reads(self, frequencies: FrequencyTable) -> str | None:
        return next((column for _, loss in self._losses() if (column := loss.reads(frequencies)) is not None), None)

    def check(self, frequencies: FrequencyTable) -> None:
        for _, loss in self._losses():
            loss.check(frequencies)

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        published = list(classes)
        return sum(
            (
                weight * loss.relative(loss.cost(frequencies, published, suppressed), frequencies)
                for weight, loss in self._losses()
            ),
            Fraction(0),
        )

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        return cost / sum(weight for weight, _ in self._losses())

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        """All losses in units of one denominator: a unit of each is worth weight · relative(1/its denominator)."""
        cores = [loss.core(frequencies) for _, loss in self._losses()]
        worth = [
            weight * loss.relative(Fraction(1, core.denominator), frequencies)
            for (weight, loss), core in zip(self._losses(), cores, strict=True)
        ]
        denominator = lcm(*(value.denominator for value in worth))
        room = frequencies.records**2 * len(frequencies.quasi_identifiers)  # no loss exceeds that
        largest = room * sum(value * core.denominator for value, core in zip(worth, cores, strict=True))
        if denominator * largest >= WIDEST_SUM:
            # No short denominator is common to all. A long one leaves every weight within 2^-30 of itself.
            denominator = WIDEST_SUM // (1 << int(largest).bit_length())
            if any(0 < value * denominator < _FINE_ENOUGH for value in worth):
                raise ProblemError("weights are too far apart to be added up; leave out the loss that hardly counts.")
        factors = [int(value * denominator) for value in worth]
        return CoreLoss(
            values=tuple(v.times(f) for f, core in zip(factors, cores, strict=True) for v in core.values),
            classes=tuple(
                replace(c, factor=c.factor * f) for f, core in zip(factors, cores, strict=True) for c in core.classes
            ),
            denominator=denominator,
            offset=sum(factor * core.offset for factor, core in zip(factors, cores, strict=True)),
        )

    def _losses(self) -> list[tuple[Fraction, Loss]]:
        """What is added up; a loss without weight is not asked."""
        weights = {name: exact(weight, "weights") for name, weight in self.weights.items()}
        return [(weight, _PARTS[name]()) for name, weight in weights.items() if weight]
