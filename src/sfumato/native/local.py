"""A problem of local recoding as LocalSearch's core sees it, and what it finds as a recoding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable, class_ids, drawn
from sfumato.hierarchies import Nodes
from sfumato.loss import BlockShapes, CoreLoss
from sfumato.native import core as _core
from sfumato.native.run import CoreCosts, Run
from sfumato.native.sweep import least_size
from sfumato.native.tables import twin_of
from sfumato.privacy import ClassModel
from sfumato.privacy.base import labels_of
from sfumato.questions import ClassQuestion
from sfumato.recoding import LocalRecoding
from sfumato.recoding.axes import Axis, OrderedAxis
from sfumato.recoding.intervals import Intervals

_WIDEST_COST = 1 << 50  # of a record, in the core's units
_CELL_BITS = 16  # of an interval's last cell, as the core has it
_FINEST_SHARE = 10_000  # a part of a class
_NO_TREE = np.empty(0, dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class LocalAttribute:
    """A quasi-identifier's tree without nodes that cover no more values than one below them: they only cost more."""

    nodes: Nodes
    kept: NDArray[np.int64] = field(repr=False)  # the nodes, parents before children
    parent: NDArray[np.uint32] = field(repr=False)  # by kept node, the place of the one above; the root is its own
    leaf: NDArray[np.uint32] = field(repr=False)  # of each combination, the place of its value's node
    missing: ClassVar[bool] = False  # a leaf like others

    @classmethod
    def of(cls, frequencies: FrequencyTable, a: int) -> LocalAttribute:
        """An attribute over the values that occur."""
        nodes = Nodes.of(frequencies.quasi_identifiers[a].hierarchy)
        occurs = np.zeros(len(nodes.hierarchy.rows) + 1, dtype=np.int64)
        occurs[frequencies.codes[:, a] + 1] = 1
        upto = np.cumsum(occurs)
        values = upto[nodes.first + nodes.sizes] - upto[nodes.first]
        most = np.zeros(len(nodes), dtype=np.int64)  # values below one node further down
        there = np.flatnonzero(~nodes.namesakes[1:]) + 1
        np.maximum.at(most, nodes.distinct[nodes.parent[there]], values[there])
        keeps = (values > most) & ~nodes.namesakes
        kept = np.flatnonzero(keeps)
        place = np.cumsum(keeps) - 1
        above = nodes.parent[kept].astype(np.int64)
        while not (done := keeps[above] | (above == 0)).all():
            above = np.where(done, above, nodes.parent[above])
        parent = np.where(keeps[above], place[above], 0)  # above the topmost one there is nothing
        leaf = place[nodes.leaves[frequencies.codes[:, a]]]
        return cls(nodes, kept, parent.astype(np.uint32), leaf.astype(np.uint32))

    def published(self, nodes: NDArray[np.uint32]) -> tuple[NDArray[np.int32], Nodes]:
        """Nodes of the core's as the hierarchy numbers them."""
        return self.kept[nodes].astype(np.int32), self.nodes

    def costs(self, loss: CoreLoss, a: int) -> list[int]:
        """What a record costs at each kept node, in the loss's units."""
        groups = self.nodes.hierarchy.groups
        prices = []
        for node in self.kept.tolist():
            level, first = int(self.nodes.level[node]), int(self.nodes.first[node])
            group = int(groups[level][first])
            prices.append(sum(part.unit[a] * int(part.weights[a][level][group]) for part in loss.values))
        return prices


@dataclass(frozen=True, eq=False)
class LocalOrder:
    """A quasi-identifier that is published as intervals of its cells: to the core, the first cell and the last one."""

    axis: Axis
    cell: NDArray[np.int64] = field(repr=False)  # of each combination

    @classmethod
    def of(cls, frequencies: FrequencyTable, a: int, axis: Axis) -> LocalOrder:
        """An attribute with the cells of an axis."""
        return cls(axis, axis.cell_of[frequencies.codes[:, a]].astype(np.int64))

    @property
    def leaf(self) -> NDArray[np.uint32]:
        """The interval of each combination's cell alone."""
        return (self.cell << _CELL_BITS | self.cell).astype(np.uint32)

    @property
    def missing(self) -> bool:
        """Whether the last cell is the missing value, which only the interval of all has together with others."""
        return isinstance(self.axis, OrderedAxis) and self.axis.missing and self.axis.cells > 1

    def published(self, nodes: NDArray[np.uint32]) -> tuple[NDArray[np.int32], Intervals]:
        """Intervals of the core's by number, and what the numbers mean."""
        used, number = np.unique(nodes, return_inverse=True)
        mask = (1 << _CELL_BITS) - 1
        blocks = tuple((node >> _CELL_BITS, node & mask) for node in used.tolist())
        return number.astype(np.int32), Intervals(self.axis, blocks)


@dataclass(frozen=True, eq=False)
class LocalCore:
    """What the core receives. Records that no model distinguishes are one item."""

    question: ClassQuestion
    search: Mapping[str, Any] = field(default_factory=dict)  # how the algorithm is called

    @cached_property
    def attributes(self) -> list[LocalAttribute | LocalOrder]:
        """The quasi-identifiers."""
        f, space = self.question.frequencies, self.question.recoding.local_space
        axes = [] if space is None else space.axes(f)
        return [LocalAttribute.of(f, a) if axis is None else LocalOrder.of(f, a, axis) for a, axis in enumerate(axes)]

    @cached_property
    def loss(self) -> tuple[CoreLoss, list[list[int]]]:
        """The loss in whole units, and what a record costs in each: by attribute, node by node, or by cells."""
        f, loss, boxed = self.question.frequencies, self.question.loss, self.question.loss.boxed
        trees = [attribute for attribute in self.attributes if isinstance(attribute, LocalAttribute)]
        if len(trees) == len(self.attributes):
            core = loss.core(f)
            return core, [attribute.costs(core, a) for a, attribute in enumerate(trees)]
        if boxed is None:
            raise TypeError("not a loss of intervals")  # LocalSearch refuses it
        of_boxes = boxed.of_boxes(f, [_shapes(attribute) for attribute in self.attributes])
        return CoreLoss(denominator=of_boxes.denominator), [list(prices) for prices in of_boxes.prices]

    @property
    def others(self) -> list[ClassModel]:
        """The models that ask for more than a number of records."""
        return [model for model in self.question.constraints if not model.counts_only]

    @property
    def read(self) -> tuple[str, ...]:
        """The columns whose histograms the models read."""
        return tuple(dict.fromkeys(model.reads for model in self.others if model.reads is not None))

    @cached_property
    def least(self) -> int:
        """The fewest records of a class; a value with a share of at most 1/l occurs in no fewer than l."""
        f = self.question.frequencies
        sized = [model for model in self.question.constraints if model.counts_only]
        fewest = [least_size(sized, f.records)]
        for model in self.others:
            fewest.append(model.fewest)
            if limits := self._limits(model):
                fewest.append(ceil(1 / (max(limits) or 1)))
        return max(fewest)

    def _limits(self, model: ClassModel) -> list[Fraction]:
        """The largest shares of a class that a model leaves to the values of what it reads."""
        if model.reads is None:
            return []
        return [model.share_limit(label) for label in labels_of(self.question.frequencies, model.reads)]

    @property
    def shares(self) -> tuple[int, list[int], int]:
        """The column whose values have the least shares; these in whole numbers, rounded up, and how many are 1."""
        limited = [(model, limits) for model in self.others if (limits := self._limits(model)) and min(limits) < 1]
        if not limited:
            return 0, [], 1
        model, limits = min(limited, key=lambda one: max(one[1]))
        parts = min(lcm(*(limit.denominator for limit in limits)), _FINEST_SHARE)
        return self.read.index(str(model.reads)), [ceil(limit * parts) for limit in limits], parts

    @cached_property
    def items(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The item of each combination, and a combination of each item."""
        f = self.question.frequencies
        columns = [*range(len(f.quasi_identifiers)), *(f.position(name) for name in self.read)]
        ids = class_ids(f.codes[:, columns])
        return ids, np.unique(ids, return_index=True)[1]

    @cached_property
    def costs(self) -> tuple[list[NDArray[np.int64]], int]:
        """What a record costs at each node, by attribute; and by how many bits all were shortened, downwards."""
        exact = self.loss[1]
        dearest = sum(max(costs, default=0) for costs in exact)
        bits = max(0, dearest.bit_length() - _WIDEST_COST.bit_length() + 1)
        return [np.array([cost >> bits for cost in costs], dtype=np.int64) for costs in exact], bits

    def run(self, settings: Mapping[str, Any], run: Run) -> _core.LocalResult:
        """The result of the core's search."""
        f = self.question.frequencies
        ids, first = self.items
        counts = np.zeros(len(first), dtype=np.int64)
        np.add.at(counts, ids, f.counts)
        positions = [f.position(name) for name in self.read]
        with run.core(CoreCosts(self)) as (control, on_progress):
            return _core.local_search(
                trees=[
                    (getattr(attribute, "parent", _NO_TREE), cost, isinstance(attribute, LocalOrder), attribute.missing)
                    for attribute, cost in zip(self.attributes, self.costs[0], strict=True)
                ],
                leaf=[np.ascontiguousarray(attribute.leaf[first]) for attribute in self.attributes],
                counts=counts,
                models=[twin_of(model, f, self.read) for model in self.others],
                columns=[(max(len(f.columns[p].labels), 1), f.codes[first, p].astype(np.uint32)) for p in positions],
                least=self.least,
                shares=self.shares,
                seed=run.seed,
                control=control,
                on_progress=on_progress,
                **settings,
            )

    def nothing(self) -> LocalRecoding:
        """What becomes of an empty table."""
        none = np.empty(0, dtype=np.int64)
        nodes, trees = self._published(np.empty((0, len(self.attributes)), dtype=np.uint32))
        return LocalRecoding(none, nodes, {}, none, trees, self.search)

    def _published(self, tuples: NDArray[np.uint32]) -> tuple[NDArray[np.int32], dict[str, Nodes | Intervals]]:
        """Tuples of the core as nodes of hierarchies and numbered intervals."""
        nodes = np.empty(tuples.shape, dtype=np.int32)
        trees: dict[str, Nodes | Intervals] = {}
        for a, attribute in enumerate(self.attributes):
            name = self.question.frequencies.quasi_identifiers[a].name
            nodes[:, a], trees[name] = attribute.published(tuples[:, a])
        return nodes, trees

    def exact(self, units: int) -> Fraction:
        """A bound of the core's as the loss tells it."""
        return self.loss[0].exact(units << self.costs[1])

    def recoding(self, result: _core.LocalResult, seed: int) -> LocalRecoding:
        """What the core publishes of each combination. How many of which go where is drawn by lot."""
        f = self.question.frequencies
        ids, _ = self.items
        entry, way, copies = drawn(ids, f.counts, result.item.astype(np.int64), result.copies.astype(np.int64), seed)
        nodes, trees = self._published(result.tuples.reshape(-1, len(self.attributes)))
        # Several entries of the core may be of one class.
        classes = len(nodes) or 1
        different, place = np.unique(entry * classes + result.number[way].astype(np.int64), return_inverse=True)
        together = np.zeros(len(different), dtype=np.int64)
        np.add.at(together, place, copies)
        search = {**self.search, "complete": result.complete}
        return LocalRecoding.of(different // classes, nodes[different % classes], {}, together, trees, search)


def _shapes(attribute: LocalAttribute | LocalOrder) -> BlockShapes:
    """What a loss asks of an attribute's nodes, or of its intervals by their cells."""
    if isinstance(attribute, LocalAttribute):
        sizes = attribute.nodes.sizes[attribute.kept].tolist()
        return BlockShapes([Fraction(size) for size in sizes], sizes)
    blocks = attribute.axis.priced()[1:]
    return BlockShapes([attribute.axis.leaves(b) for b in blocks], [attribute.axis.length(b) for b in blocks])
