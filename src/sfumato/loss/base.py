"""A loss: what a release costs. The methods are the definition, in exact fractions; C++ twins may only be faster."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError

# The core adds costs up in 128 bits, and one of them is the sign.
WIDEST_SUM = 1 << 120

Weights: TypeAlias = tuple[tuple[NDArray[np.int64], ...], ...]


@runtime_checkable
class Loss(Protocol):
    """The information lost by a release: a sum over its classes, and a price for suppressed records.

    To write one, derive from it: what only some losses can do has a default here.
    """

    name: ClassVar[str]
    boxes: ClassVar[bool] = False  # whether it measures boxes, and so needs a recoding that publishes them
    prices_values: ClassVar[bool] = False  # whether a suppressed sensitive value costs something

    def reads(self, frequencies: FrequencyTable) -> str | None:
        """The column whose histogram the loss needs, if any."""
        return None

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if the loss does not fit the data."""
        return

    @abstractmethod
    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        """The cost of publishing these classes and suppressing so many records."""
        ...

    @abstractmethod
    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        """The cost as a share of what everything generalised to the root would cost."""
        ...

    @abstractmethod
    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        """The loss in whole numbers, as searches add it up."""
        ...

    @property
    def boxed(self) -> Boxed | None:
        """The loss as searches of boxes bound it; None if they cannot."""
        return None

    def priced(self, record: int, value: int) -> Self:
        """The loss with these prices of suppressed records and values in place of those that it leaves open."""
        return self

    def in_space(self, volume: int | None) -> Self:
        """The loss in a space of so many unit cells, if it measures boxes; None: the recoding has no cells."""
        return self

    @property
    def comparable(self) -> Loss:
        """The loss as people compare it across recodings: without the prices of suppression that one of them sets."""
        return self

    @property
    def spelled(self) -> str:
        """Its name, with what distinguishes it from `comparable`."""
        return self.name


@dataclass(frozen=True)
class BlockShapes:
    """The blocks of one attribute's boxes, in the order of a table of prices."""

    leaves: Sequence[Fraction]  # that each stands for
    lengths: Sequence[int]  # its unit cells


@dataclass(frozen=True)
class BoxLoss:
    """A loss of boxes as the core adds it up: what it does with the prices of blocks, in units of 1/denominator."""

    metric: str  # of the core's BoxMetric
    prices: tuple[tuple[int, ...], ...]  # by attribute and block
    suppressed: int  # of a suppressed record
    denominator: int = 1
    reads: str | None = None  # the column whose histogram it needs


class Boxed(Protocol):
    """A loss that a search of boxes can bound."""

    def of_boxes(self, frequencies: FrequencyTable, shapes: Sequence[BlockShapes]) -> BoxLoss:
        """What boxes of these blocks cost."""
        ...


@dataclass(frozen=True, eq=False)
class ValueLoss:
    """A loss of published values: a record costs the sum of unit · weight over its quasi-identifiers."""

    unit: tuple[int, ...]  # by quasi-identifier
    weights: Weights = field(repr=False)  # by quasi-identifier, level and node along the level
    suppressed: int  # of a suppressed record
    hidden: int = 0  # of a suppressed sensitive value, on top of its record's values

    def times(self, factor: int) -> ValueLoss:
        """The loss, so many times."""
        return replace(
            self,
            unit=tuple(factor * unit for unit in self.unit),
            suppressed=factor * self.suppressed,
            hidden=factor * self.hidden,
        )


@dataclass(frozen=True)
class ClassLoss:
    """A loss of whole classes, by the name of its class in the core, so many times."""

    name: str
    arguments: tuple[Any, ...] = ()
    factor: int = 1
    reads: str | None = None  # the column whose histogram it needs; its position becomes the first argument


@dataclass(frozen=True, eq=False)
class CoreLoss:
    """A loss as searches add it up: whole numbers, in units of 1/denominator, so that sums and ties are exact."""

    values: tuple[ValueLoss, ...] = ()
    classes: tuple[ClassLoss, ...] = ()
    denominator: int = 1
    offset: int = 0  # to be taken off what the core finds

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns whose histograms are needed."""
        return tuple(dict.fromkeys(loss.reads for loss in self.classes if loss.reads is not None))

    def exact(self, units: int) -> Fraction:
        """The core's result in the units of the loss."""
        return Fraction(units - self.offset, self.denominator)


def whole_units(
    frequencies: FrequencyTable,
    prices: Sequence[Fraction],
    weights: Weights,
    suppressed: Fraction,
    hidden: Fraction = Fraction(0),
) -> tuple[ValueLoss, int]:
    """A loss of values in whole numbers, and their denominator."""
    from math import lcm

    denominator = lcm(*(price.denominator for price in prices), suppressed.denominator, hidden.denominator)
    dearest = sum(
        (
            price * max(int(level.max(initial=0)) for level in levels)
            for price, levels in zip(prices, weights, strict=True)
        ),
        Fraction(1),
    )
    largest = frequencies.records * max(suppressed, dearest + hidden * len(frequencies.others))
    if denominator * largest >= WIDEST_SUM:
        # Too many coprime hierarchies for exact sums. A power of two as fine as fits keeps every total within
        # 2^-50 of the truth, and rounding down keeps every bound a bound.
        denominator = WIDEST_SUM // (1 << int(largest).bit_length())
    if not denominator:
        raise ProblemError("The weights and prices of the loss are too large to be added up; make all of them smaller.")
    unit = tuple(int(price * denominator) for price in prices)
    return ValueLoss(unit, weights, int(suppressed * denominator), int(hidden * denominator)), denominator


def require_names(given: Iterable[str], frequencies: FrequencyTable, field_name: str) -> None:
    """Raises a ProblemError unless all names are quasi-identifiers."""
    names = [attribute.name for attribute in frequencies.quasi_identifiers]
    for name in given:
        if name not in names:
            raise ProblemError(
                f"{field_name} has '{name}', which is not a quasi-identifier; choose from {', '.join(names)}."
            )
