"""Two families of privacy models: those that look at equivalence classes, and those that look at sets of items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeAlias, runtime_checkable

from sfumato.data import ClassSummary, FrequencyTable

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
    """A requirement on every equivalence class. The methods are the definition; C++ twins may only be faster."""

    name: ClassVar[str]
    monotonicity: ClassVar[Monotonicity]

    @property
    def reads(self) -> str | None:
        """The sensitive attribute whose histogram the model needs, if any."""
        ...

    def holds(self, summary: ClassSummary) -> bool:
        """Whether a non-empty class satisfies the model."""
        ...

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """The strongest parameters that all these classes satisfy; None where there are no classes."""
        ...

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...]:
        """What the C++ class of the same name is constructed with; sensitive attributes are named by position."""
        ...


@runtime_checkable
class ItemsetModel(Protocol):
    """A requirement on the supports of sets of published items."""

    name: ClassVar[str]

    def holds(self, support: int) -> bool:
        """Whether a set of items with this positive support satisfies the model."""
        ...


def keys(models: Sequence[ClassModel]) -> list[str]:
    """A name for each model, unique among them: `k-anonymity`, or `distinct-l-diversity:occupation` where needed."""
    names = [model.name for model in models]
    told: list[str] = []
    for name, model in zip(names, models, strict=True):
        key = name if names.count(name) == 1 or model.reads is None else f"{name}:{model.reads}"
        told.append(key if key not in told else f"{key}#{sum(t.split('#')[0] == key for t in told) + 1}")
    return told
