"""A problem as the core sees it: codes of occurring values, levels as node numbers, and the models' C++ twins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato.data import FrequencyTable, QuasiIdentifier
from sfumato.loss import Units
from sfumato.privacy import ClassModel


@dataclass(frozen=True)
class NativeProblem:
    """The parts of a problem, handed to the core."""

    frequencies: _core.Frequencies
    models: list[_core.ClassModel]

    @classmethod
    def of(cls, frequencies: FrequencyTable, models: Sequence[ClassModel]) -> NativeProblem:
        """The frequency table with the sensitive columns that the models read."""
        sensitive = list(dict.fromkeys(model.reads for model in models if model.reads is not None))
        hierarchies, columns = [], []
        for a, attribute in enumerate(frequencies.quasi_identifiers):
            hierarchy, codes = occurring(attribute, frequencies.codes[:, a])
            hierarchies.append(hierarchy)
            columns.append(codes)
        positions = [frequencies.position(name) for name in sensitive]
        table = _core.Frequencies(
            hierarchies,
            columns,
            [(len(frequencies.columns[p].labels), frequencies.codes[:, p].astype(np.uint32)) for p in positions],
            frequencies.counts,
        )
        twins = [getattr(_core, type(model).__name__)(*model.twin(frequencies, sensitive)) for model in models]
        return cls(table, twins)

    def lm(self, units: Units) -> _core.SeparableLoss:
        """The C++ twin of a loss that counts leaves."""
        return _core.lm(self.frequencies, list(units.per_leaf), units.suppressed)


def occurring(attribute: QuasiIdentifier, codes: NDArray[np.int32]) -> tuple[_core.Hierarchy, NDArray[np.uint32]]:
    """The hierarchy over the values that occur, and their new codes; absent leaves still count in every node's size."""
    leaves, value = np.unique(codes, return_inverse=True)
    levels = []
    for groups, sizes in zip(attribute.hierarchy.groups, attribute.hierarchy.sizes, strict=True):
        nodes, node_of = np.unique(groups[leaves], return_inverse=True)
        levels.append((node_of.astype(np.uint32), sizes[nodes]))
    return _core.Hierarchy(levels), value.astype(np.uint32)
