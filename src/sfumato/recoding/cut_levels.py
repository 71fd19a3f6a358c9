"""A cut as the level of every leaf: what it prints, which nodes it has, and how it is stated without a value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable
from sfumato.hierarchies import Hierarchy


def widened(levels: NDArray[np.int32], hierarchy: Hierarchy, wider: Hierarchy) -> NDArray[np.int32]:
    """The levels of a cut for the same hierarchy with more leaves below the root, such as the missing value."""
    more = len(wider.rows) - len(hierarchy.rows)
    above_all = hierarchy.height if hierarchy.height and (levels == hierarchy.height).all() else 0
    wide: NDArray[np.int32] = np.r_[levels, np.full(more, above_all, dtype=np.int32)]
    return wide


def nodes_of(hierarchy: Hierarchy, levels: NDArray[np.int32]) -> NDArray[np.int32]:
    """The node of the cut above each leaf, counted along the cut."""
    leaf = np.arange(len(levels))
    group = hierarchy.groups[levels, leaf]
    nodes: NDArray[np.int32] = (np.cumsum(_is_first(levels, group)) - 1).astype(np.int32)
    return nodes


def records_by_node(
    node_of: NDArray[np.int32], leaf: NDArray[np.int32], records: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The records of each node, from the leaf and the records of each combination."""
    total = np.zeros(int(node_of.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(total, node_of[leaf], records)
    return total


def among_people(
    census: FrequencyTable, hierarchies: Sequence[Hierarchy], levels_of: Sequence[NDArray[np.int32]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A population's published codes, numbered as the table's are, with its records; matched by label."""
    columns = []
    for a, (hierarchy, levels) in enumerate(zip(hierarchies, levels_of, strict=True)):
        own = census.quasi_identifiers[a].hierarchy
        number = {label: node for node, label in enumerate(dict.fromkeys(printed_by(hierarchy, levels)))}
        theirs = printed_by(own, widened(levels, hierarchy, own))
        node_of = np.array([number.get(label, -1) for label in theirs], dtype=np.int64)
        columns.append(node_of[census.codes[:, a]])
    return np.stack(columns, axis=1), census.counts


def _is_first(*columns: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether a leaf differs from the one before it, in any of the columns."""
    first = np.ones(len(columns[0]), dtype=np.bool_)
    first[1:] = False
    for column in columns:
        first[1:] |= column[1:] != column[:-1]
    return first


def printed_by(hierarchy: Hierarchy, levels: NDArray[np.int32]) -> list[str]:
    """What each leaf prints."""
    return [row[level] for row, level in zip(hierarchy.rows, levels.tolist(), strict=True)]


def runs_of(levels: NDArray[np.int32]) -> list[list[int]]:
    """Levels of neighbouring leaves, each with how many there are of it."""
    starts = np.flatnonzero(_is_first(levels))
    return [[int(levels[at]), int(n)] for at, n in zip(starts, np.diff(np.r_[starts, len(levels)]), strict=True)]


def levels_from(runs: object, hierarchy: Hierarchy) -> NDArray[np.int32] | None:
    """The levels that such runs state, None if they state no cut through the hierarchy."""
    try:
        pairs = np.array(runs, dtype=np.int32).reshape(-1, 2)
    except (TypeError, ValueError, OverflowError):
        return None
    level, times = pairs.T
    if (times < 1).any() or times.sum() != len(hierarchy.rows) or (level < 0).any() or (level > hierarchy.height).any():
        return None
    levels: NDArray[np.int32] = np.repeat(level, times)
    nodes = hierarchy.groups[levels, np.arange(len(levels))]
    # A cut if each of its nodes covers all its leaves: their number says so.
    starts = np.flatnonzero(_is_first(levels, nodes))
    sizes = np.array([hierarchy.sizes[levels[at]][nodes[at]] for at in starts])
    return levels if (sizes == np.diff(np.r_[starts, len(levels)])).all() else None
