"""A problem as the core sees it: codes of occurring values, levels as node numbers, and the models' C++ twins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato.data import ClassSummary, FrequencyTable, QuasiIdentifier
from sfumato.engines import UnitCounts
from sfumato.loss import CoreLoss, ValueLoss
from sfumato.privacy import ClassModel
from sfumato.privacy.base import labels_of

_UnitArrays: TypeAlias = tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint32]]


@dataclass(frozen=True)
class NativeProblem:
    """The parts of a problem, handed to the core."""

    frequencies: _core.Frequencies
    models: list[_core.ClassModel]
    loss: _core.Loss

    @classmethod
    def of(
        cls, frequencies: FrequencyTable, models: Sequence[ClassModel], loss: CoreLoss | None = None
    ) -> NativeProblem:
        """The frequency table with the columns whose histograms the models and the loss read."""
        loss = loss or CoreLoss()
        read = [*(model.reads for model in models if model.reads is not None), *loss.reads]
        sensitive = tuple(dict.fromkeys(read))
        known = _TABLES.setdefault(frequencies, {})
        if sensitive not in known:
            known[sensitive] = _native_frequencies(frequencies, sensitive)
        twins = [twin_of(model, frequencies, sensitive) for model in models]
        return cls(known[sensitive], twins, _native_loss(loss, frequencies, sensitive))


def twin_of(model: ClassModel, frequencies: FrequencyTable, sensitive: Sequence[str]) -> _core.ClassModel:
    """The model's C++ twin; a model without one is asked class by class."""
    arguments, kind = model.twin(frequencies, sensitive), getattr(_core, type(model).__name__, None)
    if arguments is not None and kind is not None:  # a class derived from one of ours has its arguments, and no twin
        twin: _core.ClassModel = kind(*arguments)
        return twin
    name = model.reads
    labels = () if name is None else labels_of(frequencies, name)

    def violated(
        sizes: list[int], units: list[int], begin: list[int], values: list[int], counts: list[int]
    ) -> list[bool]:
        cells = [(labels[value], count) for value, count in zip(values, counts, strict=True)]
        histograms = [{} if name is None else {name: dict(cells[start:end])} for start, end in pairwise(begin)]
        persons: Sequence[int | None] = units or [None] * len(sizes)
        classes = zip(sizes, histograms, persons, strict=True)
        return [not model.holds(ClassSummary(n, histogram, units=u)) for n, histogram, u in classes]

    known = _core.Monotonicity.__members__[model.monotonicity.name]
    return _core.CalledBackModel(None if name is None else sensitive.index(name), known, violated)


# Many problems are asked about one table: it is handed over once.
_TABLES: WeakKeyDictionary[FrequencyTable, dict[tuple[str, ...], _core.Frequencies]] = WeakKeyDictionary()


def _native_frequencies(frequencies: FrequencyTable, sensitive: tuple[str, ...]) -> _core.Frequencies:
    hierarchies, columns = [], []
    for a, attribute in enumerate(frequencies.quasi_identifiers):
        hierarchy, codes = occurring(attribute, frequencies.codes[:, a])
        hierarchies.append(hierarchy)
        columns.append(codes)
    positions = [frequencies.position(name) for name in sensitive]
    read = [(len(frequencies.columns[p].labels), frequencies.codes[:, p].astype(np.uint32)) for p in positions]
    return _core.Frequencies(hierarchies, columns, read, frequencies.counts, _native_units(frequencies.units))


def _native_loss(loss: CoreLoss, frequencies: FrequencyTable, sensitive: Sequence[str]) -> _core.Loss:
    values = [_native_values(part, frequencies) for part in loss.values]
    classes = []
    for part in loss.classes:
        read = () if part.reads is None else (sensitive.index(part.reads),)
        classes.append((getattr(_core, part.name)(*read, *part.arguments), part.factor))
    return _core.Loss(values, classes)


def _native_values(loss: ValueLoss, frequencies: FrequencyTable) -> _core.SeparableLoss:
    """The loss over the nodes that occur, which are all that the core knows."""
    weights = []
    for a, attribute in enumerate(frequencies.quasi_identifiers):
        leaves = np.unique(frequencies.codes[:, a])
        nodes = [np.unique(groups[leaves]) for groups in attribute.hierarchy.groups]
        weights.append([level[some].tolist() for level, some in zip(loss.weights[a], nodes, strict=True)])
    return _core.SeparableLoss(weights, list(loss.unit), loss.suppressed)


def _native_units(units: UnitCounts | None) -> _UnitArrays | None:
    """Those of one combination alone, counted; of the others, where the combinations of each begin, and these."""
    if units is None:
        return None
    order = np.argsort(units.person, kind="stable")
    person = units.person[order]
    begin = np.r_[np.flatnonzero(np.diff(person, prepend=-1)), len(person)]
    return units.own, begin.astype(np.uint64), units.combination[order].astype(np.uint32)


def occurring(attribute: QuasiIdentifier, codes: NDArray[np.int32]) -> tuple[_core.Hierarchy, NDArray[np.uint32]]:
    """The hierarchy over the values that occur, and their new codes; absent leaves still count in every node's size."""
    leaves, value = np.unique(codes, return_inverse=True)
    levels = []
    for groups, sizes in zip(attribute.hierarchy.groups, attribute.hierarchy.sizes, strict=True):
        nodes, node_of = np.unique(groups[leaves], return_inverse=True)
        levels.append((node_of.astype(np.uint32), sizes[nodes]))
    return _core.Hierarchy(levels), value.astype(np.uint32)
