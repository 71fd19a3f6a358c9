"""Problem of a table with columns of sets: what must hold of its classes, and what of the sets in each such column."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from sfumato.data import SetColumn
from sfumato.errors import PopulationWarning, ProblemError
from sfumato.itemset_problem import ItemsetProblem
from sfumato.loss import NCP
from sfumato.privacy import ItemsetModel
from sfumato.privacy.base import is_model
from sfumato.problem import Problem
from sfumato.recoding import ItemCut
from sfumato.settings.quantities import Quantity

if TYPE_CHECKING:
    from sfumato.algorithms import Algorithm
    from sfumato.solution import Solution


@dataclass(frozen=True, eq=False)
class SetTableProblem(Problem):
    """The least loss of a table's quasi-identifiers, and then of the sets of the records that are published.

    `Problem(table, …)` makes one if the table has sets. Constraints on classes are about the quasi-identifiers, those
    on sets of items about every column of sets; `constraints` keeps the first, `set_constraints` the others. Each is
    asked for itself: nothing is promised about who knows quasi-identifiers and items together.
    """

    set_loss: NCP = field(default_factory=NCP)
    set_recoding: Any = field(default_factory=ItemCut)
    set_constraints: Sequence[ItemsetModel] = ()

    def __post_init__(self) -> None:
        given = tuple(self.constraints) if isinstance(self.constraints, Iterable) else (self.constraints,)
        of_sets = [model for model in given if not is_model(model) and isinstance(model, ItemsetModel)]
        asked = (*self.set_constraints, *of_sets)
        object.__setattr__(self, "set_constraints", asked)
        object.__setattr__(self, "constraints", tuple(model for model in given if model not in of_sets))
        if not asked:
            raise ProblemError(
                "Nothing is asked of the sets, so they would be published as they are; add a constraint such as "
                "sf.KmAnonymity(k=5, m=2)."
            )
        if not self.constraints:
            raise ProblemError("Nothing is asked of the quasi-identifiers; add a constraint such as sf.KAnonymity(5).")
        super().__post_init__()
        if self.data.frequencies.units is not None:
            raise ProblemError(
                f"Constraints on sets count records, but '{self.data.unit}' has several of one person; make one record "
                "of each person's, with all items, or leave unit out."
            )
        for column in self.data.sets.values():
            self._check_empty(column)
            self.of_column(column, column.records)

    def of_column(self, column: SetColumn, records: NDArray[Any]) -> ItemsetProblem:
        """The problem of one column, whose sets are published so many times."""
        return ItemsetProblem(column.transactions(records), self.set_constraints, self.set_loss, self.set_recoding)

    @cached_property
    def relational(self) -> Problem:
        """The problem of everything but the sets."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PopulationWarning)  # said already
            return Problem(self.data.relational, self.constraints, self.loss, self.recoding)

    def solve(
        self,
        algorithm: Algorithm | None = None,
        *,
        set_algorithm: Algorithm | None = None,
        time_limit: Quantity | None = None,
        threads: int | None = None,
        seed: int = 0,
        memory_limit: Quantity | None = None,
        progress: bool | Callable[[Any], object] = False,
    ) -> Solution:
        """The best recoding of the quasi-identifiers, then of the sets; see `sfumato.set_table_solve`."""
        from sfumato.set_table_solve import solve_with_sets

        options = {"threads": threads, "seed": seed, "memory_limit": memory_limit, "progress": progress}
        return solve_with_sets(self, algorithm, set_algorithm, time_limit, options)

    def _check_empty(self, column: SetColumn) -> None:
        """Who knows what is not there knows something about records without items too, which no search looks at."""
        if column.empty and any(getattr(model, "negative", False) for model in self.set_constraints):
            raise ProblemError(
                f"In {column.empty:,} records '{column.name}' has no items, and negative knowledge is not searched for "
                "among these; leave such records out, or negative."
            )
