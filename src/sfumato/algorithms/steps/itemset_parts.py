"""Transactions in parts: each anonymized alone, several at a time; and the answer made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil

import numpy as np

from sfumato.data import ItemSets
from sfumato.engines.items import ItemRecords
from sfumato.native.items import Flags, ItemCore, flags, required
from sfumato.native.run import Run
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.recoding.item_cut import ItemCutRecoding
from sfumato.recoding.local_items import LocalItemsRecoding, Part

_PER_OCCURRENCE = 24  # bytes of the core for an item in a transaction, besides those per level


@dataclass(frozen=True, eq=False)
class AnonymizedParts:
    """What became of the parts."""

    parts: Sequence[Part] | None  # None if some part has fewer than k transactions, or they are not needed
    closed: Sequence[Flags]


def parts_within(items: ItemSets, memory: int) -> int:
    """How many parts it takes so that each needs no more than so many bytes."""
    height = items.hierarchy.height + 1
    needed = len(items.records.items) * (_PER_OCCURRENCE + 4 * height)
    return max(1, ceil(needed / max(memory, 1)))


def anonymized(
    question: ItemsetQuestion, chunks: Sequence[Callable[[], ItemRecords]], run: Run, *, keep: bool, staged: bool
) -> AnonymizedParts:
    """Each part by AA. Parts without enough transactions stay as they are, and count as not anonymized.

    chunks: the parts, each made when its turn comes. keep: whether they are needed afterwards. staged: which AA.
    """
    k, m = required(question)
    run.begin()

    def one(make: Callable[[], ItemRecords]) -> tuple[ItemRecords | None, Flags | None]:
        chunk = make()
        core = ItemCore.of(question.items, question.loss, k, m, chunk)
        closed = flags(core.apriori(run, threads=1, staged=staged))
        run.report(None, None)
        return chunk if keep else None, closed

    with ThreadPoolExecutor(max_workers=max(1, run.limits.threads)) as pool:
        try:
            done = list(pool.map(one, chunks))
        except BaseException:  # Ctrl-C reaches this thread alone
            run.cancel()
            raise
    nothing = np.zeros(len(question.items.taxonomy), dtype=np.uint8)
    parts = [
        (chunk, ItemCutRecoding(question.items, nothing if closed is None else closed).image)
        for chunk, closed in done
        if chunk is not None
    ]
    whole = keep and all(closed is not None for _, closed in done)
    return AnonymizedParts(parts if whole else None, [nothing if closed is None else closed for _, closed in done])


def local_answer(question: ItemsetQuestion, name: str, parts: Sequence[Part] | None, run: Run) -> Answer:
    """The answer with these parts."""
    recoding = None if parts is None else LocalItemsRecoding(question.items, parts)
    status = Status.INFEASIBLE if recoding is None else Status.FEASIBLE
    return run.answer(question, name, status, recoding, None if recoding is None else question.cost(recoding))
