"""Groups: neighbouring values in groups with about as many rows each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sfumato.errors import HierarchyError
from sfumato.hierarchies.fanout import range_label
from sfumato.hierarchies.hierarchy import Hierarchy, value_order
from sfumato.hierarchies.numeric import read_count
from sfumato.hierarchies.tree import ROOT
from sfumato.settings.given import checked


@dataclass(frozen=True)
class Groups:
    """Values in value order, at most so many groups of neighbours at each level, named `first..last`, then `*`.

    Groups are balanced by rows, not by values: a frequent value stands alone, rare ones come together, so that no
    group is hard to hide in.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.counts:
            raise HierarchyError("groups() has no numbers of groups; give at least one, as in groups(20, 5).")
        for count in self.counts:
            if count < 2:
                raise HierarchyError(f"{self}: {count} groups say no more than '*'; ask for at least 2.")
        for more, fewer in pairwise(self.counts):
            if fewer >= more:
                raise HierarchyError(
                    f"{self}: {fewer} groups after {more} blur nothing; give fewer at each level, as in groups(20, 5)."
                )

    @classmethod
    def parse(cls, arguments: str) -> Groups:
        """The generator of a command line's `groups:20,5`, given what follows the colon."""
        texts = [text.strip() for text in arguments.split(",")] if arguments else []
        if not all(text.isdecimal() for text in texts):
            raise HierarchyError(f"'{arguments}' is not a list of numbers of groups; write groups:20,5.")
        return cls(tuple(map(read_count, texts)))

    def __str__(self) -> str:
        return f"groups({', '.join(map(str, self.counts))})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values, in value order."""
        leaves = value_order(occurring) or [ROOT]
        columns = [leaves]
        taken: dict[str, tuple[int, int]] = {}
        starts: Sequence[int] = range(len(leaves) + 1)  # the first leaf of each node of a level, and the end
        below = [0, *accumulate(occurring.get(leaf, 0) for leaf in leaves)]  # rows before each leaf
        for count in self.counts:
            rows = [below[end] - below[first] for first, end in pairwise(starts)]
            starts = [starts[node] for node in balanced_starts(rows, count)]
            nodes = [(range_label(leaves, first, end, taken), end - first) for first, end in pairwise(starts)]
            columns.append([label for label, size in nodes for _ in range(size)])
        columns.append([ROOT] * len(leaves))
        return Hierarchy(tuple(zip(*columns, strict=True)), str(self))


@checked
def groups(*counts: int) -> Groups:
    """At most so many groups of neighbours at each level, balanced by rows: `groups(20, 5)`."""
    return Groups(counts)


def balanced_starts(rows: Sequence[int], count: int) -> list[int]:
    """Where each of at most `count` runs of neighbours starts, and the end.

    A node with more than an equal share of the rows is a run of its own, since no other run could match it; what lies
    between such nodes gets as many runs as its rows deserve, or joins its neighbour if it deserves none. A run without
    a frequent node has at least a quarter of an equal share of the rows that are not in frequent nodes.
    """
    frequent, spare, rest = _frequent(rows, count)
    edges = [-1, *frequent, len(rows)]
    stretches = [(left + 1, right) for left, right in pairwise(edges)]
    starts = {0, len(rows)}
    for (first, end), runs in zip(stretches, _runs([sum(rows[a:b]) for a, b in stretches], spare, rest), strict=True):
        if runs or first == end:
            starts.update((end, *(first + start for start in _scan(rows[first:end], runs))))
        elif first:  # joins the frequent node before; the first stretch joins the one after
            starts.add(end)
    return sorted(starts)


def _frequent(rows: Sequence[int], count: int) -> tuple[list[int], int, int]:
    """The nodes with more than an equal share of what is left, and how many runs and rows are left for the others."""
    rest = sum(rows)
    frequent: list[int] = []
    for node in sorted(range(len(rows)), key=lambda node: (-rows[node], node)):
        if count == 1 or rows[node] * count <= rest:
            break
        frequent.append(node)
        rest -= rows[node]
        count -= 1
    return sorted(frequent), count, rest


def _runs(sizes: Sequence[int], count: int, total: int) -> list[int]:
    """Runs for stretches of these sizes, `count` at most, by largest remainders of at least a half."""
    shares = [divmod(size * count, total) if total else (0, 0) for size in sizes]
    runs = [whole for whole, _ in shares]
    for index in sorted(range(len(sizes)), key=lambda index: (-shares[index][1], index)):
        if sum(runs) < count and 2 * shares[index][1] >= total > 0:
            runs[index] += 1
    return runs


def _scan(rows: Sequence[int], count: int) -> list[int]:
    """The starts of at most `count` runs, each with at least 1/(2 count) of the rows."""
    total = left = sum(rows)
    starts = [0]
    size = 0
    for node, weight in enumerate(rows):
        runs = count - len(starts) + 1
        # An equal share is left/runs: stop if size is nearer to it than size + weight, and what is left can stand.
        nearer = runs * (2 * size + weight) > 2 * left
        if size and runs > 1 and nearer and 2 * count * size >= total and 2 * count * (left - size) >= total:
            starts.append(node)
            left -= size
            size = 0
        size += weight
    return starts
