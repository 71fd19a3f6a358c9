"""Induced frequencies: a published sensitive value stands for the base values below it, in proportion to their weights.

H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Definition 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TypeAlias

from sfumato.data.distribution import Distribution
from sfumato.data.summary import ClassSummary
from sfumato.errors import ProblemError
from sfumato.hierarchies import MISSING, Hierarchy, flat
from sfumato.hierarchies.nodes import Nodes

UNKNOWN = "*"  # how a suppressed value is printed: it may be any

# The core adds up induced counts in 62 bits, and their multiples in 120.
_WIDEST_SUM, _WIDEST_PRODUCT = 1 << 62, 1 << 120

# What the core's class InducedLimits is made from.
CoreLimits: TypeAlias = tuple[list[int], list[int], list[int], list[int], list[int], list[int], int, int]


@dataclass(frozen=True, eq=False)
class InducedRequirement:
    """What a model asks of induced frequencies: the k most frequent values of a class have at most the k-th limit."""

    values: InducedValues
    limits: tuple[Fraction, ...]  # all values together may have 1, if there is no limit for so many
    nearest: str  # the strongest one like it that can be met, in words

    @property
    def eligible(self) -> bool:
        """Whether values that may be anything are evenly likely enough: then some recoding satisfies it."""
        total, upto = self.values.totals[0], 0
        falling = sorted(self.values.weights, reverse=True)
        for limit, weight in zip(self.limits, falling, strict=False):
            upto += weight
            if upto > limit * total:
                return False
        return True


@dataclass(frozen=True, eq=False)
class InducedValues:
    """The base values of a sensitive attribute with their weights, and the values above them."""

    name: str
    nodes: Nodes
    weights: tuple[int, ...] = field(repr=False)  # by leaf; 0 for values that nobody has

    @classmethod
    def of(cls, base: Distribution, hierarchy: Hierarchy | None, given: Mapping[str, Fraction]) -> InducedValues:
        """Weight 1 for each base value that occurs, unless another one is given.

        Where a release stands in for the input, its general values may hide base values that it shows nowhere: those
        below a general value without any that occur count as occurring.
        """
        if hierarchy is None:
            hierarchy = flat().build(base.name, {value: n for value, n in base.counts.items() if value != MISSING})
            hierarchy = hierarchy.with_missing() if MISSING in base.counts else hierarchy
        nodes = Nodes.of(hierarchy)
        weights = [Fraction(0)] * len(hierarchy.rows)
        general = []
        for value in base.counts:
            leaf = Distribution(base.name, {}, hierarchy).leaf(value)
            if leaf is None:
                general.append(value)
            else:
                weights[leaf] = given.get(value, Fraction(1))
                if not weights[leaf]:
                    raise ProblemError(f"A value of '{base.name}' that occurs has weight 0; give it more, or none.")
        place = {label: node for node, label in enumerate(nodes.labels)}
        for value in general:
            if value in place:
                first, size = int(nodes.first[place[value]]), int(nodes.sizes[place[value]])
                if not any(weights[first : first + size]):
                    weights[first : first + size] = [Fraction(1)] * size
        for value, weight in given.items():
            if value in hierarchy.codes:
                weights[hierarchy.codes[value]] = weight
        scale = lcm(*(weight.denominator for weight in weights))
        return cls(base.name, nodes, tuple(int(weight * scale) for weight in weights))

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """By node: the weight of all base values below it."""
        upto = [0]
        for weight in self.weights:
            upto.append(upto[-1] + weight)
        spans = zip(self.nodes.first.tolist(), self.nodes.sizes.tolist(), strict=True)
        return tuple(upto[first + size] - upto[first] for first, size in spans)

    @cached_property
    def base(self) -> tuple[int, ...]:
        """The leaves with weight, in the hierarchy's order."""
        return tuple(leaf for leaf, weight in enumerate(self.weights) if weight)

    @cached_property
    def common(self) -> int:
        """D: induced counts are whole multiples of 1/D."""
        return lcm(*(total for total in self.totals if total))

    def node(self, value: str) -> int | None:
        """The node that a published value names, the most specific one of that name; None if there is none."""
        leaf = Distribution(self.name, {}, self.nodes.hierarchy).leaf(value)
        if leaf is not None:
            return int(self.nodes.leaves[leaf])
        return self._places.get(value, 0 if value == UNKNOWN else None)

    def counts(self, histogram: Mapping[str, int], unknown: int = 0) -> dict[int, int] | None:
        """The induced count of each base value, in units of 1/D; None if a published value has no place.

        unknown: suppressed values, which may be any, like the root.
        """
        amounts: dict[int, int] = {}
        named = [(self.node(value), records) for value, records in histogram.items()]
        for node, records in [*named, *([(0, unknown)] if unknown else [])]:
            if node is None or not self.totals[node]:
                return None
            for leaf in self.below(node):
                amounts[leaf] = amounts.get(leaf, 0) + records * self.weights[leaf] * self.common // self.totals[node]
        return amounts

    def frequencies(self, summary: ClassSummary) -> dict[str, Fraction]:
        """The induced frequency of each base value in a class; values without a place induce nothing."""
        histogram = summary.histograms[self.name]
        counts = self.counts(histogram, summary.size - sum(histogram.values())) or {}
        leaves = self.nodes.hierarchy.leaves
        return {leaves[leaf]: Fraction(counts.get(leaf, 0), summary.size * self.common) for leaf in self.base}

    def below(self, node: int) -> list[int]:
        """The base values below a node."""
        first = int(self.nodes.first[node])
        return [leaf for leaf in range(first, first + int(self.nodes.sizes[node])) if self.weights[leaf]]

    def falling(self, counts: Mapping[int, int]) -> list[int]:
        """The counts of all base values, sorted downwards."""
        return sorted((counts.get(leaf, 0) for leaf in self.base), reverse=True)

    @cached_property
    def kept(self) -> list[int]:
        """The nodes with a base value below them, which are all that the core knows, in order."""
        return [node for node, total in enumerate(self.totals) if total]

    def core(self, psi: Sequence[Fraction], records: int, information: int = 0) -> CoreLimits | None:
        """What the core counts with; None if its numbers are too small for that, or there is nothing to count.

        psi: the limits of the 1, 2, … most frequent values, as long as they are below 1. information: what a base value
        retains, in some unit that all numbers of leaves divide.
        """
        scale = lcm(*(limit.denominator for limit in psi)) if psi else 1
        if not self.base or records * self.common >= _WIDEST_SUM or records * self.common * scale >= _WIDEST_PRODUCT:
            return None
        if information >= _WIDEST_SUM:
            return None
        number = {node: i for i, node in enumerate(self.kept)}
        return (
            [number[int(self.nodes.parent[node])] for node in self.kept],
            [number[int(self.nodes.leaves[leaf])] for leaf in self.base],
            [self.weights[leaf] for leaf in self.base],
            [self.nodes.hierarchy.places[leaf] for leaf in self.base],
            [information // int(self.nodes.sizes[node]) for node in self.kept],
            [int(limit * scale) for limit in psi],
            scale,
            self.common,
        )

    @cached_property
    def _places(self) -> dict[str, int]:
        deepest = sorted(range(len(self.nodes)), key=lambda node: int(self.nodes.depth[node]))
        return {self.nodes.labels[node]: node for node in deepest}
