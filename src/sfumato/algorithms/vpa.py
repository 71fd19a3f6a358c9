"""VPA, vertical partitioning: items in parts, transactions projected to each and anonymized; then all from there.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithm 7.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.algorithms.base import Limits, Progress
from sfumato.algorithms.itemset_parts import anonymized, parts_within
from sfumato.algorithms.itemset_search import ItemCore, ItemsetAlgorithm, Outcome, cut_solution, run_core, too_few
from sfumato.data import Transactions
from sfumato.engines.baskets import ItemRecords
from sfumato.errors import ProblemError
from sfumato.itemset_problem import ItemsetProblem
from sfumato.problem import Problem
from sfumato.settings.exact import whole
from sfumato.solution import Solution, Status


@dataclass(frozen=True)
class VPA(ItemsetAlgorithm):
    """A heuristic for many items: parts of them first, several at a time; what they close stays closed in the end.

    parts: how many, or more if memory_limit asks for it. level: of the hierarchy whose classes of items stay together;
    0 is the items themselves.
    """

    name: ClassVar[str] = "vpa"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    parts: int = 3
    level: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", whole(self.parts, "parts", least=1))
        object.__setattr__(self, "level", whole(self.level, "level", least=0))

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core  # only who searches waits for it

        assert isinstance(problem, ItemsetProblem)  # noqa: S101 - `accepts` says so
        data = problem.data
        if self.level > data.hierarchy.height:
            raise ProblemError(f"level = {self.level}, but the hierarchy has levels 0 to {data.hierarchy.height}.")
        many = max(self.parts, parts_within(data, limits.memory))
        borders = item_borders(data, many, self.level)
        chunks = [partial(projected, data, first, end) for first, end in pairwise(borders)]
        found = anonymized(problem, chunks, limits, progress, keep=False)
        closed = np.maximum.reduce([np.zeros(len(data.taxonomy), dtype=np.uint8), *found.closed])
        core = ItemCore.of_problem(problem)
        left = replace(limits, seconds=max(limits.seconds - found.seconds, 0.0))
        result, control = run_core(_core.staged_anonymization, core, left, progress, closed)
        end = control.progress()
        outcome = Outcome(
            Status.FEASIBLE if result.found else Status.INFEASIBLE,
            np.array(result.closed, dtype=np.uint8) if result.found else None,
            None,
            found.examined + end.examined,
            found.seconds + end.seconds,
            reason="" if result.found else too_few(problem),
            interrupted=found.interrupted or control.interrupted,
        )
        return cut_solution(problem, self.name, core, outcome, seed)


def item_borders(transactions: Transactions, parts: int, level: int) -> list[int]:
    """Where parts of the leaves begin and end, between classes of a level, with about as many leaves each."""
    groups = transactions.hierarchy.groups[level]
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    leaves = len(groups)
    borders = {0, leaves}
    for part in range(1, parts):
        borders.add(int(starts[np.abs(starts - leaves * part / parts).argmin()]))
    return sorted(borders)


def projected(transactions: Transactions, first: int, end: int) -> ItemRecords:
    """The transactions with the leaves first … end alone; those that have none are left out."""
    leaf = transactions.taxonomy.first
    wanted = (leaf >= first) & (leaf < end)
    lengths, items, weight = [np.zeros(0, np.int64)], [np.zeros(0, np.uint32)], [np.zeros(0, np.int64)]
    for block in transactions.records.blocks():
        inside = wanted[block.items]
        each = np.bincount(np.repeat(np.arange(len(block)), block.lengths)[inside], minlength=len(block))
        lengths.append(each[each > 0])
        items.append(block.items[inside])
        weight.append(block.weight[each > 0])
    begin: NDArray[np.uint64] = np.r_[0, np.cumsum(np.concatenate(lengths))].astype(np.uint64)
    return ItemRecords(begin, np.concatenate(items), np.concatenate(weight))
