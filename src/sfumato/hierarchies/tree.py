"""The rows of a hierarchy make up one tree: each fault is reported with its place and the way out.

Every check is one pass over the rows, so a hierarchy of 100,000 leaves is checked in the blink of an eye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.errors import HierarchyError

MISSING = ""  # label of a missing value
ROOT = "*"  # root of every generated hierarchy


def check_tree(table: Sequence[tuple[str, ...]], source: str, line_of: Mapping[int, int] | None) -> None:
    """Raise a HierarchyError unless the rows make up one tree."""
    place = Place(source, line_of)
    if not table:
        raise HierarchyError(f"{source} has no rows; give one per value: value;parent;…;*.")
    _check_labels(table, place)
    _check_leaves(table, place)
    _check_parents(table, place)
    roots = list(dict.fromkeys(row[-1] for row in table))
    if len(roots) > 1:
        shown = ", ".join([f"'{root}'" for root in roots[:3]] + ["…"] * (len(roots) > 3))
        raise HierarchyError(
            f"{source} has {len(roots)} roots ({shown}); add a last column with one label such as '*'."
        )


def _check_labels(table: Sequence[tuple[str, ...]], place: Place) -> None:
    """Every row has as many labels as the first, and none is empty."""
    expected = len(table[0])
    for index, row in enumerate(table):
        if len(row) != expected:
            raise HierarchyError(
                f"{place(index)}: {count_of(len(row), 'label')} instead of {expected} as in {place.line(0)}; "
                "give every line the same number, repeating a label where no level lies between."
            )
        if not row or not row[0]:
            raise HierarchyError(f"{place(index)}: no value; name one, or delete the line (missing values need none).")
        if "" in row:
            raise HierarchyError(
                f"{place(index)}: the label of level {row.index('')} is empty; fill it in, for instance by repeating "
                "the one before."
            )


def _check_leaves(table: Sequence[tuple[str, ...]], place: Place) -> None:
    """Every leaf has one row."""
    first: dict[str, int] = {}
    for index, (leaf, *_) in enumerate(table):
        earlier = first.setdefault(leaf, index)
        if earlier != index:
            raise HierarchyError(f"{place(index)}: '{leaf}' is already in {place.line(earlier)}; keep one of the two.")


def _check_parents(table: Sequence[tuple[str, ...]], place: Place) -> None:
    """Every label has one parent in the level above."""
    parents: list[dict[str, str]] = [{} for _ in table[0][1:]]
    for index, row in enumerate(table):
        for seen, label, parent in zip(parents, row[:-1], row[1:], strict=True):
            other = seen.setdefault(label, parent)
            if other != parent:
                raise HierarchyError(
                    f"{place(index)}: '{label}' has two parents ('{other}', '{parent}'); give it one parent per level."
                )


def count_of(number: int, noun: str) -> str:
    """A number and its noun: 1 row, 2 rows."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"


def padded_rows(labels: Sequence[str], parents: Sequence[int]) -> list[tuple[str, ...]]:
    """The rows of a tree given each node's label and parent (-1 for the root), leaves in depth-first order.

    Children come in the order of their numbers. A leaf's label is repeated until its row reaches the root's level.
    """
    children: list[list[int]] = [[] for _ in labels]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    paths: list[tuple[str, ...]] = []
    waiting: list[tuple[int, tuple[str, ...]]] = [(parents.index(-1), ())]
    while waiting:
        node, above = waiting.pop()
        path = (labels[node], *above)
        if not children[node]:
            paths.append(path)
        waiting += [(child, path) for child in reversed(children[node])]
    longest = max(map(len, paths))
    return [(*path[:1] * (longest - len(path)), *path) for path in paths]


@dataclass(frozen=True)
class Place:
    """Where a row came from, in words."""

    source: str
    line_of: Mapping[int, int] | None

    def line(self, index: int) -> str:
        return f"row {index + 1}" if self.line_of is None else f"line {self.line_of[index]}"

    def __call__(self, index: int) -> str:
        return f"{self.source}, {self.line(index)}"
