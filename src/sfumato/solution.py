"""Solution: a problem, an answer to each of its questions, and one plan of what is released."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from sfumato.deal import ReleaseCounts, plan_of
from sfumato.engines import ReleasePlan, Watcher
from sfumato.errors import InfeasibleError, ProblemError
from sfumato.privacy.base import Attained
from sfumato.problem import Problem
from sfumato.questions import Answer, Answered, Status
from sfumato.settings.exact import LARGEST_SEED, Number, whole

if TYPE_CHECKING:
    from sfumato.engines.protocol import Location
    from sfumato.release import DbtExport, Draft, Name, Types
    from sfumato.report import CountQuery, ParetoFront, Project


@dataclass(frozen=True, eq=False)
class Solution(Answered):
    """The answers to a problem. Never None: without one, the status says so, and `reason` why.

    What it says of costs, bounds and classes is about the first question: the quasi-identifiers, or the items of
    transactions. `sets` has the answers about columns of sets: their loss is the least for the records published, if
    their own status says `optimal`. The status here is `optimal` if all are.
    """

    problem: Problem
    answers: tuple[Answer, ...]
    seed: int = 0
    others: Sequence[Solution] = ()  # the next cheapest, if the search was to find several
    counts: ReleaseCounts | None = field(default=None, repr=False)  # which records are published with which sets

    @cached_property
    def sets(self) -> Mapping[str, Answer]:
        """The answer about each column of sets."""
        return {str(one.question.column): one for one in self.answers if one.question.column is not None}

    @property
    def status(self) -> Status:
        """How the search ended."""
        unproved = self.answer.status is Status.OPTIMAL and any(
            one.status is not Status.OPTIMAL for one in self.answers
        )
        return Status.FEASIBLE if unproved else self.answer.status

    @property
    def seconds(self) -> float:
        """How long the searches took."""
        return sum(one.seconds for one in self.answers)

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped a search."""
        return any(one.interrupted for one in self.answers)

    @cached_property
    def attained(self) -> Mapping[str, Attained]:
        """The strongest parameter that each constraint's model reaches; beside others, of sets with their column."""
        of_sets = {f"{key} ({one.question.column})": v for one in self.answers[1:] for key, v in one.attained.items()}
        return {**self.answer.attained, **of_sets}

    @property
    def levels(self) -> Mapping[str, int]:
        """The level of each quasi-identifier, in full-domain recoding; 0 is as it is."""
        levels: Mapping[str, int] | None = getattr(self.chosen, "as_node", None)
        if levels is None:
            raise ProblemError(f"{self.question.recoding.name} recoding has no levels; see solution.recoding.")
        return levels

    @property
    def cuts(self) -> Mapping[str, Sequence[str]]:
        """The labels of each quasi-identifier's cut, in full-subtree recoding; leaves may be values of the data."""
        if (cut := getattr(self.chosen, "as_cut", None)) is None:
            raise ProblemError(f"{self.question.recoding.name} recoding has no cuts; see solution.recoding.")
        cuts: Mapping[str, Sequence[str]] = cut.cuts
        return cuts

    @property
    def top(self) -> Sequence[Solution]:
        """The cheapest solutions that the search was to find, this one first."""
        return (self, *self.others) if self.recoding is not None else ()

    def pick(self, seed: int) -> Solution:
        """One of the top solutions at random: who knows that the best was published might infer what is hidden."""
        if self.recoding is None:
            raise InfeasibleError(f"There is nothing to pick from: {self.status.value}. {self.reason}")
        place = Random(f"pick/{whole(seed, 'seed', 0, LARGEST_SEED)}").randrange(1 + len(self.others))  # noqa: S311 - no secret
        return self.others[place - 1] if place else self

    def blur(self, seed: int, steps: int = 1, suppress: Number = 0) -> Solution:
        """A solution further generalised, and suppressed, at random; see `sfumato.release.blur`."""
        from sfumato.release import blur

        return blur(self, seed, steps, suppress)

    def plan(self, seed: int | None = None) -> ReleasePlan:
        """What is published in place of every combination of values and sets."""
        return self._plan if seed is None else replace(self._plan, seed=seed)

    def table_plan(self) -> ReleasePlan:
        """The same without the columns of sets."""
        plan: ReleasePlan = self.question.plan(self.chosen, self.seed)
        return plan

    @cached_property
    def _plan(self) -> ReleasePlan:
        return plan_of(self.problem.data, self.answers, self.seed, self.counts)

    def release(self) -> Any:
        """The published data, in the kind the data came in, checked; see `sfumato.release`."""
        from sfumato.release import release

        return release(self)

    def write(self, path: str | os.PathLike[str], *, spreadsheet_safe: bool = False, progress: Watcher = False) -> None:
        """Write the published data to a file that appears whole and checked; see `sfumato.release.write`."""
        from sfumato.release import write

        write(self, path, spreadsheet_safe=spreadsheet_safe, progress=progress)

    def drafted(
        self, path: str | os.PathLike[str], *, spreadsheet_safe: bool = False, progress: Watcher = False
    ) -> AbstractContextManager[Draft]:
        """The release, written and checked, before it takes its name; see `sfumato.release.drafted`."""
        from sfumato.release import drafted

        return drafted(self, path, spreadsheet_safe=spreadsheet_safe, progress=progress)

    def apply(self, source: object, *, unknown: str = "error", violations: str = "suppress") -> Any:
        """The same recoding on other data; see `sfumato.release.apply`."""
        from sfumato.release import apply

        return apply(self, source, unknown=unknown, violations=violations)

    def to_sql(self, dialect: str, *, table: Name = None, view: Name = None, types: Types = None) -> str:
        """The recoding as SQL: lookup tables, and a view that publishes the same rows; see `sfumato.export.to_sql`."""
        from sfumato.release import to_sql

        return to_sql(self, dialect, table=table, view=view, types=types)

    def to_dbt(
        self, folder: Location, dialect: str = "postgres", *, table: Name = None, view: Name = None, types: Types = None
    ) -> DbtExport:
        """The same as part of a dbt project, with tests of the requirements; see `sfumato.export.to_dbt`."""
        from sfumato.release import to_dbt

        return to_dbt(self, folder, dialect, table=table, view=view, types=types)

    def report(
        self,
        *paths: str | os.PathLike[str],
        released: str | os.PathLike[str] | None = None,
        project: Project | None = None,
        front: ParetoFront | None = None,
        queries: Sequence[CountQuery | str] = (),
        without_reference: bool = False,
    ) -> None:
        """Write the report to each path, as HTML or JSON as its name ends; see `sfumato.report.write_report`."""
        from sfumato.report import write_report

        more: Any = {"front": front, "queries": queries, "without_reference": without_reference}
        write_report(self, *paths, released=released, project=project, **more)

    def to_json(self) -> dict[str, Any]:
        """All about the solution that may be published, for JSON; what there is not is null."""
        there = self.recoding is not None
        stated = self.answer.to_json() | {"status": self.status.value, "seconds": self.seconds}
        stated |= {"attained": dict(self.attained)} if there else {"reason": self.reason}
        stated |= {"reference": self.reference} if self.reference else {}
        stated |= {"minimal": [dict(levels) for levels in self.minimal]} if self.minimal else {}
        beside = {str(one.question.column): one.to_json() for one in self.answers[1:]}
        return stated | ({"sets": beside} if beside else {})

    def __str__(self) -> str:
        answer = self.answer
        if answer.recoding is None:
            return f"{self.status.value}  {self.reason}\n{answer.effort}"
        attained = "  ".join(
            f"{key} {', '.join(f'{name} = {value}' for name, value in values.items())}"
            for key, values in self.attained.items()
        )
        lines = [f"{self.status.value}  {answer.priced}", str(answer.chosen)]
        lines += [f"{answer.released}  {attained}", answer.effort]
        for one in self.answers[1:]:
            column = one.question.column
            lines += [f"{column}  {one.status.value}  {one.priced}", f"{column}  {one.chosen}"]
        return "\n".join(lines)

    __repr__ = __str__
