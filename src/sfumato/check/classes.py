"""The equivalence classes of a published table, from the labels that it prints."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato.check.populations import people_with
from sfumato.data import ClassSummary

if TYPE_CHECKING:
    from sfumato.data import FrequencyTable
    from sfumato.engines import Counted, UnitCounts

Classes: TypeAlias = list[tuple[ClassSummary, int]]  # and how many are alike
Labels: TypeAlias = Mapping[str, Sequence[str | None]]  # for each counted column, in order, what its codes print

UNKNOWN = "*"  # a suppressed sensitive value: it counts as a record, and is not a value


def classes_of(
    labels: Labels,
    counted: Counted,
    quasi_identifiers: list[str],
    sensitive: list[str],
    census: FrequencyTable | None,
    measured: Collection[str] = (),
) -> tuple[Classes, list[str]]:
    """The equivalence classes of the published labels, with the histogram of every sensitive attribute.

    Classes that are alike come once, with how many they are. Notes about their part of the population come with them.
    measured: quasi-identifiers of which the classes keep what they print.
    """
    columns = list(labels)
    ids = _class_ids(labels, counted, quasi_identifiers)
    count = int(ids.max(initial=-1)) + 1
    sizes = np.zeros(count, dtype=np.int64)
    np.add.at(sizes, ids, counted.counts)
    units = None if counted.units is None else _persons(ids.tolist(), counted.units)
    people: Sequence[int | None] = [None] * count
    notes: list[str] = []
    if census is not None:
        first = np.unique(ids, return_index=True)[1]
        codes = {name: counted.combinations[first, columns.index(name)] for name in quasi_identifiers}
        people, notes = people_with(labels, codes, census)
    persons: Sequence[int | None] = units or [None] * count
    if not sensitive and not measured:
        alike = Counter(zip(sizes.tolist(), persons, people, strict=True))
        return [(ClassSummary(n, units=u, population=p), some) for (n, u, p), some in alike.items()], notes
    histograms = _histograms(labels, counted, ids, sensitive)
    printed_of = _printed(labels, counted, ids, [name for name in quasi_identifiers if name in measured])
    return [
        (ClassSummary(size, histogram, units=n, population=p, published=printed), 1)
        for size, histogram, n, p, printed in zip(sizes.tolist(), histograms, persons, people, printed_of, strict=True)
    ], notes


def value_counts(classes: Classes, name: str) -> dict[str, int]:
    """The records of all classes by their value of a sensitive attribute."""
    counts: dict[str, int] = defaultdict(int)
    for summary, _ in classes:  # with histograms, each for itself
        for value, count in summary.histograms[name].items():
            counts[value] += count
    return dict(counts)


def _class_ids(labels: Labels, counted: Counted, quasi_identifiers: Sequence[str]) -> NDArray[np.int64]:
    """The class of each combination: what prints alike in every quasi-identifier is one, whatever its codes are."""
    columns = list(labels)
    key = np.zeros(len(counted.counts), dtype=np.int64)
    for name in quasi_identifiers:
        printed = [label or "" for label in labels[name]]
        number = {label: i for i, label in enumerate(dict.fromkeys(printed))}
        codes = counted.combinations[:, columns.index(name)]
        column = np.array([number[label] for label in printed], dtype=np.int64)[codes]
        # Numbers stay below those of combinations times labels, so they never run over.
        key = np.unique(key * max(len(number), 1) + column, return_inverse=True)[1].astype(np.int64)
    return key


def _histograms(
    labels: Labels, counted: Counted, ids: NDArray[np.int64], sensitive: Sequence[str]
) -> list[dict[str, dict[str, int]]]:
    """For each class and sensitive attribute, the records by value; suppressed values are left out."""
    columns = list(labels)
    histograms: list[dict[str, dict[str, int]]] = [
        {name: {} for name in sensitive} for _ in range(int(ids.max(initial=-1)) + 1)
    ]
    for name in sensitive:
        printed = [label or "" for label in labels[name]]
        column = counted.combinations[:, columns.index(name)].tolist()
        for c, code, records in zip(ids.tolist(), column, counted.counts.tolist(), strict=True):
            value = printed[code]
            if value != UNKNOWN:
                histogram = histograms[c][name]
                histogram[value] = histogram.get(value, 0) + records
    return histograms


def _printed(labels: Labels, counted: Counted, ids: NDArray[np.int64], measured: Sequence[str]) -> list[dict[str, str]]:
    """What each class prints in the columns whose published values are measured."""
    columns = list(labels)
    first = np.unique(ids, return_index=True)[1]
    codes = {name: counted.combinations[first, columns.index(name)].tolist() for name in measured}
    return [{name: labels[name][codes[name][c]] or "" for name in measured} for c in range(len(first))]


def _persons(ids: Sequence[int], units: UnitCounts) -> list[int]:
    """The different units of each class, at least one; `ids` is the class of each combination."""
    persons = [0] * (max(ids, default=-1) + 1)
    for c, own in zip(ids, units.own.tolist(), strict=True):
        persons[c] += own
    pairs = zip(units.person.tolist(), units.combination.tolist(), strict=True)
    for _, c in {(person, ids[combination]) for person, combination in pairs}:
        persons[c] += 1
    return [max(count, 1) for count in persons]
