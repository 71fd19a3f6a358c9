"""Equivalence classes of a frequency table at given levels, in NumPy: for the recoding that a search has chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data.frequencies import FrequencyTable
from sfumato.data.summary import ClassSummary

_WIDEST_KEY = 1 << 62
_DENSE = 8  # times as many possible numbers as rows are still quicker ticked off than sorted


def numbered(keys: NDArray[np.integer[Any]], room: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different keys, all below `room`, in order; and the place of each row's key among them."""
    if room > _DENSE * len(keys):
        different, place = np.unique(keys, return_inverse=True)
        return different.astype(np.int64), place.astype(np.int64)
    there = np.zeros(room, dtype=np.bool_)
    there[keys] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[keys]


def class_ids(published: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """A number for each row, the same for equal rows, counted from 0 in lexicographic order."""
    key = np.zeros(len(published), dtype=np.int64)
    room = 1
    for column in published.T:
        values = int(column.max(initial=0)) + 1
        if room * values > _WIDEST_KEY:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            room = int(key.max(initial=0)) + 1
        key = key * values + column
        room *= values
    return numbered(key, room)[1]


@dataclass(frozen=True, eq=False)
class EquivalenceClasses:
    """Combinations with equal published quasi-identifiers."""

    frequencies: FrequencyTable
    published: NDArray[np.int32]  # the quasi-identifiers' published codes, one row per combination
    # A population's codes, published in the same way and numbered alike, with its records.
    among: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """The class of each combination, numbered from 0 in lexicographic order of the published codes."""
        return class_ids(self.published)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Records per class."""
        count = int(self.ids.max(initial=-1)) + 1
        sizes = np.zeros(count, dtype=np.int64)
        np.add.at(sizes, self.ids, self.frequencies.counts)
        return sizes

    @cached_property
    def units(self) -> NDArray[np.int64] | None:
        """Different persons per class; None where every record is a person's only one."""
        units = self.frequencies.units
        return None if units is None else units.per_class(self.ids, len(self.sizes))

    @cached_property
    def population(self) -> NDArray[np.int64] | None:
        """People of the population per class, if there is one."""
        if self.among is None:
            return None
        codes, people = self.among
        is_complete = (codes >= 0).all(axis=1)
        ids = class_ids(np.concatenate([self.published, codes[is_complete]]))
        total = np.zeros(int(ids.max(initial=-1)) + 1, dtype=np.int64)
        np.add.at(total, ids[len(self.published) :], people[is_complete])
        persons = np.zeros(len(self.sizes), dtype=np.int64)
        persons[self.ids] = total[ids[: len(self.published)]]
        return persons

    def summaries(self, reads: Iterable[str] = ()) -> list[ClassSummary]:
        """Each class with the histograms of these sensitive attributes."""
        histograms = {name: self._histograms(name) for name in reads}
        nothing = [None] * len(self.sizes)
        units = nothing if self.units is None else self.units.tolist()
        people = nothing if self.population is None else self.population.tolist()
        return [
            ClassSummary(
                int(size),
                {name: column[c] for name, column in histograms.items()},
                units=units[c],
                population=people[c],
            )
            for c, size in enumerate(self.sizes)
        ]

    def kinds(self) -> tuple[list[ClassSummary], NDArray[np.int64]]:
        """The different summaries without histograms, and which of them each class has."""
        columns_given = {"size": self.sizes, "units": self.units, "population": self.population}
        columns = {name: column for name, column in columns_given.items() if column is not None}
        rows = np.stack(list(columns.values()), axis=1)
        kind_of = class_ids(rows)
        different = np.zeros((int(kind_of.max(initial=-1)) + 1, len(columns)), dtype=np.int64)
        different[kind_of] = rows
        return [ClassSummary(**dict(zip(columns, kind, strict=True))) for kind in different.tolist()], kind_of

    def _histograms(self, name: str) -> list[dict[str, int]]:
        """For each class, the records per value of a sensitive attribute; a missing value is one of its own."""
        position = self.frequencies.position(name)
        column = self.frequencies.columns[position]
        labels = [label or "" for label in column.labels]
        cells, cell_of = np.unique(self.ids * len(labels) + self.frequencies.codes[:, position], return_inverse=True)
        records = np.zeros(len(cells), dtype=np.int64)
        np.add.at(records, cell_of, self.frequencies.counts)
        histograms: list[dict[str, int]] = [{} for _ in self.sizes]
        for cell, count in zip(cells.tolist(), records.tolist(), strict=True):
            if cell % len(labels) != column.unknown:
                histograms[cell // len(labels)][labels[cell % len(labels)]] = count
        return histograms
