"""A chosen cut through each hierarchy, in full-subtree recoding, with what is withheld; it says what is published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from textwrap import indent
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, EquivalenceClasses, FrequencyTable, Table
from sfumato.engines import ReleasePlan
from sfumato.hierarchies import MISSING, Hierarchy, cut_lines
from sfumato.privacy import ClassModel
from sfumato.privacy.base import census_among
from sfumato.recoding.base import Recoded
from sfumato.recoding.cut_levels import among_people, nodes_of, printed_by, records_by_node, runs_of, widened
from sfumato.recoding.suppression import Scheme
from sfumato.recoding.views import Cut, CutSpace
from sfumato.recoding.withholding import UNKNOWN, Withheld, nothing_withheld, withheld

NAME = "full-subtree"


@dataclass(frozen=True, eq=False)
class FullSubtreeRecoding(Recoded):
    """A chosen cut, and what is withheld of each combination of the frequency table."""

    hierarchies: tuple[Hierarchy, ...] = field(repr=False)  # by quasi-identifier
    names: tuple[str, ...]  # of the quasi-identifiers
    levels_of: tuple[NDArray[np.int32], ...] = field(repr=False)  # by quasi-identifier: the level of each leaf
    withheld: Withheld = field(repr=False)
    records_of: tuple[NDArray[np.int64], ...] = field(repr=False)  # by quasi-identifier: published, by node of its cut
    scheme: Scheme = Scheme.NONE
    further: bool = False  # whether classes that violate nothing are suppressed as well

    @classmethod
    def at(
        cls,
        frequencies: FrequencyTable,
        cut: Cut,
        models: Sequence[ClassModel],
        recoding: CutSpace,
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

    def without(self, f: FrequencyTable, classes: NDArray[np.bool_], columns: Iterable[str]) -> FullSubtreeRecoding:
        """These published classes are suppressed too: their values of the columns, if the scheme withholds values."""
        stays = self.withheld.kept > 0
        more = np.zeros(len(stays), dtype=np.bool_)
        more[stays] = classes[self.classes(f).ids]
        less = self.withheld.without_values(more, columns) if self.scheme.of_values else self.withheld.without(more)
        return replace(self._with(f, less), further=True)

    def applied(
        self, frequencies: FrequencyTable, models: Sequence[ClassModel], majority: str | None, seed: int
    ) -> FullSubtreeRecoding:
        """The same cut through another table, with what the scheme withholds there; all of a class if it is none."""
        wider = [attribute.hierarchy for attribute in frequencies.quasi_identifiers]
        both = zip(self.levels_of, self.hierarchies, wider, strict=True)
        levels = tuple(widened(levels, hierarchy, there) for levels, hierarchy, there in both)
        scheme = Scheme.ALL_RECORDS if self.scheme is Scheme.NONE else self.scheme
        return self.of(frequencies, levels, models, scheme, majority, seed)

    @property
    def as_cut(self) -> FullSubtreeRecoding:
        return self

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

        A label that no published record has may be a value that only suppressed records have: it is not shown.
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
        return self.withheld.left(frequencies)

    def classes(self, frequencies: FrequencyTable, census: FrequencyTable | None = None) -> EquivalenceClasses:
        """The published equivalence classes, with their part of the population if one is given."""
        left = self.published(frequencies)
        nodes = [
            nodes_of(hierarchy, levels) for hierarchy, levels in zip(self.hierarchies, self.levels_of, strict=True)
        ]
        columns = [node_of[left.codes[:, a]] for a, node_of in enumerate(nodes)]
        among = None if census is None else among_people(census, self.hierarchies, self.levels_of)
        return EquivalenceClasses(left, np.stack(columns, axis=1), among)

    def summaries(
        self, frequencies: FrequencyTable, reads: Iterable[str] = (), census: FrequencyTable | None = None
    ) -> list[ClassSummary]:
        """The published classes, with what losses ask about their values."""
        classes = self.classes(frequencies, census)
        _, first = np.unique(classes.ids, return_index=True)
        leaves, levels, covered = [], [], []
        for a, (hierarchy, level_of) in enumerate(zip(self.hierarchies, self.levels_of, strict=True)):
            node_of = nodes_of(hierarchy, level_of)
            records = records_by_node(node_of, frequencies.codes[:, a], frequencies.counts)
            node = classes.published[first, a]
            starts = np.flatnonzero(np.diff(node_of, prepend=-1))
            leaves.append(np.bincount(node_of)[node].tolist())
            levels.append(level_of[starts][node].tolist())
            covered.append(records[node].tolist())
        hidden = self._hidden(classes)
        described = zip(*(zip(*columns, strict=True) for columns in (leaves, levels, covered)), hidden, strict=True)
        return [
            replace(summary, leaves=of_leaves, levels=of_levels, covered=of_records, hidden=stars)
            for summary, (of_leaves, of_levels, of_records, stars) in zip(
                classes.summaries(reads), described, strict=True
            )
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
            "model": NAME,
            "suppression": self.scheme.value,
            **({"further_suppression": True} if self.further else {}),
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
        levels = zip(self.hierarchies, self.levels_of, strict=True)
        records = tuple(
            records_by_node(nodes_of(*pair), frequencies.codes[:, a], kept.kept) for a, pair in enumerate(levels)
        )
        return replace(self, withheld=kept, records_of=records)

    def _hidden(self, classes: EquivalenceClasses) -> list[int]:
        """Suppressed values of each published class."""
        total = np.zeros(len(classes.sizes), dtype=np.int64)
        stays = self.withheld.kept > 0
        for hidden in self.withheld.hidden.values():
            np.add.at(total, classes.ids[hidden[stays]], self.withheld.kept[hidden & stays])
        return [int(number) for number in total]
