"""Withholding: what a suppression scheme leaves out of classes that violate, combination by combination.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section III-C and Lemma 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.data import Column, EquivalenceClasses, FrequencyTable, numbered
from sfumato.engines import UnitCounts
from sfumato.privacy import ClassModel
from sfumato.privacy.base import labels_of
from sfumato.recoding.suppression import Scheme

_WIDEST = 1 << 62
UNKNOWN = "*"  # how a suppressed sensitive value is printed


@dataclass(frozen=True, eq=False)
class Withheld:
    """What is published of each combination of the frequency table."""

    kept: NDArray[np.int64] = field(repr=False)  # records
    hidden: Mapping[str, NDArray[np.bool_]]  # sensitive attribute → whether its value is printed as *

    def records(self, frequencies: FrequencyTable) -> int:
        """Records left out."""
        return int((frequencies.counts - self.kept).sum())

    def values(self) -> int:
        """Values printed as *."""
        return sum(int(self.kept[hidden].sum()) for hidden in self.hidden.values())

    def without(self, combinations: NDArray[np.bool_]) -> Withheld:
        """The records of these combinations are left out too."""
        return replace(self, kept=np.where(combinations, 0, self.kept))

    def without_values(self, combinations: NDArray[np.bool_], names: Iterable[str]) -> Withheld:
        """Their values of these sensitive attributes are printed as * too."""
        return replace(self, hidden={name: self.hidden.get(name, False) | combinations for name in names})

    def left(self, frequencies: FrequencyTable) -> FrequencyTable:
        """What is left of the frequency table: quasi-identifiers still in original codes, withheld values unknown."""
        codes, others = frequencies.codes.copy(), list(frequencies.others)
        for name, hidden in self.hidden.items():
            position = frequencies.position(name)
            column = frequencies.columns[position]
            others[position - len(frequencies.quasi_identifiers)] = Column(
                name, (*column.labels, UNKNOWN), column.hierarchy, unknown=len(column.labels)
            )
            codes[hidden, position] = len(column.labels)
        some = (self.kept > 0) & (self.kept < frequencies.counts)
        left = replace(
            frequencies,
            others=tuple(others),
            codes=codes,
            counts=self.kept,
            units=frequencies.units and _units_of_whole(frequencies.units, some),
            weights=None if some.any() else frequencies.weights,  # whose records stay is not known
        )
        return left.taken(np.flatnonzero(self.kept > 0))


def nothing_withheld(frequencies: FrequencyTable) -> Withheld:
    """Everything is published."""
    return Withheld(frequencies.counts, {})


def withheld(
    classes: EquivalenceClasses,
    models: Sequence[ClassModel],
    scheme: Scheme,
    majority: str | None = None,
    seed: int = 0,
) -> Withheld:
    """What the scheme withholds, for the models to hold in all classes; under `none`, classes that violate stay.

    majority: the column of labels whose majority in a class is kept when some of its records are left out; which others
    go is drawn at random by seed, among those with the same class and sensitive value.
    """
    counts = classes.frequencies.counts
    if scheme is Scheme.NONE or not models:
        return nothing_withheld(classes.frequencies)
    if scheme is Scheme.ALL_RECORDS:
        return Withheld(np.where(violated(classes, models)[classes.ids], 0, counts), {})
    by_attribute = {name: Cells.of(classes, models, name) for name in ceilinged(models)}
    if scheme is Scheme.VIOLATING_VALUES:
        return Withheld(counts, {name: cells.violated[cells.cell] for name, cells in by_attribute.items()})
    if scheme is Scheme.ALL_VALUES:
        return Withheld(counts, {name: cells.violating[classes.ids] for name, cells in by_attribute.items()})
    (cells,) = by_attribute.values()
    return Withheld(_drawn(cells, classes, majority, seed), {})


def violated(classes: EquivalenceClasses, models: Sequence[ClassModel]) -> NDArray[np.bool_]:
    """Which classes violate one of the models; all values are known. Ceilings are compared for all classes at once."""
    violating = np.zeros(len(classes.sizes), dtype=np.bool_)
    by_value = [model for model in models if has_ceilings(model, classes.frequencies)]
    for name in ceilinged(by_value):
        violating |= Cells.of(classes, by_value, name).violating
    others = [model for model in models if model not in by_value]
    if not others:
        return violating
    reads = {model.reads for model in others if model.reads is not None}
    every = np.arange(len(classes.sizes))
    summaries, kind_of = (classes.summaries(reads), every) if reads else classes.kinds()
    broken = np.array([not all(model.holds(s) for model in others) for s in summaries], dtype=np.bool_)
    return violating | broken[kind_of]


def ceilinged(models: Sequence[ClassModel]) -> tuple[str, ...]:
    """The sensitive attributes that the models set ceilings for."""
    return tuple(dict.fromkeys(model.reads for model in models if model.reads is not None))


def has_ceilings(model: ClassModel, frequencies: FrequencyTable) -> bool:
    """Whether all that a model asks is that no value has more than its share of a class."""
    if model.reads is None:
        return False
    return all(model.ceiling(value) is not None for value in labels_of(frequencies, model.reads))


def ceilings(models: Sequence[ClassModel], frequencies: FrequencyTable, sensitive: str) -> list[Fraction]:
    """theta by code: the largest share of a class that each value of a sensitive attribute may have."""
    theirs = [model for model in models if model.reads == sensitive]
    return [
        min((share for model in theirs if (share := model.ceiling(value)) is not None), default=Fraction(1))
        for value in labels_of(frequencies, sensitive)
    ]


@dataclass(frozen=True, eq=False)
class Cells:
    """The pairs of class and sensitive value that occur, with the most records that each may have."""

    cell: NDArray[np.int64]  # of each combination
    of_class: NDArray[np.int64]  # of each cell
    value: NDArray[np.int64]  # of each cell, a code
    records: NDArray[np.int64]  # n_s of each cell
    sizes: NDArray[np.int64]  # n of each class
    theta: Sequence[Fraction]  # by code

    @classmethod
    def of(cls, classes: EquivalenceClasses, models: Sequence[ClassModel], sensitive: str) -> Cells:
        """Those of a sensitive attribute."""
        frequencies = classes.frequencies
        position = frequencies.position(sensitive)
        values = max(len(frequencies.columns[position].labels), 1)
        keys, cell = numbered(
            classes.ids * values + frequencies.codes[:, position], max(len(classes.sizes), 1) * values
        )
        records = np.zeros(len(keys), dtype=np.int64)
        np.add.at(records, cell, frequencies.counts)
        theta = ceilings(models, frequencies, sensitive)
        return cls(cell, keys // values, keys % values, records, classes.sizes, theta)

    def most(self, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
        """⌊theta_s · n⌋ of each cell, for classes of these sizes."""
        numerators = [theta.numerator for theta in self.theta] or [1]
        denominators = [theta.denominator for theta in self.theta] or [1]
        fits = max(numerators) * int(sizes.max(initial=0)) < _WIDEST and max(denominators) < _WIDEST
        exact = np.int64 if fits else object  # whole numbers either way
        p, q = np.array(numerators, dtype=exact)[self.value], np.array(denominators, dtype=exact)[self.value]
        most: NDArray[np.int64] = (p * sizes[self.of_class].astype(exact) // q).astype(np.int64)
        return most

    @property
    def violated(self) -> NDArray[np.bool_]:
        """Which cells have more records than they may."""
        return self.records > self.most(self.sizes)

    @property
    def violating(self) -> NDArray[np.bool_]:
        """Which classes have such a cell."""
        violating = np.zeros(len(self.sizes), dtype=np.bool_)
        violating[self.of_class[self.violated]] = True
        return violating

    def greatest(self) -> NDArray[np.int64]:
        """r_s of each cell: the most records that can stay, r_s ≤ n_s and r_s ≤ theta_s · Σ r.

        Let f(N) = Σ_s min(n_s, ⌊theta_s N⌋), which grows with N. If Σ r = N' ≤ N then N' ≤ f(N') ≤ f(N), so going from
        n to f(n), f(f(n)), … never passes the largest N' with f(N') = N', and stops there.
        """
        sizes = self.sizes
        while True:
            stay = np.minimum(self.records, self.most(sizes))
            total = np.zeros(len(sizes), dtype=np.int64)
            np.add.at(total, self.of_class, stay)
            if (total == sizes).all():
                return stay
            sizes = total

    def votes(self, classes: EquivalenceClasses, stay: NDArray[np.int64], column: str) -> Votes:
        """For each class and label of a column, the most records with it that can stay, r_s of each cell together."""
        frequencies = classes.frequencies
        position = frequencies.position(column)
        labels = max(len(frequencies.columns[position].labels), 1)
        pairs, pair = np.unique(self.cell * labels + frequencies.codes[:, position], return_inverse=True)
        records = np.zeros(len(pairs), dtype=np.int64)
        np.add.at(records, pair, frequencies.counts)
        cell = pairs // labels
        options, option = np.unique(self.of_class[cell] * labels + pairs % labels, return_inverse=True)
        votes = np.zeros(len(options), dtype=np.int64)
        np.add.at(votes, option, np.minimum(records, stay[cell]))
        order = np.lexsort((options, -votes, options // labels))  # by class, the most votes first, then the first label
        winners = order[np.flatnonzero(np.diff(options[order] // labels, prepend=-1))]
        return Votes(options[winners] % labels, votes[winners])


@dataclass(frozen=True, eq=False)
class Votes:
    """For each class, the label that most of its records can keep, and how many."""

    label: NDArray[np.int64]
    records: NDArray[np.int64]


def _drawn(cells: Cells, classes: EquivalenceClasses, majority: str | None, seed: int) -> NDArray[np.int64]:
    """The records of each combination that stay, r_s of each cell together."""
    frequencies = classes.frequencies
    kept, stay = frequencies.counts.copy(), cells.greatest()
    preferred = np.zeros(len(kept), dtype=np.bool_)
    if majority is not None:
        votes = cells.votes(classes, stay, majority)
        preferred = votes.label[classes.ids] == frequencies.codes[:, frequencies.position(majority)]
    random = np.random.Generator(np.random.PCG64(seed))
    short = np.flatnonzero(stay < cells.records)
    order = np.argsort(cells.cell, kind="stable")
    begin = np.searchsorted(cells.cell[order], short)
    end = np.searchsorted(cells.cell[order], short, side="right")
    for cell, left, right in zip(short.tolist(), begin.tolist(), end.tolist(), strict=True):
        members, room = order[left:right], int(stay[cell])
        for group in (members[preferred[members]], members[~preferred[members]]):
            records = kept[group]
            taken = min(room, int(records.sum()))
            kept[group] = _sample(random, records, taken)
            room -= taken
    return kept


def _sample(random: np.random.Generator, records: NDArray[np.int64], taken: int) -> NDArray[np.int64]:
    """How many of each kind are among so many that are drawn without putting back."""
    drawn, rest = np.zeros_like(records), int(records.sum())
    for i, some in enumerate(records.tolist()):
        rest -= some
        drawn[i] = random.hypergeometric(some, rest, taken) if some and taken else 0
        taken -= int(drawn[i])
    return drawn


def _units_of_whole(units: UnitCounts, some: NDArray[np.bool_]) -> UnitCounts:
    """The units, where some records of a combination go: it is not known whose, so the others count for nobody."""
    there = ~some[units.combination]
    return UnitCounts(np.where(some, 0, units.own), units.person[there], units.combination[there], units.unknown)
