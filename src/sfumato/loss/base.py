"""A loss: what a release costs. The methods are the definition, in exact fractions; C++ twins may only be faster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, runtime_checkable

from sfumato.data import ClassSummary, FrequencyTable


@runtime_checkable
class Loss(Protocol):
    """The information lost by a release: a sum over its classes, and a price for suppressed records."""

    name: ClassVar[str]

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if the loss does not fit the data."""
        ...

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        """The cost of publishing these classes and suppressing so many records."""
        ...

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        """The cost as a share of what everything generalised to the root would cost."""
        ...


@dataclass(frozen=True)
class Units:
    """A separable loss in whole numbers: costs are multiples of 1/denominator, so that sums and ties are exact."""

    per_leaf: tuple[int, ...]  # by quasi-identifier: the cost of one leaf too many
    suppressed: int
    denominator: int


@runtime_checkable
class SeparableLoss(Loss, Protocol):
    """A loss that adds up over published values, so that the cost of a level is known without looking at classes."""

    def units(self, frequencies: FrequencyTable) -> Units:
        """The loss in whole numbers."""
        ...


@runtime_checkable
class MonotoneLoss(Loss, Protocol):
    """A loss that tells whether it ever falls when values are generalised further and nothing is suppressed."""

    @property
    def monotone(self) -> bool:
        """True if it never does."""
        ...
