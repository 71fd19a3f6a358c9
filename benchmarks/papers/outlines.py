"""Hierarchies as lines for a diagram."""

from __future__ import annotations

from sfumato.hierarchies import Hierarchy


def outline_of(hierarchy: Hierarchy) -> tuple[tuple[int, str], ...]:
    """Its nodes from the root down, each with its depth; a node that only repeats its child is left out."""
    lines: list[tuple[int, str]] = []
    above: list[str] = []
    for leaf in range(len(hierarchy.leaves)):
        levels = range(hierarchy.height, -1, -1)
        path = [hierarchy.labels[level][int(hierarchy.groups[level][leaf])] for level in levels]
        path = [label for i, label in enumerate(path) if i == 0 or label != path[i - 1]]
        common = next((i for i, (one, other) in enumerate(zip(path, above, strict=False)) if one != other), len(above))
        lines += [(depth, label) for depth, label in enumerate(path) if depth >= min(common, len(path))]
        above = path
    return tuple(lines)
