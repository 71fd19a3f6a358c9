"""Transactions in parts: each anonymized alone, several at a time; and the solution made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from sfumato.algorithms.base import Limits, Progress
from sfumato.algorithms.itemset_search import Flags, ItemCore, Watch, run_core, too_few
from sfumato.data import Transactions
from sfumato.engines.items import ItemRecords
from sfumato.itemset_problem import ItemsetProblem
from sfumato.itemset_solution import ItemsetSolution
from sfumato.recoding.item_cut import ItemCutRecoding
from sfumato.recoding.local_items import LocalItemsRecoding, Part
from sfumato.solution import Status, TracePoint

if TYPE_CHECKING:
    from sfumato import _core

_PER_OCCURRENCE = 24  # bytes of the core for an item in a transaction, besides those per level


@dataclass(frozen=True, eq=False)
class PartsFound:
    """What became of the parts."""

    parts: Sequence[Part] | None  # None if some part has fewer than k transactions, or they are not needed
    closed: Sequence[Flags]
    examined: int
    seconds: float
    interrupted: bool


def parts_within(transactions: Transactions, memory: int) -> int:
    """How many parts it takes so that each needs no more than so many bytes."""
    height = transactions.hierarchy.height + 1
    needed = len(transactions.records.items) * (_PER_OCCURRENCE + 4 * height)
    return max(1, ceil(needed / max(memory, 1)))


def anonymized(
    problem: ItemsetProblem,
    chunks: Sequence[Callable[[], ItemRecords]],
    limits: Limits,
    progress: Callable[[Progress], object] | None,
    *,
    keep: bool,
) -> PartsFound:
    """Each part by the staged AA. Parts without enough transactions stay as they are, and are told as not found.

    chunks: the parts, each made when its turn comes. keep: whether they are needed afterwards.
    """
    from sfumato import _core  # only who searches waits for it

    model = problem.constraints[0]
    k, m = int(model.least_support), model.m  # type: ignore[union-attr,arg-type]
    watch = Watch(limits, progress, 1)
    one = replace(limits, threads=1)

    def run(make: Callable[[], ItemRecords]) -> tuple[ItemRecords | None, _core.ItemCutResult, _core.Control]:
        chunk = make()
        core = ItemCore.of(problem.data, problem.loss, k, m, chunk)
        left = replace(one, seconds=max(limits.seconds - watch.seconds, 0.0))
        result, control = run_core(_core.staged_anonymization, core, left, None)
        watch.examined += control.progress().examined
        watch.tell(None, None)
        return chunk if keep else None, result, control

    with ThreadPoolExecutor(max_workers=max(1, limits.threads)) as pool:
        done = list(pool.map(run, chunks))
    nothing = np.zeros(len(problem.data.taxonomy), dtype=np.uint8)
    flags = [np.array(result.closed, dtype=np.uint8) if result.found else nothing for _, result, _ in done]
    parts = [
        (chunk, ItemCutRecoding(problem.data, closed).image)
        for (chunk, _, _), closed in zip(done, flags, strict=True)
        if chunk is not None
    ]
    return PartsFound(
        parts if keep and all(result.found for _, result, _ in done) else None,
        flags,
        watch.examined,
        watch.seconds,
        any(control.interrupted for _, _, control in done),
    )


def local_solution(problem: ItemsetProblem, name: str, found: PartsFound, seed: int) -> ItemsetSolution:
    """The solution with these parts."""
    recoding = None if found.parts is None else LocalItemsRecoding(problem.data, found.parts)
    whole = problem.loss.whole(problem.data)
    cost = None if recoding is None else Fraction(recoding.cost(problem.loss.worth(problem.data)), whole)
    return ItemsetSolution(
        problem=problem,
        algorithm=name,
        status=Status.INFEASIBLE if recoding is None else Status.FEASIBLE,
        recoding=recoding,
        exact_cost=cost,
        exact_bound=None,
        examined=found.examined,
        space=problem.recoding.space(problem.data),
        seconds=found.seconds,
        trace=() if cost is None else (TracePoint(found.seconds, found.examined, float(cost), None),),
        seed=seed,
        reason=too_few(problem) if recoding is None else "",
        interrupted=found.interrupted,
    )
