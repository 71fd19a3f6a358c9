"""Solution: what a search found, how good it is, and the proof of how good it could be at best."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import log10
from typing import TYPE_CHECKING, Any

from sfumato.engines import ReleasePlan, Watcher
from sfumato.errors import InfeasibleError, ProblemError
from sfumato.loss import (
    LM,
    AverageClassSize,
    Classification,
    Discernibility,
    Loss,
    NonUniformEntropy,
    Precision,
    RetainedInformation,
)
from sfumato.privacy.base import Attained, census_among, keys
from sfumato.problem import Problem
from sfumato.recoding import FullDomainRecoding, FullSubtreeRecoding, Recoded
from sfumato.settings.exact import rounded_down

if TYPE_CHECKING:
    from sfumato.evaluate import CountQuery
    from sfumato.front.front import ParetoFront
    from sfumato.project import Project
    from sfumato.release import Draft

_LONGEST_NUMBER = 10_000  # bits of a number that is written out


class Status(StrEnum):
    """How a search ended."""

    OPTIMAL = "optimal"  # proved: nothing cheaper exists
    FEASIBLE = "feasible"  # stopped, or a heuristic; the bound, if there is one, says how far from the least it may be
    INFEASIBLE = "infeasible"  # proved: nothing satisfies the constraints
    NO_SOLUTION_FOUND = "no_solution_found"  # stopped before anything was found


@dataclass(frozen=True)
class TracePoint:
    """Where a search stood at some moment."""

    seconds: float
    examined: int
    cost: float | None
    bound: float | None  # None for heuristics that prove nothing


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer to a problem. Never None: if nothing was found, the status says so, and `reason` why."""

    problem: Problem
    algorithm: str
    status: Status
    recoding: Recoded | None
    exact_cost: Fraction | None  # None while nothing is found
    exact_bound: Fraction | None  # None for infeasible problems, and for heuristics that prove nothing
    examined: int
    space: int
    seconds: float
    trace: Sequence[TracePoint]
    seed: int = 0
    reason: str = ""
    interrupted: bool = False
    # Valid nodes with no valid node below them, cheapest first: all that the search promises, none if it was stopped.
    minimal: Sequence[Mapping[str, int]] = ()
    others: Sequence[Solution] = ()  # the next cheapest, if the search was asked for several

    @property
    def cost(self) -> float | None:
        """The loss, as its paper writes it."""
        return None if self.exact_cost is None else float(self.exact_cost)

    @property
    def bound(self) -> float | None:
        """No solution costs less than this; None while nothing is proved."""
        if self.exact_bound == self.exact_cost:
            return self.cost
        return None if self.exact_bound is None else rounded_down(self.exact_bound)

    @property
    def gap(self) -> float | None:
        """cost / bound - 1: how much dearer than the least it may be; None while that is unknown."""
        if self.exact_cost is None or self.exact_bound is None:
            return None
        if self.exact_cost == self.exact_bound:
            return 0.0
        return float(self.exact_cost / self.exact_bound - 1) if self.exact_bound > 0 else None

    @property
    def relative(self) -> float | None:
        """The cost as a share of the detail there was."""
        if self.exact_cost is None:
            return None
        return float(self.problem.loss.relative(self.exact_cost, self.problem.data.frequencies))

    @cached_property
    def utility(self) -> float:
        """um: the share of the input's information that the release retains (`RetainedInformation`)."""
        frequencies = self.problem.data.frequencies
        lost = RetainedInformation().cost(frequencies, self.found.summaries(frequencies), self.suppressed)
        return float(1 - lost)

    @cached_property
    def suppressed(self) -> int:
        """Records left out of the release."""
        return self.found.withheld_records(self.problem.data.frequencies)

    @cached_property
    def values_suppressed(self) -> int:
        """Sensitive values that are published as *."""
        return self.found.withheld_values()

    @cached_property
    def classes(self) -> int:
        """Published equivalence classes."""
        return len(self._classes.sizes)

    @cached_property
    def attained(self) -> Mapping[str, Attained]:
        """The strongest parameter that each constraint's model reaches in the release."""
        models = self.problem.constraints
        reads = {model.reads for model in models} - {None}
        named = [name for name in reads if name is not None]
        if any(model.measures for model in models):  # what is printed counts
            summaries = self.found.summaries(self.problem.data.frequencies, named)
        else:
            summaries = self._classes.summaries(named)
        return {key: model.attained(summaries) for key, model in zip(keys(models), models, strict=True)}

    @cached_property
    def losses(self) -> Mapping[str, Mapping[str, float]]:
        """Every loss of the release, whatever was minimised: by name, its value and its share of the worst."""
        frequencies, target = self.problem.data.frequencies, self.problem.data.target
        own = self.problem.loss
        usual: list[Loss] = [LM(), Discernibility(), Precision(), AverageClassSize(), NonUniformEntropy()]
        usual += [Classification()] if target in {column.name for column in frequencies.others} else []
        found = {own.name: own} | {loss.name: loss for loss in usual if loss.name != own.name}
        if isinstance(own, LM) and {own.record, own.value} - {None, 1}:
            found["lm, record = 1"] = LM(own.weights)  # for comparison with other recodings
        reads = {name for loss in found.values() if (name := loss.reads(frequencies)) is not None}
        classes = self.found.summaries(frequencies, reads)
        costs = {name: loss.cost(frequencies, classes, self.suppressed) for name, loss in found.items()}
        return {
            name: {"value": float(cost), "relative": float(found[name].relative(cost, frequencies))}
            for name, cost in sorted(costs.items())
        }

    @cached_property
    def loss_per_attribute(self) -> Mapping[str, float]:
        """How much of each quasi-identifier's detail is lost, from 0 to 1, as LM counts it with suppressed records."""
        frequencies = self.problem.data.frequencies
        classes = self.found.summaries(frequencies)
        lost = {}
        for a, attribute in enumerate(frequencies.quasi_identifiers):
            most = len(attribute.hierarchy.leaves) - 1
            further = sum(summary.size * (summary.leaves[a] - 1) for summary in classes) + self.suppressed * most
            share = further / (most * frequencies.records) if most and frequencies.records else 0
            lost[attribute.name] = float(share)
        return lost

    @property
    def reference(self) -> Mapping[str, Mapping[str, int]]:
        """The input's distributions that constraints compare with: `check` asks for them."""
        bound = [model.reference for model in self.problem.constraints]
        return {known.name: dict(known.counts) for known in bound if known is not None}

    @property
    def levels(self) -> Mapping[str, int]:
        """The level of each quasi-identifier, in full-domain recoding; 0 is as it is."""
        if not isinstance(self.found, FullDomainRecoding):
            raise ProblemError(f"{self.problem.recoding.name} recoding has no levels; see solution.recoding.")
        return self.found.levels

    @property
    def cuts(self) -> Mapping[str, Sequence[str]]:
        """The labels of each quasi-identifier's cut, in full-subtree recoding; leaves may be values of the data."""
        if not isinstance(self.found, FullSubtreeRecoding):
            raise ProblemError(f"{self.problem.recoding.name} recoding has no cuts; see solution.recoding.")
        return self.found.cuts

    @property
    def top(self) -> Sequence[Solution]:
        """The cheapest solutions that were asked for, this one first."""
        return (self, *self.others) if self.recoding is not None else ()

    def pick(self, seed: int) -> Solution:
        """One of the top solutions at random: who knows that the best was published might infer what is hidden."""
        from random import Random

        if self.recoding is None:
            raise InfeasibleError(f"There is nothing to pick from: {self.status.value}. {self.reason}")
        place = Random(f"pick/{seed}").randrange(1 + len(self.others))  # noqa: S311 - no secret
        return self.others[place - 1] if place else self

    def blur(self, seed: int, steps: int = 1) -> Solution:
        """A solution further generalised at random; see `sfumato.algorithms.blur`."""
        from sfumato.algorithms.blur import blurred

        return blurred(self, seed, steps)

    def plan(self, seed: int | None = None) -> ReleasePlan:
        """What is published in place of every combination of values."""
        return self.table_plan(seed)

    def table_plan(self, seed: int | None = None) -> ReleasePlan:
        """The same without columns of sets."""
        return self.found.plan(self.problem.data, self.seed if seed is None else seed)

    def release(self) -> Any:
        """The published data, in the kind the data came in, checked; see `sfumato.release`."""
        from sfumato.release import release

        return release(self)

    def write(self, path: str | os.PathLike[str], *, spreadsheet_safe: bool = False, progress: Watcher = False) -> None:
        """Write the published data to a file (.csv, .csv.gz, .parquet, .duckdb) that appears whole and checked."""
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

    def report(
        self,
        *paths: str | os.PathLike[str],
        released: str | os.PathLike[str] | None = None,
        project: Project | None = None,
        front: ParetoFront | None = None,
        queries: Sequence[CountQuery | str] = (),
    ) -> None:
        """Write the report to each path, as HTML or JSON as its name ends; see `sfumato.report.write_report`."""
        from sfumato.report import write_report

        write_report(self, *paths, released=released, project=project, front=front, queries=queries)

    def to_json(self) -> dict[str, Any]:
        """All about the solution that may be told, for JSON; what there is not is null."""
        records, found = self.problem.data.frequencies.records, self.recoding
        return (
            {
                "status": self.status.value,
                "algorithm": self.algorithm,
                "loss": {"name": self.problem.loss.name, "value": self.cost, "relative": self.relative},
                "bound": self.bound,
                "gap": self.gap,
                "recoding": found and found.to_json(),
                "examined": self.examined,
                "space": self.space if self.space.bit_length() < _LONGEST_NUMBER else None,
                "seconds": self.seconds,
                "records": {
                    "in": records,
                    "out": found and records - self.suppressed,
                    "suppressed": found and self.suppressed,
                    "values_suppressed": found and self.values_suppressed,
                },
                "classes": found and self.classes,
                "attained": found and dict(self.attained),
                "losses": found and dict(self.losses),
                "loss_per_attribute": found and dict(self.loss_per_attribute),
            }
            | ({"reference": self.reference} if self.reference else {})
            | ({"minimal": [dict(levels) for levels in self.minimal]} if self.minimal else {})
            | ({} if found else {"reason": self.reason})
        )

    def __str__(self) -> str:
        effort = f"{self.examined:,} of {counted_off(self.space)} nodes examined in {self.seconds:.2f} s"
        if self.recoding is None:
            return f"{self.status.value}  {self.reason}\n{effort}"
        records = self.problem.data.frequencies.records
        attained = "  ".join(
            f"{key} {name} = {value}" for key, values in self.attained.items() for name, value in values.items()
        )
        bound = "none" if self.bound is None else f"{self.bound:,.6g}"
        gap = "unknown" if self.gap is None else f"{self.gap:.1%}"
        hidden = f", {self.values_suppressed:,} values printed as *" if self.values_suppressed else ""
        loss = f"{self.problem.loss.name}, {self.relative:.2%} of all detail"
        return (
            f"{self.status.value}  cost {self.cost:,.6g} ({loss})  bound {bound}  gap {gap}\n"
            f"{self.found}\n"
            f"release  {records - self.suppressed:,} of {records:,} records in {self.classes:,} classes, "
            f"{self.suppressed:,} suppressed{hidden}  {attained}\n"
            f"{effort}"
        )

    __repr__ = __str__

    @property
    def found(self) -> Recoded:
        """The recoding, if there is one."""
        if self.recoding is None:
            raise InfeasibleError(f"There is nothing to release: {self.status.value}. {self.reason}")
        return self.recoding

    @cached_property
    def _classes(self) -> Any:
        return self.found.classes(self.problem.data.frequencies, census_among(self.problem.constraints))


def counted_off(space: int) -> str:
    """The size of a search space: in full, or its order where that would fill a line."""
    return f"{space:,}" if space < 10**18 else f"about 10^{int(space.bit_length() * log10(2))}"
