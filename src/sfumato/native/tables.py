"""A problem as the core sees it: codes of occurring values, levels as node numbers, and the models' C++ twins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, FrequencyTable, QuasiIdentifier, class_ids, different_codes, numbered
from sfumato.engines import UnitCounts
from sfumato.loss import CoreLoss, ValueLoss
from sfumato.native import core as _core
from sfumato.privacy import ClassModel
from sfumato.privacy.base import census_among, labels_of

_Number = TypeVar("_Number", bound=np.generic)
_Answer = TypeVar("_Answer")
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
        sensitive = cls.columns_of(models, loss)
        table = CoreTable.of(frequencies, census_among(models))
        cached = _TABLES.setdefault(frequencies, WeakKeyDictionary()).setdefault(table.census, {})
        if sensitive not in cached:
            cached[sensitive] = _native_frequencies(table, sensitive)
        twins = [twin_of(model, frequencies, sensitive) for model in models]
        return cls(cached[sensitive], twins, _native_loss(loss, table, sensitive))

    @staticmethod
    def columns_of(models: Sequence[ClassModel], loss: CoreLoss) -> tuple[str, ...]:
        """The columns whose histograms the models and the loss read, in the order of the core's."""
        return tuple(dict.fromkeys([*(model.reads for model in models if model.reads is not None), *loss.reads]))


def twin_of(model: ClassModel, frequencies: FrequencyTable, sensitive: Sequence[str]) -> _core.ClassModel:
    """The model's C++ twin; a model without one judges class by class."""
    arguments, kind = model.twin(frequencies, sensitive), getattr(_core, type(model).__name__, None)
    if arguments is not None and kind is not None:  # a class derived from one of ours has its arguments, and no twin
        twin: _core.ClassModel = kind(*arguments)
        return twin
    callback = _asking(model, frequencies, lambda summary: not model.holds(summary))
    return _core.CalledBackModel(*_about(model, sensitive), callback, model.populated)


def rating_of(
    model: ClassModel, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]
) -> tuple[_core.Rating, Callable[[Fraction], Fraction]]:
    """How the core rates classes by a parameter, and the parameter's value from a rating."""
    twin = model.rating(parameter, frequencies, sensitive)
    if twin is not None:
        rating: _core.Rating = getattr(_core, twin.name)(*twin.arguments)
        return rating, twin.value
    sign = 1 if model.varies[parameter].larger else -1

    def rate(summary: ClassSummary) -> tuple[int, int]:
        strongest = model.strongest(parameter, summary)
        return (0, 0) if strongest is None else (sign * strongest).as_integer_ratio()

    callback = _asking(model, frequencies, rate)
    return _core.CalledBackRating(*_about(model, sensitive), callback, model.populated), lambda rate: sign * rate


def _about(model: ClassModel, sensitive: Sequence[str]) -> tuple[int | None, _core.Monotonicity]:
    """The column that a model reads, and how it behaves when classes are merged."""
    position = None if model.reads is None else sensitive.index(model.reads)
    return position, _core.Monotonicity.__members__[model.monotonicity.name]


def _asking(
    model: ClassModel, frequencies: FrequencyTable, answer: Callable[[ClassSummary], _Answer]
) -> Callable[..., list[_Answer]]:
    """A function that the core calls about all classes of a node."""
    name = model.reads
    labels = () if name is None else labels_of(frequencies, name)

    def callback(
        sizes: list[int],
        units: list[int],
        population: list[int],
        begin: list[int],
        values: list[int],
        counts: list[int],
    ) -> list[_Answer]:
        cells = [(labels[value], count) for value, count in zip(values, counts, strict=True)]
        histograms = [{} if name is None else {name: dict(cells[start:end])} for start, end in pairwise(begin)]
        nothing: Sequence[int | None] = [None] * len(sizes)
        classes = zip(sizes, histograms, units or nothing, population or nothing, strict=True)
        return [answer(ClassSummary(n, histograms, units=u, population=p)) for n, histograms, u, p in classes]

    return callback


@dataclass(frozen=True, eq=False)
class CoreTable:
    """The combinations that the core sees: the table's, and after them those that only the population has."""

    frequencies: FrequencyTable
    census: FrequencyTable  # the table itself if there is no population
    attributes: tuple[QuasiIdentifier, ...]  # with the missing value, where only the population has it
    codes: NDArray[np.int32] = field(repr=False)  # of the quasi-identifiers
    population: NDArray[np.int64] | None = field(default=None, repr=False)  # its records, by combination

    @classmethod
    def of(cls, frequencies: FrequencyTable, census: FrequencyTable | None) -> CoreTable:
        """The table with a population, if there is one."""
        codes = frequencies.codes[:, : len(frequencies.quasi_identifiers)]
        if census is None:
            return cls(frequencies, frequencies, frequencies.quasi_identifiers, codes)
        # People with the values of a record go to the first combination that has them, the others to one of their own.
        ids = class_ids(np.concatenate([codes, census.codes]))
        _, first = np.unique(ids, return_index=True)
        position = first[ids[len(codes) :]]
        own = np.flatnonzero(position >= len(codes))
        position[own] = len(codes) + np.arange(len(own))
        population = np.zeros(len(codes) + len(own), dtype=np.int64)
        population[position] = census.counts
        attributes = tuple(
            counted if len(counted.labels) > len(attribute.labels) else attribute
            for attribute, counted in zip(frequencies.quasi_identifiers, census.quasi_identifiers, strict=True)
        )
        return cls(frequencies, census, attributes, np.concatenate([codes, census.codes[own]]), population)

    @property
    def leaves(self) -> tuple[NDArray[np.int64], ...]:
        """The codes that occur, by attribute."""
        return self.frequencies.leaves if self.population is None else tuple(map(different_codes, self.codes.T))

    def padded(self, column: NDArray[_Number]) -> NDArray[_Number]:
        """A column of the table, with nothing for the combinations of the population alone."""
        return np.pad(column, (0, len(self.codes) - len(column)))


# Many problems may be about one table: it is handed over once.
_TABLES: WeakKeyDictionary[
    FrequencyTable, WeakKeyDictionary[FrequencyTable, dict[tuple[str, ...], _core.Frequencies]]
] = WeakKeyDictionary()


def _native_frequencies(table: CoreTable, sensitive: tuple[str, ...]) -> _core.Frequencies:
    frequencies, hierarchies, columns = table.frequencies, [], []
    for a, (attribute, own) in enumerate(zip(table.attributes, frequencies.quasi_identifiers, strict=True)):
        hierarchy, codes = occurring(attribute, table.codes[:, a], own.hierarchy.height)
        hierarchies.append(hierarchy)
        columns.append(codes)
    positions = [frequencies.position(name) for name in sensitive]
    read = [
        (max(len(frequencies.columns[p].labels), 1), table.padded(frequencies.codes[:, p].astype(np.uint32)))
        for p in positions
    ]
    units = _native_units(frequencies.units)
    if units is not None:
        units = (table.padded(units[0]), *units[1:])
    return _core.Frequencies(hierarchies, columns, read, table.padded(frequencies.counts), units, table.population)


def _native_loss(loss: CoreLoss, table: CoreTable, sensitive: Sequence[str]) -> _core.Loss:
    values = [_native_values(part, table) for part in loss.values]
    classes = []
    for part in loss.classes:
        read = () if part.reads is None else (sensitive.index(part.reads),)
        classes.append((getattr(_core, part.name)(*read, *part.arguments), part.factor))
    return _core.Loss(values, classes)


def _native_values(loss: ValueLoss, table: CoreTable) -> _core.SeparableLoss:
    """The loss over the nodes that occur, which are all that the core knows."""
    weights = []
    for a, (attribute, leaves) in enumerate(zip(table.attributes, table.leaves, strict=True)):
        levels = []
        for weight, groups in zip(loss.weights[a], attribute.hierarchy.groups, strict=False):
            nodes = np.unique(groups[leaves])
            # A node that only the population has costs nothing: no record is published as it.
            levels.append([int(weight[node]) if node < len(weight) else 0 for node in nodes.tolist()])
        weights.append(levels)
    return _core.SeparableLoss(weights, list(loss.unit), loss.suppressed)


def _native_units(units: UnitCounts | None) -> _UnitArrays | None:
    """Those of one combination alone, counted; of the others, where the combinations of each begin, and these."""
    if units is None:
        return None
    order = np.argsort(units.person, kind="stable")
    person = units.person[order]
    begin = np.r_[np.flatnonzero(np.diff(person, prepend=-1)), len(person)]
    return units.own, begin.astype(np.uint64), units.combination[order].astype(np.uint32)


def occurring(
    attribute: QuasiIdentifier, codes: NDArray[np.int32], height: int | None = None
) -> tuple[_core.Hierarchy, NDArray[np.uint32]]:
    """The hierarchy over the values that occur, and their new codes; absent leaves still count in every node's size.

    height: leave out the levels above, which a lone label gets when the missing value joins it.
    """
    leaves, value = numbered(codes, len(attribute.labels))
    levels = []
    last = None if height is None else height + 1
    for groups, sizes in zip(attribute.hierarchy.groups[:last], attribute.hierarchy.sizes[:last], strict=True):
        nodes, node_of = np.unique(groups[leaves], return_inverse=True)
        levels.append((node_of.astype(np.uint32), sizes[nodes]))
    return _core.Hierarchy(levels), value.astype(np.uint32)
