"""A recoding: the shape of allowed blurrings; and one that was chosen, which says what is published of everything."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from sfumato.data import ClassSummary, EquivalenceClasses, FrequencyTable, QuasiIdentifier, Table
from sfumato.engines import ReleasePlan
from sfumato.errors import ProblemError
from sfumato.hierarchies import Hierarchy, Nodes
from sfumato.privacy import ClassModel
from sfumato.recoding.suppression import Suppression
from sfumato.recoding.views import ChosenBoxes, ChosenCut, ChosenEntries, Spaces
from sfumato.settings.exact import whole
from sfumato.settings.given import brief
from sfumato.settings.wording import wording


@runtime_checkable
class Recoding(Spaces, Protocol):
    """Which blurrings are allowed, and what is withheld where they are not enough.

    To write one, derive from it. What only some recodings offer has a default, which is nothing.
    """

    name: ClassVar[str]
    # Domain exclusiveness: no published value of an attribute covers another, so that tools that know nothing about
    # hierarchies may count, group and compare what is published (Liu and Wang, ICDE 2010, Section IX-A).
    exclusive: ClassVar[bool]
    # What a suppressed record and a suppressed value cost, in multiples of a record generalised to the root throughout,
    # where a loss leaves it open.
    prices: ClassVar[tuple[int, int]]

    @property
    @abstractmethod
    def suppressing(self) -> Suppression:
        """The scheme and its limit."""
        ...

    @abstractmethod
    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if it does not fit the data."""
        ...

    @abstractmethod
    def space(self, frequencies: FrequencyTable) -> int:
        """How many blurrings there are."""
        ...

    def at_least(self, levels: Mapping[str, int]) -> Recoding:
        """The same with no value published below these levels, at which it has been counted."""
        if not levels:
            return self
        raise ProblemError(
            f"{self.name} recoding publishes values as they came, which pre_generalise has not counted; take "
            f"{wording('sf.FullDomain() or sf.FullSubtree()', 'full-domain or full-subtree')}, or leave "
            "pre_generalise out."
        )

    def volume(self, frequencies: FrequencyTable) -> int | None:
        """The number of unit cells of the whole space; None if it knows no cells."""
        return None

    def most_general(self, frequencies: FrequencyTable, models: Sequence[ClassModel]) -> tuple[Recoded, int] | None:
        """The most general choice with nothing suppressed, and how many of its records violate; None if it has none."""
        return None

    def instead(self, percentage: float) -> str:
        """A setting that lets so many percent of the records violate."""
        return f"suppression_limit = {percentage:g}%"

    def restated(
        self,
        stated: Mapping[str, Any],
        frequencies: FrequencyTable,
        models: Sequence[ClassModel],
        majority: str | None,
        seed: int,
    ) -> Recoded | None:
        """The choice that `to_json` stated, for the table that it was made for; None if it is not allowed."""
        return None

    def given(
        self,
        stated: Any,
        frequencies: FrequencyTable,
        models: Sequence[ClassModel],
        majority: str | None,
        seed: int,
    ) -> Recoded:
        """The choice that somebody states, with what violates withheld; a ProblemError if it is not among these."""
        raise ProblemError(
            f"{self.name} recoding publishes every record by itself, so no single choice can be given; measure such a "
            "release by sf.check and sf.evaluate."
        )


class Recoded(Protocol):
    """A blurring that a search has chosen, for the frequency table it was found in.

    What it can be seen as has a default here, which is nothing.
    """

    @property
    @abstractmethod
    def intact(self) -> tuple[str, ...]:
        """The quasi-identifiers that are published as they are."""
        ...

    @abstractmethod
    def withheld_records(self, frequencies: FrequencyTable) -> int:
        """Records left out of the release."""
        ...

    @abstractmethod
    def withheld_values(self) -> int:
        """Sensitive values printed as *."""
        ...

    @abstractmethod
    def classes(self, frequencies: FrequencyTable, census: FrequencyTable | None = None) -> EquivalenceClasses:
        """The published equivalence classes, with their part of the population if one is given."""
        ...

    @abstractmethod
    def summaries(
        self, frequencies: FrequencyTable, reads: Iterable[str] = (), census: FrequencyTable | None = None
    ) -> list[ClassSummary]:
        """The published classes, with what losses ask about their values."""
        ...

    @abstractmethod
    def unsuppressed(self, frequencies: FrequencyTable) -> Self:
        """The same blurring with nothing withheld: what a release is compared with, and no release itself."""
        ...

    @abstractmethod
    def applied(
        self, frequencies: FrequencyTable, models: Sequence[ClassModel], majority: str | None, seed: int
    ) -> Self:
        """The same blurring of another table, with what violates withheld there."""
        ...

    @abstractmethod
    def plan(self, table: Table, seed: int) -> ReleasePlan:
        """What is published in place of every combination."""
        ...

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        ...

    @property
    def as_node(self) -> Mapping[str, int] | None:
        """The level of each quasi-identifier, if it has one; 0 is as it is."""
        return None

    @property
    def as_cut(self) -> ChosenCut | None:
        """A cut through each hierarchy."""
        return None

    @property
    def as_boxes(self) -> ChosenBoxes | None:
        """Boxes."""
        return None

    @property
    def as_entries(self) -> ChosenEntries | None:
        """A generalization per record."""
        return None


def whole_levels(levels: object, field: str) -> dict[str, int]:
    """A level per attribute, as a field of a recoding gives it."""
    if not isinstance({} if levels is None else levels, Mapping):
        raise ProblemError(f"{field} = {brief(levels)} does not say whose; give a dictionary such as {{'age': 2}}.")
    given = levels if isinstance(levels, Mapping) else {}
    return {key: whole(level, f"{field}['{key}']", least=0) for key, level in given.items()}


def require_levels(attribute: QuasiIdentifier, recoding: str) -> None:
    """Raises a ProblemError if an attribute has no levels."""
    if attribute.hierarchy.kind != "taxonomy":
        raise ProblemError(
            f"'{attribute.name}' is {attribute.hierarchy.kind} and has no levels, but {recoding} recoding "
            f"raises values level by level; give it {wording('flat(), intervals(5, 10)', 'flat, intervals:5,10')} or a "
            "hierarchy file."
        )


def require_labels(name: str, hierarchy: Hierarchy, recoding: str) -> None:
    """Raises a ProblemError if two nodes of a hierarchy print alike."""
    twice = sorted(label for label, nodes in Counter(Nodes.of(hierarchy).labels).items() if nodes > 1)
    if twice:
        raise ProblemError(
            f"In the hierarchy of '{name}', {len(twice)} labels name two nodes; {recoding} recoding may publish "
            "both, and they would print alike: give them different names.",
            hidden_values=twice,
        )


def check_levels(frequencies: FrequencyTable, recoding: str, least: Mapping[str, int], most: Mapping[str, int]) -> None:
    """Raises a ProblemError if an attribute has no levels, or a bound names none of them."""
    for attribute in frequencies.quasi_identifiers:
        require_levels(attribute, recoding)
    heights = {attribute.name: attribute.hierarchy.height for attribute in frequencies.quasi_identifiers}
    for field, levels in (("min_level", least), ("max_level", most)):
        for name, level in levels.items():
            if name not in heights:
                raise ProblemError(
                    f"{field} has '{name}', which is not a quasi-identifier; choose from {', '.join(heights)}."
                )
            if level > heights[name]:
                raise ProblemError(f"{field}['{name}'] = {level}, but '{name}' has levels 0 to {heights[name]}.")
    for name, (lowest, highest) in zip(heights, level_ranges(frequencies, least, most), strict=True):
        if lowest > highest:
            raise ProblemError(f"min_level['{name}'] = {lowest} is above max_level['{name}'] = {highest}.")


def raised(stated: Mapping[str, int] | None, levels: Mapping[str, int]) -> dict[str, int]:
    """Lowest levels that are these at least."""
    lowest = dict(stated or {})
    return lowest | {name: max(level, lowest.get(name, 0)) for name, level in levels.items()}


def level_ranges(
    frequencies: FrequencyTable, least: Mapping[str, int], most: Mapping[str, int]
) -> list[tuple[int, int]]:
    """The lowest and the highest level allowed, by quasi-identifier."""
    return [
        (least.get(attribute.name, 0), most.get(attribute.name, attribute.hierarchy.height))
        for attribute in frequencies.quasi_identifiers
    ]
