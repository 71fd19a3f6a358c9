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
from sfumato.loss import Units
from sfumato.privacy import ClassModel
from sfumato.privacy.base import labels_of

_UnitArrays: TypeAlias = tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint32]]


@dataclass(frozen=True)
class NativeProblem:
    """The parts of a problem, handed to the core."""

    frequencies: _core.Frequencies
    models: list[_core.ClassModel]

    @classmethod
    def of(cls, frequencies: FrequencyTable, models: Sequence[ClassModel]) -> NativeProblem:
        """The frequency table with the sensitive columns that the models read."""
        sensitive = tuple(dict.fromkeys(model.reads for model in models if model.reads is not None))
        known = _TABLES.setdefault(frequencies, {})
        if sensitive not in known:
            known[sensitive] = _native_frequencies(frequencies, sensitive)
        return cls(known[sensitive], [twin_of(model, frequencies, sensitive) for model in models])

    def lm(self, units: Units) -> _core.SeparableLoss:
        """The C++ twin of a loss that counts leaves."""
        return _core.lm(self.frequencies, list(units.per_leaf), units.suppressed)


def twin_of(model: ClassModel, frequencies: FrequencyTable, sensitive: Sequence[str]) -> _core.ClassModel:
    """The model's C++ twin; a model without one is asked class by class."""
    arguments = model.twin(frequencies, sensitive)
    if arguments is not None:
        twin: _core.ClassModel = getattr(_core, type(model).__name__)(*arguments)
        return twin
    name = model.reads
    labels = () if name is None else labels_of(frequencies, name)

    def violated(
        sizes: list[int], units: list[int], begin: list[int], values: list[int], counts: list[int]
    ) -> list[bool]:
        cells = [(labels[value], count) for value, count in zip(values, counts, strict=True)]
        histograms = [{} if name is None else {name: dict(cells[start:end])} for start, end in pairwise(begin)]
        persons = units or [None] * len(sizes)
        classes = zip(sizes, histograms, persons, strict=True)
        return [not model.holds(ClassSummary(n, histogram, units=u)) for n, histogram, u in classes]

    return _core.CalledBackModel(None if name is None else sensitive.index(name), violated)


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
