"""Median cuts, Mondrian's own: the widest attribute first, cut after its median; strict, or with ties shared out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.native import core as _core
from sfumato.native.boxes import NativeBoxes
from sfumato.recoding import MultidimensionalRecoding, Scheme
from sfumato.recoding.axes import OrderedAxis, TreeAxis
from sfumato.recoding.views import Block

_Part = tuple[NDArray[np.int64], NDArray[np.int64], tuple[Block, ...]]  # combinations, copies, the box


class Median:
    """One run, from the box of everything down."""

    def __init__(self, native: NativeBoxes, relaxed: bool, control: _core.Control) -> None:
        self._native, self._relaxed, self._control = native, relaxed, control
        self._question, self._axes = native.question, native.axes
        self._f: FrequencyTable = self._question.frequencies
        self._limited = {name for model in self._question.constraints for name in model.measures}
        self._cells = np.stack([axis.cell_of[self._f.codes[:, a]] for a, axis in enumerate(self._axes)], axis=1).astype(
            np.int64
        )

    def run(self) -> MultidimensionalRecoding | None:
        """The partition; None if everything in one box violates, and nothing may be left out."""
        every = np.arange(len(self._f.counts))
        root = (every, self._f.counts.copy(), tuple(axis.whole for axis in self._axes))
        done: list[_Part] = []
        if len(every):
            root = (*root[:2], self._around(*root))
            if not self._legal(root):
                return self._recoding([]) if self._question.recoding.suppressing.scheme is Scheme.ALL_RECORDS else None
            waiting = [root]
            while waiting:
                part = waiting.pop()
                below = next((cut for cut in self._cuts(part) if all(map(self._legal, cut))), None)
                if below is None:
                    done.append(part)
                else:
                    waiting += below
        return self._recoding(done)

    def _recoding(self, parts: list[_Part]) -> MultidimensionalRecoding:
        entry = np.concatenate([part[0] for part in parts]) if parts else np.empty(0, dtype=np.int64)
        copies = np.concatenate([part[1] for part in parts]) if parts else np.empty(0, dtype=np.int64)
        box = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
        order = np.argsort(entry, kind="stable")
        search = {"model": "mondrian", "split": "median", "relaxed": True, "complete": True} if self._relaxed else {}
        return MultidimensionalRecoding(
            self._axes,
            tuple(part[2] for part in parts),
            entry[order],
            box[order].astype(np.int64),
            copies[order],
            self._native.recoding.tight,
            search,
        )

    def _around(self, entry: NDArray[np.int64], copies: NDArray[np.int64], box: tuple[Block, ...]) -> tuple[Block, ...]:
        """The smallest box around records; where a width is limited, the box they are in."""
        return tuple(
            block if axis.name in self._limited else axis.around(self._cells[entry, a])
            for a, (axis, block) in enumerate(zip(self._axes, box, strict=True))
        )

    def _cuts(self, part: _Part) -> Iterator[list[_Part]]:
        """A cut for each attribute, the relatively widest first; ties in the table's order."""
        entry, copies, box = part
        extents = [axis.around(self._cells[entry, a]) for a, axis in enumerate(self._axes)]
        lengths = [
            Fraction(axis.length(extent), max(axis.length(axis.whole), 1))
            for axis, extent in zip(self._axes, extents, strict=True)
        ]
        for a in sorted(range(len(self._axes)), key=lambda a: -lengths[a]):
            if self._axes[a].length(extents[a]) > 1:
                self._control.examine()
                sides = self._sides(a, entry, copies, box[a], extents[a])
                parts = []
                for some, number, block in sides:
                    narrowed = (*box[:a], block, *box[a + 1 :])
                    parts.append((some, number, self._around(some, number, narrowed)))
                if len(parts) > 1:
                    yield parts

    def _sides(
        self, a: int, entry: NDArray[np.int64], copies: NDArray[np.int64], block: Block, extent: Block
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], Block]]:
        axis, cell = self._axes[a], self._cells[entry, a]
        if isinstance(axis, TreeAxis):
            for child in axis.children[axis.node(*extent)]:
                inside = (cell >= axis.low[child]) & (cell <= axis.high[child])
                if inside.any():
                    yield entry[inside], copies[inside], (int(axis.low[child]), int(axis.high[child]))
            return
        if not isinstance(axis, OrderedAxis):
            records = np.bincount(cell, copies, axis.cells)
            one = int(records.argmax())  # the most frequent value against the others
            for inside in (cell == one, cell != one):
                yield entry[inside], copies[inside], axis.around(cell[inside])
            return
        low, high = block
        if axis.missing and int(cell.max()) == axis.cells - 1:
            cut = axis.cells - 2
        else:
            upto = np.cumsum(np.bincount(cell, copies, axis.cells))
            cut = int(np.searchsorted(upto, upto[-1] / 2))
            if self._relaxed:
                yield from self._shared_out(a, entry, copies, cut)
                return
            cut = min(cut, int(cell.max()) - 1)
        for inside, side in ((cell <= cut, (low, cut)), (cell > cut, (cut + 1, high))):
            yield entry[inside], copies[inside], side

    def _shared_out(
        self, a: int, entry: NDArray[np.int64], copies: NDArray[np.int64], median: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], Block]]:
        """Both sides of the median, with the records at it shared out so that the left has half of all, rounded up."""
        cell = self._cells[entry, a]
        left = np.where(cell < median, copies, 0)
        room = -(-int(copies.sum()) // 2) - int(left.sum())
        at = np.flatnonzero(cell == median)
        before = np.cumsum(copies[at]) - copies[at]
        left[at] = np.clip(room - before, 0, copies[at])
        for number in (left, copies - left):
            some = number > 0
            if some.any():
                yield entry[some], number[some], self._axes[a].around(cell[some])

    def _legal(self, part: _Part) -> bool:
        """Whether the records of a part satisfy every constraint."""
        entry, copies, box = part
        models = self._question.constraints
        size = int(copies.sum())
        histograms = {}
        for name in {model.reads for model in models if model.reads is not None}:
            position = self._f.position(name)
            column = self._f.columns[position]
            counts = np.bincount(self._f.codes[entry, position], copies, len(column.labels)).astype(np.int64)
            histograms[name] = {label or "": n for label, n in zip(column.labels, counts.tolist(), strict=True) if n}
        printed = {
            axis.name: axis.label(block) or ""
            for axis, block in zip(self._axes, box, strict=True)
            if axis.name in self._limited
        }
        units = None
        if self._f.units is not None:
            ids = np.full(len(self._f.counts), 1, dtype=np.int64)
            ids[entry] = 0
            units = int(self._f.units.per_class(ids, 2)[0])
        summary = ClassSummary(size, histograms, units=units, published=printed)
        return all(model.holds(summary) for model in models)
