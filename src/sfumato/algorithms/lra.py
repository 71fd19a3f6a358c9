"""LRA, local recoding anonymization: transactions in Gray order are cut into parts, and each part is anonymized alone.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithms 5 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import comb
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.algorithms.steps.itemset_parts import anonymized, local_answer, parts_within
from sfumato.engines.items import ItemRecords
from sfumato.native.items import required
from sfumato.native.run import Run
from sfumato.questions import Answer, ItemsetQuestion
from sfumato.settings.exact import boolean, whole
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class LRA(ItemsetAlgorithm):
    """A heuristic for transactions that do not fit in memory: they are split into parts, each recoded by itself.

    parts: how many, or more if memory_limit asks for it. flexibility: how many transactions a border between parts may
    move, to where neighbours differ most. staged: each part by AA from coarse to fine; false for AA as published.
    """

    name: ClassVar[str] = "lra"
    copies: ClassVar[float] = 5
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"
    local: ClassVar[bool] = True

    parts: int = 3
    flexibility: int = 10
    staged: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "parts", whole(self.parts, "parts", least=1))
        object.__setattr__(self, "flexibility", whole(self.flexibility, "flexibility", least=0))
        object.__setattr__(self, "staged", boolean(self.staged, "staged"))

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        k, m = required(question)
        records = question.items.records
        order = np.array(gray_order(records), dtype=np.int64)
        many = max(self.parts, parts_within(question.items, run.limits.memory))
        chosen = chunks_of(records, order, many, self.flexibility, k, m)
        chunks = [partial(records.taken, chunk) for chunk in chosen]
        return local_answer(
            question, self.name, anonymized(question, chunks, run, keep=True, staged=self.staged).parts, run
        )


def gray_order(records: ItemRecords) -> list[int]:
    """The records by the number whose Gray code their set of items is, the least first.

    Items compared from the largest down: after c common ones, the record with the larger item is greater iff c is even.
    """
    keys: list[bytes] = []  # items from the largest down, every second one negative, then 0: four bytes each, in order
    for block in records.blocks():
        lengths, items = block.lengths, block.items.astype(np.int64)
        place = np.repeat(np.cumsum(lengths), lengths) - 1 - np.arange(len(items))
        ends = np.cumsum(lengths + 1)
        flat = np.full(int(ends[-1]), 1 << 31, dtype=np.int64)
        flat[np.repeat(ends - lengths - 1, lengths) + place] += np.where(place % 2 == 0, items, -items)
        text = flat.astype(">u4").tobytes()
        keys += [text[start:end] for start, end in pairwise([0, *(4 * ends).tolist()])]
    return sorted(range(len(keys)), key=keys.__getitem__)


def chunks_of(
    records: ItemRecords, order: NDArray[np.int64], parts: int, flexibility: int, k: int, m: int
) -> list[NDArray[np.int64]]:
    """The order, cut into parts with about as many sets of up to m items each; each has k transactions or more.

    Where a few long transactions have most of the sets, several borders would fall on one place. In their stead the
    parts with the most transactions are halved, so that there are as many parts as asked for.
    """
    if not len(order):
        return []
    parts = min(parts, len(order))
    lengths, weights = records.lengths[order].tolist(), records.weight[order]
    sets = {length: sum(comb(length, size) for size in range(1, min(m, length) + 1)) for length in set(lengths)}
    load = np.cumsum([float(sets[n] * w) for n, w in zip(lengths, weights.tolist(), strict=True)])
    held = np.cumsum(weights)
    borders = [0]

    def border(even: int, first: int, end: int) -> int | None:
        """The place near `even` between two borders where neighbours differ most."""
        near = range(max(even - flexibility, first + 1), min(even + max(flexibility, 1), end))
        before, after = held[first - 1] if first else 0, held[end - 1]
        fits = [at for at in near if held[at - 1] - before >= k and after - held[at - 1] >= k]
        apart = {at: _distance(records, int(order[at - 1]), int(order[at])) for at in fits}
        return max(fits, key=lambda at: (apart[at], -abs(at - even), -at), default=None)

    for part in range(1, parts):
        even = int(np.searchsorted(load, load[-1] * part / parts)) + 1
        if (at := border(even, borders[-1], len(order))) is not None:
            borders.append(at)
    whole = [(first, end) for first, end in pairwise([*borders, len(order)])]
    done: list[tuple[int, int]] = []  # what cannot be halved
    while whole and len(whole) + len(done) < parts:
        first, end = whole.pop(int(np.argmax([held[e - 1] - (held[b - 1] if b else 0) for b, e in whole])))
        middle = (held[end - 1] + (held[first - 1] if first else 0)) / 2
        at = border(int(np.searchsorted(held, middle)) + 1, first, end)
        if at is None:
            done.append((first, end))
        else:
            whole += [(first, at), (at, end)]
    return [order[first:end] for first, end in sorted([*whole, *done])]


def _distance(records: ItemRecords, one: int, other: int) -> int:
    """In how many items two records differ."""
    begin = records.begin
    sets = [set(records.items[int(begin[r]) : int(begin[r + 1])].tolist()) for r in (one, other)]
    return len(sets[0] ^ sets[1])
