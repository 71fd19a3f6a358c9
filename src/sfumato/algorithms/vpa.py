"""VPA, vertical partitioning: items in parts, transactions projected to each and anonymized; then all from there.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithm 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.algorithms.steps.itemset_parts import anonymized, parts_within
from sfumato.data import ItemSets
from sfumato.engines.items import ItemRecords
from sfumato.errors import ProblemError
from sfumato.native.items import ItemCore, cut_answer, flags
from sfumato.native.run import Run
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.settings.exact import boolean, whole
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class VPA(ItemsetAlgorithm):
    """A heuristic for many items: parts of the items are solved first, several at a time, and then put together.

    parts: how many, or more if memory_limit asks for it. level: of the hierarchy whose classes of items stay together;
    0 is the items themselves. staged: AA from coarse to fine, in each part and in the end; false for AA as published.
    """

    name: ClassVar[str] = "vpa"
    copies: ClassVar[float] = 5
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    parts: int = 3
    level: int = 1
    staged: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "parts", whole(self.parts, "parts", least=1))
        object.__setattr__(self, "level", whole(self.level, "level", least=0))
        object.__setattr__(self, "staged", boolean(self.staged, "staged"))

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        items = question.items
        if self.level > items.hierarchy.height:
            raise ProblemError(f"level = {self.level}, but the hierarchy has levels 0 to {items.hierarchy.height}.")
        many = max(self.parts, parts_within(items, run.limits.memory))
        borders = item_borders(items, many, self.level)
        chunks = [partial(projected, items, first, end) for first, end in pairwise(borders)]
        closed = anonymized(question, chunks, run, keep=False, staged=self.staged).closed
        core = ItemCore.of_question(question)
        result = core.apriori(run, np.maximum.reduce([core.nothing, *closed]), staged=self.staged)
        status = Status.FEASIBLE if result.found else Status.INFEASIBLE
        return cut_answer(question, self.name, core, run, status, flags(result))


def item_borders(items: ItemSets, parts: int, level: int) -> list[int]:
    """Where parts of the leaves begin and end, between classes of a level, with about as many leaves each."""
    groups = items.hierarchy.groups[level]
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    leaves = len(groups)
    borders, parts = {0, leaves}, min(parts, leaves)
    for part in range(1, parts):
        borders.add(int(starts[np.abs(starts - leaves * part / parts).argmin()]))
    return sorted(borders)


def projected(sets: ItemSets, first: int, end: int) -> ItemRecords:
    """The transactions with the leaves first … end alone; those that have none are left out."""
    leaf = sets.taxonomy.first
    wanted = (leaf >= first) & (leaf < end)
    lengths, items, weight = [np.zeros(0, np.int64)], [np.zeros(0, np.uint32)], [np.zeros(0, np.int64)]
    for block in sets.records.blocks():
        inside = wanted[block.items]
        each = np.bincount(np.repeat(np.arange(len(block)), block.lengths)[inside], minlength=len(block))
        lengths.append(each[each > 0])
        items.append(block.items[inside])
        weight.append(block.weight[each > 0])
    begin: NDArray[np.uint64] = np.r_[0, np.cumsum(np.concatenate(lengths))].astype(np.uint64)
    return ItemRecords(begin, np.concatenate(items), np.concatenate(weight))
