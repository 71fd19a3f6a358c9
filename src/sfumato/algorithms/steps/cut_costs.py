"""What a cut costs, in whole numbers, many times a second: for searches that go from cut to cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.data import EquivalenceClasses, class_ids
from sfumato.errors import ProblemError
from sfumato.hierarchies import Taxonomy
from sfumato.loss import CoreLoss
from sfumato.native.cuts import cuts_of
from sfumato.privacy.base import census_among
from sfumato.questions import ClassQuestion
from sfumato.recoding import Cut, FullSubtreeRecoding, Scheme
from sfumato.recoding.withholding import Cells, ceilinged, violated


@dataclass(frozen=True)
class CutCost:
    """A cut, evaluated: its cost in units of the loss, and by how many records or values it is not allowed."""

    units: int
    excess: int

    @property
    def valid(self) -> bool:
        """Whether the cut may be published."""
        return self.excess == 0


class CutCosts:
    """The cuts of a problem, with their costs. They are exact, as the problem's loss defines them."""

    def __init__(self, question: ClassQuestion) -> None:
        f = question.frequencies
        self.question, self.recoding = question, cuts_of(question)
        self.taxonomies: Sequence[Taxonomy] = self.recoding.taxonomies(f)
        self.core: CoreLoss = question.loss.core(f)
        self._suppression = self.recoding.suppressing
        self._majority = question.loss.reads(f)
        self._census = census_among(question.constraints)

    @cached_property
    def _merged(self) -> NDArray[np.int64]:
        """The number of each combination's quasi-identifiers: classes are unions of those that have the same."""
        f = self.question.frequencies
        return class_ids(f.codes[:, : len(f.quasi_identifiers)])

    @cached_property
    def _codes(self) -> NDArray[np.int32]:
        """The quasi-identifiers, by number."""
        f = self.question.frequencies
        return f.codes[np.unique(self._merged, return_index=True)[1], : len(f.quasi_identifiers)]

    @property
    def top(self) -> Cut:
        """The most general cut."""
        return tuple(taxonomy.top for taxonomy in self.taxonomies)

    def exact(self, units: int) -> Fraction:
        """The cost as the loss tells it."""
        return self.core.exact(units)

    def recoded(self, cut: Cut, seed: int) -> FullSubtreeRecoding:
        """What a cut publishes."""
        f = self.question.frequencies
        return FullSubtreeRecoding.at(f, cut, self.question.constraints, self.recoding, self._majority, seed)

    def __call__(self, cut: Cut) -> CutCost:
        """The cost of a cut."""
        nodes, columns = [], []
        for a, (taxonomy, chosen) in enumerate(zip(self.taxonomies, cut, strict=True)):
            order = np.array(sorted(chosen), dtype=np.int64)
            nodes.append(order)
            widths = (taxonomy.end - taxonomy.first)[order]
            columns.append(np.repeat(np.arange(len(order), dtype=np.int32), widths)[self._codes[:, a]])
        merged = np.stack(columns, axis=1)
        class_of = class_ids(merged)
        published = np.empty((int(class_of.max(initial=-1)) + 1, len(nodes)), dtype=np.int32)
        published[class_of] = merged  # a row per class: those of one class are equal
        f, ids = self.question.frequencies, class_of[self._merged]
        classes = _Classes(f, merged[self._merged], self._among(cut), numbered=ids)
        left = self._left(classes)
        units = sum(part.factor * self._of_classes(part.name, classes, left, part.reads) for part in self.core.classes)
        gone = int((classes.sizes - left.kept).sum())
        for values in self.core.values:
            units += values.suppressed * gone + values.hidden * left.hidden
            for a, (unit, weights) in enumerate(zip(values.unit, values.weights, strict=True)):
                records = np.zeros(len(nodes[a]), dtype=np.int64)
                np.add.at(records, published[:, a], left.kept)
                units += unit * _times(records, _weights(weights, self.taxonomies[a], nodes[a]))
        return CutCost(units, left.excess)

    def _among(self, cut: Cut) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """The population, published by the cut."""
        if self._census is None:
            return None
        f, levels = self.question.frequencies, zip(self.taxonomies, cut, strict=True)
        plain = FullSubtreeRecoding.of(f, tuple(t.levels(nodes) for t, nodes in levels), (), Scheme.NONE)
        return plain.classes(f, self._census).among

    def _left(self, classes: _Classes) -> _Left:
        """What the scheme leaves of each class."""
        f, models, scheme = self.question.frequencies, self.question.constraints, self._suppression.scheme
        allowed = self._suppression.records(f.records)
        sizes = classes.sizes
        if not scheme.by_value:
            wrong = violated(classes, models)
            broken = int(sizes[wrong].sum())
            if scheme is Scheme.NONE:
                return _Left(sizes, 0, broken)
            return _Left(np.where(wrong, 0, sizes), 0, max(0, broken - allowed))
        tables = [Cells.of(classes, models, name) for name in ceilinged(models)]
        if scheme is Scheme.VIOLATING_RECORDS:
            cells, stay = tables[0], tables[0].greatest()
            kept = np.zeros(len(sizes), dtype=np.int64)
            np.add.at(kept, cells.of_class, stay)
            return _Left(kept, 0, max(0, f.records - int(kept.sum()) - allowed), (cells, stay))
        hidden = sum(
            int((cells.records[cells.violated] if scheme is Scheme.VIOLATING_VALUES else sizes[cells.violating]).sum())
            for cells in tables
        )
        return _Left(sizes, hidden, max(0, hidden - self._suppression.records(f.records * len(tables))))

    def _of_classes(self, name: str, classes: _Classes, left: _Left, reads: str | None) -> int:
        """A loss of whole classes, by its name in the core: the core's definition once more."""
        f = classes.frequencies
        if name == "Discernibility":
            return _times(left.kept, left.kept) + (f.records - int(left.kept.sum())) * f.records
        if name == "AverageClassSize":
            return f.records - int(np.count_nonzero(left.kept))
        if name == "Classification":
            return f.records - int(self._majorities(classes, left, str(reads)).sum())
        raise ProblemError(f"{self.question.loss.name} has no cost of cuts; use lm, discernibility or classification.")

    def _majorities(self, classes: _Classes, left: _Left, target: str) -> NDArray[np.int64]:
        """The published records of the majority of each class."""
        if left.cells is not None:
            cells, stay = left.cells
            return cells.votes(classes, stay, target).records
        whole = Cells.of(classes, (), target)
        most = np.zeros(len(classes.sizes), dtype=np.int64)
        np.maximum.at(most, whole.of_class, whole.records)
        return np.where(left.kept > 0, most, 0)


@dataclass(frozen=True, eq=False)
class _Classes(EquivalenceClasses):
    """Classes that are numbered already."""

    numbered: NDArray[np.int64] = field(kw_only=True)

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """The class of each combination."""
        return self.numbered


@dataclass(frozen=True, eq=False)
class _Left:
    """What a scheme leaves."""

    kept: NDArray[np.int64]  # records of each class
    hidden: int  # values
    excess: int
    cells: tuple[Cells, NDArray[np.int64]] | None = None  # the records of each that stay, where only some go


def _weights(weights: Sequence[NDArray[np.int64]], taxonomy: Taxonomy, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The weight of each of these nodes."""
    level, group = taxonomy.level[nodes], taxonomy.hierarchy.groups[taxonomy.level[nodes], taxonomy.first[nodes]]
    return np.array([weights[l][g] for l, g in zip(level.tolist(), group.tolist(), strict=True)], dtype=np.int64)


def _times(records: NDArray[np.int64], weights: NDArray[np.int64]) -> int:
    """Σ records · weights, whatever its size."""
    return int(np.dot(records.astype(object), weights.astype(object)))
