"""A quasi-identifier as Sequential Sweep orders its levels: by how much information the values at a depth retain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable
from sfumato.errors import ProblemError
from sfumato.hierarchies import Nodes
from sfumato.settings.exact import Number, numbers


@dataclass(frozen=True, eq=False)
class Weighing:
    """p'(v) of Tian and Zhang: what each value of the hierarchies weighs in the mean over its level.

    A value that is not named weighs as much as the base values below it together, and such a base value 1, or as many
    records as have it; one that does not occur weighs nothing unless it is named.
    """

    records: bool = False
    given: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)  # quasi-identifier → label → weight

    def of(self, name: str, nodes: Nodes, leaves: NDArray[np.int64], counts: NDArray[np.int64]) -> list[Fraction]:
        """The weight of each node of a quasi-identifier, where these leaves occur in so many records."""
        base = [Fraction(0)] * len(nodes.hierarchy.rows)
        for leaf, count in zip(leaves.tolist(), counts.tolist(), strict=True):
            base[leaf] = Fraction(count if self.records else 1)
        named = {_node(name, nodes, label): weight for label, weight in self.given.get(name, {}).items()}
        for node, weight in named.items():
            leaf = int(nodes.first[node])
            if nodes.leaves[leaf] == node:  # a base value, and not one above that has no other below it
                base[leaf] = weight
        upto = [Fraction(0)]
        for weight in base:
            upto.append(upto[-1] + weight)
        spans = zip(nodes.first.tolist(), nodes.sizes.tolist(), strict=True)
        return [named.get(node, upto[first + size] - upto[first]) for node, (first, size) in enumerate(spans)]


def weights_of(given: object) -> dict[str, dict[str, Fraction]]:
    """The weights of values as somebody gives them, by quasi-identifier: nested, or with keys such as 'age.30'."""
    listed: dict[str, dict[str, Number]] = {}
    if given is not None and not isinstance(given, Mapping):
        raise ProblemError("weights does not say whose; give a dictionary such as {'age': {'30': 2}}.")
    for key, value in (given or {}).items():
        if isinstance(value, Mapping):
            listed.setdefault(str(key), {}).update(value)
            continue
        name, dot, label = str(key).partition(".")
        if not dot:
            raise ProblemError(f"weights['{key}'] is not a dictionary; write it like weights={{'{key}': {{'…': 2}}}}.")
        listed.setdefault(name, {})[label] = value
    exact = {name: numbers(weights, f"weights['{name}']") for name, weights in listed.items()}
    for name, weights in exact.items():
        for label, weight in weights.items():
            if not weight:
                raise ProblemError(f"weights['{name}']['{label}'] is 0; give more than 0, or leave it out.")
    return exact


def require_weighed(given: Mapping[str, Mapping[str, Fraction]], frequencies: FrequencyTable) -> None:
    """Raises a ProblemError if weights name what is not a value of a quasi-identifier."""
    attributes = {attribute.name: attribute for attribute in frequencies.quasi_identifiers}
    for name, weights in given.items():
        if name not in attributes:
            raise ProblemError(
                f"weights has '{name}', which is not a quasi-identifier; choose from {', '.join(attributes)}."
            )
        nodes = Nodes.of(attributes[name].hierarchy)
        for label in weights:
            _node(name, nodes, label)


def _node(name: str, nodes: Nodes, label: str) -> int:
    """The node that a label names: a base value, or else the most specific one of that name."""
    if label in nodes.hierarchy.codes:
        return int(nodes.leaves[nodes.hierarchy.codes[label]])
    called = [node for node, printed in enumerate(nodes.labels) if printed == label]
    if not called:
        raise ProblemError(
            f"weights['{name}'] names a value that '{name}' does not have: '{label}'; correct it or leave it out."
        )
    return max(called, key=lambda node: (int(nodes.depth[node]), -node))


@dataclass(frozen=True, eq=False)
class SweptAttribute:
    """A quasi-identifier by depth, the root at 0; no deeper than its occurring values."""

    nodes: Nodes
    values: NDArray[np.uint32] = field(repr=False)  # of each combination, counted among those that occur
    leaf: NDArray[np.uint32] = field(repr=False)  # by value: its depth
    node: tuple[NDArray[np.int32], ...] = field(repr=False)  # by depth and value
    retained: tuple[Fraction, ...]  # by depth: I(S), the mean of 1/leaves(v) over its nodes, weighted

    @classmethod
    def of(cls, frequencies: FrequencyTable, a: int, weighing: Weighing) -> SweptAttribute:
        """An attribute, its nodes weighed."""
        attribute = frequencies.quasi_identifiers[a]
        nodes = Nodes.of(attribute.hierarchy)
        leaves, values = np.unique(frequencies.codes[:, a], return_inverse=True)
        counts = np.zeros(len(leaves), dtype=np.int64)
        np.add.at(counts, values, frequencies.counts)
        depth = nodes.depth[nodes.leaves[leaves]]
        deepest = int(depth.max(initial=0))
        paths = nodes.distinct[nodes.paths[: deepest + 1, leaves]]
        weighted: list[Fraction] = [Fraction(0)] * (deepest + 1)
        total: list[Fraction] = [Fraction(0)] * (deepest + 1)
        for node, weight in enumerate(weighing.of(attribute.name, nodes, leaves, counts)):
            at = int(nodes.depth[node])
            if weight and at <= deepest:
                weighted[at] += weight / int(nodes.sizes[node])
                total[at] += weight
        retained = [part / whole if whole else Fraction(1) for part, whole in zip(weighted, total, strict=True)]
        return cls(nodes, values.astype(np.uint32), depth.astype(np.uint32), tuple(paths), tuple(retained))

    @property
    def core(self) -> tuple[NDArray[np.uint32], list[NDArray[np.uint32]]]:
        """Its nodes, counted along each depth."""
        return self.leaf, [np.unique(node, return_inverse=True)[1].astype(np.uint32) for node in self.node]
