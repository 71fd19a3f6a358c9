"""Sides: the data before and after, as equivalence classes of what each of them prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.data import Column, EquivalenceClasses, FrequencyTable, Table
from sfumato.engines import Engine, ReleasePlan, UnitCounts


@dataclass(frozen=True, eq=False)
class Side:
    """A table and its classes: the original as it is, or what is published of it."""

    classes: EquivalenceClasses
    quasi_identifiers: tuple[str, ...]
    tells_persons: bool = True  # whether it says whose its records are, where persons may have several

    @property
    def frequencies(self) -> FrequencyTable:
        """The combinations of printed labels; a label has one code."""
        return self.classes.frequencies

    @property
    def persons(self) -> NDArray[np.int64]:
        """Different persons per class; records where everybody has one."""
        return self.classes.sizes if self.classes.units is None else self.classes.units

    def labels(self, name: str) -> tuple[str | None, ...]:
        """What the codes of a column print."""
        return self.frequencies.columns[self.frequencies.position(name)].labels

    def records(self, name: str) -> dict[str | None, int]:
        """The records of each label of a column that occurs."""
        labels = self.labels(name)
        records = np.zeros(len(labels), dtype=np.int64)
        np.add.at(records, self.frequencies.codes[:, self.frequencies.position(name)], self.frequencies.counts)
        return {label: n for label, n in zip(labels, records.tolist(), strict=True) if n}


def original_side(table: Table) -> Side:
    """The data as it is: every quasi-identifier at level 0."""
    f = table.frequencies
    names = tuple(attribute.name for attribute in f.quasi_identifiers)
    return Side(EquivalenceClasses(f, f.codes[:, : len(names)]), names)


def planned_side(plan: ReleasePlan, quasi_identifiers: Sequence[str], units: UnitCounts | None) -> Side:
    """What a plan publishes; the persons are those of the data, which the release itself does not tell."""
    printed = {name: plan.labels[name] for name in plan.columns}
    return _side(printed, plan.published, plan.copies, units and plan.placed(units), quasi_identifiers, True)


def released_side(
    engine: Engine, quasi_identifiers: Sequence[str], others: Sequence[str], unit: str | None = None
) -> Side:
    """What a published table prints, grouped by its engine."""
    columns = list(dict.fromkeys([*quasi_identifiers, *others]))
    printed = {name: list(labels) for name, labels in engine.distinct(columns).items()}
    codes = {name: {text: code for code, text in enumerate(texts)} for name, texts in printed.items()}
    counted = engine.count(codes, unit=unit)
    return _side(printed, counted.combinations, counted.counts, counted.units, quasi_identifiers, unit is not None)


def _side(
    printed: Mapping[str, Sequence[str | None]],
    published: NDArray[np.int32],
    counts: NDArray[np.int64],
    units: UnitCounts | None,
    quasi_identifiers: Sequence[str],
    tells_persons: bool,
) -> Side:
    """The side of these rows; `printed` says for each column, in order, what its codes print.

    Two nodes of a hierarchy may bear one name, and who reads the release cannot tell them apart: they get one code.
    """
    columns, codes = [], np.empty_like(published)
    for i, (name, labels) in enumerate(printed.items()):
        code_of = {label: code for code, label in enumerate(dict.fromkeys(label or None for label in labels))}
        columns.append(Column(name, tuple(code_of)))
        codes[:, i] = np.array([code_of[label or None] for label in labels], dtype=np.int32)[published[:, i]]
    if units is not None and units.are_records(counts):
        units = None
    f = FrequencyTable((), tuple(columns), codes, counts, units)
    chosen = [f.position(name) for name in quasi_identifiers]
    return Side(EquivalenceClasses(f, codes[:, chosen]), tuple(quasi_identifiers), tells_persons)
