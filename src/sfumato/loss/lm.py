"""LM: a published value costs the share of other leaves it could stand for; a suppressed record costs all of them.

V. S. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, Section 3 (the general loss metric).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.exact import Number, exact, numbers
from sfumato.loss.base import Units

# The core adds costs up in 128 bits, and one of them is the sign.
_WIDEST_SUM = 1 << 120


@dataclass(frozen=True)
class LM:
    """Cost of a record: Σ_a weight_a · (leaves(v_a) - 1)/(leaves(root_a) - 1); suppressed: record · Σ_a weight_a.

    weights: how much each attribute matters, 1 where none is given.
    record: the price of a suppressed record, in multiples of a record that is generalised to the root throughout.
    """

    name: ClassVar[str] = "lm"
    paper: ClassVar[str] = "Iyengar, KDD 2002"
    monotone: ClassVar[bool] = True

    weights: Mapping[str, Number] | None = None
    record: Number = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", MappingProxyType(numbers(self.weights, "weights")))
        object.__setattr__(self, "record", exact(self.record, "record"))
        if exact(self.record, "record") < 0:
            raise ProblemError(f"record = {self.record} is negative; give 0 or more.")

    def check(self, frequencies: FrequencyTable) -> None:
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        for name in self.weights or {}:
            if name not in names:
                raise ProblemError(
                    f"weights has '{name}', which is no quasi-identifier; choose from {', '.join(names)}."
                )

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        per_leaf = self._per_leaf(frequencies)
        published = sum(
            (
                summary.size
                * sum((leaf * (n - 1) for leaf, n in zip(per_leaf, summary.leaves, strict=True)), Fraction(0))
                for summary in classes
            ),
            Fraction(0),
        )
        return published + suppressed * self._suppressed(frequencies)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        most = frequencies.records * sum(self._weights(frequencies), Fraction(0))
        return cost / most if most else Fraction(0)

    def units(self, frequencies: FrequencyTable) -> Units:
        per_leaf, suppressed = self._per_leaf(frequencies), self._suppressed(frequencies)
        denominator = lcm(*(price.denominator for price in per_leaf), suppressed.denominator)
        largest = frequencies.records * max(suppressed, sum(self._weights(frequencies), Fraction(1)))
        if denominator * largest >= _WIDEST_SUM:
            # Too many coprime hierarchies for exact sums. A power of two as fine as fits keeps every total within
            # 2^-50 of the truth, and rounding down keeps every bound a bound.
            denominator = _WIDEST_SUM // (1 << int(largest).bit_length())
        return Units(tuple(int(price * denominator) for price in per_leaf), int(suppressed * denominator), denominator)

    def _weights(self, frequencies: FrequencyTable) -> list[Fraction]:
        weights = self.weights or {}
        return [exact(weights.get(attribute.name, 1), "weights") for attribute in frequencies.quasi_identifiers]

    def _per_leaf(self, frequencies: FrequencyTable) -> list[Fraction]:
        """What each leaf too many costs, by attribute; nothing can be lost where there is one leaf."""
        return [
            weight / (len(attribute.hierarchy.leaves) - 1) if len(attribute.hierarchy.leaves) > 1 else Fraction(0)
            for weight, attribute in zip(self._weights(frequencies), frequencies.quasi_identifiers, strict=True)
        ]

    def _suppressed(self, frequencies: FrequencyTable) -> Fraction:
        return exact(self.record, "record") * sum(self._weights(frequencies), Fraction(0))
