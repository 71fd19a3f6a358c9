"""A problem of local recoding as LocalSearch's core sees it, and what it finds as a recoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.algorithms.sweep_core import counts_only, least_size
from sfumato.data import FrequencyTable, class_ids
from sfumato.hierarchies import Nodes
from sfumato.loss import CoreLoss
from sfumato.privacy import ClassModel
from sfumato.privacy.base import labels_of
from sfumato.problem import Problem
from sfumato.recoding import LocalRecoding

if TYPE_CHECKING:
    from sfumato import _core

_WIDEST_COST = 1 << 50  # of a record, in the core's units


@dataclass(frozen=True, eq=False)
class LocalAttribute:
    """A quasi-identifier's tree without nodes that cover no more values than one below them: they only cost more."""

    nodes: Nodes
    kept: NDArray[np.int64] = field(repr=False)  # the nodes, parents before children
    parent: NDArray[np.uint32] = field(repr=False)  # by kept node, the place of the one above; the root is its own
    leaf: NDArray[np.uint32] = field(repr=False)  # of each combination, the place of its value's node

    @classmethod
    def of(cls, frequencies: FrequencyTable, a: int) -> LocalAttribute:
        """An attribute over the values that occur."""
        nodes = Nodes.of(frequencies.quasi_identifiers[a].hierarchy)
        occurs = np.zeros(len(nodes.hierarchy.rows) + 1, dtype=np.int64)
        occurs[frequencies.codes[:, a] + 1] = 1
        upto = np.cumsum(occurs)
        values = upto[nodes.first + nodes.sizes] - upto[nodes.first]
        most = np.zeros(len(nodes), dtype=np.int64)  # values below one child
        np.maximum.at(most, nodes.parent[1:], values[1:])
        keeps = values > most
        kept = np.flatnonzero(keeps)
        place = np.cumsum(keeps) - 1
        above = nodes.parent[kept].astype(np.int64)
        while not (done := keeps[above] | (above == 0)).all():
            above = np.where(done, above, nodes.parent[above])
        parent = np.where(keeps[above], place[above], 0)  # above the topmost one there is nothing
        leaf = place[nodes.leaves[frequencies.codes[:, a]]]
        return cls(nodes, kept, parent.astype(np.uint32), leaf.astype(np.uint32))

    def costs(self, loss: CoreLoss, a: int) -> list[int]:
        """What a record costs at each kept node, in the loss's units."""
        groups = self.nodes.hierarchy.groups
        found = []
        for node in self.kept.tolist():
            level, first = int(self.nodes.level[node]), int(self.nodes.first[node])
            group = int(groups[level][first])
            found.append(sum(part.unit[a] * int(part.weights[a][level][group]) for part in loss.values))
        return found


@dataclass(frozen=True, eq=False)
class LocalCore:
    """All that the core is told. Records that no model tells apart are one item."""

    problem: Problem
    search: Mapping[str, Any] = field(default_factory=dict)  # how the algorithm is called

    @cached_property
    def attributes(self) -> list[LocalAttribute]:
        """The quasi-identifiers."""
        f = self.problem.data.frequencies
        return [LocalAttribute.of(f, a) for a in range(len(f.quasi_identifiers))]

    @cached_property
    def loss(self) -> CoreLoss:
        """The loss in whole units."""
        return self.problem.loss.core(self.problem.data.frequencies)

    @property
    def others(self) -> list[ClassModel]:
        """The models that ask for more than a number of records."""
        return [model for model in self.problem.constraints if not counts_only(model)]

    @property
    def read(self) -> tuple[str, ...]:
        """The columns whose histograms the models read."""
        return tuple(dict.fromkeys(model.reads for model in self.others if model.reads is not None))

    @cached_property
    def least(self) -> int:
        """The fewest records of a class: a value with a share of at most 1/l occurs in no fewer than l."""
        f = self.problem.data.frequencies
        sized = [model for model in self.problem.constraints if counts_only(model)]
        fewest = [least_size(sized, f.records)]
        for model in self.others:
            if model.reads is None:
                continue
            shares = [model.ceiling(label) for label in labels_of(f, model.reads)]
            known = [share for share in shares if share is not None]
            if len(known) == len(shares) and max(known, default=0) > 0:
                fewest.append(ceil(1 / max(known)))
        return max(fewest)

    @cached_property
    def items(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The item of each combination, and a combination of each item."""
        f = self.problem.data.frequencies
        columns = [*range(len(f.quasi_identifiers)), *(f.position(name) for name in self.read)]
        ids = class_ids(f.codes[:, columns])
        return ids, np.unique(ids, return_index=True)[1]

    @cached_property
    def costs(self) -> tuple[list[NDArray[np.int64]], int]:
        """What a record costs at each node, by attribute; and by how many bits all were shortened, downwards."""
        exact = [attribute.costs(self.loss, a) for a, attribute in enumerate(self.attributes)]
        dearest = sum(max(costs, default=0) for costs in exact)
        bits = max(0, dearest.bit_length() - _WIDEST_COST.bit_length() + 1)
        return [np.array([cost >> bits for cost in costs], dtype=np.int64) for costs in exact], bits

    def run(
        self, settings: Mapping[str, Any], seed: int, control: _core.Control, progress: Callable[[Any], object] | None
    ) -> _core.LocalResult:
        """What the core finds."""
        from sfumato import _core
        from sfumato.native import twin_of

        f = self.problem.data.frequencies
        ids, first = self.items
        counts = np.zeros(len(first), dtype=np.int64)
        np.add.at(counts, ids, f.counts)
        positions = [f.position(name) for name in self.read]
        return _core.local_search(
            trees=[(attribute.parent, cost) for attribute, cost in zip(self.attributes, self.costs[0], strict=True)],
            leaf=[np.ascontiguousarray(attribute.leaf[first]) for attribute in self.attributes],
            counts=counts,
            models=[twin_of(model, f, self.read) for model in self.others],
            columns=[(max(len(f.columns[p].labels), 1), f.codes[first, p].astype(np.uint32)) for p in positions],
            least=self.least,
            seed=seed,
            control=control,
            on_progress=progress,
            **settings,
        )

    def nothing(self) -> LocalRecoding:
        """What becomes of an empty table."""
        none, width = np.empty(0, dtype=np.int64), len(self.attributes)
        return LocalRecoding(none, np.empty((0, width), dtype=np.int32), {}, none, self._trees, self.search)

    @property
    def _trees(self) -> dict[str, Nodes]:
        names = [attribute.name for attribute in self.problem.data.frequencies.quasi_identifiers]
        return {name: attribute.nodes for name, attribute in zip(names, self.attributes, strict=True)}

    def exact(self, units: int) -> Fraction:
        """A bound of the core's as the loss tells it."""
        return self.loss.exact(units << self.costs[1])

    def recoding(self, result: _core.LocalResult, seed: int) -> LocalRecoding:
        """What the core publishes of each combination. Which of several goes where is drawn by lot."""
        f = self.problem.data.frequencies
        ids, _ = self.items
        # All records, item by item: those of the table in random order, those of the result as they come.
        record = np.repeat(np.arange(len(f.counts)), f.counts)
        record = record[np.random.Generator(np.random.PCG64(seed)).permutation(len(record))]
        record = record[np.argsort(ids[record], kind="stable")]
        entries = np.argsort(result.item, kind="stable")
        number = np.repeat(result.number[entries], result.copies[entries]).astype(np.int64)
        tuples = result.tuples.reshape(-1, len(self.attributes))
        nodes = np.empty(tuples.shape, dtype=np.int32)
        for a, attribute in enumerate(self.attributes):
            nodes[:, a] = attribute.kept[tuples[:, a]]
        classes = len(tuples) or 1
        different, copies = np.unique(record * classes + number, return_counts=True)
        search = {**self.search, "complete": result.complete}
        entry, published = different // classes, nodes[different % classes]
        return LocalRecoding.of(entry, published, {}, copies.astype(np.int64), self._trees, search)
