"""Given boxes: what is printed of each, as blocks of cells, and whether they are a hierarchical partition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from sfumato.data import FrequencyTable
from sfumato.errors import ProblemError
from sfumato.hierarchies import MISSING
from sfumato.hierarchies.tree import count_of
from sfumato.recoding.axes import EVERY, Axis, OrderedAxis, SetAxis, TreeAxis
from sfumato.recoding.given import by_attribute, text_of
from sfumato.recoding.views import Block
from sfumato.settings.given import brief

_LIKE = "[{'age': '[15, 20)', 'sex': '*'}, …]"
Boxes = list[tuple[Block, ...]]


def boxes_of(stated: object, frequencies: FrequencyTable, axes: Sequence[Axis]) -> Boxes:
    """The different boxes that are given, each by what it prints of every quasi-identifier."""
    if isinstance(stated, str | Mapping) or not isinstance(stated, Iterable):
        raise ProblemError(f"{brief(stated)} is not a list of boxes; write what each prints, as in {_LIKE}.")
    printed = [by_attribute(box, frequencies, _LIKE) for box in stated]
    columns = []
    for axis in axes:
        wanted = dict.fromkeys(_text(box[axis.name], axis) for box in printed)
        block_of = _blocks_of(axis)
        blocks = {text: block_of(text) for text in wanted}
        if unknown := [text for text, block in blocks.items() if block is None]:
            raise ProblemError(
                f"{count_of(len(unknown), 'label')} of '{axis.name}' {'is' if len(unknown) == 1 else 'are'} not what a "
                "box of this problem prints; cut it where these boxes are cut (splits), or correct the spelling.",
                hidden_values=unknown,
            )
        columns.append([blocks[_text(box[axis.name], axis)] for box in printed])
    return list(dict.fromkeys(zip(*columns, strict=True)))


def boxes_in_cells(stated: object, axes: Sequence[Axis]) -> Boxes:
    """The boxes that `to_json` stated, by the cells of each."""
    try:
        boxes = [tuple((int(low), int(high)) for low, high in box["cells"]) for box in stated]  # type: ignore[attr-defined]
    except (KeyError, TypeError, ValueError, OverflowError):
        boxes = [()]
    if any(len(box) != len(axes) or not all(map(_has, axes, box)) for box in boxes):
        raise ProblemError("The cells of these boxes are not this problem's; give boxes of the same data and splits.")
    return list(dict.fromkeys(boxes))


def require_hierarchical(axes: Sequence[Axis], boxes: Boxes) -> None:
    """Raises a ProblemError unless space can be split again and again until every part has one of the boxes.

    Any split that leaves all boxes whole will do: what is left on either side can be split if all of them can.
    """
    waiting = [boxes] if boxes else []
    while waiting:
        some = waiting.pop()
        if len(some) == 1:
            continue
        sides = (_sides(axis, a, some) for a, axis in enumerate(axes))
        parts = next((parts for parts in sides if len(parts) > 1), None)
        if parts is None:
            raise ProblemError(
                f"{len(some):,} of the {len(boxes):,} boxes overlap, or no split leaves all of them whole, and "
                "multidimensional recoding splits space again and again; measure such a release by sf.evaluate."
            )
        waiting += parts


def _sides(axis: Axis, a: int, boxes: Boxes) -> list[Boxes]:
    """The boxes on the sides of splits of an axis that leave them whole; all together if there are none."""
    if isinstance(axis, TreeAxis):
        root = axis.node(min(box[a][0] for box in boxes), max(box[a][1] for box in boxes))
        below = [(int(axis.low[child]), int(axis.high[child])) for child in axis.children[root]]
        sides = [[box for box in boxes if low <= box[a][0] and box[a][1] <= high] for low, high in below]
        return [side for side in sides if side] if sum(map(len, sides)) == len(boxes) else [boxes]
    if isinstance(axis, SetAxis):
        for value in range(axis.cells):
            alone = [box for box in boxes if box[a][1] == 1 << value]
            rest = [box for box in boxes if not box[a][1] >> value & 1]
            if alone and rest and len(alone) + len(rest) == len(boxes):
                return [alone, rest]
        return [boxes]
    parts: list[Boxes] = []
    reached = -1
    for box in sorted(boxes, key=lambda box: _range(axis, box[a])):
        low, high = _range(axis, box[a])
        if low > reached:
            parts.append([])
        parts[-1].append(box)
        reached = max(reached, high)
    return parts


def _range(axis: Axis, block: Block) -> Block:
    """The cells of an interval; one that has the missing value and others says nothing, so it has all."""
    missing = isinstance(axis, OrderedAxis) and axis.missing and block[1] == axis.cells - 1
    return axis.whole if missing and block[0] < block[1] else block


def _has(axis: Axis, block: Block) -> bool:
    """Whether an axis has such a block."""
    low, high = block
    if isinstance(axis, SetAxis):
        return low == 0 and 0 < high <= axis.whole[1]
    if isinstance(axis, TreeAxis):
        return block in axis.nodes
    return 0 <= low <= high < axis.cells


def _text(given: Any, axis: Axis) -> str:
    """What is printed, as texts are written; of values without order, the values may be listed."""
    if isinstance(axis, SetAxis) and isinstance(given, list | tuple | set | frozenset):
        values = set(map(text_of, given))
        cells = np.array([axis.cell_of[leaf] for leaf, label in enumerate(_leaves(axis)) if label in values])
        every = len(cells) == len(values) and len(cells) and (cells >= 0).all()
        return _printed(axis, axis.around(cells)) if every else brief(given)
    return text_of(given)


def _leaves(axis: Axis) -> list[str]:
    return [axis.leaf_label(leaf) or MISSING for leaf in range(len(axis.cell_of))]


def _printed(axis: Axis, block: Block) -> str:
    return axis.label(block) or MISSING


def _blocks_of(axis: Axis) -> Callable[[str], Block | None]:
    """The block of an axis that prints a text; None for texts that none prints. `*` is all of it in any case."""
    if isinstance(axis, OrderedAxis):
        return _intervals(axis)
    blocks = axis.priced() if isinstance(axis, TreeAxis) else [(0, bits) for bits in range(1, axis.whole[1] + 1)]
    printed = {EVERY: axis.whole} | {_printed(axis, block): block for block in blocks}
    return printed.get


def _intervals(axis: OrderedAxis) -> Callable[[str], Block | None]:
    """The same for intervals. Where values have a comma, only what a block prints says what its bounds are."""
    cells = range(len(axis.first))
    alone = {_printed(axis, (cell, cell)): (cell, cell) for cell in cells} | {EVERY: axis.whole}
    if axis.missing:
        alone[MISSING] = (axis.cells - 1, axis.cells - 1)
    begins = [f"{_printed(axis, (cell, cells[-1])).partition(', ')[0]}, " for cell in cells]

    def interval(text: str) -> Block | None:
        if text in alone:
            return alone[text]
        first = [cell for cell in cells if text.startswith(begins[cell])]
        return next(
            (block for block in product(first, cells) if block[0] < block[1] and axis.label(block) == text), None
        )

    return interval
