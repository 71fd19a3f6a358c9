"""Samples: the records of a table that are trained on and tested on, drawn by lot or taken in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable, Table
from sfumato.data.pre_generalised import require_own_values
from sfumato.engines import Engine, Ordered, ReleasePlan
from sfumato.errors import DataError
from sfumato.hierarchies import numeric
from sfumato.settings.exact import LARGEST_SEED, Number, exact, whole
from sfumato.solution import Solution


@dataclass(frozen=True, eq=False)
class Sample:
    """Different rows, each with how many of it are trained on and tested on."""

    labels: Mapping[str, Sequence[str | None]]  # what the codes of each column print, columns in order
    codes: NDArray[np.int32]
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    # The place of each code of columns whose values are numbers, also where these are ranges; others have no order.
    positions: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def column(self, name: str) -> NDArray[np.int32]:
        """The codes of a column."""
        column: NDArray[np.int32] = self.codes[:, list(self.labels).index(name)]
        return column


def both_sides(solution: Solution, test: Number, split: str, seed: int) -> tuple[Sample, Sample]:
    """The data of a solution and its release, split into the same records."""
    table, plan = solution.problem.data, solution.table_plan()
    f = table.frequencies
    require_own_values(table.pre_generalised, "Predictions")
    tested = _tested(table, _number(test, f.records), split, seed)
    labels = {column.name: column.labels for column in f.columns}
    before = Sample(labels, f.codes, f.counts - tested, tested, _positions(f))
    published = _placed(plan, tested, _generator(seed))
    after = Sample(plan.labels, plan.published, plan.copies - published, published, _published_positions(f, plan))
    return before, after


def read_sample(engine: Engine, columns: list[str], test: Number, split: str, seed: int) -> Sample:
    """A table, split for itself."""
    if _by_order(split):
        texts = _rows(engine, columns)
        labels = {name: list(dict.fromkeys(column)) for name, column in zip(columns, texts, strict=True)}
        code = {name: {text: i for i, text in enumerate(texts)} for name, texts in labels.items()}
        codes = [[code[name][text] for text in column] for name, column in zip(columns, texts, strict=True)]
        rows = np.array(codes, dtype=np.int32).T.reshape(-1, len(columns))
        tested = np.zeros(len(rows), dtype=np.int64)
        tested[len(rows) - _number(test, len(rows)) :] = 1
        return Sample(labels, rows, 1 - tested, tested, _number_positions(labels))
    labels = {name: list(values) for name, values in engine.distinct(columns).items()}
    counted = engine.count({name: {text: i for i, text in enumerate(texts)} for name, texts in labels.items()})
    records = int(counted.counts.sum())
    tested = _lot(
        counted.counts,
        _number(test, records),
        _generator(seed),
    )
    return Sample(labels, counted.combinations, counted.counts - tested, tested, _number_positions(labels))


def _number(test: Number, records: int) -> int:
    """How many records are tested on."""
    given = exact(test, "test")
    number = int(given * records) if given < 1 else whole(test, "test", least=1)
    if not 0 < number < records:
        raise DataError(f"test = {test} leaves nothing to train on, or to test on; give a share such as 1/3.")
    return number


def _tested(table: Table, number: int, split: str, seed: int) -> NDArray[np.int64]:
    """Of each combination, the records that are tested on."""
    f = table.frequencies
    if _by_order(split):
        names = [column.name for column in f.columns]
        place = {tuple(row): i for i, row in enumerate(f.codes.tolist())}
        texts = dict(zip(names, _rows(table.engine, names), strict=True))
        codes = [[table.codes[name][text] for text in texts[name][-number:]] for name in names]
        tested = np.zeros(len(f.counts), dtype=np.int64)
        last = list(zip(*codes, strict=True))
        np.add.at(tested, [place[row] for row in last], 1)
        return tested
    return _lot(f.counts, number, _generator(seed))


def _generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(whole(seed, "seed", least=0, most=LARGEST_SEED)))


def _by_order(split: str) -> bool:
    if split not in {"lot", "order"}:
        raise DataError(f"split = '{split}' is unknown; choose lot or order.")
    return split == "order"


def _rows(engine: Engine, names: Sequence[str]) -> list[list[str | None]]:
    if not isinstance(engine, Ordered):
        raise DataError(f"The rows of {engine.name} have no order; use split='lot'.")
    return engine.rows_of(names)


def _lot(counts: NDArray[np.int64], number: int, random: np.random.Generator) -> NDArray[np.int64]:
    """How many of each are among so many that are drawn without putting back."""
    drawn: NDArray[np.int64] = random.multivariate_hypergeometric(counts, number, method="marginals")
    return drawn


def _placed(plan: ReleasePlan, tested: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
    """Of each entry of a plan, the records that are tested on: which go where is drawn, as far as it is open."""
    left, of_test = plan.counts.copy(), tested.copy()
    placed = np.zeros(len(plan.entry), dtype=np.int64)
    for i, (combination, copies) in enumerate(zip(plan.entry.tolist(), plan.copies.tolist(), strict=True)):
        there = int(left[combination])
        of_it = int(of_test[combination])
        placed[i] = of_it if copies == there else random.hypergeometric(of_it, there - of_it, copies)
        left[combination] -= copies
        of_test[combination] -= placed[i]
    return placed


def _positions(f: FrequencyTable) -> dict[str, NDArray[np.float64]]:
    """The leaf codes of quasi-identifiers whose values are numbers."""
    return {
        q.name: np.arange(len(q.labels), dtype=np.float64)
        for q in f.quasi_identifiers
        if numeric(leaf for leaf in q.hierarchy.leaves if leaf)
    }


def _published_positions(f: FrequencyTable, plan: ReleasePlan) -> dict[str, NDArray[np.float64]]:
    """The mean leaf code behind each published label of such attributes."""
    positions = {}
    for name in _positions(f):
        i = plan.columns.index(name)
        total, number = np.zeros((2, len(plan.labels[name])))
        np.add.at(total, plan.published[:, i], plan.combinations[plan.entry, i] * plan.copies)
        np.add.at(number, plan.published[:, i], plan.copies)
        positions[name] = total / np.maximum(number, 1)
    return positions


def _number_positions(labels: Mapping[str, Sequence[str | None]]) -> dict[str, NDArray[np.float64]]:
    """The values of columns that hold nothing but numbers."""
    return {
        name: np.array([float(text) for text in texts if text is not None])
        for name, texts in labels.items()
        if None not in texts and numeric(text for text in texts if text is not None)
    }
