"""A chosen generalization of every record, in local recoding; it says what is published of each combination."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, Column, EquivalenceClasses, FrequencyTable, Table
from sfumato.engines import ReleasePlan, sorted_rows
from sfumato.errors import ProblemError
from sfumato.hierarchies import MISSING, Nodes
from sfumato.privacy import ClassModel
from sfumato.recoding.base import Recoded
from sfumato.recoding.intervals import Intervals

UNKNOWN = "*"  # how a sensitive value is printed that may be any
NAME = "local"


@dataclass(frozen=True, eq=False)
class LocalRecoding(Recoded):
    """What is published of each combination: entries of so many copies, at nodes of their own."""

    entry: NDArray[np.int64] = field(repr=False)  # the combination of each entry; those of one stand together
    nodes: NDArray[np.int32] = field(repr=False)  # by entry and quasi-identifier: the published node
    raised: Mapping[str, NDArray[np.int32]] = field(repr=False)  # sensitive attribute → by entry: node, -1 as it is
    copies: NDArray[np.int64] = field(repr=False)
    trees: Mapping[str, Nodes | Intervals] = field(repr=False)  # of the quasi-identifiers, then of those in `raised`
    search: Mapping[str, Any] = field(default_factory=dict)  # how it was searched for: the same seed gives it again

    @classmethod
    def of(
        cls,
        entry: NDArray[np.int64],
        nodes: NDArray[np.int32],
        raised: Mapping[str, NDArray[np.int32]],
        copies: NDArray[np.int64],
        trees: Mapping[str, Nodes | Intervals],
        search: Mapping[str, Any],
    ) -> LocalRecoding:
        """The recoding with these entries; equal ones become one, and they come in order."""
        columns = [entry, *nodes.T, *(column + 1 for column in raised.values())]
        order = sorted_rows(columns)
        new = np.zeros(len(order), dtype=np.bool_)
        new[:1] = True
        for column in columns:
            new[1:] |= np.diff(column[order]) != 0
        first = np.flatnonzero(new)
        total = np.add.reduceat(copies[order], first) if len(first) else copies
        kept = order[first]
        taken = {name: column[kept] for name, column in raised.items()}
        return cls(entry[kept], nodes[kept], taken, total, trees, search)

    @property
    def as_entries(self) -> LocalRecoding:
        return self

    @property
    def intact(self) -> tuple[str, ...]:
        """The quasi-identifiers that are published as they are."""
        trees = list(self.trees.items())[: self.nodes.shape[1]]
        return tuple(
            name
            for a, (name, tree) in enumerate(trees)
            if (tree.intact if isinstance(tree, Intervals) else tree.level == 0)[self.nodes[:, a]].all()
        )

    def unsuppressed(self, frequencies: FrequencyTable) -> Self:
        """The recoding itself: it suppresses nothing."""
        return self

    def applied(
        self, frequencies: FrequencyTable, models: Sequence[ClassModel], majority: str | None, seed: int
    ) -> Self:
        """Nothing: what becomes of a record depends on the others, so it says nothing about other data."""
        raise ProblemError(
            "Local recoding publishes equal records differently, so it cannot be applied to other data; solve a "
            "problem of that data, or choose full-domain or full-subtree recoding."
        )

    def withheld_records(self, frequencies: FrequencyTable) -> int:
        """None: every record is published."""
        return 0

    def withheld_values(self) -> int:
        """Sensitive values printed as *, which say nothing."""
        return sum(labels.get(UNKNOWN, 0) for labels in self.generalised.values())

    @cached_property
    def generalised(self) -> Mapping[str, Mapping[str, int]]:
        """Sensitive attribute → what its values were generalised to → records, the most frequent first."""
        generalised: dict[str, Mapping[str, int]] = {}
        for name, column in self.raised.items():
            records: Counter[str] = Counter()
            for node in np.unique(column[column >= 0]).tolist():
                records[self.trees[name].labels[node] or ""] += int(self.copies[column == node].sum())
            generalised[name] = dict(records.most_common())
        return generalised

    def by_level(self, frequencies: FrequencyTable) -> Mapping[str, Mapping[int, int]]:
        """Quasi-identifier → level of its hierarchy, 0 as it is → records published at it."""
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        return {name: dict(enumerate(self._by_level(a, name))) for a, name in enumerate(names)}

    def published(self, frequencies: FrequencyTable) -> FrequencyTable:
        """The published entries: quasi-identifiers in original codes, sensitive values as they are printed."""
        codes, others = frequencies.codes[self.entry].copy(), list(frequencies.others)
        for name, column in self.raised.items():
            position = frequencies.position(name)
            old = frequencies.columns[position]
            others[position - len(frequencies.quasi_identifiers)] = Column(
                name, (*old.labels, *self.trees[name].labels), old.hierarchy
            )
            codes[:, position] = np.where(column < 0, codes[:, position], len(old.labels) + column)
        return replace(frequencies, others=tuple(others), codes=codes, counts=self.copies, units=None, weights=None)

    def classes(self, frequencies: FrequencyTable, census: FrequencyTable | None = None) -> EquivalenceClasses:
        """The published equivalence classes; local recoding knows no population."""
        return EquivalenceClasses(self.published(frequencies), self.nodes)

    def summaries(
        self, frequencies: FrequencyTable, reads: Iterable[str] = (), census: FrequencyTable | None = None
    ) -> list[ClassSummary]:
        """The published classes, with what losses ask about their values."""
        classes = self.classes(frequencies)
        _, first = np.unique(classes.ids, return_index=True)
        leaves, levels, covered = [], [], []
        for a, attribute in enumerate(frequencies.quasi_identifiers):
            tree = self.trees[attribute.name]
            node = self.nodes[first, a]
            records = np.zeros(len(attribute.hierarchy.rows), dtype=np.int64)
            np.add.at(records, frequencies.codes[:, a], frequencies.counts)
            leaves.append(tree.sizes[node].tolist())
            levels.append(tree.level[node].tolist())
            covered.append(tree.records(records)[node].tolist())
        described = zip(*(zip(*columns, strict=True) for columns in (leaves, levels, covered)), strict=True)
        retained = self._retained(classes, frequencies)
        return [
            replace(summary, leaves=of_leaves, levels=of_levels, covered=of_records, retained=left)
            for summary, (of_leaves, of_levels, of_records), left in zip(
                classes.summaries(reads), described, retained, strict=True
            )
        ]

    def plan(self, table: Table, seed: int) -> ReleasePlan:
        """What is published in place of every combination."""
        f = table.frequencies
        labels: dict[str, tuple[str | None, ...]] = {column.name: column.labels for column in f.columns}
        published = f.codes[self.entry].copy()
        changed = set()
        for a, attribute in enumerate(f.quasi_identifiers):
            tree = self.trees[attribute.name]
            node = self.nodes[:, a]
            if attribute.name in self.intact:
                continue  # published as it came
            changed.add(attribute.name)
            if isinstance(tree, Intervals):
                labels[attribute.name] = tree.labels
                published[:, a] = node
                continue
            # Where some values are raised, the column is one of texts: the others keep their own spelling in it.
            printed: list[str | None] = [None if label == MISSING else label for label in tree.labels]
            for leaf, at in enumerate(tree.leaves.tolist()):
                printed[at] = attribute.labels[leaf]
            labels[attribute.name] = tuple(printed)
            published[:, a] = node
        for name, column in self.raised.items():
            if (column >= 0).any():
                changed.add(name)
                position = f.position(name)
                published[:, position] = np.where(column < 0, published[:, position], len(labels[name]) + column)
                labels[name] = (*labels[name], *self.trees[name].labels)
        return table.plan(self.entry, published, self.copies, labels, changed, seed)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        names = list(self.trees)[: self.nodes.shape[1]]
        return {
            "model": NAME,
            "levels": {name: self._by_level(a, name) for a, name in enumerate(names)},
            "generalised": {name: dict(records) for name, records in self.generalised.items()},
            "search": dict(self.search),
        }

    def __str__(self) -> str:
        counts = [
            f"{name} {sum(labels.values()):,} ({', '.join(f'{label} {n:,}' for label, n in labels.items())})"
            for name, labels in self.generalised.items()
            if labels
        ]
        raised = f"; sensitive values generalised: {'; '.join(counts) or 'none'}" if self.raised else ""
        return f"a generalization per record{raised}"

    def _by_level(self, a: int, name: str) -> list[int]:
        """Records published at each level of a quasi-identifier."""
        tree = self.trees[name]
        by_level = np.bincount(tree.level[self.nodes[:, a]], self.copies, tree.hierarchy.height + 1)
        return [int(records) for records in by_level]

    def _retained(self, classes: EquivalenceClasses, frequencies: FrequencyTable) -> list[Fraction | None]:
        """What the sensitive values of each class retain."""
        if not any((column >= 0).any() for column in self.raised.values()):
            return [None] * len(classes.sizes)
        total = [Fraction(int(size) * (len(frequencies.sensitive) - len(self.raised))) for size in classes.sizes]
        for name, column in self.raised.items():
            sizes = np.where(column < 0, 1, self.trees[name].sizes[column])
            parts = lcm(*np.unique(sizes).tolist())
            exact = np.int64 if parts * frequencies.records < 1 << 62 else object  # whole numbers either way
            share = np.array([parts // size for size in sizes.tolist()], dtype=exact) * self.copies.astype(exact)
            sums = np.zeros(len(total), dtype=exact)
            np.add.at(sums, classes.ids, share)
            total = [before + Fraction(int(n), parts) for before, n in zip(total, sums.tolist(), strict=True)]
        return list(total)
