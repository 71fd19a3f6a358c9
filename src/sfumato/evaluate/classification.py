"""Classification: how well a label can be predicted from a release, beside how well it could from the data.

A decision tree is trained on some records and tested on others, before and after: V. S. Iyengar, "Transforming data to
satisfy privacy constraints", KDD 2002; with the first 30,162 records of Adult for training and the other 15,060 for the
test as in J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section VIII-A.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable, Table
from sfumato.engines import Engine, Ordered, ReleasePlan, open_engine, require_columns
from sfumato.errors import DataError
from sfumato.hierarchies import numeric
from sfumato.settings.exact import Number, exact, whole
from sfumato.solution import Solution

_LEAF = 5  # records that a leaf of the tree has at least, in training


@dataclass(frozen=True)
class ClassificationReport:
    """The share of test records whose label is predicted wrongly."""

    target: str
    features: tuple[str, ...]
    before: float  # trained and tested on the data as it is
    after: float  # trained and tested on what is published
    blind: float  # always the most frequent label of the training records
    trained: int  # records of the data
    tested: int
    trained_after: int  # published ones
    tested_after: int
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(
            [
                f"prediction of {self.target}   before   after   blind",
                f"wrong, share of the test   {self.before:.2%}  {self.after:.2%}  {self.blind:.2%}",
                f"records trained on, tested on: {self.trained:,}, {self.tested:,} before; "
                f"{self.trained_after:,}, {self.tested_after:,} after",
                *self.notes,
            ]
        )


def classification(
    solution: Solution,
    *,
    target: str | None = None,
    features: Sequence[str] | None = None,
    test: Number = Fraction(1, 3),
    split: str = "lot",
    seed: int = 0,
) -> ClassificationReport:
    """The error of a decision tree on a solution's data and on its release, for the same records.

    target: the label to predict, the table's target if left out. features: columns to predict it from, all other
    published ones that were counted if left out (quasi-identifiers and sensitive attributes).
    test: the share or the number of records that are tested on; the others are trained on.
    split: "lot" draws them by seed; "order" takes the last ones of the source, as papers do.
    """
    table, plan = solution.problem.data, solution.table_plan()
    f = table.frequencies
    label, chosen = _roles(list(plan.columns), target or table.target, features)
    tested = _tested(table, _number(test, f.records), split, seed)
    before = _Sample(
        {column.name: column.labels for column in f.columns}, f.codes, f.counts - tested, tested, _positions(f)
    )
    published = _dealt(plan, tested, np.random.Generator(np.random.PCG64(seed)))
    after = _Sample(plan.labels, plan.published, plan.copies - published, published, _published_positions(f, plan))
    return _compared(before, after, label, chosen, seed)


def compare_classification(
    original: object,
    released: object,
    *,
    target: str,
    features: Sequence[str] | None = None,
    test: Number = Fraction(1, 3),
    split: str = "lot",
    seed: int = 0,
) -> ClassificationReport:
    """The same for two tables, the original and a release of it; which of its records are whose is not known.

    Each is split for itself: by lot, or in its order, which in a release of sfumato's is one by lot. Features that are
    left out: all columns that both have; of a Table, those with a hierarchy or a sensitive role.
    """
    old = original.engine if isinstance(original, Table) else open_engine(original)
    new = open_engine(released, old)
    for engine in (old, new):
        require_columns(engine, [target])
    both = [name for name in old.columns if name in new.columns]
    if features is None and isinstance(original, Table):
        counted = {column.name for column in original.frequencies.columns}
        features = [name for name in both if name in counted and name != target]
    label, chosen = _roles(both, target, features)
    before, after = (_read(engine, [*chosen, label], test, split, seed) for engine in (old, new))
    return _compared(before, after, label, chosen, seed)


@dataclass(frozen=True, eq=False)
class _Sample:
    """Different rows, each with how many of it are trained on and tested on."""

    labels: Mapping[str, Sequence[str | None]]  # what the codes of each column print, columns in order
    codes: NDArray[np.int32]
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    # The place of each code of columns whose values are numbers, also where these are ranges; others have no order.
    positions: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def column(self, name: str) -> NDArray[np.int32]:
        """The codes of a column."""
        found: NDArray[np.int32] = self.codes[:, list(self.labels).index(name)]
        return found


def _compared(before: _Sample, after: _Sample, target: str, features: Sequence[str], seed: int) -> ClassificationReport:
    notes = []
    if not after.train.sum() or not after.test.sum():
        notes.append("The release has no records to train on, or none to test on: every prediction is wrong.")
    return ClassificationReport(
        target,
        tuple(features),
        _error(before, target, features, seed),
        _error(after, target, features, seed),
        _blind(before, target),
        int(before.train.sum()),
        int(before.test.sum()),
        int(after.train.sum()),
        int(after.test.sum()),
        tuple(notes),
    )


def _error(sample: _Sample, target: str, features: Sequence[str], seed: int) -> float:
    """The share of test records that a tree predicts wrongly; of none, all are."""
    try:
        from scipy.sparse import csr_matrix, hstack
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        raise DataError("Classification needs scikit-learn; install sfumato[ml].") from None
    if not sample.train.sum() or not sample.test.sum():
        return 1.0
    columns = []
    for name in features:
        codes = sample.column(name)
        if name in sample.positions:
            columns.append(csr_matrix(sample.positions[name][codes].reshape(-1, 1)))
            continue
        different, place = np.unique(codes, return_inverse=True)
        rows = np.arange(len(codes))
        columns.append(csr_matrix((np.ones(len(codes)), (rows, place)), shape=(len(codes), len(different))))
    matrix, labels = hstack(columns).tocsr(), sample.column(target)
    trained, tested = sample.train > 0, sample.test > 0
    tree = DecisionTreeClassifier(
        criterion="entropy",
        min_weight_fraction_leaf=min(0.5, _LEAF / float(sample.train.sum())),
        ccp_alpha=_pruning(int(sample.train.sum())),
        random_state=seed,
    )
    tree.fit(matrix[trained], labels[trained], sample_weight=sample.train[trained].astype(float))
    wrong = tree.predict(matrix[tested]) != labels[tested]
    return float(sample.test[tested][wrong].sum() / sample.test.sum())


def _pruning(records: int) -> float:
    """Splits that tell less than a few bits over all training records go, as C4.5 prunes what may be chance."""
    return 4.0 / records


def _blind(sample: _Sample, target: str) -> float:
    codes = sample.column(target)
    seen, asked = np.zeros((2, int(codes.max(initial=0)) + 1), dtype=np.int64)
    np.add.at(seen, codes, sample.train)
    np.add.at(asked, codes, sample.test)
    return 1.0 - float(asked[int(seen.argmax())]) / max(int(asked.sum()), 1)


def _roles(columns: list[str], target: str | None, features: Sequence[str] | None) -> tuple[str, list[str]]:
    if target is None:
        raise DataError("There is no label to predict; give target, such as target='income'.")
    if isinstance(features, str):
        raise DataError("features is a list of column names, as in ['age'].")
    chosen = [name for name in columns if name != target] if features is None else list(features)
    for name in (target, *chosen):
        if name not in columns:
            raise DataError(f"'{name}' is not published, or has no role; choose from {', '.join(columns)}.")
    if target in chosen:
        raise DataError(f"'{target}' is the label to predict; leave it out of the features.")
    if not chosen:
        raise DataError("There is nothing to predict from; give at least one feature.")
    return target, chosen


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
    return _lot(f.counts, number, np.random.Generator(np.random.PCG64(seed)))


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


def _dealt(plan: ReleasePlan, tested: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
    """Of each entry of a plan, the records that are tested on: which go where is drawn, as far as it is open."""
    left, of_test = plan.counts.copy(), tested.copy()
    dealt = np.zeros(len(plan.entry), dtype=np.int64)
    for i, (combination, copies) in enumerate(zip(plan.entry.tolist(), plan.copies.tolist(), strict=True)):
        there = int(left[combination])
        of_it = int(of_test[combination])
        dealt[i] = of_it if copies == there else random.hypergeometric(of_it, there - of_it, copies)
        left[combination] -= copies
        of_test[combination] -= dealt[i]
    return dealt


def _positions(f: FrequencyTable) -> dict[str, NDArray[np.float64]]:
    """The leaf codes of quasi-identifiers whose values are numbers."""
    return {
        q.name: np.arange(len(q.labels), dtype=np.float64)
        for q in f.quasi_identifiers
        if numeric(leaf for leaf in q.hierarchy.leaves if leaf)
    }


def _published_positions(f: FrequencyTable, plan: ReleasePlan) -> dict[str, NDArray[np.float64]]:
    """The mean leaf code behind each published label of such attributes."""
    found = {}
    for name in _positions(f):
        i = plan.columns.index(name)
        total, number = np.zeros((2, len(plan.labels[name])))
        np.add.at(total, plan.published[:, i], plan.combinations[plan.entry, i] * plan.copies)
        np.add.at(number, plan.published[:, i], plan.copies)
        found[name] = total / np.maximum(number, 1)
    return found


def _read(engine: Engine, columns: list[str], test: Number, split: str, seed: int) -> _Sample:
    """A table, split for itself."""
    if _by_order(split):
        texts = _rows(engine, columns)
        labels = {name: list(dict.fromkeys(column)) for name, column in zip(columns, texts, strict=True)}
        code = {name: {text: i for i, text in enumerate(known)} for name, known in labels.items()}
        codes = [[code[name][text] for text in column] for name, column in zip(columns, texts, strict=True)]
        rows = np.array(codes, dtype=np.int32).T.reshape(-1, len(columns))
        tested = np.zeros(len(rows), dtype=np.int64)
        tested[len(rows) - _number(test, len(rows)) :] = 1
        return _Sample(labels, rows, 1 - tested, tested, _number_positions(labels))
    labels = {name: list(values) for name, values in engine.distinct(columns).items()}
    counted = engine.count({name: {text: i for i, text in enumerate(known)} for name, known in labels.items()})
    records = int(counted.counts.sum())
    tested = _lot(counted.counts, _number(test, records), np.random.Generator(np.random.PCG64(seed)))
    return _Sample(labels, counted.combinations, counted.counts - tested, tested, _number_positions(labels))


def _number_positions(labels: Mapping[str, Sequence[str | None]]) -> dict[str, NDArray[np.float64]]:
    """The values of columns that hold nothing but numbers."""
    return {
        name: np.array([float(text) for text in known if text is not None])
        for name, known in labels.items()
        if None not in known and numeric(text for text in known if text is not None)
    }
