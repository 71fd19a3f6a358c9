"""Two families of privacy models: those that look at equivalence classes, and those that look at sets of items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self, TypeAlias, runtime_checkable

from sfumato.data import ClassSummary, Distribution, FrequencyTable, Reference
from sfumato.errors import ProblemError

Attained: TypeAlias = dict[str, int | float | None]


class Monotonicity(Enum):
    """How a model behaves when classes are merged by further generalization."""

    UP = "up"  # a union of classes that satisfy it satisfies it: further generalization keeps it
    STRONGLY_UP = (
        "strongly up"  # moreover any class around a class that satisfies it does: suppression cannot break that
    )
    NONE = "none"


@runtime_checkable
class ClassModel(Protocol):
    """A requirement on every equivalence class. The methods are the definition; C++ twins may only be faster.

    To write one, derive from it: a name, how it behaves when classes merge, and `holds` are enough.
    """

    name: ClassVar[str]

    @property
    @abstractmethod
    def monotonicity(self) -> Monotonicity:
        """What merging classes does to the model; searches rely on it."""
        ...

    @property
    def reads(self) -> str | None:
        """The sensitive attribute whose histogram the model needs, if any."""
        return None

    @property
    def compares(self) -> bool:
        """Whether it compares a class with the input's distribution of what it reads; then it must be bound to one."""
        return False

    @property
    def reference(self) -> Distribution | None:
        """The distribution that it is bound to."""
        return None

    @property
    def promise(self) -> str:
        """What it promises, in one sentence for people who are no experts; reports say it."""
        return (type(self).__doc__ or self.name).split("\n\n")[0].strip()

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if the model does not fit the data."""
        return

    def bound_to(self, reference: Reference) -> Self:
        """The model, ready to judge the classes of a table whose input looked like this."""
        return self

    @abstractmethod
    def holds(self, summary: ClassSummary) -> bool:
        """Whether a non-empty class satisfies the model."""
        ...

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """The strongest parameters that all these classes satisfy; None where there are no classes, or no such ones."""
        return {}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...] | None:
        """What the C++ class of the same name is constructed with, sensitive attributes named by position.

        None if there is no such class: then the searches call `holds`, class by class.
        """
        return None


@dataclass(frozen=True)
class ComparingModel(ClassModel):
    """A class model that compares each class with the input's distribution of the sensitive attribute."""

    sensitive: str
    reference: Distribution | None = field(
        default=None, kw_only=True, repr=False, compare=False, metadata={"setting": False}
    )

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    @property
    def compares(self) -> bool:
        """Always, unless a model says otherwise."""
        return True

    def bound_to(self, reference: Reference) -> Self:
        return replace(self, reference=reference[self.sensitive])

    @property
    def input(self) -> Distribution:
        """The distribution that it is bound to."""
        if self.reference is None:
            raise ProblemError(
                f"{self.name} compares '{self.sensitive}' with the input, which is unknown here; "
                "use it in a Problem, or call bound_to."
            )
        return self.reference


@runtime_checkable
class ItemsetModel(Protocol):
    """A requirement on the supports of sets of published items."""

    name: ClassVar[str]

    def holds(self, support: int) -> bool:
        """Whether a set of items with this positive support satisfies the model."""
        ...


def shares(summary: ClassSummary, sensitive: str) -> Iterable[Fraction]:
    """The share of the class that each value has; unknown values count as records, and are no value."""
    return (Fraction(count, summary.size) for count in summary.histograms[sensitive].values())


def labels_of(frequencies: FrequencyTable, sensitive: str) -> list[str]:
    """The values of a sensitive attribute by code, as histograms name them."""
    return [label or "" for label in frequencies.columns[frequencies.position(sensitive)].labels]


def keys(models: Sequence[ClassModel]) -> list[str]:
    """A name for each model, unique among them: `k-anonymity`, or `distinct-l-diversity:occupation` where needed."""
    names = [model.name for model in models]
    told: list[str] = []
    for name, model in zip(names, models, strict=True):
        key = name if names.count(name) == 1 or model.reads is None else f"{name}:{model.reads}"
        told.append(key if key not in told else f"{key}#{sum(t.split('#')[0] == key for t in told) + 1}")
    return told
