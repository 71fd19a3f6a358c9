"""The solution of a problem of transactions: a cut, or a generalization per transaction, and how good it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfumato.engines import ReleasePlan, Watcher
from sfumato.errors import InfeasibleError, ProblemError
from sfumato.itemset_problem import ItemsetProblem
from sfumato.privacy.base import Attained
from sfumato.recoding import ItemCutRecoding, LocalItemsRecoding
from sfumato.solution import Solution, counted_off

if TYPE_CHECKING:
    from sfumato.check.tables import Audit
    from sfumato.project import Project
    from sfumato.release import Draft


@dataclass(frozen=True, eq=False)
class ItemsetSolution(Solution):
    """The answer to a problem of transactions. Never None: if nothing was found, the status says so."""

    problem: ItemsetProblem
    recoding: ItemCutRecoding | LocalItemsRecoding | None  # type: ignore[assignment]

    @property
    def relative(self) -> float | None:
        """The cost itself: NCP is a share already."""
        return self.cost

    @property
    def suppressed(self) -> int:
        """None: every transaction is published."""
        return 0

    @property
    def values_suppressed(self) -> int:
        """None."""
        return 0

    @cached_property
    def classes(self) -> int:
        """Different published transactions."""
        return len(self.found.published)

    @cached_property
    def audit(self) -> Audit:
        """What the independent check finds in the published transactions."""
        from sfumato.check.itemsets import audit_of

        return audit_of(self.found.published, self.problem.data.labels, self.problem.constraints)

    @property
    def attained(self) -> Mapping[str, Attained]:
        """The strongest parameter that each constraint's model reaches in the release."""
        return self.audit.attained

    @property
    def losses(self) -> Mapping[str, Mapping[str, float]]:
        """The loss of the release: by name, its value and its share of the worst."""
        cost = float(
            self.found.cost(self.problem.loss.worth(self.problem.data)) / self.problem.loss.whole(self.problem.data)
        )
        return {self.problem.loss.name: {"value": cost, "relative": cost}}

    @property
    def loss_per_attribute(self) -> Mapping[str, float]:
        """Not for transactions."""
        raise ProblemError("Transactions have no attributes; see solution.cost.")

    @property
    def utility(self) -> float:
        """Not for transactions."""
        raise ProblemError("Retained information is one of tables; see solution.cost.")

    def plan(self, seed: int | None = None) -> ReleasePlan:
        """Not for transactions."""
        raise ProblemError("Release plans are for tables; solution.recoding.published has the published transactions.")

    @property
    def found(self) -> Any:
        """The recoding, if there is one."""
        if self.recoding is None:
            raise InfeasibleError(f"There is nothing to release: {self.status.value}. {self.reason}")
        return self.recoding

    def release(self) -> Any:
        """The published transactions, in the kind they came in, checked; see `sfumato.itemset_release`."""
        from sfumato.itemset_release import release

        return release(self)

    def write(self, path: str | os.PathLike[str], *, spreadsheet_safe: bool = False, progress: Watcher = False) -> None:
        """Write the published transactions: lines of items (.txt, also .gz), or rows (.csv, .parquet)."""
        from sfumato.itemset_release import write

        if spreadsheet_safe:
            raise ProblemError("Transactions are not written for spreadsheets; leave spreadsheet_safe out.")
        write(self, path)

    def drafted(
        self, path: str | os.PathLike[str], *, spreadsheet_safe: bool = False, progress: Watcher = False
    ) -> AbstractContextManager[Draft]:
        """The release, written and checked, before it takes its name; see `sfumato.itemset_release.drafted`."""
        from sfumato.itemset_release import drafted

        return drafted(self, path)

    def apply(self, source: object, *, unknown: str = "error", violations: str = "suppress") -> Any:
        """Not for transactions: supports of other data are other ones."""
        raise ProblemError("A cut of items is found for its own transactions; solve a problem of the others.")

    def report(
        self,
        *paths: str | os.PathLike[str],
        released: str | os.PathLike[str] | None = None,
        project: Project | None = None,
        front: object = None,
        queries: object = (),
    ) -> None:
        """Write the report to each path, as HTML or JSON as its name ends; the rest is for tables."""
        from sfumato.report.transactions import write_itemset_report

        write_itemset_report(self, *paths, released=released, project=project)

    def to_json(self) -> dict[str, Any]:
        """All about the solution that may be told, for JSON; what there is not is null."""
        total, found = self.problem.data.total, self.recoding
        told = (None, None, None) if found is None else (total, 0, 0)
        return {
            "status": self.status.value,
            "algorithm": self.algorithm,
            "loss": {"name": self.problem.loss.name, "value": self.cost, "relative": self.relative},
            "bound": self.bound,
            "gap": self.gap,
            "recoding": None if found is None else found.to_json(),
            "examined": self.examined,
            "space": self.space if self.space < 10**300 else None,
            "seconds": self.seconds,
            "records": dict(zip(("in", "out", "suppressed", "values_suppressed"), (total, *told), strict=True)),
            "classes": None if found is None else self.classes,
            "attained": None if found is None else dict(self.attained),
        } | ({} if found else {"reason": self.reason})

    def __str__(self) -> str:
        effort = f"{self.examined:,} steps over {counted_off(self.space)} cuts in {self.seconds:.2f} s"
        if self.recoding is None:
            return f"{self.status.value}  {self.reason}\n{effort}"
        attained = "  ".join(
            f"{key} {', '.join(f'{name} = {value}' for name, value in values.items())}"
            for key, values in self.attained.items()
        )
        bound = "none" if self.bound is None else f"{self.bound:,.6g}"
        gap = "unknown" if self.gap is None else f"{self.gap:.1%}"
        return (
            f"{self.status.value}  cost {self.cost:,.6g} ({self.problem.loss.name})  bound {bound}  gap {gap}\n"
            f"{self.found}\n"
            f"release  {self.problem.data.total:,} transactions, {self.classes:,} different  {attained}\n"
            f"{effort}"
        )

    __repr__ = __str__
