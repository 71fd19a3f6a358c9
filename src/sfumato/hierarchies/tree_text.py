"""Trees drawn as text: each node on a line, below its parent and further to the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.hierarchies.tree import MISSING, count_of


@dataclass(frozen=True)
class _Node:
    """The node of a level over rows[first:end], to be drawn with what lies below it."""

    level: int
    first: int
    end: int
    line: str
    margin: str  # of its children
    depth: int


def tree_lines(rows: Sequence[tuple[str, ...]], depth: int | None, children: int | None) -> Iterator[str]:
    """The lines of a tree given its rows in depth-first order; `depth` levels below the root, `children` per node."""
    height = len(rows[0]) - 1
    waiting = [_Node(height, 0, len(rows), rows[0][-1], "", 0)]
    while waiting:
        node = waiting.pop()
        yield node.line
        ranges = _children(rows, node)
        if ranges and depth is not None and node.depth >= depth:
            yield f"{node.margin}└─ … {count_of(node.end - node.first, 'value')}"
            continue
        shown = len(ranges) if children is None else min(len(ranges), max(children, 0))
        below = [_drawn(rows, node, part, last=index == len(ranges) - 1) for index, part in enumerate(ranges[:shown])]
        if shown < len(ranges):
            below.append(_Node(0, 0, 1, f"{node.margin}└─ … {len(ranges) - shown} more", "", 0))
        waiting += reversed(below)


def _drawn(rows: Sequence[tuple[str, ...]], parent: _Node, part: tuple[int, int, int], *, last: bool) -> _Node:
    level, first, end = part
    label = rows[first][level]
    line = f"{parent.margin}{'└─' if last else '├─'} {'(missing)' if label == MISSING else label}"
    return _Node(level, first, end, line, parent.margin + ("   " if last else "│  "), parent.depth + 1)


def _children(rows: Sequence[tuple[str, ...]], node: _Node) -> list[tuple[int, int, int]]:
    """The level and the range of rows of each child."""
    level, first, last = node.level, rows[node.first], rows[node.end - 1]
    # Nodes of one name over the same leaves are one node: go down to where that ends.
    while level and first[level - 1] == last[level - 1] == first[level]:
        level -= 1
    if not level:
        return []
    starts = [
        row
        for row in range(node.first, node.end)
        if row == node.first or rows[row][level - 1] != rows[row - 1][level - 1]
    ]
    return [(level - 1, start, end) for start, end in zip(starts, [*starts[1:], node.end], strict=True)]
