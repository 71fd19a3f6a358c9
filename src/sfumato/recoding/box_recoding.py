"""Chosen boxes, in multidimensional recoding, and which of them the records of each combination are published in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, EquivalenceClasses, FrequencyTable, Table
from sfumato.engines import ReleasePlan
from sfumato.errors import ProblemError
from sfumato.privacy import ClassModel
from sfumato.recoding.axes import Axis
from sfumato.recoding.base import Recoded
from sfumato.recoding.views import Block, PrintedBox

NAME = "multidimensional"


@dataclass(frozen=True, eq=False)
class MultidimensionalRecoding(Recoded):
    """Boxes, and which of them the records of each combination are published in."""

    axes: tuple[Axis, ...] = field(repr=False)
    boxes: tuple[tuple[Block, ...], ...] = field(repr=False)  # by box and attribute
    entry: NDArray[np.int64] = field(repr=False)  # the combination of each entry; those of one stand together
    box: NDArray[np.int64] = field(repr=False)  # by entry
    copies: NDArray[np.int64] = field(repr=False)
    tight: bool = False
    search: Mapping[str, Any] = field(default_factory=dict)  # how it was searched for, where the boxes alone do not say

    @classmethod
    def of(
        cls,
        frequencies: FrequencyTable,
        axes: tuple[Axis, ...],
        boxes: Sequence[tuple[Block, ...]],
        box: NDArray[np.int64],
        *,
        tight: bool,
    ) -> MultidimensionalRecoding:
        """Every combination in one box; -1: left out. Boxes without records are not counted."""
        entry = np.flatnonzero(box >= 0)
        used, number = np.unique(box[entry], return_inverse=True)
        return cls(
            axes,
            tuple(boxes[b] for b in used.tolist()),
            entry,
            number.astype(np.int64),
            frequencies.counts[entry],
            tight,
        )

    @classmethod
    def around(
        cls, frequencies: FrequencyTable, axes: tuple[Axis, ...], boxes: Sequence[tuple[Block, ...]], *, tight: bool
    ) -> MultidimensionalRecoding:
        """Every combination in the first box that covers it; left out if there is none."""
        box = np.full(len(frequencies.counts), -1, dtype=np.int64)
        is_inside: list[dict[Block, NDArray[np.bool_]]] = [{} for _ in axes]
        for number, blocks in enumerate(boxes):
            inside = box < 0
            for a, (axis, block) in enumerate(zip(axes, blocks, strict=True)):
                if block not in is_inside[a]:
                    covered = axis.covers(block)
                    wider = np.zeros(len(frequencies.quasi_identifiers[a].hierarchy.rows), dtype=np.bool_)
                    wider[: len(covered)] = covered
                    is_inside[a][block] = wider
                inside &= is_inside[a][block][frequencies.codes[:, a]]
            box[inside] = number
        return cls.of(frequencies, axes, boxes, box, tight=tight)

    @property
    def as_boxes(self) -> MultidimensionalRecoding:
        return self

    @property
    def records(self) -> NDArray[np.int64]:
        """The published records of each box."""
        records = np.zeros(len(self.boxes), dtype=np.int64)
        np.add.at(records, self.box, self.copies)
        return records

    @property
    def intact(self) -> tuple[str, ...]:
        """The quasi-identifiers that are published as they are."""
        return tuple(
            axis.name
            for a, axis in enumerate(self.axes)
            if all(axis.as_it_is(block) for block in {box[a] for box in self.boxes})
        )

    def withheld_records(self, frequencies: FrequencyTable) -> int:
        """Records left out of the release."""
        return frequencies.records - int(self.copies.sum())

    def withheld_values(self) -> int:
        """None."""
        return 0

    def unsuppressed(self, frequencies: FrequencyTable) -> MultidimensionalRecoding:
        """The same boxes with what was left out as a box of its own, the smallest around it."""
        out = np.setdiff1d(np.arange(len(frequencies.counts)), self.entry)
        if not len(out):
            return self
        around = tuple(
            axis.around(axis.cell_of[frequencies.codes[out, a]].astype(np.int64)) for a, axis in enumerate(self.axes)
        )
        entry, box = np.r_[self.entry, out], np.r_[self.box, np.full(len(out), len(self.boxes))]
        order = np.argsort(entry, kind="stable")
        copies = np.r_[self.copies, frequencies.counts[out]]
        return replace(self, boxes=(*self.boxes, around), entry=entry[order], box=box[order], copies=copies[order])

    def applied(
        self, frequencies: FrequencyTable, models: Sequence[ClassModel], majority: str | None, seed: int
    ) -> MultidimensionalRecoding:
        """The same boxes on another table. Records that lie in none are left out, and so are boxes that violate."""
        if self.search:
            raise ProblemError(
                "These boxes overlap, so they cannot be applied to other data; solve with gen-search, or not relaxed."
            )
        plain = self.around(frequencies, self.axes, self.boxes, tight=self.tight)
        return plain.without_violations(frequencies, models)

    def without_violations(self, frequencies: FrequencyTable, models: Sequence[ClassModel]) -> MultidimensionalRecoding:
        """The same boxes, but for those that violate a model."""
        reads = {model.reads for model in models if model.reads is not None}
        classes = self.classes(frequencies)
        bad = [not all(model.holds(one) for model in models) for one in self.summaries(frequencies, reads)]
        stays = ~np.array(bad, dtype=np.bool_)[classes.ids]
        return replace(self, entry=self.entry[stays], box=self.box[stays], copies=self.copies[stays])

    @cached_property
    def _labels(self) -> list[list[str | None]]:
        """What is printed for each box, by attribute."""
        return [[axis.label(box[a]) for box in self.boxes] for a, axis in enumerate(self.axes)]

    def labels(self, frequencies: FrequencyTable) -> list[list[str | None]]:
        """The same, or the extents of the records in the boxes."""
        if not self.tight:
            return self._labels
        order = np.argsort(self.box, kind="stable")
        starts = np.r_[np.flatnonzero(np.diff(self.box[order], prepend=-1)), len(order)]
        printed: list[list[str | None]] = [list(column) for column in self._labels]
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            some = order[start:end]
            for a, axis in enumerate(self.axes):
                printed[a][int(self.box[some[0]])] = axis.tight(np.unique(frequencies.codes[self.entry[some], a]))
        return printed

    def published(self, frequencies: FrequencyTable) -> FrequencyTable:
        """What is left of the frequency table, quasi-identifiers still in original codes."""
        left = frequencies.taken(self.entry)
        if (left.counts == self.copies).all():
            return left
        return replace(left, counts=self.copies, units=None, weights=None)

    def classes(self, frequencies: FrequencyTable, census: FrequencyTable | None = None) -> EquivalenceClasses:
        """The published equivalence classes; boxes know no population."""
        columns = []
        for labels in self.labels(frequencies):
            number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
            columns.append(np.array([number[label] for label in labels], dtype=np.int32)[self.box])
        return EquivalenceClasses(self.published(frequencies), np.stack(columns, axis=1))

    def summaries(
        self, frequencies: FrequencyTable, reads: Iterable[str] = (), census: FrequencyTable | None = None
    ) -> list[ClassSummary]:
        """The published classes, with what losses ask about their values."""
        classes = self.classes(frequencies)
        _, first = np.unique(classes.ids, return_index=True)
        shapes = [_Shapes(axis, frequencies, a) for a, axis in enumerate(self.axes)]
        labels = {axis.name: column for axis, column in zip(self.axes, self.labels(frequencies), strict=True)}
        summaries = []
        for summary, at in zip(classes.summaries(reads), self.box[first].tolist(), strict=True):
            described = [shape.of(block) for shape, block in zip(shapes, self.boxes[at], strict=True)]
            leaves, levels, covered, lengths = zip(*described, strict=True)
            printed = PrintedBox(labels, at)
            summaries.append(
                replace(summary, leaves=leaves, levels=levels, covered=covered, lengths=lengths, published=printed)
            )
        return summaries

    def plan(self, table: Table, seed: int) -> ReleasePlan:
        """What is published in place of every combination."""
        f = table.frequencies
        labels: dict[str, Sequence[str | None]] = {column.name: column.labels for column in f.columns}
        published = f.codes[self.entry].copy()
        changed = set()
        for a, (axis, printed) in enumerate(zip(self.axes, self.labels(f), strict=True)):
            if axis.name in self.intact:
                continue
            changed.add(axis.name)
            number = {label: i for i, label in enumerate(dict.fromkeys(printed))}
            labels[axis.name] = tuple(number)
            published[:, a] = np.array([number[label] for label in printed], dtype=np.int32)[self.box]
        return table.plan(self.entry, published, self.copies, labels, changed, seed)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON: the cells of each box on every axis its records; records by level of every column.

        With the data at hand the cells say which boxes these are; without it they tell no value.
        """
        records = self.records
        return {
            "model": NAME,
            "boxes": [
                {"cells": [list(block) for block in box], "records": n}
                for box, n in zip(self.boxes, records.tolist(), strict=True)
            ],
            "levels": {axis.name: self._by_level(a, axis, records) for a, axis in enumerate(self.axes)},
            "search": dict(self.search),
        }

    def __str__(self) -> str:
        whole_axes = ", ".join(self.intact)
        as_they_are = f"; as they are: {whole_axes}" if whole_axes else ""
        return f"{len(self.boxes):,} boxes{as_they_are}"

    def _by_level(self, a: int, axis: Axis, records: NDArray[np.int64]) -> list[int]:
        """Records published at each level of an attribute; an interval of several cells is like the root."""
        by_level = [0] * (axis.attribute.hierarchy.height + 1)
        for box, n in zip(self.boxes, records.tolist(), strict=True):
            by_level[axis.level(box[a])] += n
        return by_level


class _Shapes:
    """What losses ask of the blocks of one axis, worked out once each."""

    def __init__(self, axis: Axis, frequencies: FrequencyTable, a: int) -> None:
        self._axis, self._facts = axis, dict[Block, tuple[Any, int, int, int]]()
        self._records = np.zeros(len(frequencies.quasi_identifiers[a].hierarchy.rows), dtype=np.int64)
        np.add.at(self._records, frequencies.codes[:, a], frequencies.counts)

    def of(self, block: Block) -> tuple[Any, int, int, int]:
        """Leaves, level, records of the input and length."""
        if block not in self._facts:
            axis, covers = self._axis, self._axis.covers(block)
            records = int(self._records[: len(covers)][covers].sum())
            self._facts[block] = (axis.leaves(block), axis.level(block), records, axis.length(block))
        return self._facts[block]
