"""A problem of boxes as the core sees it, and its partitions as recodings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary
from sfumato.errors import ProblemError
from sfumato.loss import BlockShapes, BoxLoss, ClassLoss, CoreLoss
from sfumato.loss.base import WIDEST_SUM
from sfumato.native import core as _core
from sfumato.native.run import CoreCosts, Run
from sfumato.native.tables import NativeProblem
from sfumato.privacy import ClassModel
from sfumato.questions import ClassQuestion, OtherShape
from sfumato.recoding import MultidimensionalRecoding, Scheme
from sfumato.recoding.axes import Axis, OrderedAxis, SetAxis, TreeAxis
from sfumato.recoding.multidimensional import limited_by
from sfumato.recoding.views import Block, BoxSpace

_FEW_VALUES = 2  # values without order that are an order all the same


def no_boxes(algorithm: str, question: ClassQuestion) -> str | None:
    """Why a search of boxes cannot solve the problem."""
    if question.recoding.box_space is None:
        return OtherShape(f"{algorithm} splits space into boxes, not {question.recoding.name}")
    if any(model.populated for model in question.constraints):
        return f"{algorithm} counts the records of a box, not its part of a population"
    if question.loss.boxed is None:
        return f"{algorithm} minimises lm, discernibility, classification or volume, not {question.loss.name}"
    return None


@dataclass(frozen=True, eq=False)
class NativeBoxes:
    """The parts of a problem, handed to the core."""

    question: ClassQuestion
    recoding: BoxSpace
    axes: tuple[Axis, ...]
    loss: BoxLoss

    @classmethod
    def of(cls, question: ClassQuestion) -> NativeBoxes:
        """The problem; its loss must be one of boxes."""
        recoding, loss, f = question.recoding.box_space, question.loss.boxed, question.frequencies
        if recoding is None or loss is None:
            raise TypeError("not a question about boxes")  # `no_boxes` refuses it
        axes = recoding.axes(f, limited_by(question.constraints))
        shapes = [
            BlockShapes([axis.leaves(b) for b in axis.priced()], [axis.length(b) for b in axis.priced()])
            for axis in axes
        ]
        return cls(question, recoding, axes, loss.of_boxes(f, shapes))

    @property
    def costs(self) -> CoreCosts:
        """Costs in the core's units."""
        return CoreCosts(CoreLoss(denominator=self.loss.denominator))

    def units(self, cost: Fraction) -> int:
        """A cost in the core's units."""
        return int(cost * self.loss.denominator)

    def search(self, function: Callable[..., Any], run: Run, *, trace: bool = True, **options: Any) -> _core.BoxResult:
        """The result of a search of the core; trace: whether the way it went says something."""
        with run.core(self.costs if trace else None) as (control, on_progress):
            result: _core.BoxResult = function(self.posed(**options), control, on_progress)
            return result

    def posed(
        self,
        *,
        priority: str = "BOUND",
        upper: int | None = None,
        factor: Fraction = Fraction(1),
        optima: int = 1,
        way: str = "BY_SIZE",
    ) -> _core.BoxProblem:
        """The question in the core's terms."""
        self._require_room()
        f = self.question.frequencies
        models = [model for model in self.question.constraints if not model.measures]
        read = () if self.loss.reads is None else (ClassLoss("Classification", reads=self.loss.reads),)
        reading = CoreLoss(classes=read)
        native = NativeProblem.of(f, models, reading)
        columns = NativeProblem.columns_of(models, reading)
        plain = all(_counts_exactly(model) for model in models) and f.units is None
        return _core.BoxProblem(
            native.frequencies,
            self._cells,
            self._axes,
            self._attributes,
            native.models,
            plain,
            max([1, *(model.fewest for model in models)]),
            _core.BoxMetric.__members__[self.loss.metric],
            0 if self.loss.reads is None else columns.index(self.loss.reads),
            self.recoding.suppressing.scheme is Scheme.ALL_RECORDS,
            self.loss.suppressed,
            _core.BoxPriority.__members__[priority],
            _core.NO_COST if upper is None else upper,
            (factor.numerator, factor.denominator),
            optima,
            _core.BoxWay.__members__[way],
        )

    def _require_room(self) -> None:
        """Raises a ProblemError if the core cannot count what all records cost together."""
        dearest = [max(prices, default=1) for prices in self.loss.prices]
        most = prod(dearest) if self.loss.metric == "PRODUCT" else sum(dearest)
        if self.question.frequencies.records * max(most, self.loss.suppressed) >= WIDEST_SUM:
            raise ProblemError(
                f"This space has too many cells for {self.question.loss.name} to be added up exactly; cut orders into "
                "fewer parts by splits, leave quasi-identifiers out, or minimise lm."
            )

    def recoded(self, partition: _core.BoxPartition) -> MultidimensionalRecoding:
        """A partition of the core as a recoding."""
        boxes = self._boxes(partition)
        gone = partition.withheld.astype(np.bool_)
        box = partition.box.astype(np.int64)
        box = np.where(gone[box] if len(gone) else False, -1, box)
        return MultidimensionalRecoding.of(self.question.frequencies, self.axes, boxes, box, tight=self.recoding.tight)

    def _boxes(self, partition: _core.BoxPartition) -> list[tuple[Block, ...]]:
        width = len(self._axes)
        low, high = partition.low.reshape(-1, width).tolist(), partition.high.reshape(-1, width).tolist()
        boxes = []
        for lows, highs in zip(low, high, strict=True):
            blocks: list[Block] = []
            for axis, (first, number, *_) in zip(self.axes, self._attributes, strict=True):
                blocks.append(_block(axis, lows[first : first + number], highs[first : first + number]))
            boxes.append(tuple(blocks))
        return boxes

    @cached_property
    def _cells(self) -> list[NDArray[np.uint32]]:
        """By axis of the core, the cell of each combination: all lie in one, and the core refuses what does not."""
        columns = []
        for a, axis in enumerate(self.axes):
            cell = axis.cell_of[self.question.frequencies.codes[:, a]]
            if _is_set(axis):
                columns += [(cell == value).astype(np.uint32) for value in range(axis.cells)]
            else:
                columns.append(cell.astype(np.uint32))
        return columns

    @cached_property
    def _axes(self) -> list[tuple[int, bool, bool, list[int], list[int], list[list[int]]]]:
        spaces: list[tuple[int, bool, bool, list[int], list[int], list[list[int]]]] = []
        for axis in self.axes:
            if _is_set(axis):
                spaces += [(2, False, False, [], [], [])] * axis.cells
            elif isinstance(axis, TreeAxis):
                below = [list(children) for children in axis.children]
                spaces.append((axis.cells, True, False, axis.low.tolist(), axis.high.tolist(), below))
            else:
                missing = isinstance(axis, OrderedAxis) and axis.missing and axis.cells > 1
                spaces.append((axis.cells, False, missing, [], [], []))
        return spaces

    @cached_property
    def _attributes(self) -> list[tuple[int, int, list[int], list[int], list[int]]]:
        columns = []
        at = 0
        for a, axis in enumerate(self.axes):
            number = axis.cells if _is_set(axis) else 1
            columns.append((at, number, list(self.loss.prices[a]), *self._widths(axis)))
            at += number
        return columns

    def _widths(self, axis: Axis) -> tuple[list[int], list[int]]:
        """Whether each block is wide enough, as the core numbers them; empty if no width is required.

        Of an order instead, by low cell, the first high cell with which a block is: one that has more is no narrower.
        """
        limits = [limit for model in self.question.constraints if (limit := model.least_width(axis.name)) is not None]
        if not limits:
            return [], []
        least = max(limits)

        def wide(block: Block) -> bool:
            width = axis.width(block)
            return width is None or width >= least

        if isinstance(axis, TreeAxis) or _is_set(axis):
            return [int(wide(block)) for block in axis.priced()], []
        cells = range(axis.cells)
        return [], [
            bisect_left(cells, True, lo=low, key=lambda high, low=low: wide(_block(axis, [low], [high])))  # type: ignore[misc]
            for low in cells
        ]


def _is_set(axis: Axis) -> bool:
    return isinstance(axis, SetAxis) and axis.cells > _FEW_VALUES


def _block(axis: Axis, low: Sequence[int], high: Sequence[int]) -> Block:
    """The block of an axis, from its cells on the axes of the core."""
    if not isinstance(axis, SetAxis):
        if isinstance(axis, TreeAxis):
            node = axis.node(low[0], high[0])
            return (int(axis.low[node]), int(axis.high[node]))
        return (low[0], high[0])
    if not _is_set(axis):
        return (0, sum(1 << cell for cell in range(low[0], high[0] + 1)))
    if 1 in low:
        return (0, 1 << list(low).index(1))
    return (0, sum(1 << cell for cell, there in enumerate(high) if there))


def _counts_exactly(model: ClassModel) -> bool:
    """Whether all that a model asks of a class is at least its fewest records."""
    return (
        model.counts_only
        and model.holds(ClassSummary(model.fewest))
        and (model.fewest == 1 or not model.holds(ClassSummary(model.fewest - 1)))
    )
