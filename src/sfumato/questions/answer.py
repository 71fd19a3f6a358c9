"""Answer: what a search chose for one question, what it costs, and how good that is proved to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import log10
from typing import Any

from sfumato.data.pre_generalised import stated_levels
from sfumato.errors import InfeasibleError
from sfumato.privacy.base import Attained
from sfumato.questions.base import Question
from sfumato.settings.exact import rounded_down

_LONGEST_NUMBER = 10_000  # bits of a number that is written out


class Status(StrEnum):
    """How a search ended."""

    OPTIMAL = "optimal"  # proved: nothing cheaper exists
    FEASIBLE = "feasible"  # stopped, or a heuristic; the bound, if there is one, says how far from the least it may be
    INFEASIBLE = "infeasible"  # proved: nothing satisfies the constraints
    NO_SOLUTION_FOUND = "no_solution_found"  # stopped before there was a solution


@dataclass(frozen=True)
class TracePoint:
    """Where a search stood at some moment."""

    seconds: float
    examined: int
    cost: float | None
    bound: float | None  # None for heuristics that prove nothing


@dataclass(frozen=True, eq=False)
class Answer:
    """What a search ended with. Never None: without a solution, the status says so, and `reason` why."""

    question: Question  # bound
    algorithm: str
    status: Status
    recoding: Any = None  # None if there is nothing to publish
    exact_cost: Fraction | None = None
    exact_bound: Fraction | None = None  # None for infeasible problems, and for heuristics that prove nothing
    examined: int = 0
    space: int = 0
    seconds: float = 0.0
    trace: Sequence[TracePoint] = ()
    reason: str = ""
    interrupted: bool = False
    # Valid nodes with no valid node below them, cheapest first: all that the search promises, none if it was stopped.
    minimal: Sequence[Mapping[str, int]] = ()
    others: Sequence[Answer] = ()  # the next cheapest, if the search was to find several
    more: bool = False  # whether it was to find all, and there are more than these

    @property
    def cost(self) -> float | None:
        """The loss, as its paper writes it."""
        return None if self.exact_cost is None else float(self.exact_cost)

    @property
    def bound(self) -> float | None:
        """Nothing costs less than this; None while nothing is proved."""
        if self.exact_bound == self.exact_cost:
            return self.cost
        return None if self.exact_bound is None else rounded_down(self.exact_bound)

    @property
    def gap(self) -> float | None:
        """cost / bound - 1: how far above the least it may be; None while that is unknown."""
        if self.exact_cost is None or self.exact_bound is None:
            return None
        if self.exact_cost == self.exact_bound:
            return 0.0
        return float(self.exact_cost / self.exact_bound - 1) if self.exact_bound > 0 else None

    @cached_property
    def relative(self) -> float | None:
        """What is lost as a share of the detail there was: one measure across recodings, whatever was minimised."""
        if self.exact_cost is None:
            return None
        return float(self.question.share_lost(self.chosen, self.exact_cost))

    @property
    def chosen(self) -> Any:
        """The recoding; an InfeasibleError if there is none."""
        if self.recoding is None:
            raise InfeasibleError(f"There is nothing to release: {self.status.value}. {self.reason}")
        return self.recoding

    @cached_property
    def suppressed(self) -> int:
        """Records left out of the release."""
        return self.question.withheld(self.chosen)[0]

    @cached_property
    def values_suppressed(self) -> int:
        """Sensitive values that are published as *."""
        return self.question.withheld(self.chosen)[1]

    @cached_property
    def classes(self) -> int:
        """Published equivalence classes, or different published sets."""
        return self.question.classes(self.chosen)

    @cached_property
    def attained(self) -> Mapping[str, Attained]:
        """The strongest parameters that each constraint's model reaches in what is published."""
        return self.question.attained(self.chosen)

    @cached_property
    def losses(self) -> Mapping[str, Mapping[str, float]]:
        """Every loss of what is published, whatever was minimised: by name, its value and its share of the worst."""
        return self.question.losses(self.chosen)

    @cached_property
    def loss_per_attribute(self) -> Mapping[str, float]:
        """How much of each quasi-identifier's detail is lost, from 0 to 1, as LM counts it with suppressed records."""
        return self.question.loss_per_attribute(self.chosen)

    def to_json(self) -> dict[str, Any]:
        """All about the answer that may be published, for JSON; what there is not is null."""
        records, recoding, coarser = self.question.records, self.recoding, dict(self.question.counted_at)
        there = recoding is not None
        return {
            "status": self.status.value,
            "algorithm": self.algorithm,
            "loss": {"name": self.question.loss.name, "value": self.cost, "relative": self.relative},
            "bound": self.bound,
            "gap": self.gap,
            "recoding": recoding.to_json() if there else None,
            "examined": self.examined,
            "space": self.space if self.space.bit_length() < _LONGEST_NUMBER else None,
            "seconds": self.seconds,
            "records": {
                "in": records,
                "out": records - self.suppressed if there else None,
                "suppressed": self.suppressed if there else None,
                "values_suppressed": self.values_suppressed if there else None,
            },
            "classes": self.classes if there else None,
            "attained": dict(self.attained) if there else None,
            "losses": dict(self.losses) if there else None,
            "loss_per_attribute": dict(self.loss_per_attribute) if there else None,
            **({"more": True} if self.more else {}),
            **({"pre_generalised": coarser} if coarser else {}),
        }

    @property
    def priced(self) -> str:
        """What it costs, and what is proved of that, in one line."""
        bound = "none" if self.bound is None else f"{self.bound:,.6g}"
        gap = "unknown" if self.gap is None else f"{self.gap:.1%}"
        if self.relative is None:
            return "no cost"
        return f"cost {self.cost:,.6g} ({self.question.lost(self.relative)})  bound {bound}  gap {gap}"

    @property
    def released(self) -> str:
        """What is released, in one line."""
        return self.question.described(self.classes, (self.suppressed, self.values_suppressed))

    @property
    def effort(self) -> str:
        """How much was looked at, in one line."""
        noun = self.question.noun
        more = f"; of the cheapest there are more than the {1 + len(self.others):,} that were kept" if self.more else ""
        levels = self.question.counted_at
        among = f"\nof recodings at least as coarse as {stated_levels(levels)} (pre-generalised)" if levels else ""
        return f"{self.examined:,} of {counted_off(self.space)} {noun} examined in {self.seconds:.2f} s{more}{among}"


def counted_off(space: int) -> str:
    """The size of a search space: in full, or its order where that would fill a line."""
    return f"{space:,}" if space < 10**18 else f"about 10^{int(space.bit_length() * log10(2))}"
