"""A problem of local recoding as Sequential Sweep's core sees it, and what it finds as a recoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, InducedValues
from sfumato.hierarchies import Nodes
from sfumato.native import core as _core
from sfumato.native.run import Run
from sfumato.native.swept_attribute import SweptAttribute, Weighing
from sfumato.native.tables import twin_of
from sfumato.privacy import ClassModel
from sfumato.privacy.base import keys
from sfumato.questions import ClassQuestion, OtherShape
from sfumato.recoding import LocalRecoding


@dataclass(frozen=True, eq=False)
class SweepCore:
    """What the core receives, without the price of sweeping."""

    question: ClassQuestion
    least: int  # records of a class
    weighing: Weighing = field(default_factory=Weighing)
    search: Mapping[str, Any] = field(default_factory=dict)  # how the algorithm is called

    @cached_property
    def attributes(self) -> list[SweptAttribute]:
        """The quasi-identifiers, the most important first."""
        f = self.question.frequencies
        return [SweptAttribute.of(f, a, self.weighing) for a in range(len(f.quasi_identifiers))]

    @cached_property
    def sensitive(self) -> dict[str, InducedValues]:
        """The attributes whose values may be generalised."""
        induced: dict[str, InducedValues] = {}
        for model in self.question.constraints:
            required = model.induces()
            if required is not None:
                induced.setdefault(required.values.name, required.values)
        return induced

    @property
    def others(self) -> list[ClassModel]:
        """The models that say nothing about general values, and more than how many records a class has."""
        return [model for model in self.question.constraints if model.induces() is None and not model.counts_only]

    @property
    def space(self) -> int:
        """The number of level vectors."""
        return prod(len(attribute.retained) for attribute in self.attributes)

    def limits(self, name: str, information: int = 0) -> tuple[Any, ...] | None:
        """The limits of an attribute: the least of all models that read it; None if they are too fine for the core.

        information: what a value retains as it is, in units that all numbers of leaves divide.
        """
        induced = [required for model in self.question.constraints if (required := model.induces()) is not None]
        psi = [required.limits for required in induced if required.values.name == name]
        least = [
            min(limits[k] if k < len(limits) else Fraction(1) for limits in psi)
            for k in range(max((len(limits) for limits in psi), default=0))
        ]
        below = [limit for limit in least if limit < 1]
        return self.sensitive[name].core(below, self.question.frequencies.records, information)

    def information(self, price: Fraction | None) -> int:
        """What a sensitive value retains as it is, in units of which every node above it retains a whole number.

        Without a price nobody looks at it.
        """
        if price is None:
            return 0
        sizes = {size for values in self.sensitive.values() for size in values.nodes.sizes.tolist()}
        return lcm(*sizes) * price.denominator

    def run(self, price: Fraction | None, run: Run) -> tuple[LocalRecoding, bool]:
        """What the core publishes, and whether it went through all classes."""
        f = self.question.frequencies
        if not f.records:
            return self._nothing(), True
        d = len(self.attributes)
        information = self.information(price)
        read = tuple(dict.fromkeys(model.reads for model in self.others if model.reads is not None))
        columns = [(max(len(f.columns[f.position(name)].labels), 1), self._codes(f.position(name))) for name in read]
        with run.core() as (control, on_progress):
            result = _core.sequential_sweep(
                attributes=[attribute.core for attribute in self.attributes],
                retained=_digits([attribute.retained for attribute in self.attributes]),
                values=[attribute.values for attribute in self.attributes],
                codes=[self._codes(position) for position in range(d, len(f.columns))],
                counts=f.counts,
                sensitive=[_core.InducedLimits(*(self.limits(name, information) or ())) for name in self.sensitive],
                nodes=[self._nodes(name) for name in self.sensitive],
                models=[twin_of(model, f, read) for model in self.others],
                columns=columns,
                least=self.least,
                seed=run.seed,
                price=-1 if price is None else int(price * information),
                control=control,
                on_progress=on_progress,
            )
        return self._recoding(result), result.complete

    def _codes(self, position: int) -> NDArray[np.uint32]:
        return np.ascontiguousarray(self.question.frequencies.codes[:, position], dtype=np.uint32)

    def _nodes(self, name: str) -> NDArray[np.uint32]:
        """The node of each combination's sensitive value, as the core numbers them."""
        values = self.sensitive[name]
        number = {node: i for i, node in enumerate(values.kept)}
        labels = self.question.frequencies.columns[self.question.frequencies.position(name)].labels
        by_code = np.array([number[int(values.node(label or "") or 0)] for label in labels], dtype=np.uint32)
        return by_code[self._codes(self.question.frequencies.position(name))]

    def _nothing(self) -> LocalRecoding:
        """What becomes of an empty table."""
        names = [attribute.name for attribute in self.question.frequencies.quasi_identifiers]
        trees = {name: attribute.nodes for name, attribute in zip(names, self.attributes, strict=True)}
        none = np.empty(0, dtype=np.int64)
        search = {**self.search, "complete": True}
        return LocalRecoding(none, np.empty((0, len(names)), dtype=np.int32), {}, none, trees, search)

    def _recoding(self, result: _core.SweepResult) -> LocalRecoding:
        f = self.question.frequencies
        combination = result.combination.astype(np.int64)
        depths = result.depths.reshape(-1, len(self.attributes))[result.item]
        nodes = np.empty((len(combination), len(self.attributes)), dtype=np.int32)
        for a, attribute in enumerate(self.attributes):
            nodes[:, a] = np.stack(attribute.node)[depths[:, a], attribute.values[combination]]
        raised = {}
        for s, (name, values) in enumerate(self.sensitive.items()):
            published = result.node(s)
            same = published == self._nodes(name)[combination]
            raised[name] = np.where(same, -1, np.array(values.kept, dtype=np.int32)[published]).astype(np.int32)
        names = [attribute.name for attribute in f.quasi_identifiers]
        trees: Mapping[str, Nodes] = {
            **{name: attribute.nodes for name, attribute in zip(names, self.attributes, strict=True)},
            **{name: values.nodes for name, values in self.sensitive.items()},
        }
        search = {**self.search, "complete": result.complete}
        return LocalRecoding.of(combination, nodes, raised, result.copies.astype(np.int64), trees, search)


def not_local(name: str, question: ClassQuestion, *, intervals: bool = False) -> str | None:
    """Why a search for local recodings of records does not fit a problem, if that is all there is to say."""
    space = question.recoding.local_space
    if space is None:
        return OtherShape(f"{name} recodes locally, not {question.recoding.name}")
    orders = [axis.name for axis in space.axes(question.frequencies) if axis is not None]
    if orders and not intervals:
        return (
            f"{name} publishes nodes of hierarchies, and '{orders[0]}' is published as intervals; choose local-search, "
            "or give it a hierarchy and leave it out of splits"
        )
    if question.frequencies.units is not None:
        return f"{name} counts records, and where a person has several, k counts persons; leave unit out"
    return None


def violated_whole(question: ClassQuestion) -> str:
    """Why no partition satisfies models that a union of classes inherits; empty if one class of everything does."""
    f = question.frequencies
    histograms = {name: dict(distribution.counts) for name, distribution in f.distributions.items()}
    everything = ClassSummary(f.records, histograms)
    for key, model in zip(keys(question.constraints), question.constraints, strict=True):
        if f.records and model.induces() is None and not model.holds(everything):
            return f"The whole table as one class violates {key}, and so does every partition of it; ask for less."
    return ""


def least_size(models: Sequence[ClassModel], most: int) -> int:
    """The fewest records with which a class satisfies models that only count them; more than `most` if none do."""
    low, high = 1, most + 1
    while low < high:
        middle = (low + high) // 2
        if all(model.holds(ClassSummary(middle)) for model in models):
            high = middle
        else:
            low = middle + 1
    return low


def _digits(retained: Sequence[Sequence[Fraction]]) -> list[list[list[int]]]:
    """The fractions over a common denominator, in digits of 32 bits, the highest first."""
    common = lcm(*(share.denominator for depths in retained for share in depths))
    length = max(1, -(-common.bit_length() // 32))
    return [
        [[int(share * common) >> 32 * j & 0xFFFFFFFF for j in reversed(range(length))] for share in depths]
        for depths in retained
    ]
