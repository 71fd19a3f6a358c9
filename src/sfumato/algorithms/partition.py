"""Partition: all transactions start as the root alone; parts are drilled down as long as k transactions stay alike.

Y. He, J. F. Naughton, "Anonymization of set-valued data via top-down, local generalization", PVLDB 2(1), 2009.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.algorithms.steps.itemset_parts import local_answer
from sfumato.engines.items import ItemRecords
from sfumato.native.items import other_recoding
from sfumato.native.run import Run
from sfumato.privacy.base import is_model
from sfumato.questions import Answer, ItemsetQuestion
from sfumato.recoding.local_items import Part

_BETWEEN_LOOKS = 20_000  # transactions that are gone through between two looks at the time
Held = list[tuple[tuple[int, ...], int]]  # sets of items, each so many times


@dataclass(frozen=True)
class Partition(ItemsetAlgorithm):
    """A heuristic for k-anonymity of transactions: each is published k times or more. Nothing is proved of its loss.

    The node whose children lose least is drilled down first. Parts that get too small are put together and stay as they
    were, filled up from the largest others.
    """

    name: ClassVar[str] = "partition"
    copies: ClassVar[float] = 17
    paper: ClassVar[str] = "He and Naughton, PVLDB 2009"
    local: ClassVar[bool] = True

    def accepts(self, question: ItemsetQuestion) -> str | None:
        if (reason := other_recoding(self.name, question, local=True)) is not None:
            return reason
        if len(question.constraints) != 1 or not is_model(question.constraints[0]):
            return f"{self.name} takes k-anonymity alone: every published transaction k times"
        return None

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        k = int(question.constraints[0].fewest)
        if 0 < question.records < k:
            return local_answer(question, self.name, None, run)
        drilling = _Drilling(question, k, run)
        with run.interruptible():
            drilling.run()
        return local_answer(question, self.name, drilling.parts(), run)


@dataclass(frozen=True, eq=False)
class _Group:
    """Transactions that are published alike: as the cut's nodes that they have."""

    held: Held
    cut: frozenset[int]
    stuck: frozenset[int]  # nodes that were tried in vain


class _TimeIsUp(Exception):
    """A limit has come in the middle of a step."""


class _Drilling:
    """Groups that may be drilled down further, and parts that may not."""

    def __init__(self, question: ItemsetQuestion, k: int, run: Run) -> None:
        self._tree = question.items.taxonomy
        self._size = len(self._tree)
        self._leaves = (self._tree.end - self._tree.first).tolist()
        worth = question.loss.worth(question.items)
        self._worth = [worth[first] for first in self._tree.first.tolist()]
        self._end = self._ends(question)
        self._k, self._run = k, run
        self.done: list[_Group] = []
        held = list(question.items.records.sets())
        self.waiting = [_Group(held, frozenset([0]), frozenset())] if held else []

    def run(self) -> None:
        """Until nothing can be drilled down, or a limit comes: then the rest stays as it is."""
        with suppress(_TimeIsUp):
            self._drill()

    def _drill(self) -> None:
        while self.waiting and not self._run.stopped:
            group = self.waiting[-1]
            node = self._best(group)
            self._run.examined += 1
            # Ctrl-C may come between any two steps: no group is ever in neither list.
            if node is None:
                self.done.append(group)
                self.waiting.pop()
            else:
                self.waiting[-1:] = self._drilled(group, node)
            if self._run.examined % 256 == 0:
                self._run.report(None, None)

    def parts(self) -> list[Part]:
        """What is done, and all that waits, as it is."""
        twice = self.done[-1:] == self.waiting[-1:]  # after Ctrl-C between two steps
        return [self._part(group) for group in (*self.done, *reversed(self.waiting[: -1 if twice else None]))]

    def _best(self, group: _Group) -> int | None:
        """The node with the largest gain, of those that can be drilled down."""
        gains: dict[int, int] = {}
        for node in sorted(group.cut - group.stuck):
            children = self._tree.children[node]
            if children:
                gains[node] = self._gain(group.held, node, children)
        return max(gains, key=lambda node: (gains[node], -node)) if gains else None

    def _gain(self, held: Held, node: int, children: tuple[int, ...]) -> int:
        """What the occurrences below a node lose less if it is replaced by its children."""
        gain, end = 0, self._end[node]
        whole = self._leaves[node]
        loss = {child: self._leaves[child] if self._leaves[child] > 1 else 0 for child in children}
        for items, times in self._in_time(held):
            for place in range(bisect_left(items, node), len(items)):
                item = items[place]
                if item >= end:
                    break
                gain += times * self._worth[item] * (whole - loss[children[self._child(children, item)]])
        return gain

    def _in_time(self, held: Held) -> Iterator[tuple[tuple[int, ...], int]]:
        """The transactions, of which there may be too many for the time that is left: then the group stays as it is."""
        for start in range(0, len(held), _BETWEEN_LOOKS):
            if start and self._run.seconds >= self._run.limits.seconds:
                raise _TimeIsUp
            yield from held[start : start + _BETWEEN_LOOKS]

    @staticmethod
    def _child(children: tuple[int, ...], item: int) -> int:
        """Which of the children an item is below."""
        place = bisect_left(children, item)
        return place if place < len(children) and children[place] == item else place - 1

    def _drilled(self, group: _Group, node: int) -> list[_Group]:
        """The groups that a group falls into by which children of a node its transactions have."""
        children, end = self._tree.children[node], self._end[node]
        fallen: dict[frozenset[int], Held] = defaultdict(list)
        for items, times in self._in_time(group.held):
            below = items[bisect_left(items, node) : bisect_left(items, end)]
            fallen[frozenset(children[self._child(children, item)] for item in below)].append((items, times))
        sizes = {kind: sum(times for _, times in held) for kind, held in fallen.items()}
        large = {kind: fallen[kind] for kind in fallen if sizes[kind] >= self._k}
        pool: Held = [entry for kind in fallen if sizes[kind] < self._k for entry in fallen[kind]]
        short = self._k - sum(times for _, times in pool) if pool else 0
        while short > 0 and large:
            kind = max(large, key=lambda kind: (sizes[kind], sorted(kind)))
            if sizes[kind] == self._k:  # nobody has any to spare: the smallest joins as a whole
                pool += large.pop(kind)
                short -= sizes[kind]
                continue
            items, times = large[kind].pop()
            moved = min(times, short, sizes[kind] - self._k)
            pool.append((items, moved))
            if times > moved:
                large[kind].append((items, times - moved))
            sizes[kind] -= moved
            short -= moved
        if not large:
            return [_Group(group.held, group.cut, group.stuck | {node})]
        cut = group.cut - {node}
        groups = [_Group(large[kind], cut | kind, group.stuck) for kind in sorted(large, key=sorted)]
        return groups + ([_Group(pool, group.cut, group.stuck | {node})] if pool else [])

    def _part(self, group: _Group) -> Part:
        image = np.arange(self._size, dtype=np.uint32)
        for node in group.cut:
            image[node : self._end[node]] = node
        return ItemRecords.of(group.held), image

    @staticmethod
    def _ends(question: ItemsetQuestion) -> list[int]:
        parent = question.items.parent.tolist()
        end = list(range(1, len(parent) + 1))
        for node in range(len(parent) - 1, 0, -1):
            end[parent[node]] = max(end[parent[node]], end[node])
        return end
