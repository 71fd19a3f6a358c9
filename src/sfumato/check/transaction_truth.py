"""The truth of published transactions, beside those that they were made from; neither cut nor recoding is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.check.assignment import unassigned
from sfumato.check.file_truth import MOST_CANDIDATES
from sfumato.check.set_truth import SetCovering, numbers_above, spelled

if TYPE_CHECKING:
    from sfumato.data import SetColumn
    from sfumato.engines.items import ItemRecords


def untrue_transactions(column: SetColumn, published: ItemRecords, labels: Sequence[str]) -> int | None:
    """How many published transactions no original one is left for, the best that can be assigned.

    published: sets of codes, each with how many transactions have it. labels: what each code prints.
    None: there is too much to compare.
    """
    labels = spelled(column.hierarchy, labels)
    above = numbers_above(column, {label: code for code, label in enumerate(labels)})
    if ((above >= 0) & (above != above.max(axis=0, initial=-1))).any():
        return None if _pairs(column, published, above) > MOST_CANDIDATES else _by_assignment(column, published, labels)
    return _by_image(column.leaves, published, above.max(axis=0, initial=-1))


def _by_image(originals: ItemRecords, published: ItemRecords, label: NDArray[np.int64]) -> int:
    """Where each item has one label that is published anywhere, each original can be published in one way only."""
    room: Counter[frozenset[int]] = Counter()
    labels = label.tolist()
    for items, times in originals.sets():
        room[frozenset(labels[item] for item in items)] += times
    wanted: Counter[frozenset[int]] = Counter()
    for items, times in published.sets():
        wanted[frozenset(items)] += times
    return sum(max(0, times - room[items]) for items, times in wanted.items())


def _pairs(column: SetColumn, published: ItemRecords, above: NDArray[np.int64]) -> int:
    """How many pairs are compared: for each published set, the originals that its rarest label stands for some of."""
    count = int(above.max(initial=-1)) + 1
    sets = np.repeat(np.arange(len(column.leaves)), column.leaves.lengths)
    pairs = [(sets * count + labels)[labels >= 0] for labels in above[:, column.leaves.items]]
    occurrences = np.bincount(np.unique(np.concatenate(pairs)) % count, minlength=count)
    return int(np.minimum.reduceat(occurrences[published.items], published.begin[:-1].astype(np.int64)).sum())


def _by_assignment(column: SetColumn, published: ItemRecords, labels: Sequence[str]) -> int:
    """An item may be published as several labels, so an original in several ways."""
    leaves = [row[0] for row in column.hierarchy.rows]
    originals = [[leaves[item] for item in items] for items, _ in column.leaves.sets()]
    printed = [[labels[item] for item in items] for items, _ in published.sets()]
    covering = SetCovering(column.hierarchy, originals, printed)
    candidates = [covering.originals(number) for number in range(len(printed))]
    return unassigned(published.weight.tolist(), candidates, column.records)
