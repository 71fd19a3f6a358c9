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
from sfumato.errors import ProblemError
from sfumato.exact import Number, whole
from sfumato.hierarchies import MISSING
from sfumato.privacy import ClassModel
from sfumato.privacy.base import census_among
from sfumato.recoding.suppression import Suppression


@dataclass(frozen=True)
class FullDomain:
    """One level per quasi-identifier; classes that violate are suppressed whole, up to the limit.

    suppression_limit: the largest share of records that may be suppressed, such as 0.01 or "1%".
    min_level, max_level: bounds on the level of single attributes; 0 publishes a value as it is.
    """

    name: ClassVar[str] = "full-domain"
    paper: ClassVar[str] = "Samarati, TKDE 2001"

    suppression_limit: Number = 0
    min_level: Mapping[str, int] | None = None
    max_level: Mapping[str, int] | None = None
    suppression: str = "all-records"

    def __post_init__(self) -> None:
        object.__setattr__(self, "suppression_limit", self.suppressing.limit)
        for name in ("min_level", "max_level"):
            if not isinstance(getattr(self, name) or {}, Mapping):
                raise ProblemError(
                    f"{name} = {getattr(self, name)!r} says not whose; give a dictionary such as {{'age': 2}}."
                )
            levels = {
                key: whole(level, f"{name}['{key}']", least=0) for key, level in (getattr(self, name) or {}).items()
            }
            object.__setattr__(self, name, MappingProxyType(levels))

    @property
    def suppressing(self) -> Suppression:
        """The scheme and its limit."""
        return Suppression.of(self.suppression, self.suppression_limit)

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if an attribute has no levels, or a bound names none of them."""
        for attribute in frequencies.quasi_identifiers:
            if attribute.hierarchy.kind != "taxonomy":
                raise ProblemError(
                    f"'{attribute.name}' is {attribute.hierarchy.kind} and has no levels, but full-domain recoding "
                    "raises values level by level; give it flat(), intervals(5, 10) or a hierarchy file."
                )
        heights = {attribute.name: attribute.hierarchy.height for attribute in frequencies.quasi_identifiers}
        for field, levels in (("min_level", self.min_level or {}), ("max_level", self.max_level or {})):
            for name, level in levels.items():
                if name not in heights:
                    raise ProblemError(
                        f"{field} has '{name}', which is no quasi-identifier; choose from {', '.join(heights)}."
                    )
                if level > heights[name]:
                    raise ProblemError(f"{field}['{name}'] = {level}, but '{name}' has levels 0 to {heights[name]}.")
        for name, (lowest, highest) in zip(heights, self.ranges(frequencies), strict=True):
            if lowest > highest:
                raise ProblemError(f"min_level['{name}'] = {lowest} is above max_level['{name}'] = {highest}.")

    def ranges(self, frequencies: FrequencyTable) -> list[tuple[int, int]]:
        """The lowest and the highest level allowed, by quasi-identifier."""
        least, most = self.min_level or {}, self.max_level or {}
        return [
            (least.get(attribute.name, 0), most.get(attribute.name, attribute.hierarchy.height))
            for attribute in frequencies.quasi_identifiers
        ]

    def space(self, frequencies: FrequencyTable) -> int:
        """The number of nodes of the lattice."""
        return prod(highest - lowest + 1 for lowest, highest in self.ranges(frequencies))


@dataclass(frozen=True, eq=False)
class FullDomainRecoding:
    """A chosen node: the level of each quasi-identifier; combinations in classes that violate are suppressed."""

    levels: Mapping[str, int]
    suppressed: NDArray[np.bool_]  # by combination of the frequency table

    @classmethod
    def at(cls, frequencies: FrequencyTable, levels: Sequence[int], models: Sequence[ClassModel]) -> FullDomainRecoding:
        """The recoding of a table to these levels: what violates a model is suppressed."""
        classes = _classes(frequencies, levels, census_among(models))
        reads = {model.reads for model in models if model.reads is not None}
        every = np.arange(len(classes.sizes))
        summaries, kind_of = (classes.summaries(reads), every) if reads else classes.kinds()
        violated = np.array([not all(model.holds(s) for model in models) for s in summaries], dtype=np.bool_)[kind_of]
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        return cls(dict(zip(names, levels, strict=True)), violated[classes.ids])

    def unsuppressed(self) -> FullDomainRecoding:
        """The same levels with nothing suppressed: what a release is compared with, and no release itself."""
        return replace(self, suppressed=np.zeros_like(self.suppressed))

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
        values = zip(zip(*leaves, strict=True), zip(*covered, strict=True), strict=True)
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
        return ReleasePlan(
            columns=tuple(column.name for column in f.columns),
            codes=table.codes,
            combinations=f.codes,
            counts=f.counts,
            entry=kept,
            published=published[kept],
            copies=f.counts[kept],
            labels=labels,
            unchanged=frozenset(labels) - {name for name, level in self.levels.items() if level > 0},
            kept=table.insensitive,
            order=table.published,
            seed=seed,
        )

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        return {"model": FullDomain.name, "levels": dict(self.levels)}

    def __str__(self) -> str:
        return ", ".join(f"{name} {level}" for name, level in self.levels.items())


def _classes(
    frequencies: FrequencyTable, levels: Sequence[int], census: FrequencyTable | None = None
) -> EquivalenceClasses:
    among = None if census is None else (placed(census, frequencies, levels), census.counts)
    return EquivalenceClasses(frequencies, frequencies.generalized(levels), among)
