"""The solution of a problem of a table with sets: a recoding of the quasi-identifiers, and one of each set column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfumato.engines import ReleasePlan
from sfumato.errors import ProblemError
from sfumato.itemset_solution import ItemsetSolution
from sfumato.privacy.base import Attained
from sfumato.set_table_problem import SetTableProblem
from sfumato.solution import Solution

if TYPE_CHECKING:
    from sfumato.set_table_plan import Dealt


@dataclass(frozen=True, eq=False)
class SetTableSolution(Solution):
    """The answer: everything about the quasi-identifiers is as in any other solution; `sets` has those of the columns.

    `cost` and `bound` are those of the quasi-identifiers. The loss of a column of sets is the least for the records
    that are published, if its own status says `optimal`; the status here is `optimal` if all are.
    """

    problem: SetTableProblem
    sets: Mapping[str, ItemsetSolution] = field(default_factory=dict)  # by column
    dealt: Dealt | None = field(default=None, repr=False)  # which records are published with which sets

    @cached_property
    def attained(self) -> Mapping[str, Attained]:
        """The strongest parameter that each constraint's model reaches; of sets with the column in parentheses."""
        found = {f"{key} ({name})": values for name, one in self.sets.items() for key, values in one.attained.items()}
        return {**super().attained, **found}

    def plan(self, seed: int | None = None) -> ReleasePlan:
        """What is published in place of every combination of values and sets."""
        if self.dealt is None:
            return super().plan(seed)  # says that nothing was found
        return self._plan if seed is None else replace(self._plan, seed=seed)

    def table_plan(self, seed: int | None = None) -> ReleasePlan:
        """The same without the sets."""
        if self.dealt is None:
            return super().table_plan(seed)
        return self.dealt.plan if seed is None else replace(self.dealt.plan, seed=seed)

    @cached_property
    def _plan(self) -> ReleasePlan:
        assert self.dealt is not None  # noqa: S101 - `plan` asks
        return self.dealt.plan_with(self.problem.data, self.sets, self.seed)

    def blur(self, seed: int, steps: int = 1) -> Solution:
        """Not with sets."""
        raise ProblemError("Tables with sets are not blurred further at random; leave the sets out.")

    def apply(self, source: object, *, unknown: str = "error", violations: str = "suppress") -> Any:
        """Not with sets: supports in other data are other ones."""
        raise ProblemError("A cut of items is found for its own records; solve a problem of the others.")

    def to_json(self) -> dict[str, Any]:
        """All about the solution that may be told, for JSON, with each column of sets."""
        told = ("status", "algorithm", "loss", "bound", "gap", "recoding", "examined", "seconds", "classes", "attained")
        sets = {name: {key: one.to_json()[key] for key in told} for name, one in self.sets.items()}
        return super().to_json() | {"sets": sets}

    def __str__(self) -> str:
        lines = [super().__str__()]
        for name, one in self.sets.items():
            bound = "none" if one.bound is None else f"{one.bound:,.6g}"
            lines.append(f"{name}  {one.status.value}  cost {one.cost:,.6g} (ncp)  bound {bound}\n{name}  {one.found}")
        return "\n".join(lines)

    __repr__ = __str__
