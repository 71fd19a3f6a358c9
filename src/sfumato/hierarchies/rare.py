"""Rare values: a level that puts them together, so that a few of them do not lift all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

_OTHER = "other"


def rows_with_rare_merged(
    rows: Sequence[tuple[str, ...]], counts: Mapping[str, int], at_least: int
) -> list[tuple[str, ...]]:
    """The rows with one more level above the leaves: below each parent, leaves with fewer rows are one node `other`.

    As long as `other` has fewer rows itself, the rarest of its siblings joins it; if all do, it is the parent.
    """
    leaves = {row[0] for row in rows}
    taken = {label for row in rows for label in row}
    merged: list[tuple[str, ...]] = []
    for path, group in groupby(rows, key=lambda row: row[1:]):
        siblings = [row[0] for row in group]
        rare = _rare(siblings, counts, at_least)
        if len(rare) < 2:
            rare, label = set(), ""
        # A label names one node of its level, and leaves that stay alone give theirs to the new level as well.
        elif len(rare) == len(siblings) and (path[0] in rare or path[0] not in leaves):
            label = path[0]
        else:
            label = _label(path, taken)
        merged += [(leaf, leaf, *path) for leaf in siblings if leaf not in rare]
        merged += [(leaf, label, *path) for leaf in siblings if leaf in rare]
    return merged


def _rare(leaves: Sequence[str], counts: Mapping[str, int], at_least: int) -> set[str]:
    """The leaves that come together."""
    by_rows = sorted(leaves, key=lambda leaf: counts.get(leaf, 0))
    rare = [leaf for leaf in by_rows if counts.get(leaf, 0) < at_least]
    rows = sum(counts.get(leaf, 0) for leaf in rare)
    for leaf in by_rows[len(rare) :]:
        if not rare or rows >= at_least:
            break
        rare.append(leaf)
        rows += counts.get(leaf, 0)
    return set(rare)


def _label(path: Sequence[str], taken: set[str]) -> str:
    """`other` below the root, else `other Higher education`, with a sign where that is taken."""
    label = _OTHER if len(path) == 1 else f"{_OTHER} {path[0]}"
    while label in taken:
        label += "'"
    taken.add(label)
    return label
