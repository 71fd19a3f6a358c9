"""Classification: how well a label can be predicted from a release, beside how well it could from the data.

A decision tree is trained on some records and tested on others, before and after: V. S. Iyengar, "Transforming data to
satisfy privacy constraints", KDD 2002; with the first 30,162 records of Adult for training and the other 15,060 for the
test as in J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section VIII-A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from sfumato.data import Table
from sfumato.engines import open_engine, require_columns
from sfumato.errors import DataError
from sfumato.evaluate.samples import Sample, both_sides, read_sample
from sfumato.settings.exact import Number
from sfumato.settings.given import checked
from sfumato.settings.wording import setting
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


@checked
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
    label, chosen = _roles(list(solution.table_plan().columns), target or solution.problem.data.target, features)
    before, after = both_sides(solution, test, split, seed)
    return _compared(before, after, label, chosen, seed)


@checked
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
    before, after = (read_sample(engine, [*chosen, label], test, split, seed) for engine in (old, new))
    return _compared(before, after, label, chosen, seed)


def _compared(before: Sample, after: Sample, target: str, features: Sequence[str], seed: int) -> ClassificationReport:
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


def _error(sample: Sample, target: str, features: Sequence[str], seed: int) -> float:
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


def _blind(sample: Sample, target: str) -> float:
    codes = sample.column(target)
    seen, tested = np.zeros((2, int(codes.max(initial=0)) + 1), dtype=np.int64)
    np.add.at(seen, codes, sample.train)
    np.add.at(tested, codes, sample.test)
    return 1.0 - float(tested[int(seen.argmax())]) / max(int(tested.sum()), 1)


def _roles(columns: list[str], target: str | None, features: Sequence[str] | None) -> tuple[str, list[str]]:
    if target is None:
        raise DataError(f"There is no label to predict; name it, as in {setting('target', 'income')}.")
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
