"""Multidimensional recoding in a report: pictures of the boxes, the largest of them, and what each column lost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from sfumato.plots import Boxes, DrawnBox, Tick
from sfumato.recoding.axes import Axis, SetAxis
from sfumato.recoding.views import Block, ChosenBoxes
from sfumato.report.blocks import Block as Part, Figures, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import percent

_PICTURES = 3  # pairs of attributes that are drawn
_Labels = Sequence[Sequence[str | None]]  # by attribute and box
_LISTED = 20  # boxes that are listed one by one


def section(findings: Findings) -> Section | None:
    """The boxes along the attributes that are cut most often, the largest ones as printed, and the loss per column."""
    recoding = None if findings.classes is None else findings.classes.recoding.as_boxes
    if recoding is None:
        return None
    f = findings.solution.problem.data.frequencies
    records = recoding.records
    labels = recoding.labels(f)
    rows = [
        (
            axis.name,
            f"{len({box[a] for box in recoding.boxes}):,}",
            percent(findings.solution.loss_per_attribute[axis.name]),
        )
        for a, axis in enumerate(recoding.axes)
    ]
    order = np.argsort(-records, kind="stable").tolist()
    largest = [
        (
            ", ".join(f"{axis.name} {labels[a][b] or '(missing)'}" for a, axis in enumerate(recoding.axes)),
            f"{records[b]:,}",
        )
        for b in order[:_LISTED]
    ]
    blocks: list[Part] = [
        Text(
            "The space of all columns is split into boxes, again and again, and the records of a box are published "
            "alike: as an interval, a node of a hierarchy, or a set of values of each column."
        ),
        *_pictures(recoding, records.tolist(), labels),
        Grid("Blocks of each column", ("column", "different blocks", "detail lost"), tuple(rows)),
        Grid(f"The largest of {len(recoding.boxes):,} boxes", ("box", "records"), tuple(largest)),
    ]
    return Section("boxes", "How values were blurred", tuple(blocks))


def _pictures(recoding: ChosenBoxes, records: list[int], labels: _Labels) -> list[Figures]:
    """Boxes along pairs of attributes, those with the most different blocks first."""
    used = [len({box[a] for box in recoding.boxes}) for a in range(len(recoding.axes))]
    chosen = sorted((a for a in range(len(used)) if used[a] > 1), key=lambda a: -used[a])[:3]
    pairs = list(combinations(chosen, 2))[:_PICTURES]
    return [Figures(tuple(boxes_info(recoding, records, labels, a, b) for a, b in pairs))] if pairs else []


def boxes_info(recoding: ChosenBoxes, records: list[int], labels: _Labels, a: int, b: int) -> Boxes:
    """The boxes along two attributes; those that look alike there are one, with all their records."""
    total: dict[tuple[Block, Block], int] = {}
    printed: dict[tuple[Block, Block], str] = {}
    for number, box in enumerate(recoding.boxes):
        place = (box[a], box[b])
        total[place] = total.get(place, 0) + records[number]
        printed[place] = f"{labels[a][number] or '(missing)'} × {labels[b][number] or '(missing)'}"
    across, up = recoding.axes[a], recoding.axes[b]
    drawn = tuple(
        DrawnBox(printed[place], _extent(across, place[0]), _extent(up, place[1]), n) for place, n in total.items()
    )
    title = f"Boxes along {across.name} and {up.name}"
    description = f"{len(drawn):,} different boxes of {len(recoding.boxes):,}."
    ticks = (_ticks(recoding, labels, a), _ticks(recoding, labels, b))
    return Boxes(title, description, across.name, up.name, drawn, ticks)


def _ticks(recoding: ChosenBoxes, labels: _Labels, a: int) -> tuple[Tick, ...]:
    """The published labels of an attribute's blocks; a block that prints differently in different boxes has none."""
    printed: dict[Block, set[str]] = {}
    for number, box in enumerate(recoding.boxes):
        printed.setdefault(box[a], set()).add(labels[a][number] or "(missing)")
    axis = recoding.axes[a]
    return tuple(Tick(min(words), _extent(axis, block)) for block, words in sorted(printed.items()) if len(words) == 1)


def _extent(axis: Axis, block: Block) -> tuple[float, float]:
    """A block's place along its axis; that of a set reaches from its first value to its last."""
    low, high = block
    if isinstance(axis, SetAxis):
        values = axis.values(block)
        low, high = values[0], values[-1]
    return (low / axis.cells, (high + 1) / axis.cells)
