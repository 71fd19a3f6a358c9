"""Intervals of an ordered attribute that a recoding publishes, each a node of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchies import Hierarchy
from sfumato.recoding.axes import Axis


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals by number, as `Nodes` are those of a tree: what a published number stands for, and prints."""

    axis: Axis
    blocks: tuple[tuple[int, int], ...] = field(repr=False)  # the lowest and the highest cell of each

    @property
    def hierarchy(self) -> Hierarchy:
        """The attribute's own; intervals need not be nodes of it."""
        return self.axis.attribute.hierarchy

    @cached_property
    def level(self) -> NDArray[np.int32]:
        """0 for a single cell, else the top: an interval has no level in between."""
        return np.array([self.axis.level(block) for block in self.blocks], dtype=np.int32)

    @cached_property
    def sizes(self) -> NDArray[np.object_]:
        """The leaves that each stands for; cells share them evenly, so these are fractions."""
        sizes = np.empty(len(self.blocks), dtype=np.object_)
        sizes[:] = [self.axis.leaves(block) for block in self.blocks]
        return sizes

    @cached_property
    def labels(self) -> tuple[str | None, ...]:
        """What each prints."""
        return tuple(self.axis.label(block) for block in self.blocks)

    @cached_property
    def intact(self) -> NDArray[np.bool_]:
        """Which print a value as it came."""
        return np.array([self.axis.as_it_is(block) for block in self.blocks], dtype=np.bool_)

    def records(self, by_leaf: NDArray[np.int64]) -> NDArray[np.int64]:
        """The records of the input in each, from those of each leaf."""
        return np.array([int(by_leaf[self.axis.covers(block)].sum()) for block in self.blocks], dtype=np.int64)
