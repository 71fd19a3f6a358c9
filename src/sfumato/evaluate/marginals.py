"""Marginals: the share of every published label, before and after suppression, by records and by survey weight.

Both sides print the same labels, those of the release, so the difference is what suppression alone has done: to a
generalised column, and to the sensitive attributes and the target, which are published as they are.
Shares of records are exact, then rounded; weights are added as floating-point numbers, with compensated sums.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines import ReleasePlan
from sfumato.errors import InfeasibleError
from sfumato.settings.given import checked
from sfumato.settings.optional import pandas_for
from sfumato.solution import Solution


@dataclass(frozen=True)
class Share:
    """How much of the data has a label, and how much of the release."""

    label: str | None = field(repr=False)  # as it is published; None is the missing value
    original: float
    released: float

    @property
    def difference(self) -> float:
        """What suppression has added to the share; negative if it took away."""
        return self.released - self.original


@dataclass(frozen=True)
class Marginal:
    """The shares of one column's labels, by records or by weight."""

    column: str
    by: str  # "records", or the name of the weight
    shares: tuple[Share, ...] = field(repr=False)  # in the order of the labels
    largest: float  # the largest difference of a share
    total_variation: float  # half the sum of all differences: the least share of records to move to undo them


@dataclass(frozen=True)
class Marginals:
    """All columns of a release that were counted: quasi-identifiers, sensitive attributes and target."""

    columns: tuple[Marginal, ...]

    def __iter__(self) -> Iterator[Marginal]:
        return iter(self.columns)

    def rows(self) -> list[dict[str, str | float | None]]:
        """One row per column, measure and label."""
        return [
            {
                "column": marginal.column,
                "by": marginal.by,
                "label": share.label,
                "original": share.original,
                "released": share.released,
                "difference": share.difference,
            }
            for marginal in self.columns
            for share in marginal.shares
        ]

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame."""
        return pandas_for("A frame", "take rows()").DataFrame(
            self.rows(), columns=["column", "by", "label", "original", "released", "difference"]
        )

    def __str__(self) -> str:
        width = max([len("column"), *(len(marginal.column) for marginal in self.columns)])
        by = max([len("by"), *(len(marginal.by) for marginal in self.columns)])
        lines = [f"{'column':<{width}}  {'by':<{by}}  labels  largest difference  total variation"]
        lines += [
            f"{m.column:<{width}}  {m.by:<{by}}  {len(m.shares):>6,}  {m.largest:>18.4%}  {m.total_variation:>15.4%}"
            for m in self.columns
        ]
        return "\n".join(lines)


@checked
def marginals(solution: Solution) -> Marginals:
    """The shares of every published label in the data (generalised, nothing suppressed) and in the release.

    By records, and by the table's weight if it has one.
    """
    table, released = solution.problem.data, solution.table_plan()
    everything = released
    if solution.recoding is not None:
        everything = solution.recoding.unsuppressed(table.frequencies).plan(table, solution.seed)
    amounts: dict[str, NDArray[Any]] = {"records": table.frequencies.counts}
    if table.weight is not None and table.frequencies.weights is not None:
        amounts[table.weight] = table.frequencies.weights
    return Marginals(
        tuple(
            marginal(column, by, _amounts(everything, i, amount), _amounts(released, i, amount))
            for i, column in enumerate(released.columns)
            for by, amount in amounts.items()
        )
    )


def _amounts(plan: ReleasePlan, column: int, amount: NDArray[Any]) -> dict[str | None, Fraction]:
    """How much a plan publishes of every label of a column, in the order of the labels; amounts are by combination.

    Where a combination goes to several places, each gets its share of the weight: which rows go where is chance.
    """
    records = issubclass(amount.dtype.type, np.integer)
    parts = plan.copies if records else amount[plan.entry] * (plan.copies / plan.counts[plan.entry])
    positions = plan.published[:, column]
    order = np.argsort(positions, kind="stable")
    begins = np.flatnonzero(np.diff(positions[order], prepend=-1))
    labels = plan.labels[plan.columns[column]]
    amounts: dict[str | None, Fraction] = defaultdict(Fraction)
    for begin, some in zip(begins.tolist(), np.split(parts[order], begins[1:]), strict=False):
        amounts[labels[positions[order[begin]]]] += Fraction(fsum(some.tolist()))
    return amounts


def marginal(
    column: str, by: str, original: Mapping[str | None, Fraction], released: Mapping[str | None, Fraction]
) -> Marginal:
    """The marginal of a column, given how much each side has of every label."""
    before, after = sum(original.values()), sum(released.values())
    if not before or not after:
        nothing = "no record is published" if by == "records" else f"what is published has the weight 0 by '{by}'"
        raise InfeasibleError(f"There are no shares to compare: {nothing}; suppress fewer records.")
    shares = {
        label: (original.get(label, Fraction(0)) / before, released.get(label, Fraction(0)) / after)
        for label in [*original, *(label for label in released if label not in original)]
    }
    differences = [abs(new - old) for old, new in shares.values()]
    return Marginal(
        column,
        by,
        tuple(Share(label, float(old), float(new)) for label, (old, new) in shares.items()),
        float(max(differences)),
        float(sum(differences) / 2),
    )
