"""The family of privacy models that look at equivalence classes; those of sets of items are in `itemset_model`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self, TypeAlias, TypeGuard, runtime_checkable

from sfumato.data import ClassSummary, Distribution, FrequencyTable, InducedRequirement, Reference
from sfumato.errors import ProblemError
from sfumato.hierarchies import Hierarchy
from sfumato.settings.exact import Number
from sfumato.settings.registry import OPEN

Attained: TypeAlias = dict[str, int | float | None]


class Monotonicity(Enum):
    """How a model behaves when classes are merged by further generalization."""

    UP = "up"  # a union of classes that satisfy it satisfies it: further generalization keeps it
    STRONGLY_UP = (
        "strongly up"  # moreover any class around a class that satisfies it does: suppression cannot break that
    )
    NONE = "none"


@dataclass(frozen=True)
class Varying:
    """A parameter that orders a model's requirements from loose to strict, so that a trade-off can vary it."""

    loosest: Number  # every class that satisfies the model for some value satisfies it for this one
    larger: bool = True  # whether larger values ask for more


@dataclass(frozen=True)
class RatingTwin:
    """How the core rates classes by a parameter: a class of the core, and what its numbers mean."""

    name: str
    arguments: tuple[Any, ...]
    value: Callable[[Fraction], Fraction]  # the parameter, from a rating; ratings grow with strictness


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
    def measures(self) -> tuple[str, ...]:
        """The quasi-identifiers whose published intervals it measures; most models look at the records alone."""
        return ()

    def least_width(self, name: str) -> Fraction | None:
        """How wide the published intervals of a quasi-identifier must be at least, if it limits that."""
        return None

    def among_leaves(self, trees: Mapping[str, Hierarchy]) -> Self:
        """The model, with the hierarchies whose nodes are measured by their leaves."""
        return self

    @property
    def counts_only(self) -> bool:
        """Whether all that it asks of a class is how many records it has."""
        return (
            self.reads is None
            and not self.populated
            and not self.measures
            and self.monotonicity is Monotonicity.STRONGLY_UP
        )

    @property
    def fewest(self) -> int:
        """No class of fewer records satisfies it; searches bound by it."""
        return 1

    @property
    def promise(self) -> str:
        """What it promises, in one sentence that needs no expertise; reports say it."""
        return (type(self).__doc__ or self.name).split("\n\n")[0].strip()

    @property
    def populated(self) -> bool:
        """Whether it compares a class with the people of a population who would be published alike."""
        return False

    @property
    def everybody(self) -> object | None:
        """The population that it compares with, as it was given."""
        return None

    @property
    def census(self) -> FrequencyTable | None:
        """The population that it is bound to, counted by the quasi-identifiers."""
        return None

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if the model does not fit the data."""
        return

    def bound_to(self, reference: Reference) -> Self:
        """The model, ready to judge the classes of a table whose input looked like this."""
        return self

    def among(self, census: FrequencyTable) -> Self:
        """The model, bound to a population that is counted like the table."""
        return self

    @property
    def varies(self) -> Mapping[str, Varying]:
        """The parameters that a trade-off can vary, each with the others as they are."""
        return {}

    def strongest(self, parameter: str, summary: ClassSummary) -> int | Fraction | None:
        """The strictest value of a parameter for which the class satisfies the model; None if there is none."""
        return None

    def rating(self, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]) -> RatingTwin | None:
        """How the core finds the same, sensitive attributes named by position. None: it calls `strongest`."""
        return None

    @abstractmethod
    def holds(self, summary: ClassSummary) -> bool:
        """Whether a non-empty class satisfies the model."""
        ...

    def share_limit(self, value: str) -> Fraction:
        """No class that satisfies it has a larger share of a value of what it reads; searches bound by it."""
        ceiling = self.ceiling(value)
        return Fraction(1) if ceiling is None else ceiling

    def ceiling(self, value: str) -> Fraction | None:
        """The largest share of a class that a value of what it reads may have, if that is all the model asks; or None.

        Where it is, values or records that are too many can be withheld one by one, and the class stays.
        """
        return None

    def induces(self) -> InducedRequirement | None:
        """What it asks of the base values that published values stand for, if it judges general values by them.

        Where it does, sensitive values can be generalised until the model holds.
        """
        return None

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """The strongest parameters that all these classes satisfy; None where there are no classes, or no such ones."""
        return {}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...] | None:
        """What the C++ class of the same name is constructed with, sensitive attributes named by position.

        None if there is no such class: then the searches call `holds`, class by class.
        """
        return None


def is_model(thing: object) -> TypeGuard[ClassModel]:
    """Whether it is a class model, derived from ClassModel or alike.

    Attributes of derived models are not looked at: where a parameter is left open, some of them have no value.
    """
    return not isinstance(thing, type) and (ClassModel in type(thing).__mro__ or isinstance(thing, ClassModel))


def subject(model: Any) -> tuple[str, str | None]:
    """What tells a constraint from another: its name, and whose values it is about, if it is about any."""
    return model.name, model.reads if is_model(model) else None


def require_settled(model: object) -> None:
    """Raises a ProblemError if a parameter was left open: only a trade-off may vary it."""
    names: list[str] = [setting.name for setting in fields(model)] if is_dataclass(model) else []
    for name in names:
        if getattr(model, name) is OPEN:
            call = f"sf.{type(model).__name__}(…, {name}=…)"
            called = getattr(model, "name", type(model).__name__)
            raise ProblemError(f"{called} does not say {name}; give it, as in {call}.")


def census_among(models: Iterable[ClassModel]) -> FrequencyTable | None:
    """The population that these models are bound to, None if they need none."""
    return next((model.census for model in models if model.populated), None)


def shares(summary: ClassSummary, sensitive: str) -> Iterable[Fraction]:
    """The share of the class that each value has; unknown values count as records, but not as a value."""
    return (Fraction(count, summary.size) for count in summary.histograms[sensitive].values())


def labels_of(frequencies: FrequencyTable, sensitive: str) -> list[str]:
    """The values of a sensitive attribute by code, as histograms name them."""
    return [label or "" for label in frequencies.columns[frequencies.position(sensitive)].labels]


def keys(models: Sequence[ClassModel]) -> list[str]:
    """A name for each model, unique among them: `k-anonymity`, or `distinct-l-diversity:occupation` where needed."""
    names = [model.name for model in models]
    unique: list[str] = []
    for name, model in zip(names, models, strict=True):
        key = name if names.count(name) == 1 or model.reads is None else f"{name}:{model.reads}"
        again = sum(other.split("#")[0] == key for other in unique)
        unique.append(f"{key}#{again + 1}" if again else key)
    return unique
