"""Full-domain recoding: all values of an attribute are generalised to the same level of its hierarchy.

P. Samarati, L. Sweeney, "Protecting privacy when disclosing information", 1998; with whole classes suppressed up to a
limit, as in Samarati, TKDE 2001.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, EquivalenceClasses, FrequencyTable, Table, placed
from sfumato.engines import ReleasePlan
from sfumato.hierarchies import MISSING
from sfumato.privacy import ClassModel
from sfumato.privacy.base import census_among
from sfumato.recoding.base import Recoded, Recoding, check_levels, level_ranges, raised, whole_levels
from sfumato.recoding.given import by_attribute, level_at, own_json
from sfumato.recoding.suppression import Suppression
from sfumato.recoding.withholding import violated
from sfumato.settings.exact import Number
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class FullDomain(Recoding):
    """One level per quasi-identifier; classes that violate are suppressed whole, up to the limit.

    suppression_limit: the largest share of records that may be suppressed, such as 0.01 or "1%".
    min_level, max_level: bounds on the level of single attributes; 0 publishes a value as it is.
    """

    name: ClassVar[str] = "full-domain"
    paper: ClassVar[str] = "Samarati, TKDE 2001"
    exclusive: ClassVar[bool] = True
    prices: ClassVar[tuple[int, int]] = (1, 1)

    suppression_limit: Number = 0
    min_level: Mapping[str, int] | None = None
    max_level: Mapping[str, int] | None = None
    suppression: str = "all-records"

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "suppression_limit", self.suppressing.limit)
        for name in ("min_level", "max_level"):
            object.__setattr__(self, name, MappingProxyType(whole_levels(getattr(self, name), name)))

    @property
    def suppressing(self) -> Suppression:
        """The scheme and its limit."""
        return Suppression.of(self.suppression, self.suppression_limit)

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if an attribute has no levels, or a bound names none of them."""
        check_levels(frequencies, self.name, self.min_level or {}, self.max_level or {})

    def at_least(self, levels: Mapping[str, int]) -> FullDomain:
        """The same with these levels as the lowest, at least."""
        return replace(self, min_level=raised(self.min_level, levels)) if levels else self

    def ranges(self, frequencies: FrequencyTable) -> list[tuple[int, int]]:
        """The lowest and the highest level allowed, by quasi-identifier."""
        return level_ranges(frequencies, self.min_level or {}, self.max_level or {})

    def space(self, frequencies: FrequencyTable) -> int:
        """The number of nodes of the lattice."""
        return prod(highest - lowest + 1 for lowest, highest in self.ranges(frequencies))

    @property
    def lattice(self) -> FullDomain:
        return self

    def candidate(self, *, bounded: bool) -> str:
        return "a level for each column"

    def most_general(self, frequencies: FrequencyTable, models: Sequence[ClassModel]) -> tuple[FullDomainRecoding, int]:
        highest = [level for _, level in self.ranges(frequencies)]
        node = FullDomainRecoding.at(frequencies, highest, models)
        return node.unsuppressed(frequencies), node.withheld_records(frequencies)

    def restated(
        self,
        stated: Mapping[str, Any],
        frequencies: FrequencyTable,
        models: Sequence[ClassModel],
        majority: str | None,
        seed: int,
    ) -> FullDomainRecoding | None:
        levels = stated["levels"]
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        if set(levels) != set(names):
            return None
        ranges = zip(names, self.ranges(frequencies), strict=True)
        if not all(type(levels[name]) is int and low <= levels[name] <= high for name, (low, high) in ranges):
            return None
        return FullDomainRecoding.at(frequencies, [levels[name] for name in names], models)

    def given(
        self,
        stated: Any,
        frequencies: FrequencyTable,
        models: Sequence[ClassModel],
        majority: str | None,
        seed: int,
    ) -> FullDomainRecoding:
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        report = own_json(stated, self.name, names)
        levels = by_attribute(stated if report is None else report.get("levels"), frequencies, "{'age': 2, 'sex': 0}")
        ranges = zip(levels.items(), self.ranges(frequencies), strict=True)
        node = [level_at(name, level, lowest, highest) for (name, level), (lowest, highest) in ranges]
        return FullDomainRecoding.at(frequencies, node, models)


@dataclass(frozen=True, eq=False)
class FullDomainRecoding(Recoded):
    """A chosen node: the level of each quasi-identifier; combinations in classes that violate are suppressed."""

    levels: Mapping[str, int]
    suppressed: NDArray[np.bool_]  # by combination of the frequency table

    @classmethod
    def at(cls, frequencies: FrequencyTable, levels: Sequence[int], models: Sequence[ClassModel]) -> FullDomainRecoding:
        """The recoding of a table to these levels: what violates a model is suppressed."""
        classes = _classes(frequencies, levels, census_among(models))
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        return cls(dict(zip(names, levels, strict=True)), violated(classes, models)[classes.ids])

    def unsuppressed(self, frequencies: FrequencyTable) -> FullDomainRecoding:
        """The same levels with nothing suppressed: what a release is compared with, and no release itself."""
        return replace(self, suppressed=np.zeros_like(self.suppressed))

    def applied(
        self, frequencies: FrequencyTable, models: Sequence[ClassModel], majority: str | None, seed: int
    ) -> FullDomainRecoding:
        """The same levels in another table: what violates a model there is suppressed."""
        return self.at(frequencies, list(self.levels.values()), models)

    @property
    def as_node(self) -> Mapping[str, int]:
        return self.levels

    @property
    def intact(self) -> tuple[str, ...]:
        """The quasi-identifiers that are published as they are."""
        return tuple(name for name, level in self.levels.items() if not level)

    def withheld_records(self, frequencies: FrequencyTable) -> int:
        """Records left out of the release."""
        return int(frequencies.counts[self.suppressed].sum())

    def withheld_values(self) -> int:
        """No value is printed as *."""
        return 0

    def published(self, frequencies: FrequencyTable) -> FrequencyTable:
        """What is left of the frequency table, still in original codes."""
        return frequencies.taken(np.flatnonzero(~self.suppressed))

    def classes(self, frequencies: FrequencyTable, census: FrequencyTable | None = None) -> EquivalenceClasses:
        """The published equivalence classes, with their part of the population if one is given."""
        return _classes(self.published(frequencies), list(self.levels.values()), census)

    def summaries(
        self, frequencies: FrequencyTable, reads: Iterable[str] = (), census: FrequencyTable | None = None
    ) -> list[ClassSummary]:
        """The published classes, with what losses ask about their values."""
        classes = self.classes(frequencies, census)
        levels = tuple(self.levels.values())
        _, first = np.unique(classes.ids, return_index=True)
        leaves, covered = [], []
        for a, (attribute, level) in enumerate(zip(frequencies.quasi_identifiers, levels, strict=True)):
            node = classes.published[first, a]
            records = np.zeros(len(attribute.hierarchy.sizes[level]), dtype=np.int64)
            np.add.at(records, attribute.hierarchy.groups[level][frequencies.codes[:, a]], frequencies.counts)
            leaves.append(attribute.hierarchy.sizes[level][node].tolist())
            covered.append(records[node].tolist())
        nothing = [()] * len(first)  # of each class, where there are no quasi-identifiers
        values = zip(
            list(zip(*leaves, strict=True)) or nothing, list(zip(*covered, strict=True)) or nothing, strict=True
        )
        return [
            replace(summary, leaves=of_leaves, levels=levels, covered=of_records)
            for summary, (of_leaves, of_records) in zip(classes.summaries(reads), values, strict=True)
        ]

    def plan(self, table: Table, seed: int) -> ReleasePlan:
        """What is published in place of every combination."""
        f = table.frequencies
        kept = np.flatnonzero(~self.suppressed)
        levels = list(self.levels.values())
        labels: dict[str, tuple[str | None, ...]] = {column.name: column.labels for column in f.columns}
        for attribute, level in zip(f.quasi_identifiers, levels, strict=True):
            if level == 0:
                continue  # published as it came
            labels[attribute.name] = tuple(None if x == MISSING else x for x in attribute.hierarchy.labels[level])
        published = np.concatenate([f.generalized(levels), f.codes[:, len(levels) :]], axis=1)
        changed = {name for name, level in self.levels.items() if level > 0}
        return table.plan(kept, published[kept], f.counts[kept], labels, changed, seed)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        return {"model": FullDomain.name, "levels": dict(self.levels)}

    def __str__(self) -> str:
        if not self.levels:
            return "levels  there are no quasi-identifiers"
        return f"levels  {', '.join(f'{name} {level}' for name, level in self.levels.items())}"


def _classes(
    frequencies: FrequencyTable, levels: Sequence[int], census: FrequencyTable | None = None
) -> EquivalenceClasses:
    among = None if census is None else (placed(census, frequencies, levels), census.counts)
    return EquivalenceClasses(frequencies, frequencies.generalized(levels), among)
