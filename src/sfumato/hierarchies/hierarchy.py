"""Hierarchy: a tree that says how the values of an attribute may be blurred, and how one is made from rows."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import HierarchyError
from sfumato.hierarchies.nearest import nearest_labels
from sfumato.hierarchies.outline import outline_rows
from sfumato.hierarchies.pairs import pair_rows
from sfumato.hierarchies.rare import rows_with_rare_merged
from sfumato.hierarchies.tree import MISSING, ROOT, check_tree, count_of
from sfumato.hierarchies.tree_text import tree_lines
from sfumato.settings.given import brief, checked, path_of
from sfumato.settings.wording import where_hidden

Kind: TypeAlias = Literal["taxonomy", "ordered", "unordered"]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_MOST_LEVELS = (1 << 16) - 1  # the core counts levels in 16 bits
_LONGEST_NUMBER = 1000  # with at most three digits of exponent: exact arithmetic stays cheap whatever the data holds


@runtime_checkable
class HierarchySource(Protocol):
    """Anything that makes the hierarchy of an attribute once the attribute's values are known."""

    @checked
    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of `attribute`; `occurring` maps each value's text (never the missing value) to its rows."""
        ...


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A tree over an attribute's values: for each leaf, its labels from the leaf up to the root.

    A row is leaf, level 1, …, root. A label names one node of its level. Equal neighbouring labels in a row are the
    same node if they cover the same leaves (so leaves may lie at different depths), else two nodes of one name, the
    upper the parent of the lower. Rows are in depth-first order, so every node is a range of leaf codes.

    The constructor takes the rows as they are; `from_rows` checks and orders them. `kind` tells a taxonomy, whose
    levels mean something, from values that only have an order (`ordered()`) or not even that (`unordered()`).
    """

    # Leaves of a generated hierarchy are values of the data: keep them out of logs and tracebacks.
    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    source: str
    kind: Kind = field(default="taxonomy", repr=False)
    listed: tuple[int, ...] = field(default=(), repr=False)  # where each row stood in the file, if it was read from one

    def __post_init__(self) -> None:
        if self.rows and len(self.rows[0]) > _MOST_LEVELS:
            raise HierarchyError(
                f"{self.source}: {len(self.rows[0]):,} levels are more than {_MOST_LEVELS:,}; leave levels out."
            )

    @classmethod
    @checked
    def from_rows(
        cls, rows: Iterable[Sequence[str]], source: str, line_of: Mapping[int, int] | None = None
    ) -> Hierarchy:
        """The hierarchy with these rows in any order; children come in order of first appearance.

        Faults are reported as `source, line N`, where `line_of` maps a row's index to its line in a file.
        """
        table = [_labels(row, source) for row in rows]
        check_tree(table, source, line_of)
        first: list[dict[str, int]] = [{} for _ in table[0]]
        for index, row in enumerate(table):
            for seen, label in zip(first, row, strict=True):
                seen.setdefault(label, index)
        table.sort(key=lambda row: [seen[label] for seen, label in zip(reversed(first), reversed(row), strict=True)])
        return cls(tuple(table), source, listed=tuple(first[0][row[0]] for row in table))

    @classmethod
    @checked
    def from_pairs(cls, pairs: Iterable[Sequence[str]] | Mapping[str, str], source: str = "pairs") -> Hierarchy:
        """The hierarchy with these edges (child, parent), or with this parent of each child."""
        edges = pairs.items() if isinstance(pairs, Mapping) else pairs
        return cls(tuple(pair_rows([_labels(edge, source) for edge in edges], source)), source)

    @classmethod
    @checked
    def from_outline(cls, text: str, source: str = "outline") -> Hierarchy:
        """The hierarchy that an indented text draws: the root first, children below their parent, further right."""
        return cls(tuple(outline_rows(text, source)), source)

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The leaves' labels; a leaf's code is its index."""
        return tuple(row[0] for row in self.rows)

    @property
    def height(self) -> int:
        """The root's level; level 0 is the leaves as they are."""
        return len(self.rows[0]) - 1

    @cached_property
    def codes(self) -> dict[str, int]:
        """The code of each leaf label."""
        return {leaf: code for code, leaf in enumerate(self.leaves)}

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each leaf where the hierarchy was written down; leaves without one come last, as they are."""
        return (*self.listed, *range(len(self.listed), len(self.rows)))

    @cached_property
    def groups(self) -> NDArray[np.int32]:
        """groups[level, code]: the number of the node above the leaf, counted along the level (read-only)."""
        table = np.array(self.rows, dtype=object)
        groups = np.zeros((self.height + 1, len(self.rows)), dtype=np.int32)
        # Depth-first order puts a node's leaves side by side: a new node begins wherever the label changes.
        groups[:, 1:] = np.cumsum(table[1:] != table[:-1], axis=0).T
        groups.setflags(write=False)
        return groups

    @cached_property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """labels[level][group]: the label of a node."""
        return tuple(tuple(dict.fromkeys(column)) for column in zip(*self.rows, strict=True))

    @cached_property
    def sizes(self) -> tuple[NDArray[np.int64], ...]:
        """sizes[level][group]: the number of leaves below a node (read-only)."""
        sizes = tuple(np.bincount(level).astype(np.int64) for level in self.groups)
        for level in sizes:
            level.setflags(write=False)
        return sizes

    def with_missing(self) -> Hierarchy:
        """This hierarchy with one more leaf, the missing value: the last one, directly below the root."""
        if MISSING in self.codes:
            return self
        # A lone label is leaf and root at once; it and the missing value need a root above both.
        rows = self.rows if self.height else tuple((*row, ROOT) for row in self.rows)
        *below, root = rows[0]
        return replace(self, rows=(*rows, (*(MISSING for _ in below), root)))

    @checked
    def merge_rare(self, counts: Mapping[str, int], at_least: int) -> Hierarchy:
        """This hierarchy with one more level above the leaves: below each parent, rare leaves are one node `other`.

        A leaf is rare if `counts`, its rows, are fewer than `at_least`. As long as `other` has fewer rows itself, the
        rarest of its siblings joins it, so every node of the new level has `at_least` rows if its parent has. A rare
        leaf without a sibling stays as it is. `other` comes last below its parent.
        """
        if at_least < 1:
            raise HierarchyError(f"at_least = {at_least} calls nothing rare; give a number of rows from 1 up.")
        if self.kind != "taxonomy":
            raise HierarchyError(f"{self.source} has no levels to merge rare values by; use flat() instead.")
        if not self.height:
            return self
        present = [row for row in self.rows if row[0] != MISSING]
        merged = replace(self, rows=tuple(rows_with_rare_merged(present, counts, at_least)), listed=())
        return merged.with_missing() if MISSING in self.codes else merged

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """This hierarchy, provided that every occurring value is one of its leaves."""
        absent = occurring.keys() - self.codes.keys()
        if absent:
            strange = value_order(absent)
            near, hint = nearest_labels(strange, self.leaves)
            raise HierarchyError(
                f"{self.source} has no path for {share(absent, attribute, occurring)}; {hint}"
                f"add a line for each, or see them {where_hidden()}.",
                hidden_values=[
                    f"{value} (nearest label: {near[value]})" if value in near else value for value in strange
                ],
            )
        return self

    @checked
    def tree(self, *, depth: int | None = None, children: int | None = 10) -> str:
        """The tree as text, `depth` levels below the root and at most so many children of a node; None shows all."""
        return "\n".join(tree_lines(self.rows, depth, children))

    @checked
    def write(self, path: str | os.PathLike[str]) -> None:
        """Write one line `leaf;level 1;…;root` per leaf, but none for the missing value, which needs no line."""
        rows = [row for row in self.rows if row[0] != MISSING]
        # The csv module leaves a lone carriage return unquoted, and then reads it as the end of a line.
        quoting: Literal[0, 1] = (
            csv.QUOTE_ALL if any("\r" in label for row in rows for label in row) else csv.QUOTE_MINIMAL
        )
        try:
            with open(path_of(path), "w", encoding="utf-8", newline="") as file:
                csv.writer(file, delimiter=";", lineterminator="\n", quoting=quoting).writerows(rows)
        except OSError as error:
            raise HierarchyError(
                f"{brief(str(path))} cannot be written ({error.strerror}); choose another path."
            ) from None


def value_order(values: Iterable[str]) -> list[str]:
    """The values in numeric order if all of them are numbers (equal ones by text), else by code point."""
    by_text = sorted(values)
    numbers: dict[str, Decimal] = {}
    for text in by_text:
        value = number(text)
        if value is None:
            return by_text
        numbers[text] = value
    return sorted(by_text, key=numbers.__getitem__)


def numeric(values: Iterable[str]) -> bool:
    """Whether all values are numbers."""
    return all(number(value) is not None for value in values)


def number(text: str) -> Decimal | None:
    """The exact finite number that a text states, or None."""
    text = text.strip()
    return Decimal(text) if len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text) else None


def share(some: Collection[str], attribute: str, occurring: Mapping[str, int]) -> str:
    """How many of an attribute's values these are, and in how many rows: all a message may say about them."""
    rows = sum(occurring[value] for value in some)
    return f"{len(some):,} of the {count_of(len(occurring), 'value')} of '{attribute}' ({count_of(rows, 'row')})"


def _labels(row: object, source: str) -> tuple[str, ...]:
    """A row that is a list of labels."""
    if isinstance(row, str) or not isinstance(row, Iterable):
        raise HierarchyError(f"{source} has {brief(row)} in place of a row; give lists of labels, as in ['a', '*'].")
    return tuple(row)
