"""One-dimensional l-diversity: records in the order of a space-filling curve are cut into groups of l different values.

G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis, "Fast data anonymization with low information loss", VLDB 2007.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.algorithms.base import Algorithm
from sfumato.algorithms.steps.hilbert import hilbert_order
from sfumato.hierarchies import Nodes
from sfumato.native.run import Run
from sfumato.native.sweep import least_size, not_local, violated_whole
from sfumato.privacy.base import labels_of
from sfumato.questions import Answer, ClassQuestion, Status
from sfumato.recoding import LocalRecoding

_MOST_RECORDS = 1 << 25  # about a hundred bytes each
_TICK = 256  # groups between two looks at the limits


@dataclass(frozen=True)
class OneDimensional(Algorithm):
    """A heuristic for l-diversity, one pass over the records in Hilbert order; nothing is proved about its loss.

    It publishes every record, in groups of l records or a few more at the lowest common labels.
    """

    name: ClassVar[str] = "one-dimensional"
    paper: ClassVar[str] = "Ghinita et al., VLDB 2007"

    def accepts(self, question: ClassQuestion) -> str | None:
        if (reason := not_local(self.name, question)) is not None:
            return reason
        f = question.frequencies
        if f.records >= _MOST_RECORDS:
            return f"{self.name} goes from record to record, through fewer than {_MOST_RECORDS:,}; use local-search"
        limited = [model for model in question.constraints if not model.counts_only]
        if len(limited) != 1 or limited[0].reads is None:
            return f"{self.name} is for l-diversity of one sensitive attribute"
        (model,) = limited
        ceilings = {model.ceiling(label) for label in labels_of(f, str(model.reads))}
        if None in ceilings or len(ceilings) > 1:
            return f"{self.name} limits the share of every value alike, and {model.name} asks for something else"
        sized = [other for other in question.constraints if other is not model]
        if f.records and least_size(sized, f.records) > ceil(l := self._l(question)):
            return f"{self.name} makes groups of {ceil(l)} records, which other constraints find too small"
        return None

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        f = question.frequencies
        if reason := violated_whole(question):
            return run.answer(question, self.name, Status.INFEASIBLE, None, None, space=f.records, reason=reason)
        run.begin()
        name = str(next(model.reads for model in question.constraints if not model.counts_only))
        order = hilbert_order(f.codes[:, : len(f.quasi_identifiers)])
        record = np.repeat(order, f.counts[order])  # the combination of each record, along the curve

        stopped = False

        def goes_on(groups: int) -> bool:
            nonlocal stopped
            run.examined = groups
            run.report(None, None)
            stopped = run.seconds > run.limits.seconds
            return not stopped

        group = groups_of(f.codes[record, f.position(name)], self._l(question), goes_on) if len(record) else record
        run.examined = int(group.max(initial=-1)) + 1
        recoding = self._recoding(question, record, group, complete=not stopped)
        cost = question.loss.cost(f, recoding.summaries(f), 0)
        return run.answer(question, self.name, Status.FEASIBLE, recoding, cost, space=f.records)

    @staticmethod
    def _l(question: ClassQuestion) -> Fraction:
        """What the largest share of a value is one part of."""
        f = question.frequencies
        (model,) = (model for model in question.constraints if not model.counts_only)
        shares = [model.ceiling(label) or Fraction(1) for label in labels_of(f, str(model.reads))]
        return 1 / min(shares, default=Fraction(1))

    def _recoding(
        self, question: ClassQuestion, record: NDArray[np.int64], group: NDArray[np.int64], *, complete: bool
    ) -> LocalRecoding:
        """Every group at the lowest node of each attribute that is above its first and its last leaf."""
        f = question.frequencies
        groups = int(group.max(initial=-1)) + 1
        trees = {attribute.name: Nodes.of(attribute.hierarchy) for attribute in f.quasi_identifiers}
        published = np.empty((groups, len(trees)), dtype=np.int32)
        for a, tree in enumerate(trees.values()):
            first, last = np.full(groups, np.iinfo(np.int64).max), np.full(groups, -1)
            codes = f.codes[record, a].astype(np.int64)
            np.minimum.at(first, group, codes)
            np.maximum.at(last, group, codes)
            node = tree.leaves[first]
            while (short := tree.first[node] + tree.sizes[node] <= last).any():
                node = np.where(short, tree.parent[node], node)
            published[:, a] = tree.distinct[node]
        different, copies = np.unique(record * max(groups, 1) + group, return_counts=True)
        entry, number = different // max(groups, 1), different % max(groups, 1)
        search = {"model": self.name, "complete": complete}
        return LocalRecoding.of(entry, published[number], {}, copies.astype(np.int64), trees, search)


def groups_of(
    values: NDArray[np.integer[Any]], l: int | Fraction, go: Callable[[int], bool] = lambda groups: True
) -> NDArray[np.int64]:
    """The group of each record, given the records' sensitive values along the curve; if stopped, the rest is a group.

    A group starts with the first records of the l values whose first records come first. As long as some value has more
    than its share of what remains, or of the group, another record joins: of the value with the most that remain, or of
    the rarest in the group. All records together are diverse, so it ends; and both the group and the rest are diverse.
    """
    queues: dict[int, deque[int]] = {}
    for place, value in enumerate(values.tolist()):
        queues.setdefault(value, deque()).append(place)
    group, number, left = np.empty(len(values), dtype=np.int64), 0, len(values)
    while left:
        if number % _TICK == 0 and not go(number):
            for queue in queues.values():
                group[list(queue)] = number
            break
        inside: dict[int, int] = {}
        started = sorted((queue[0], value) for value, queue in queues.items() if queue)[: ceil(l)]
        waiting = [value for _, value in started]
        while True:
            for value in waiting:
                group[queues[value].popleft()] = number
                inside[value] = inside.get(value, 0) + 1
            left -= len(waiting)
            most = max(queues, key=lambda value: (len(queues[value]), -value))
            if len(queues[most]) * l > left:
                waiting = [most]
            elif max(inside.values()) * l > sum(inside.values()):
                rare = [value for value, queue in queues.items() if queue]
                waiting = [min(rare, key=lambda value: (inside.get(value, 0), -len(queues[value]), value))]
            else:
                break
        number += 1
    return group
