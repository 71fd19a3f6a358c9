"""Cuts drawn as text: the part of a tree above a cut, each node of the cut with how many records it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.tree import MISSING, count_of

_SHOWN = 12  # nodes of the cut below one parent; the others are counted


@dataclass(frozen=True)
class _Node:
    """The node of a level over leaves first … end, and how it stands on the page."""

    level: int
    first: int
    end: int
    lead: str  # what stands before its label
    margin: str  # of its children


def cut_lines(hierarchy: Hierarchy, levels: NDArray[np.int32], records: Mapping[str, int]) -> Iterator[str]:
    """The tree down to a cut, which publishes each leaf at its level; `records` are those of each published label.

    Labels of the cut without records are only counted: they may be values of suppressed records. So are nodes above
    such labels alone, and all but the first of very many.
    """
    waiting: list[_Node | str] = [_Node(hierarchy.height, 0, len(hierarchy.rows), "", "")]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
            continue
        level = node.level
        while level > levels[node.first] and _same(hierarchy, level, node.first, node.end):
            level -= 1
        label = hierarchy.rows[node.first][level]
        if level <= levels[node.first]:
            yield f"{node.lead}{'(missing)' if label == MISSING else label}  {records.get(label, 0):,}"
            continue
        yield f"{node.lead}{label}"
        waiting += reversed(list(_below(hierarchy, levels, records, node, level)))


def _below(
    hierarchy: Hierarchy, levels: NDArray[np.int32], records: Mapping[str, int], node: _Node, level: int
) -> Iterator[_Node | str]:
    """The children of a node that are drawn, and a line about the others."""
    groups = hierarchy.groups[level - 1, node.first : node.end]
    starts = (np.flatnonzero(np.diff(groups, prepend=-1)) + node.first).tolist()
    parts = list(zip(starts, [*starts[1:], node.end], strict=True))
    occurring = [part for part in parts if _published(hierarchy, levels, records, part)]
    shown = occurring[:_SHOWN]
    lines: list[_Node | str] = []
    more, silent = len(occurring) - len(shown), len(parts) - len(occurring)
    tail = [f"… {more:,} more"] if more else []
    tail += [f"… {count_of(silent, 'label')} without published records"] if silent else []
    for i, (first, end) in enumerate(shown):
        last = i == len(shown) - 1 and not tail
        lead, below = ("└─ ", "   ") if last else ("├─ ", "│  ")
        lines.append(_Node(level - 1, first, end, node.margin + lead, node.margin + below))
    if tail:
        lines.append(f"{node.margin}└─ {'; '.join(tail)}")
    yield from lines


def _published(
    hierarchy: Hierarchy, levels: NDArray[np.int32], records: Mapping[str, int], part: tuple[int, int]
) -> bool:
    """Whether some label of the cut over these leaves is published."""
    return any(hierarchy.rows[leaf][levels[leaf]] in records for leaf in range(*part))


def _same(hierarchy: Hierarchy, level: int, first: int, end: int) -> bool:
    """Whether a node has one child, which then is the same node."""
    return bool(level) and hierarchy.groups[level - 1, first] == hierarchy.groups[level - 1, end - 1]
