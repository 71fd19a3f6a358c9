"""A question about sensitive items among others, handed to the core: how often one may come with sets of the others."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.items import ItemRecords
from sfumato.native import core as _core
from sfumato.native.items import Flags, ItemCore, flags
from sfumato.native.run import Run
from sfumato.privacy.itemset_model import required_share
from sfumato.questions import ItemsetQuestion


@dataclass(frozen=True, eq=False)
class ShareCore:
    """A question about l^m-diversity alone, handed to the core."""

    core: ItemCore  # of the other items
    l: int
    marked: _core.Baskets = field(repr=False)  # the other items of transactions that have sensitive ones
    begin: NDArray[np.uint64] = field(repr=False)
    sensitive: NDArray[np.uint32] = field(repr=False)  # what each of these has

    @classmethod
    def of(cls, question: ItemsetQuestion) -> ShareCore:
        """The core's view of a question that `share_of` has something to say about."""
        share = required_share(question.constraints[0])
        if share is None:
            raise TypeError(f"{question.constraints[0].name} requires more than shares")
        items, loss, kept = question.items, question.loss, question.protected
        apart = _Apart(items.records, items.nodes_of(kept), len(items.taxonomy))
        everyone = ItemCore.of(items, loss, 1, share[1], apart.others(apart.has_others), kept)
        both = apart.has_others & apart.has_sensitive
        some = ItemCore.of(items, loss, 1, share[1], apart.others(both), kept)
        begin, sensitive = apart.sensitive(both)
        # No share is smaller than one of all transactions, and the core's numbers have an end.
        return cls(everyone, min(share[0], items.total + 1), some.baskets, begin, sensitive)

    def anonymized(self, run: Run, *, refined: bool, watched: bool = True) -> tuple[Flags | None, bool]:
        """A cut that no published set violates, if the search comes to one; and whether it was let to its end."""
        with run.core(watched=watched) as (control, on_progress):
            result = _core.diverse_anonymization(
                self.core.baskets,
                self.marked,
                self.begin,
                self.sensitive,
                self.l,
                self.core.m,
                refined,
                control,
                on_progress,
            )
        return flags(result), result.complete


def too_frequent(question: ItemsetQuestion) -> str:
    """Why no cut can do, if that is so: nobody who knows nothing may learn a sensitive item too often."""
    total = question.records + question.empty
    for model in question.constraints:
        share = required_share(model)
        for item in model.sensitive_items if share is not None else ():
            records = int(question.items.occurrences[question.items.hierarchy.codes[item]])
            if share is not None and records * share[0] > total:
                return f"A sensitive item is in {records:,} of the {total:,} transactions, more than 1/l; ask for less."
    return ""


class _Apart:
    """Records with some of their items set apart."""

    def __init__(self, records: ItemRecords, nodes: list[int], size: int) -> None:
        self._records = records
        named = np.zeros(size, dtype=np.bool_)
        named[nodes] = True
        self._named = named[records.items]
        self._owner = np.repeat(np.arange(len(records), dtype=np.int64), records.lengths)
        self._numbers = np.cumsum(named, dtype=np.int64) - 1  # of the nodes that are named, from 0
        self.has_sensitive = self._lengths(self._named) > 0
        self.has_others = self._lengths(~self._named) > 0

    def _lengths(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(self._owner[chosen], minlength=len(self._records))

    def others(self, records: NDArray[np.bool_]) -> ItemRecords:
        """The other items of some records."""
        chosen = ~self._named & records[self._owner]
        begin: NDArray[np.uint64] = np.r_[0, np.cumsum(self._lengths(chosen)[records])].astype(np.uint64)
        return ItemRecords(begin, self._records.items[chosen], self._records.weight[records])

    def sensitive(self, records: NDArray[np.bool_]) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
        """The sensitive items of some records, numbered from 0: where each record's begin, and which they are."""
        chosen = self._named & records[self._owner]
        begin: NDArray[np.uint64] = np.r_[0, np.cumsum(self._lengths(chosen)[records])].astype(np.uint64)
        return begin, self._numbers[self._records.items[chosen]].astype(np.uint32)
