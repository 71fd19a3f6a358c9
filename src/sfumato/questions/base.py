"""A question: constraints, a loss and a recoding about one facet of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self

from sfumato.privacy.base import Attained


class OtherShape(str):
    """Why a search cannot answer a question, if it is only that its recodings are of another shape."""


class Question(Protocol):
    """What is required of one facet of the data. Frozen; nothing is read or replaced when it is made."""

    about: ClassVar[str]  # "classes" or "itemsets": which models, losses, recodings and algorithms it takes
    noun: ClassVar[str]  # what a candidate of its search space is called

    @property
    def column(self) -> str | None:
        """The column of sets that it is about; None if it is about the quasi-identifiers."""
        ...

    @property
    def constraints(self) -> Sequence[Any]:
        """The models that must hold."""
        ...

    @property
    def loss(self) -> Any:
        """What is minimised."""
        ...

    @property
    def recoding(self) -> Any:
        """Which blurrings are allowed."""
        ...

    def check(self) -> None:
        """Raises a ProblemError if the parts do not fit the data, or one another."""
        ...

    @property
    def bound(self) -> Self:
        """The question as searches see it: models know the input and the population, the loss knows its prices."""
        ...

    @property
    def space(self) -> int:
        """How many blurrings there are."""
        ...

    @property
    def coded_bytes(self) -> int:
        """The memory that the data takes in codes."""
        ...

    @property
    def records(self) -> int:
        """How many records it is about."""
        ...

    @property
    def counted_at(self) -> Mapping[str, int]:
        """The levels that values were counted at, if not 0: all that is said is said of recodings as coarse."""
        ...

    def nearest(self) -> str:
        """Why nothing satisfies the constraints, and what would work instead."""
        ...

    def given(self, stated: Any, seed: int) -> Any:
        """The recoding that somebody states; a ProblemError if it is not allowed."""
        ...

    def cost(self, recoded: Any) -> Fraction:
        """The loss, by its definition."""
        ...

    def violation(self, recoded: Any) -> str:
        """Why a recoding may not be published; nothing if it may."""
        ...

    def relative(self, cost: Fraction) -> Fraction:
        """A cost as a share of the worst."""
        ...

    def share_lost(self, recoded: Any, cost: Fraction) -> Fraction:
        """What is lost as a share of the worst, measured alike in all recodings."""
        ...

    def lost(self, share: float) -> str:
        """What a cost is measured in, and the share that is lost, for people."""
        ...

    def described(self, classes: int, withheld: tuple[int, int]) -> str:
        """What is released, in one line: so many classes, without so many records and values."""
        ...

    @property
    def reference(self) -> Mapping[str, Mapping[str, int]]:
        """The input's distributions that constraints compare with."""
        ...

    def classes(self, recoded: Any) -> int:
        """How many different published rows there are."""
        ...

    def withheld(self, recoded: Any) -> tuple[int, int]:
        """The records and the sensitive values that are suppressed."""
        ...

    def attained(self, recoded: Any) -> Mapping[str, Attained]:
        """The strongest parameters that each constraint's model reaches."""
        ...

    def losses(self, recoded: Any) -> Mapping[str, Mapping[str, float]]:
        """Every loss of what is published, whatever was minimised: by name, its value and its share of the worst."""
        ...

    def loss_per_attribute(self, recoded: Any) -> Mapping[str, float]:
        """How much of each quasi-identifier's detail is lost."""
        ...
