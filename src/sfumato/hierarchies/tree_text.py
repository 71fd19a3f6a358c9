"""Trees drawn as text: each node on a line, below its parent and further to the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sfumato.hierarchies.tree import MISSING, count_of


def tree_lines(rows: Sequence[tuple[str, ...]], depth: int | None, children: int | None) -> Iterator[str]:
    """The lines of a tree given its rows in depth-first order; `depth` levels below the root, `children` per node."""
    height = len(rows[0]) - 1
    yield rows[0][-1]
    yield from _below(rows, height, 0, len(rows), "", height if depth is None else depth, children)


def _below(
    rows: Sequence[tuple[str, ...]], level: int, first: int, end: int, margin: str, depth: int, children: int | None
) -> Iterator[str]:
    """The lines below the node of a level over rows[first:end]."""
    # A chain of nodes over the same leaves under one name is one node: go down to where it changes.
    while level and _single(rows, level - 1, first, end) and rows[first][level - 1] == rows[first][level]:
        level -= 1
    if not level:
        return
    nodes = list(_nodes(rows, level - 1, first, end))
    if depth < 1:
        yield f"{margin}└─ … {count_of(end - first, 'value')}"
        return
    shown = nodes if children is None or len(nodes) <= children else nodes[:children]
    for index, (start, stop) in enumerate(shown):
        last = index == len(nodes) - 1
        label = rows[start][level - 1]
        yield f"{margin}{'└─' if last else '├─'} {label if label != MISSING else '(missing)'}"
        yield from _below(rows, level - 1, start, stop, margin + ("   " if last else "│  "), depth - 1, children)
    if len(shown) < len(nodes):
        yield f"{margin}└─ … {len(nodes) - len(shown)} more"


def _single(rows: Sequence[tuple[str, ...]], level: int, first: int, end: int) -> bool:
    """Whether one node of the level covers rows[first:end]."""
    return rows[first][level] == rows[end - 1][level]


def _nodes(rows: Sequence[tuple[str, ...]], level: int, first: int, end: int) -> Iterator[tuple[int, int]]:
    """The ranges of rows of the nodes of a level."""
    start = first
    for index in range(first + 1, end + 1):
        if index == end or rows[index][level] != rows[start][level]:
            yield start, index
            start = index
