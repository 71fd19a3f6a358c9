"""The nodes of the count trees of OA, DA, AA, LRA and VPA as published: the memory that the paper's figures show.

No search of ours builds a tree. Here nodes are counted as they would be, record by record, with nothing built: of OA
and DA those of one tree of all sets of up to m nodes; of AA one tree for each size, from what is left after the sizes
before; of LRA and VPA those of AA in each part, and of VPA those of its last pass besides.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

import sfumato as sf
from sfumato.algorithms.lra import chunks_of, gray_order
from sfumato.algorithms.vpa import item_borders, projected
from sfumato.engines.items import ItemRecords
from sfumato.native.items import Flags, ItemCore, flags
from sfumato.native.limits import Limits
from sfumato.native.run import Run


@dataclass(frozen=True)
class Part:
    """What AA as published takes for a part, or for all: CPU seconds, and the nodes of its largest tree."""

    seconds: float
    nodes: int | None  # None: too many to be counted in the time that there is
    closed: Flags


@dataclass(frozen=True)
class Trees:
    """The parts of a search in turn, and what comes after them."""

    parts: Sequence[Part]
    last: Part | None = None
    before: float = 0.0  # CPU seconds until there are parts

    @property
    def largest(self) -> int | None:
        """The nodes of the largest tree, if one is there at a time."""
        return _most([part.nodes for part in self._all])

    @property
    def together(self) -> int | None:
        """The nodes of the trees of all parts at a time, or of the one after them."""
        nodes = [part.nodes for part in self.parts]
        if any(n is None for n in nodes):
            return None
        return _most([sum(n for n in nodes if n is not None), self.last.nodes if self.last else 0])

    @property
    def in_turn(self) -> float:
        """Seconds if the parts come one after the other."""
        return self.before + sum(part.seconds for part in self._all)

    @property
    def at_a_time(self) -> float:
        """Seconds if each part has a processor of its own."""
        return self.before + max(part.seconds for part in self.parts) + (self.last.seconds if self.last else 0.0)

    @property
    def _all(self) -> list[Part]:
        return [*self.parts, *([self.last] if self.last else [])]


def _most(nodes: Sequence[int | None]) -> int | None:
    return None if any(n is None for n in nodes) else max(n for n in nodes if n is not None)


def whole_tree(data: sf.Transactions, m: int, seconds: float) -> int | None:
    """The nodes of the one tree of OA and DA."""
    core = ItemCore.of(data.items, sf.NCP(), 1, m)
    return core.tree_nodes(Run(Limits(seconds)), core.nothing, core.m, exact=False)


def apriori(core: ItemCore, start: Flags, seconds: float) -> Part:
    """AA as published, from a cut on: its time, and then size by size its trees."""
    began = time.process_time()
    result = core.apriori(Run(Limits(seconds)), start, staged=False)
    taken = time.process_time() - began
    if not result.complete:
        return Part(taken, None, start)
    if not result.found:  # fewer than k transactions: there is nothing to count
        return Part(taken, 0, start)
    run, most, closed = Run(Limits(seconds)), [], start
    for size in range(1, core.m + 1):
        most.append(core.tree_nodes(run, closed, size, exact=True))
        closed = flags(replace(core, m=size).apriori(Run(), closed, staged=False))
    return Part(taken, _most(most), closed)


def of_aa(data: sf.Transactions, k: int, m: int, seconds: float) -> Trees:
    core = ItemCore.of(data.items, sf.NCP(), k, m)
    return Trees([apriori(core, core.nothing, seconds)])


def of_lra(data: sf.Transactions, k: int, m: int, seconds: float, parts: int = 3, flexibility: int = 10) -> Trees:
    began = time.process_time()
    records = data.items.records
    order = np.array(gray_order(records), dtype=np.int64)
    chunks = [records.taken(chunk) for chunk in chunks_of(records, order, parts, flexibility, k, m)]
    before = time.process_time() - began
    return Trees([_part(data, k, m, chunk, seconds) for chunk in chunks], None, before)


def of_vpa(data: sf.Transactions, k: int, m: int, seconds: float, parts: int = 3, level: int = 1) -> Trees:
    began = time.process_time()
    borders = item_borders(data.items, parts, level)
    chunks = [projected(data.items, first, end) for first, end in pairwise(borders)]
    before = time.process_time() - began
    every = [_part(data, k, m, chunk, seconds) for chunk in chunks]
    core = ItemCore.of(data.items, sf.NCP(), k, m)
    start = np.maximum.reduce([core.nothing, *(part.closed for part in every)])
    return Trees(every, apriori(core, start, seconds), before)


def _part(data: sf.Transactions, k: int, m: int, chunk: ItemRecords, seconds: float) -> Part:
    core = ItemCore.of(data.items, sf.NCP(), k, m, chunk)
    return apriori(core, core.nothing, seconds)
