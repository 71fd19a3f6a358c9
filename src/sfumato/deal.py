"""Deal: which records are published with which values and sets, as one plan that says nothing about rows.

Records with equal counted values are interchangeable. Where some of a combination are left out, or published in several
ways, the seed decides how many of which sets go with which: counts are drawn, and no record is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ItemSets, SetColumn, Table, class_ids, drawn
from sfumato.engines import ReleasePlan, SetLabels, sorted_rows
from sfumato.engines.set_cells import MARK, require_divided
from sfumato.errors import DataError
from sfumato.questions import Answer

Numbers = NDArray[np.int64]


def plan_of(table: Table, answers: Sequence[Answer], seed: int, counts: ReleaseCounts | None = None) -> ReleasePlan:
    """The release plan of a table: what these answers publish of its quasi-identifiers and of its columns of sets.

    counts: the records that they publish, if they have been counted.
    """
    about_classes = [one for one in answers if one.question.column is None]
    of_sets = {one.question.column: one for one in answers if one.question.column is not None}
    if not about_classes:
        return _sets_alone(table, of_sets, seed)
    plan: ReleasePlan = about_classes[0].chosen.plan(table, seed)
    return (counts or ReleaseCounts.of(table, plan, seed)).plan_with(table, of_sets, seed) if of_sets else plan


@dataclass(frozen=True, eq=False)
class ReleaseCounts:
    """The published records: how many of each entry of the plan for the quasi-identifiers have which sets."""

    plan: ReleasePlan = field(repr=False)  # of everything but the sets
    names: tuple[str, ...]  # of the columns of sets
    combinations: NDArray[np.int32] = field(repr=False)  # codes of all columns, the sets last
    counts: Numbers = field(repr=False)
    entry: Numbers = field(repr=False)
    combination: Numbers = field(repr=False)
    copies: Numbers = field(repr=False)

    @classmethod
    def of(cls, table: Table, plan: ReleasePlan, seed: int) -> ReleaseCounts:
        """The records that a plan publishes, each with its sets."""
        names = tuple(table.sets)
        counted = table.engine.count({**table.codes, **{name: table.sets[name].codes for name in names}})
        order = sorted_rows(list(counted.combinations.T))  # engines count in any order, which must decide nothing
        combinations, counts = counted.combinations[order], counted.counts[order]
        home = _homes(plan, combinations[:, : len(plan.columns)])
        there = np.zeros(len(plan.counts), dtype=np.int64)
        np.add.at(there, home[home >= 0], counts[home >= 0])
        if (home < 0).any() or (there != plan.counts).any():
            raise DataError(f"{table.engine.name} has changed since it was counted; read it again.")
        published = np.zeros(len(plan.counts), dtype=np.int64)
        np.add.at(published, plan.entry, plan.copies)
        left_out = plan.counts - published  # a place more, for what is suppressed of a combination
        some = np.flatnonzero(left_out)
        place, combination, copies = drawn(
            np.concatenate([plan.entry, some]),
            np.concatenate([plan.copies, left_out[some]]),
            home,
            counts,
            seed,
        )
        kept = place < len(plan.entry)
        return cls(plan, names, combinations, counts, place[kept], combination[kept], copies[kept])

    def numbers(self, name: str) -> NDArray[np.int32]:
        """The number of each entry's set in a column."""
        column: NDArray[np.int32] = self.combinations[self.combination, len(self.plan.columns) + self.names.index(name)]
        return column

    def records(self, column: SetColumn) -> Numbers:
        """By number of a set of the column: the published records that have it."""
        records = np.zeros(len(column.leaves), dtype=np.int64)
        np.add.at(records, self.numbers(column.name), self.copies)
        return records

    def sets_of(self, column: SetColumn) -> tuple[ItemSets, int]:
        """The published sets of the column as searches see them, and the published records without items."""
        records = self.records(column)
        return column.items_of(records), int(records[column.leaves.lengths == 0].sum())

    def plan_with(self, table: Table, answers: Mapping[str, Answer], seed: int) -> ReleasePlan:
        """The release plan with the sets as these answers publish them."""
        entry, combination, copies = self.entry, self.combination, self.copies
        labels: dict[str, Sequence[str | None]] = {}
        positions: list[Numbers] = []
        for name in self.names:
            column = table.sets[name]
            printed = _Printed.of(column, answers[name], self.records(column))
            labels[name] = printed.labels(column, table.separator)
            number = self.combinations[combination, len(self.plan.columns) + self.names.index(name)].astype(np.int64)
            row, way, times = drawn(number, copies, printed.number, printed.records, seed)
            entry, combination, copies = entry[row], combination[row], times
            label = printed.label[way]
            positions = [*(position[row] for position in positions), np.where(label < 0, len(printed.sets), label)]
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


@dataclass(frozen=True, eq=False)
class _Printed:
    """What is printed for the sets of a column."""

    sets: SetLabels = field(repr=False)
    number: Numbers = field(repr=False)  # of a set of the column,
    label: Numbers = field(repr=False)  # what it is printed as, -1 if it is empty,
    records: Numbers = field(repr=False)  # and in how many records

    @classmethod
    def of(cls, column: SetColumn, answer: Answer, records: Numbers) -> _Printed:
        """What an answer about these records prints."""
        numbers, ways = column.numbers_of(records), answer.chosen.ways
        empty = np.flatnonzero((column.leaves.lengths == 0) & (records > 0))
        return cls(
            SetLabels(answer.chosen.published, answer.chosen.items.labels),
            np.concatenate([empty, numbers[ways.original]]),
            np.concatenate([np.full(len(empty), -1, dtype=np.int64), ways.published]),
            np.concatenate([records[empty], ways.records]),
        )

    def labels(self, column: SetColumn, separator: str | None) -> Sequence[str | None]:
        """The labels as the column's cells have them, lists or texts with something between the items; none last."""
        if column.listed:
            return [*self.sets, None]
        between = separator or " "
        require_divided(self.sets, between, column.name)
        return [*(text.replace(MARK, between) for text in self.sets), None]


def _sets_alone(table: Table, answers: Mapping[str, Answer], seed: int) -> ReleasePlan:
    """The plan of a table of one column of sets: nothing is matched, so the sets stand for themselves."""
    (name, answer), *_ = answers.items()
    column = table.sets[name]
    printed = _Printed.of(column, answer, column.records)
    order = np.argsort(printed.number, kind="stable")
    return ReleasePlan(
        columns=(name,),
        codes={name: {}},
        combinations=np.arange(len(column.leaves), dtype=np.int32)[:, None],
        counts=column.records,
        entry=printed.number[order],
        published=printed.label[order].astype(np.int32)[:, None],
        copies=printed.records[order],
        labels={name: printed.sets},
        unchanged=frozenset(),
        order=(name,),
        seed=seed,
    )


def _homes(plan: ReleasePlan, codes: NDArray[np.int32]) -> Numbers:
    """The combination of a plan that rows of codes belong to; -1 where there is none."""
    ids = class_ids(np.concatenate([plan.combinations, codes]))
    place = np.full(int(ids.max(initial=-1)) + 1, -1, dtype=np.int64)
    place[ids[: len(plan.counts)]] = np.arange(len(plan.counts))
    home: Numbers = place[ids[len(plan.counts) :]]
    return home
