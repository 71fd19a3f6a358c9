"""l+-Optimize read aloud: the cut enumeration tree of Figure 2, searched by the procedure of Figure 3, no more.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Sections IV and VI. The oracle for the search:
one incumbent, which starts as the most general cut; no dives, no passes, no order but the paper's. Partitions are
remembered by their values, since many cuts have the same; that saves time, and changes no step.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from papers.lplus.literal_costs import IMPOSSIBLE, Costs, Group, Records, Taxonomy, Value, taxonomies
from sfumato.problem import Problem
from sfumato.testing.plain_engine import Row

Cut: TypeAlias = tuple[Value, ...]  # the values of all attributes


@dataclass(eq=False)
class Partition:
    """The records that share these values. Its bounds are by which of the values are open, its parts by attribute."""

    values: Cut
    groups: list[Group]
    cost: int
    bounds: dict[tuple[bool, ...], int] = field(default_factory=dict)
    parts: dict[int, list[Partition]] = field(default_factory=dict)


@dataclass(eq=False)
class LiteralLPlus:
    """One run.

    order: of open values, "descending" by occurrences as in Section VI-A, "ascending", or "listed" as in Figure 2.
    updates: whether bounds are tightened when the search goes back (Section VI-B). prunes: False visits the whole tree.
    most: the run ends, incomplete, once it has examined so many cuts.
    visited: gathers the cuts, each with its open values, if it is a list.
    """

    problem: Problem
    rows: Sequence[Row]
    order: str = "descending"
    updates: bool = True
    prunes: bool = True
    most: int | None = None
    visited: list[tuple[Cut, frozenset[Value]]] | None = None

    def run(self) -> LiteralLPlus:
        """Cut and Cut_best start as the topmost cut, all of which is open (Section IV-C)."""
        self._costs = Costs(self.problem, len(self.rows))
        trees = taxonomies(self.problem, self.rows, self._costs)
        top = tuple(value for tree in trees for value in tree.tops)
        self._open = {value for value in top if value.children}
        self.partitions: dict[Partition, int] = {}  # of the cut, with the bounds that count
        self._having: dict[Value, dict[Partition, None]] = defaultdict(dict)
        self._cost = self._bound = 0
        self.complete, self.examined = True, 0
        for partition in self._first(trees):
            self._add(partition)
        self.best, self._best_cost, self.best_after = top, self._cost, 1
        self._examine(top)
        self._search(top, self._ordered(self._open))
        return self

    @property
    def optimum(self) -> Fraction | None:
        """The cost of the best cut; None if none may be published."""
        return None if self._best_cost >= IMPOSSIBLE else Fraction(self._best_cost, self._costs.unit)

    def _search(self, cut: Cut, values: list[Value]) -> None:
        """Figure 3, whose line numbers stand beside."""
        before: dict[Partition, int] = {}
        for i, v in enumerate(values):  # 1
            if self._pruned or not self.complete:  # 2
                break
            split = self._specialise(v)  # 3
            child = tuple(w for u in cut for w in (v.children if u is v else (u,)))
            self._examine(child)
            if not self._pruned:  # 4, 5
                if self._cost < self._best_cost:  # 6
                    self.best, self._best_cost, self.best_after = child, self._cost, self.examined
                self._search(child, self._ordered([*values[i + 1 :], *(w for w in v.children if w.children)]))  # 7
            self._go_back(v, split)
            before = split | before
        self._open.update(values)  # 8: to whoever called they are open, with the bounds of then
        for partition, bound in before.items():
            self._bound += bound - self.partitions[partition]
            self.partitions[partition] = bound

    @property
    def _pruned(self) -> bool:
        """The pruning condition: no cut of the subtree costs less than the best so far."""
        return self.prunes and self._bound >= self._best_cost

    def _examine(self, cut: Cut) -> None:
        self.examined += 1
        self.complete = self.complete and self.examined != self.most
        if self.visited is not None:
            self.visited.append((cut, frozenset(self._open)))

    def _specialise(self, v: Value) -> dict[Partition, int]:
        """Section IV-B-1: the partitions of v are split; returns them, with their bounds."""
        self._open.discard(v)
        self._open.update(w for w in v.children if w.children)
        split = {partition: self.partitions[partition] for partition in self._having[v]}
        for partition in split:
            self._remove(partition)
        for partition in split:
            for part in self._split(partition, v):
                self._add(part)
        return split

    def _go_back(self, v: Value, split: dict[Partition, int]) -> None:
        """Section IV-B-2: the partitions of v are restored. It is locked from now on, and their bounds may rise."""
        self._open.difference_update(v.children)
        for partition in [partition for child in v.children for partition in self._having[child]]:
            self._remove(partition)
        for partition, bound in split.items():
            self._add(partition, None if self.updates else bound)

    def _add(self, partition: Partition, bound: int | None = None) -> None:
        bound = self._least(partition) if bound is None else bound
        self.partitions[partition] = bound
        self._bound += bound
        self._cost += partition.cost
        for value in partition.values:
            self._having[value][partition] = None

    def _remove(self, partition: Partition) -> None:
        self._bound -= self.partitions.pop(partition)
        self._cost -= partition.cost
        for value in partition.values:
            del self._having[value][partition]

    def _least(self, partition: Partition) -> int:
        opened = tuple(value in self._open for value in partition.values)
        if opened not in partition.bounds:
            partition.bounds[opened] = self._costs.least(partition.groups, partition.values, opened)
        return partition.bounds[opened]

    def _split(self, partition: Partition, v: Value) -> list[Partition]:
        a = v.attribute
        if a not in partition.parts:
            partition.parts[a] = []
            for child in v.children:
                if groups := [group for group in partition.groups if group.lowest[a] in child.lowest]:
                    values = (*partition.values[:a], child, *partition.values[a + 1 :])
                    partition.parts[a].append(self._partition(values, groups))
        return partition.parts[a]

    def _partition(self, values: Cut, groups: list[Group]) -> Partition:
        records = Counter[tuple[str, str]]()
        for group in groups:
            records.update(group.records)
        return Partition(values, groups, self._costs.cost(records, sum(value.price for value in values)))

    def _first(self, trees: list[Taxonomy]) -> list[Partition]:
        """The partitions of the most general cut."""
        names = [attribute.name for attribute in self.problem.data.frequencies.quasi_identifiers]
        (sensitive,), label = self.problem.data.sensitive, self._costs.label
        groups: dict[Cut, Records] = defaultdict(Counter)
        for row in self.rows:
            lowest = tuple(tree.lowest[row[name] or ""] for tree, name in zip(trees, names, strict=True))
            groups[lowest][row[sensitive] or "", (row[label] or "") if label else ""] += 1
        above = {low: top for tree in trees for top in tree.tops for low in top.lowest}
        members: dict[Cut, list[Group]] = defaultdict(list)
        for lowest, records in groups.items():
            members[tuple(above[low] for low in lowest)].append(Group(lowest, records))
        return [self._partition(values, own) for values, own in members.items()]

    def _ordered(self, values: Collection[Value]) -> list[Value]:
        listed = sorted(values, key=lambda value: value.place)
        if self.order == "listed":
            return listed
        return sorted(listed, key=lambda value: value.occurrences, reverse=self.order == "descending")
