"""Full-subtree recoding: a cut through each hierarchy; every value is published as the node of the cut above it.

V. S. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002; with suppression as a part of it, as in
J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section III.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from textwrap import indent
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, Column, EquivalenceClasses, FrequencyTable, QuasiIdentifier, Table
from sfumato.engines import ReleasePlan, UnitCounts
from sfumato.errors import ProblemError
from sfumato.hierarchies import MISSING, Hierarchy, Taxonomy, cut_lines
from sfumato.hierarchies.tree import count_of
from sfumato.privacy import ClassModel
from sfumato.privacy.base import census_among
from sfumato.recoding.base import check_levels, level_ranges, whole_levels
from sfumato.recoding.cut_levels import nodes_of, printed_by, runs_of, widened
from sfumato.recoding.suppression import Scheme, Suppression
from sfumato.recoding.withholding import Withheld, nothing_withheld, withheld
from sfumato.settings.exact import Number

UNKNOWN = "*"  # how a suppressed sensitive value is printed

# For each quasi-identifier, the nodes of its taxonomy that make up the cut, in order.
Cut: TypeAlias = tuple[tuple[int, ...], ...]

# A table's taxonomies are asked for many times: they are made once, by attribute, lowest and highest level.
_TAXONOMIES: WeakKeyDictionary[FrequencyTable, dict[tuple[int, int, int], Taxonomy]] = WeakKeyDictionary()


@dataclass(frozen=True)
class FullSubtree:
    """A cut per quasi-identifier: values below a node of it are all published as that node, wherever they occur.

    suppression: what happens to a class that violates: none (it may not exist), violating-values, all-values,
    violating-records or all-records (docs/recoding/suppression.md).
    suppression_limit: the largest share of records, or of values, that may be withheld; any share if left out.
    min_level, max_level: bounds on the levels of single attributes' cuts; 0 publishes a value as it is.
    """

    name: ClassVar[str] = "full-subtree"
    paper: ClassVar[str] = "Iyengar, KDD 2002; Liu and Wang, ICDE 2010"
    exclusive: ClassVar[bool] = True
    prices: ClassVar[tuple[int, int]] = (2, 1)

    suppression: str = "none"
    suppression_limit: Number | None = None
    min_level: Mapping[str, int] | None = None
    max_level: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        limit = self.suppressing.limit  # says no to what is no share
        if self.suppression_limit is not None:  # left open, it depends on the scheme, which may be replaced
            object.__setattr__(self, "suppression_limit", limit)
        for name in ("min_level", "max_level"):
            object.__setattr__(self, name, MappingProxyType(whole_levels(getattr(self, name), name)))

    @property
    def suppressing(self) -> Suppression:
        """The scheme and its limit."""
        limit = self.suppression_limit
        if limit is None:
            limit = 0 if self.suppression == Scheme.NONE.value else 1
        return Suppression.of(self.suppression, limit, tuple(Scheme))

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if an attribute has no tree, a bound fits none, or two values would print alike."""
        check_levels(frequencies, self.name, self.min_level or {}, self.max_level or {})
        for attribute, (lowest, highest) in zip(frequencies.quasi_identifiers, self.ranges(frequencies), strict=True):
            _check_labels(attribute, lowest, highest)

    def ranges(self, frequencies: FrequencyTable) -> list[tuple[int, int]]:
        """The lowest and the highest level allowed, by quasi-identifier."""
        return level_ranges(frequencies, self.min_level or {}, self.max_level or {})

    def taxonomies(self, frequencies: FrequencyTable) -> list[Taxonomy]:
        """The nodes that cuts are made of, by quasi-identifier."""
        known, found = _TAXONOMIES.setdefault(frequencies, {}), []
        for a, (attribute, levels) in enumerate(
            zip(frequencies.quasi_identifiers, self.ranges(frequencies), strict=True)
        ):
            if (a, *levels) not in known:
                occurring = np.zeros(len(attribute.hierarchy.rows), dtype=np.bool_)
                occurring[frequencies.leaves[a]] = True
                known[a, *levels] = Taxonomy.of(attribute.hierarchy, occurring, *levels)
            found.append(known[a, *levels])
        return found

    def space(self, frequencies: FrequencyTable) -> int:
        """The number of cuts."""
        return prod(taxonomy.space for taxonomy in self.taxonomies(frequencies))


@dataclass(frozen=True, eq=False)
class FullSubtreeRecoding:
    """A chosen cut, and what is withheld of each combination of the frequency table."""

    hierarchies: tuple[Hierarchy, ...] = field(repr=False)  # by quasi-identifier
    names: tuple[str, ...]  # of the quasi-identifiers
    levels_of: tuple[NDArray[np.int32], ...] = field(repr=False)  # by quasi-identifier: the level of each leaf
    withheld: Withheld = field(repr=False)
    records_of: tuple[NDArray[np.int64], ...] = field(repr=False)  # by quasi-identifier: published, by node of its cut
    scheme: Scheme = Scheme.NONE

    @classmethod
    def at(
        cls,
        frequencies: FrequencyTable,
        cut: Cut,
        models: Sequence[ClassModel],
        recoding: FullSubtree,
        majority: str | None = None,
        seed: int = 0,
    ) -> FullSubtreeRecoding:
        """The recoding of a table by a cut through its taxonomies, with what the scheme withholds.

        majority: the column of labels that the loss wants most of in a class, if it reads one.
        """
        taxonomies = recoding.taxonomies(frequencies)
        levels = tuple(taxonomy.levels(nodes) for taxonomy, nodes in zip(taxonomies, cut, strict=True))
        return cls.of(frequencies, levels, models, recoding.suppressing.scheme, majority, seed)

    @classmethod
    def of(
        cls,
        frequencies: FrequencyTable,
        levels: tuple[NDArray[np.int32], ...],
        models: Sequence[ClassModel],
        scheme: Scheme,
        majority: str | None = None,
        seed: int = 0,
    ) -> FullSubtreeRecoding:
        """The recoding that publishes each leaf at its level."""
        attributes = frequencies.quasi_identifiers
        plain = cls(
            tuple(attribute.hierarchy for attribute in attributes),
            tuple(attribute.name for attribute in attributes),
            levels,
            nothing_withheld(frequencies),
            (),
            scheme,
        )
        classes = plain.classes(frequencies, census_among(models))
        return plain._with(frequencies, withheld(classes, models, scheme, majority, seed))

    def unsuppressed(self, frequencies: FrequencyTable) -> FullSubtreeRecoding:
        """The same cut with nothing withheld: what a release is compared with, and no release itself."""
        return self._with(frequencies, nothing_withheld(frequencies))

    def applied(
        self, frequencies: FrequencyTable, models: Sequence[ClassModel], majority: str | None, seed: int
    ) -> FullSubtreeRecoding:
        """The same cut through another table, with what the scheme withholds there; all of a class if it is none."""
        wider = [attribute.hierarchy for attribute in frequencies.quasi_identifiers]
        both = zip(self.levels_of, self.hierarchies, wider, strict=True)
        levels = tuple(widened(levels, hierarchy, there) for levels, hierarchy, there in both)
        scheme = Scheme.ALL_RECORDS if self.scheme is Scheme.NONE else self.scheme
        return self.of(frequencies, levels, models, scheme, majority, seed)

    @cached_property
    def cuts(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of each quasi-identifier's cut, in the hierarchy's order; leaves may be values of the data."""
        return {
            name: tuple(dict.fromkeys(printed_by(hierarchy, levels)))
            for name, hierarchy, levels in zip(self.names, self.hierarchies, self.levels_of, strict=True)
        }

    @cached_property
    def published_cuts(self) -> Mapping[str, Mapping[str, int]]:
        """For each quasi-identifier, the labels of its cut that are published, with their records.

        A label that no published record has may be a value that only suppressed records have: it is not told.
        """
        return {
            name: {label: n for label, n in zip(labels, records.tolist(), strict=True) if n}
            for (name, labels), records in zip(self.cuts.items(), self.records_of, strict=True)
        }

    @property
    def intact(self) -> tuple[str, ...]:
        """The quasi-identifiers that are published as they are."""
        return tuple(name for name, levels in zip(self.names, self.levels_of, strict=True) if not levels.any())

    def trees(self) -> Mapping[str, str]:
        """Each quasi-identifier's cut as a tree, with the records of every published label."""
        return {
            name: "\n".join(cut_lines(hierarchy, levels, self.published_cuts[name]))
            for name, hierarchy, levels in zip(self.names, self.hierarchies, self.levels_of, strict=True)
        }

    def withheld_records(self, frequencies: FrequencyTable) -> int:
        """Records left out of the release."""
        return self.withheld.records(frequencies)

    def withheld_values(self) -> int:
        """Sensitive values printed as *."""
        return self.withheld.values()

    def published(self, frequencies: FrequencyTable) -> FrequencyTable:
        """What is left of the frequency table: quasi-identifiers still in original codes, withheld values unknown."""
        codes, others = frequencies.codes.copy(), list(frequencies.others)
        for name, hidden in self.withheld.hidden.items():
            position = frequencies.position(name)
            column = frequencies.columns[position]
            others[position - len(self.names)] = _with_unknown(column)
            codes[hidden, position] = len(column.labels)
        kept = self.withheld.kept
        some = (kept > 0) & (kept < frequencies.counts)
        left = replace(
            frequencies,
            others=tuple(others),
            codes=codes,
            counts=kept,
            units=frequencies.units and _units_of_whole(frequencies.units, some),
            weights=None if some.any() else frequencies.weights,  # whose records stay is not known
        )
        return left.taken(np.flatnonzero(kept > 0))

    def classes(self, frequencies: FrequencyTable, census: FrequencyTable | None = None) -> EquivalenceClasses:
        """The published equivalence classes, with their part of the population if one is given."""
        left = self.published(frequencies)
        nodes = [
            nodes_of(hierarchy, levels) for hierarchy, levels in zip(self.hierarchies, self.levels_of, strict=True)
        ]
        columns = [node_of[left.codes[:, a]] for a, node_of in enumerate(nodes)]
        return EquivalenceClasses(left, np.stack(columns, axis=1), None if census is None else self._among(census))

    def summaries(
        self, frequencies: FrequencyTable, reads: Iterable[str] = (), census: FrequencyTable | None = None
    ) -> list[ClassSummary]:
        """The published classes, with what losses ask about their values."""
        classes = self.classes(frequencies, census)
        _, first = np.unique(classes.ids, return_index=True)
        leaves, levels, covered = [], [], []
        for a, (hierarchy, level_of) in enumerate(zip(self.hierarchies, self.levels_of, strict=True)):
            node_of = nodes_of(hierarchy, level_of)
            records = np.zeros(int(node_of.max(initial=0)) + 1, dtype=np.int64)
            np.add.at(records, node_of[frequencies.codes[:, a]], frequencies.counts)
            node = classes.published[first, a]
            starts = np.flatnonzero(np.diff(node_of, prepend=-1))
            leaves.append(np.bincount(node_of)[node].tolist())
            levels.append(level_of[starts][node].tolist())
            covered.append(records[node].tolist())
        hidden = self._hidden(classes)
        told = zip(*(zip(*columns, strict=True) for columns in (leaves, levels, covered)), hidden, strict=True)
        return [
            replace(summary, leaves=of_leaves, levels=of_levels, covered=of_records, hidden=stars)
            for summary, (of_leaves, of_levels, of_records, stars) in zip(classes.summaries(reads), told, strict=True)
        ]

    def plan(self, table: Table, seed: int) -> ReleasePlan:
        """What is published in place of every combination."""
        f = table.frequencies
        entry = np.flatnonzero(self.withheld.kept > 0)
        labels: dict[str, tuple[str | None, ...]] = {column.name: column.labels for column in f.columns}
        published = f.codes.copy()
        changed = set()
        for a, (name, hierarchy, levels) in enumerate(zip(self.names, self.hierarchies, self.levels_of, strict=True)):
            if levels.any():
                changed.add(name)
                # Where some values are raised, the column is one of texts: the others keep their own spelling in it.
                node_of = nodes_of(hierarchy, levels)
                starts = np.flatnonzero(np.diff(node_of, prepend=-1))
                printed = printed_by(hierarchy, levels)
                own = labels[name]
                labels[name] = tuple(
                    own[leaf] if levels[leaf] == 0 else None if printed[leaf] == MISSING else printed[leaf]
                    for leaf in starts.tolist()
                )
                published[:, a] = node_of[f.codes[:, a]]
        for name, hidden in self.withheld.hidden.items():
            if hidden.any():
                changed.add(name)
                published[hidden, f.position(name)] = len(labels[name])
                labels[name] = (*labels[name], UNKNOWN)
        return table.plan(entry, published[entry], self.withheld.kept[entry], labels, changed, seed)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON: the published labels of each cut, and the level of every leaf, run by run.

        With the data at hand the runs say which cut it is; without it they tell no value.
        """
        return {
            "model": FullSubtree.name,
            "suppression": self.scheme.value,
            "cuts": {name: list(labels) for name, labels in self.published_cuts.items()},
            "levels": {name: runs_of(levels) for name, levels in zip(self.names, self.levels_of, strict=True)},
        }

    def __str__(self) -> str:
        return "\n".join(
            f"cut  {name} as it is" if name in self.intact else f"cut  {name}\n{indent(tree, '  ')}"
            for name, tree in self.trees().items()
        )

    def _with(self, frequencies: FrequencyTable, kept: Withheld) -> FullSubtreeRecoding:
        """The same cut, with this withheld."""
        records = []
        for a, (hierarchy, levels) in enumerate(zip(self.hierarchies, self.levels_of, strict=True)):
            node_of = nodes_of(hierarchy, levels)
            total = np.zeros(int(node_of.max(initial=-1)) + 1, dtype=np.int64)
            np.add.at(total, node_of[frequencies.codes[:, a]], kept.kept)
            records.append(total)
        return replace(self, withheld=kept, records_of=tuple(records))

    def _hidden(self, classes: EquivalenceClasses) -> list[int]:
        """Suppressed values of each published class."""
        total = np.zeros(len(classes.sizes), dtype=np.int64)
        stays = self.withheld.kept > 0
        for hidden in self.withheld.hidden.values():
            np.add.at(total, classes.ids[hidden[stays]], self.withheld.kept[hidden & stays])
        return [int(number) for number in total]

    def _among(self, census: FrequencyTable) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The population's published codes, numbered as the table's are, with its records; matched by label."""
        columns = []
        for a, (hierarchy, levels) in enumerate(zip(self.hierarchies, self.levels_of, strict=True)):
            known = census.quasi_identifiers[a].hierarchy
            number = {label: node for node, label in enumerate(dict.fromkeys(printed_by(hierarchy, levels)))}
            theirs = printed_by(known, widened(levels, hierarchy, known))
            node_of = np.array([number.get(label, -1) for label in theirs], dtype=np.int64)
            columns.append(node_of[census.codes[:, a]])
        return np.stack(columns, axis=1), census.counts


def _with_unknown(column: Column) -> Column:
    return Column(column.name, (*column.labels, UNKNOWN), column.hierarchy, unknown=len(column.labels))


def _units_of_whole(units: UnitCounts, some: NDArray[np.bool_]) -> UnitCounts:
    """The units, where some records of a combination go: it is not known whose, so the others count for nobody."""
    there = ~some[units.combination]
    return UnitCounts(np.where(some, 0, units.own), units.person[there], units.combination[there], units.unknown)


def _check_labels(attribute: QuasiIdentifier, lowest: int, highest: int) -> None:
    """Two nodes side by side that print alike could not be told apart in a release."""
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
