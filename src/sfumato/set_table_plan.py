"""Release plan of a table with columns of sets: which records go where, and which sets they are published with.

Records with equal counted values are interchangeable. So where some records of a combination are left out, or published
in several ways, the seed decides which of its sets go with which: nothing about rows enters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.data import SetColumn, Table, class_ids
from sfumato.engines import ReleasePlan
from sfumato.engines.set_cells import MARK, require_divided
from sfumato.errors import DataError
from sfumato.itemset_solution import ItemsetSolution
from sfumato.recoding import ItemCutRecoding

Choices = list[list[tuple[str | None, int]]]  # by number of a set: what it is published as, and in how many records


@dataclass(frozen=True, eq=False)
class Dealt:
    """The published records: how many of each entry of the relational plan have which counted values and sets."""

    plan: ReleasePlan = field(repr=False)  # of everything but the sets
    names: tuple[str, ...]
    combinations: NDArray[np.int32] = field(repr=False)  # codes of all columns, the sets last
    counts: NDArray[np.int64] = field(repr=False)
    entry: NDArray[np.int64] = field(repr=False)
    combination: NDArray[np.int64] = field(repr=False)
    copies: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, table: Table, plan: ReleasePlan, seed: int) -> Dealt:
        """The records that a plan publishes, each with its sets."""
        names = tuple(table.sets)
        counted = table.engine.count({**table.codes, **{name: table.sets[name].codes for name in names}})
        width = len(plan.columns)
        ids = class_ids(np.concatenate([plan.combinations, counted.combinations[:, :width]]))
        place = np.full(int(ids.max(initial=-1)) + 1, -1, dtype=np.int64)
        place[ids[: len(plan.counts)]] = np.arange(len(plan.counts))
        home = place[ids[len(plan.counts) :]]  # the relational combination of each
        there = np.zeros(len(plan.counts), dtype=np.int64)
        np.add.at(there, home, counted.counts)
        if (home < 0).any() or (there != plan.counts).any():
            raise DataError(f"{table.engine.name} has changed since it was counted; read it again.")
        record = np.repeat(np.arange(len(counted.counts)), counted.counts)
        np.random.Generator(np.random.PCG64(seed)).shuffle(record)
        record = record[np.argsort(home[record], kind="stable")]
        slot = np.repeat(np.arange(len(plan.entry)), plan.copies)
        slot = slot[np.argsort(plan.entry[slot], kind="stable")]
        published = np.zeros(len(plan.counts), dtype=np.int64)
        np.add.at(published, plan.entry, plan.copies)
        start = np.cumsum(plan.counts) - plan.counts
        kept = record[np.arange(len(record)) - start[home[record]] < published[home[record]]]
        (entry, combination), copies = _merged([slot, kept], np.ones(len(slot), dtype=np.int64))
        return cls(plan, names, counted.combinations, counted.counts, entry, combination, copies)

    def numbers(self, name: str) -> NDArray[np.int32]:
        """The number of each entry's set in a column."""
        column: NDArray[np.int32] = self.combinations[self.combination, len(self.plan.columns) + self.names.index(name)]
        return column

    def records(self, column: SetColumn) -> NDArray[np.int64]:
        """By number of a set of the column: the published records that have it."""
        found = np.zeros(len(column.sets), dtype=np.int64)
        np.add.at(found, self.numbers(column.name), self.copies)
        return found

    def plan_with(self, table: Table, solutions: Mapping[str, ItemsetSolution], seed: int) -> ReleasePlan:
        """The release plan with the sets as these solutions publish them."""
        entry, combination, copies = self.entry, self.combination, self.copies
        labels: dict[str, list[str | None]] = {}
        positions: list[NDArray[np.int64]] = []
        for name in self.names:
            choices = _choices(table.sets[name], solutions[name], self.records(table.sets[name]))
            texts = list(dict.fromkeys(text for some in choices for text, _ in some))
            if not table.sets[name].listed:
                between = table.separator or " "
                require_divided(texts, between, name)
                labels[name] = [text and text.replace(MARK, between) for text in texts]
            else:
                labels[name] = list(texts)
            place = {text: i for i, text in enumerate(texts)}
            number = self.combinations[combination, len(self.plan.columns) + self.names.index(name)]
            if all(len(some) <= 1 for some in choices):
                only = np.array([place[some[0][0]] if some else -1 for some in choices], dtype=np.int64)
                positions.append(only[number])
                continue
            # Some sets are published in several ways: every record by itself takes one of them.
            spread = np.repeat(np.arange(len(copies)), copies)
            np.random.Generator(np.random.PCG64(seed)).shuffle(spread)
            spread = spread[np.argsort(number[spread], kind="stable")]
            ways = [(place[text], times) for some in choices for text, times in some]
            taken = np.repeat([way for way, _ in ways], [times for _, times in ways])
            columns = [entry[spread], combination[spread], *(at[spread] for at in positions), taken]
            (entry, combination, *positions), copies = _merged(columns, np.ones(len(spread), dtype=np.int64))
        order = np.argsort(combination, kind="stable")
        published = np.stack([*self.plan.published[entry].T, *positions], axis=1).astype(np.int32)
        return replace(
            self.plan,
            columns=(*self.plan.columns, *self.names),
            codes={**table.codes, **{name: table.sets[name].codes for name in self.names}},
            combinations=self.combinations,
            counts=self.counts,
            entry=combination[order],
            published=published[order],
            copies=copies[order],
            labels={**self.plan.labels, **labels},
            order=table.published,
            seed=seed,
        )


def _choices(column: SetColumn, solution: ItemsetSolution, records: NDArray[np.int64]) -> Choices:
    """What becomes of each set of a column: items that chr(31) divides, and how many records publish it so."""
    data, recoding = solution.problem.data, solution.found
    whole = isinstance(recoding, ItemCutRecoding)
    parts = [(data.records, recoding.image)] if whole else recoding.parts
    found: defaultdict[tuple[int, ...], list[tuple[str | None, int]]] = defaultdict(list)
    for some, image in parts:
        at = image.tolist()
        for items, times in some.sets():
            nodes = sorted({at[node] for node in items})
            found[items].append((MARK.join(data.labels[node] for node in nodes), times))
    node_of = data.node_of.tolist()
    return [
        found.get(tuple(node_of[leaf] for leaf in items), []) if items else [(None, times)]
        for items, times in zip(column.sets, records.tolist(), strict=True)
    ]


def _merged(
    columns: list[NDArray[np.int64]], copies: NDArray[np.int64]
) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """Equal rows together, with the sum of their copies."""
    ids = class_ids(np.stack(columns, axis=1))
    _, first = np.unique(ids, return_index=True)
    total = np.zeros(len(first), dtype=np.int64)
    np.add.at(total, ids, copies)
    return [column[first] for column in columns], total
