"""LM: a published value costs the share of other leaves it could stand for; a suppressed record costs all of them.

V. S. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, Section 3 (the general loss metric); prices
of suppression in full-subtree recoding: J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import ClassVar, Self

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.loss.base import WIDEST_SUM, BlockShapes, Boxed, BoxLoss, CoreLoss, Loss, require_names, whole_units
from sfumato.settings.exact import Number, exact, numbers, plain
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class LM(Loss):
    """Cost of a record: Σ_a weight_a · (leaves(v_a) - 1)/(leaves(root_a) - 1); suppressed: record · Σ_a weight_a.

    weights: how much each attribute matters, 1 where none is given.
    record: the price of a suppressed record, in multiples of a record that is generalised to the root throughout.
    value: that of a sensitive value printed as *. Left out, both are 1, and record is 2 in full-subtree recoding.
    """

    name: ClassVar[str] = "lm"
    paper: ClassVar[str] = "Iyengar, KDD 2002"
    prices_values: ClassVar[bool] = True

    weights: Mapping[str, Number] | None = None
    record: Number | None = None
    value: Number | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "weights", MappingProxyType(numbers(self.weights, "weights")))
        for name, price in (("record", self.record), ("value", self.value)):
            if price is not None:
                object.__setattr__(self, name, exact(price, name))
                if exact(price, name) < 0:
                    raise ProblemError(f"{name} = {price} is negative; give 0 or more.")

    @property
    def boxed(self) -> Boxed:
        return self

    @property
    def comparable(self) -> LM:
        """With what is suppressed at the price of the root: then it says how much of all detail is lost."""
        return LM(self.weights) if self._weighted else self

    @property
    def spelled(self) -> str:
        return ", ".join([self.name, *(f"{name} = {plain(price)}" for name, price in self._weighted.items())])

    @property
    def _weighted(self) -> dict[str, Fraction]:
        """The prices of suppression that are not 1, the price of the root."""
        prices = {"record": self.record, "value": self.value}
        return {name: exact(price, name) for name, price in prices.items() if price not in {None, 1}}

    def priced(self, record: int, value: int) -> Self:
        """The loss with these prices in place of those that it leaves open; open is as good as 1."""
        return replace(
            self,
            record=record if self.record is None and record != 1 else self.record,
            value=value if self.value is None and value != 1 else self.value,
        )

    def check(self, frequencies: FrequencyTable) -> None:
        require_names(self.weights or {}, frequencies, "weights")

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        further: list[int | Fraction] = [0] * len(
            frequencies.quasi_identifiers
        )  # leaves that the published values could stand for as well
        hidden = 0
        for summary in classes:
            hidden += summary.hidden
            for a, leaves in enumerate(summary.leaves):
                further[a] += summary.size * (leaves - 1)
        prices = zip(self._per_leaf(frequencies), further, strict=True)
        withheld = suppressed * self._price(self.record, frequencies) + hidden * self._price(self.value, frequencies)
        return sum((price * n for price, n in prices), withheld)

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        most = frequencies.records * sum(self._weights(frequencies), Fraction(0))
        return cost / most if most else Fraction(0)

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        weights = tuple(
            tuple(sizes - 1 for sizes in attribute.hierarchy.sizes) for attribute in frequencies.quasi_identifiers
        )
        values, denominator = whole_units(
            frequencies,
            self._per_leaf(frequencies),
            weights,
            self._price(self.record, frequencies),
            self._price(self.value, frequencies),
        )
        return CoreLoss((values,), denominator=denominator)

    def of_boxes(self, frequencies: FrequencyTable, shapes: Sequence[BlockShapes]) -> BoxLoss:
        prices = [
            [price * (leaves - 1) for leaves in shape.leaves]
            for price, shape in zip(self._per_leaf(frequencies), shapes, strict=True)
        ]
        record = self._price(self.record, frequencies)
        common = lcm(record.denominator, *(price.denominator for column in prices for price in column))
        dearest = max(record, sum((max(column, default=Fraction(0)) for column in prices), Fraction(1)))
        if common * frequencies.records * dearest >= WIDEST_SUM:  # as in whole_units
            common = WIDEST_SUM // (1 << int(frequencies.records * dearest).bit_length())
        whole = tuple(tuple(int(price * common) for price in column) for column in prices)
        return BoxLoss("SUM", whole, int(record * common), common)

    def _weights(self, frequencies: FrequencyTable) -> list[Fraction]:
        weights = self.weights or {}
        return [exact(weights.get(attribute.name, 1), "weights") for attribute in frequencies.quasi_identifiers]

    def _per_leaf(self, frequencies: FrequencyTable) -> list[Fraction]:
        """What each leaf too many costs, by attribute; nothing can be lost where there is one leaf."""
        return [
            weight / (len(attribute.hierarchy.leaves) - 1) if len(attribute.hierarchy.leaves) > 1 else Fraction(0)
            for weight, attribute in zip(self._weights(frequencies), frequencies.quasi_identifiers, strict=True)
        ]

    def _price(self, multiple: Number | None, frequencies: FrequencyTable) -> Fraction:
        """So many times what a record loses that is generalised to the root throughout."""
        return exact(1 if multiple is None else multiple, "price") * sum(self._weights(frequencies), Fraction(0))
