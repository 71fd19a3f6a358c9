"""Full-subtree recoding: a cut through each hierarchy; every value is published as the node of the cut above it.

V. S. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002; with suppression as a part of it, as in
J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section III.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from sfumato.data import FrequencyTable, QuasiIdentifier
from sfumato.errors import ProblemError
from sfumato.hierarchies import Taxonomy
from sfumato.hierarchies.tree import count_of
from sfumato.privacy import ClassModel
from sfumato.recoding.base import Recoding, check_levels, level_ranges, raised, whole_levels
from sfumato.recoding.cut_levels import levels_from
from sfumato.recoding.cut_recoding import NAME, FullSubtreeRecoding
from sfumato.recoding.given import by_attribute, levels_at, own_json
from sfumato.recoding.suppression import Scheme, Suppression
from sfumato.settings.exact import Number, share
from sfumato.settings.given import check_fields

_LIKE = "{'country': ['Europe', 'America'], 'sex': ['*']}"
# A table's taxonomies are asked for many times: they are made once, by attribute, lowest and highest level.
_TAXONOMIES: WeakKeyDictionary[FrequencyTable, dict[tuple[int, int, int], Taxonomy]] = WeakKeyDictionary()


@dataclass(frozen=True)
class FullSubtree(Recoding):
    """A cut per quasi-identifier: values below a node of it are all published as that node, wherever they occur.

    suppression: what happens to a class that violates: none (it may not exist), violating-values, all-values,
    violating-records or all-records (docs/recoding/suppression.md). Left out, it is none, or all-records with a limit.
    suppression_limit: the largest share of records, or of values, that may be withheld; any share if left out.
    min_level, max_level: bounds on the levels of single attributes' cuts; 0 publishes a value as it is.
    """

    name: ClassVar[str] = NAME
    paper: ClassVar[str] = "Iyengar, KDD 2002; Liu and Wang, ICDE 2010"
    exclusive: ClassVar[bool] = True
    prices: ClassVar[tuple[int, int]] = (2, 1)

    suppression: str | None = None
    suppression_limit: Number | None = None
    min_level: Mapping[str, int] | None = None
    max_level: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        limit = self.suppressing.limit  # says no to what is no share
        if self.suppression_limit is not None:  # left open, it depends on the scheme, which may be replaced
            object.__setattr__(self, "suppression_limit", limit)
        for name in ("min_level", "max_level"):
            object.__setattr__(self, name, MappingProxyType(whole_levels(getattr(self, name), name)))

    @property
    def suppressing(self) -> Suppression:
        """The scheme and its limit; whoever sets a limit alone means records."""
        scheme, limit = self.suppression, self.suppression_limit
        if scheme is None:
            scheme = (
                Scheme.ALL_RECORDS.value
                if limit is not None and share(limit, "suppression_limit")
                else Scheme.NONE.value
            )
        if limit is None:
            limit = 0 if scheme == Scheme.NONE.value else 1
        return Suppression.of(scheme, limit, tuple(Scheme))

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if an attribute has no tree, a bound fits none, or two values would print alike."""
        check_levels(frequencies, self.name, self.min_level or {}, self.max_level or {})
        for attribute, (lowest, highest) in zip(frequencies.quasi_identifiers, self.ranges(frequencies), strict=True):
            _check_labels(attribute, lowest, highest)

    def at_least(self, levels: Mapping[str, int]) -> FullSubtree:
        """The same with these levels as the lowest, at least."""
        return replace(self, min_level=raised(self.min_level, levels)) if levels else self

    def ranges(self, frequencies: FrequencyTable) -> list[tuple[int, int]]:
        """The lowest and the highest level allowed, by quasi-identifier."""
        return level_ranges(frequencies, self.min_level or {}, self.max_level or {})

    def taxonomies(self, frequencies: FrequencyTable) -> list[Taxonomy]:
        """The nodes that cuts are made of, by quasi-identifier."""
        made, taxonomies = _TAXONOMIES.setdefault(frequencies, {}), []
        for a, (attribute, levels) in enumerate(
            zip(frequencies.quasi_identifiers, self.ranges(frequencies), strict=True)
        ):
            if (a, *levels) not in made:
                occurring = np.zeros(len(attribute.hierarchy.rows), dtype=np.bool_)
                occurring[frequencies.leaves[a]] = True
                made[a, *levels] = Taxonomy.of(attribute.hierarchy, occurring, *levels)
            taxonomies.append(made[a, *levels])
        return taxonomies

    def space(self, frequencies: FrequencyTable) -> int:
        """The number of cuts."""
        return prod(taxonomy.space for taxonomy in self.taxonomies(frequencies))

    @property
    def cut_space(self) -> FullSubtree:
        return self

    def candidate(self, *, bounded: bool) -> str:
        return "a cut through the hierarchy of each column"

    def most_general(
        self, frequencies: FrequencyTable, models: Sequence[ClassModel]
    ) -> tuple[FullSubtreeRecoding, int]:
        top = tuple(taxonomy.top for taxonomy in self.taxonomies(frequencies))
        all_records = replace(self, suppression=Scheme.ALL_RECORDS.value, suppression_limit=1)
        cut = FullSubtreeRecoding.at(frequencies, top, models, all_records)
        return cut.unsuppressed(frequencies), cut.withheld_records(frequencies)

    def instead(self, percentage: float) -> str:
        if self.suppressing.scheme is Scheme.NONE:
            return f"suppression = '{Scheme.ALL_RECORDS.value}'"
        return super().instead(percentage)

    def restated(
        self,
        stated: Mapping[str, Any],
        frequencies: FrequencyTable,
        models: Sequence[ClassModel],
        majority: str | None,
        seed: int,
    ) -> FullSubtreeRecoding | None:
        runs, attributes = stated["levels"], frequencies.quasi_identifiers
        if set(runs) != {attribute.name for attribute in attributes}:
            return None
        levels = []
        for attribute, (low, high) in zip(attributes, self.ranges(frequencies), strict=True):
            cut = levels_from(runs[attribute.name], attribute.hierarchy)
            if cut is None or (cut < low).any() or (cut > high).any():
                return None
            levels.append(cut)
        scheme = self.suppressing.scheme
        return FullSubtreeRecoding.of(frequencies, tuple(levels), models, scheme, majority, seed)

    def given(
        self,
        stated: Any,
        frequencies: FrequencyTable,
        models: Sequence[ClassModel],
        majority: str | None,
        seed: int,
    ) -> FullSubtreeRecoding:
        attributes = frequencies.quasi_identifiers
        if (report := own_json(stated, self.name, [attribute.name for attribute in attributes])) is not None:
            if report.get("further_suppression"):
                raise ProblemError(
                    "Classes of this release were suppressed at random, which nobody can repeat; give its levels "
                    "without further_suppression, to evaluate the cut alone."
                )
            runs = by_attribute(report.get("levels"), frequencies, _LIKE)
            again = self.restated({"levels": runs}, frequencies, models, majority, seed)
            if again is None:
                raise ProblemError("The levels of this cut are not this problem's; give a cut of the same hierarchies.")
            return again
        cuts, ranges = by_attribute(stated, frequencies, _LIKE), self.ranges(frequencies)
        levels = [
            levels_at(attribute.name, attribute.hierarchy, cuts[attribute.name], lowest, highest)
            for attribute, (lowest, highest) in zip(attributes, ranges, strict=True)
        ]
        return FullSubtreeRecoding.of(frequencies, tuple(levels), models, self.suppressing.scheme, majority, seed)


def _check_labels(attribute: QuasiIdentifier, lowest: int, highest: int) -> None:
    """Nobody could distinguish two nodes side by side that print alike in a release."""
    hierarchy = attribute.hierarchy
    places: dict[str, tuple[int, int]] = {}
    twice = set()
    for level in range(highest, lowest - 1, -1):
        ends = np.cumsum(hierarchy.sizes[level]).tolist()
        for label, size, end in zip(hierarchy.labels[level], hierarchy.sizes[level].tolist(), ends, strict=True):
            first, last = places.get(label, (0, len(hierarchy.rows)))
            if end - size < first or end > last:
                twice.add(label)
            places[label] = (end - size, end)
    if twice:
        verb = "stands" if len(twice) == 1 else "stand"
        raise ProblemError(
            f"In the hierarchy of '{attribute.name}', {count_of(len(twice), 'label')} {verb} for two nodes, none above "
            "the other; a cut may hold both, and they would print alike: give them different names.",
            hidden_values=sorted(twice),
        )
