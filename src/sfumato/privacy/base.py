"""Two families of privacy models: those that look at equivalence classes, and those that look at sets of items."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self, TypeAlias, runtime_checkable

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

    def among_leaves(self, trees: Mapping[str, Hierarchy]) -> Self:
        """The model, with the hierarchies whose nodes are measured by their leaves."""
        return self

    @property
    def fewest(self) -> int:
        """No class of fewer records satisfies it; searches bound by it."""
        return 1

    @property
    def promise(self) -> str:
        """What it promises, in one sentence for people who are no experts; reports say it."""
        return (type(self).__doc__ or self.name).split("\n\n")[0].strip()

    @property
    def populated(self) -> bool:
        """Whether it compares a class with the people of a population who would be published alike."""
        return False

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
        known = self.ceiling(value)
        return Fraction(1) if known is None else known

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


@dataclass(frozen=True, eq=False)  # a population may be a frame, and frames have no plain equality
class PopulationModel(ClassModel):
    """A class model that compares each class with the people of a population who would be published alike.

    population: a table of everybody who might be in the data, with the same quasi-identifiers: whatever a Table is made
    of, or a Table.
    """

    population: object = field(kw_only=True, repr=False, metadata={"path": True})
    census: FrequencyTable | None = field(default=None, kw_only=True, repr=False, metadata={"setting": False})

    def __post_init__(self) -> None:
        number = isinstance(self.population, int | float) or str(self.population).replace("_", "").isdigit()
        if self.population is None or number:
            raise ProblemError(
                "population tells no people: their number alone would only give an estimate, and an estimate is no "
                f"guarantee; give {self.name} a table of them with the quasi-identifiers, or ask for k-anonymity."
            )

    @property
    def populated(self) -> bool:
        """Always."""
        return True

    def among(self, census: FrequencyTable) -> Self:
        return replace(self, census=census)

    def people(self, summary: ClassSummary) -> int:
        """How many of the population would be published like the class."""
        if summary.population is None:
            raise ProblemError(
                f"{self.name} compares classes with a population, which is unknown here; use it in a Problem, or give "
                "each class its population."
            )
        return summary.population


@runtime_checkable
class ItemsetModel(Protocol):
    """A requirement on the supports of sets of up to m published items."""

    name: ClassVar[str]

    @property
    def m(self) -> int:
        """How many items an attacker may know."""
        ...

    @property
    def monotone(self) -> bool:
        """Whether generalising further keeps it."""
        ...

    @property
    def least_support(self) -> int | None:
        """k, if all that it asks is that every set which occurs occurs k times; else None."""
        ...

    @property
    def sensitive_items(self) -> tuple[str, ...]:
        """Items that are published as they are, and that nobody is taken to know."""
        ...

    @property
    def promise(self) -> str:
        """What it promises, in one sentence for people who are no experts."""
        ...

    def holds(self, records: Mapping[frozenset[str], int]) -> bool:
        """Whether published transactions, each so many times, satisfy it. The definition: slow, and plain."""
        ...


def is_model(thing: object) -> bool:
    """Whether it is a class model, derived from ClassModel or alike.

    What is derived is not asked for its attributes: where a parameter is left open, some of them say nothing.
    """
    return not isinstance(thing, type) and (ClassModel in type(thing).__mro__ or isinstance(thing, ClassModel))


def require_settled(model: ClassModel) -> None:
    """Raises a ProblemError if a parameter was left open: only a trade-off may vary it."""
    names: list[str] = [setting.name for setting in fields(model)] if is_dataclass(model) else []
    for name in names:
        if getattr(model, name) is OPEN:
            call = f"sf.{type(model).__name__}(…, {name}=…)"
            raise ProblemError(f"{model.name} does not say {name}; give it, as in {call}.")


def population_of(models: Iterable[ClassModel]) -> object | None:
    """The population that these models name, None if they name none; a class has one, so two are too many."""
    named = [model for model in models if model.populated]
    for model in named[1:]:
        if not _same(_source(named[0]), _source(model)):
            raise ProblemError(
                f"{named[0].name} and {model.name} name two populations, but a class is compared with one; "
                "give both the same."
            )
    return _source(named[0]) if named else None


def census_among(models: Iterable[ClassModel]) -> FrequencyTable | None:
    """The population that these models are bound to, None if they need none."""
    return next((model.census for model in models if model.populated), None)


def _source(model: ClassModel) -> object:
    return getattr(model, "population", None)


def _same(one: object, other: object) -> bool:
    if isinstance(one, str | os.PathLike) and isinstance(other, str | os.PathLike):
        return os.path.abspath(one) == os.path.abspath(other)
    return one is other


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
