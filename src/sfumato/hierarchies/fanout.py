"""Fanout: neighbouring values in groups of n, those again in groups of n, up to one root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy, value_order
from sfumato.hierarchies.numeric import read_count
from sfumato.hierarchies.tree import ROOT
from sfumato.settings.given import checked


@dataclass(frozen=True)
class Fanout:
    """Values in value order, consecutive groups of n, named `first..last`, until one node `*` remains.

    The last group of a level may be smaller. `balanced` makes the sizes of a level's groups differ by one at most,
    which is usually better: a small last group is hard to hide in, and can force everything to the root.
    """

    n: int
    balanced: bool = False

    def __post_init__(self) -> None:
        if self.n < 2:
            raise HierarchyError(f"{self}: groups of {self.n} never grow together; give at least 2, as in fanout(5).")

    @classmethod
    def parse(cls, arguments: str) -> Fanout:
        """The generator of a command line's `fanout:5` or `fanout:5,balanced`, given what follows the colon."""
        size, *options = arguments.split(",")
        if not size.isdecimal() or options not in ([], ["balanced"]):
            raise HierarchyError(f"'{arguments}' is not a group size; give a whole number, as in fanout:5.")
        return cls(read_count(size), balanced=bool(options))

    def __str__(self) -> str:
        return f"fanout({self.n}{', balanced=True' * self.balanced})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values."""
        leaves = value_order(occurring) or [ROOT]
        columns = [leaves]
        taken: dict[str, tuple[int, int]] = {}
        starts = self._group(range(len(leaves) + 1))  # the first leaf of each node of a level, and the end
        while len(starts) > 2:
            nodes = [(range_label(leaves, first, end, taken), end - first) for first, end in pairwise(starts)]
            columns.append([label for label, size in nodes for _ in range(size)])
            starts = self._group(starts)
        columns.append([ROOT] * len(leaves))
        return Hierarchy(tuple(zip(*columns, strict=True)), str(self))

    def _group(self, starts: Sequence[int]) -> Sequence[int]:
        """The starts of the next level's nodes."""
        return [starts[child] for child in accumulate(self._sizes(len(starts) - 1), initial=0)]

    def _sizes(self, count: int) -> list[int]:
        """The sizes of the groups that `count` nodes are put in."""
        groups = -(-count // self.n)
        if self.balanced:
            size, larger = divmod(count, groups)
            return [size + 1] * larger + [size] * (groups - larger)
        return [self.n] * (groups - 1) + [count - self.n * (groups - 1)]


@checked
def fanout(n: int, *, balanced: bool = False) -> Fanout:
    """Groups of n neighbours at every level: `fanout(5)`."""
    return Fanout(n, balanced)


def range_label(leaves: Sequence[str], first: int, end: int, taken: dict[str, tuple[int, int]]) -> str:
    """The label `first..last` of the node over leaves[first:end]; `taken` knows the labels given before."""
    label = leaves[first] if end - first == 1 else f"{leaves[first]}..{leaves[end - 1]}"
    # Values with dots of their own can make two nodes spell alike, and a label must name one node.
    while taken.setdefault(label, (first, end)) != (first, end):
        label += "'"
    return label
