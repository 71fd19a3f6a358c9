"""An algorithm: one published search. It says which problems it accepts, and why not."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from sfumato.loss import CoreLoss
from sfumato.privacy.base import census_among, keys
from sfumato.problem import Problem
from sfumato.settings.exact import rounded_down
from sfumato.solution import Solution, Status, TracePoint

if TYPE_CHECKING:
    from sfumato import _core


@dataclass(frozen=True)
class Progress:
    """How far a search has come."""

    seconds: float
    examined: int
    cost: float | None
    bound: float | None  # None for heuristics that prove nothing


@dataclass(frozen=True)
class Limits:
    """When a search stops, and what it may use."""

    seconds: float = inf
    examined: int | None = None
    memory: int = 1 << 30
    threads: int = 1

    def control(self) -> _core.Control:
        """The search control that the core shares with whoever watches."""
        from sfumato import _core

        return _core.Control(
            self.seconds, (1 << 62) if self.examined is None else self.examined, self.memory, self.threads
        )


@runtime_checkable
class Algorithm(Protocol):
    """One published search."""

    name: ClassVar[str]

    def accepts(self, problem: Problem) -> str | None:
        """None if it solves such problems, else why not."""
        ...

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        """Search, and say what was found and proved."""
        ...


@runtime_checkable
class Spacious(Protocol):
    """An algorithm whose candidates are not those of the recoding alone."""

    def space(self, problem: Problem) -> int:
        """How many there are."""
        ...


def cores() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class CoreCosts:
    """Costs as the core counts them, in whole units, turned back into what they are."""

    def __init__(self, loss: CoreLoss, no_cost: int) -> None:
        self._loss, self._no_cost = loss, no_cost

    def exact(self, units: int) -> Fraction:
        """The cost as a fraction."""
        return self._loss.exact(units)

    def known(self, units: int) -> float | None:
        """The cost as a float, None where there is none yet."""
        return None if units >= self._no_cost else float(self.exact(units))

    def progress(self, now: _core.Progress) -> Progress:
        """The core's progress in the loss's own units."""
        return Progress(now.seconds, now.examined, self.known(now.incumbent), rounded_down(self.exact(now.bound)))

    def trace(self, control: _core.Control) -> tuple[TracePoint, ...]:
        """The way the search went."""
        points = [self.progress(point) for point in control.trace() if point.bound < self._no_cost]
        return tuple(TracePoint(p.seconds, p.examined, p.cost, p.bound) for p in points)


def status_of(*, found: bool, complete: bool) -> Status:
    """What a search may claim."""
    if found:
        return Status.OPTIMAL if complete else Status.FEASIBLE
    return Status.INFEASIBLE if complete else Status.NO_SOLUTION_FOUND


def reason_of(status: Status, problem: Problem, *, interrupted: bool) -> str:
    """Why there is nothing to release."""
    if status is Status.INFEASIBLE:
        return _nearest(problem)
    if status is Status.NO_SOLUTION_FOUND:
        return "Interrupted before anything was found." if interrupted else "The limit came first: allow more time."
    return ""


def _nearest(problem: Problem) -> str:
    """What would do instead: the most general choice shows what can be reached, and at what price."""
    frequencies, models, recoding = problem.data.frequencies, problem.constraints, problem.recoding
    found = recoding.most_general(frequencies, models)
    if found is None:
        return f"Nothing that {recoding.name} recoding allows satisfies the constraints; ask for less."
    top, violating = found
    suppression = recoding.suppressing
    allowed = suppression.records(frequencies.records)
    reads = {model.reads for model in models if model.reads is not None}
    classes = (
        top.summaries(frequencies, reads)
        if any(model.measures for model in models)
        else top.classes(frequencies, census_among(models)).summaries(reads)
    )
    broken = [
        (key, model) for key, model in zip(keys(models), models, strict=True) if not all(map(model.holds, classes))
    ]
    attained = {key: model.attained(classes) for key, model in broken}
    reached = [
        f"{key} {', '.join(f'{name} = {value}' for name, value in told.items())}" for key, told in attained.items()
    ]
    weaker = (
        "" if any(value is None for told in attained.values() for value in told.values()) else " and ".join(reached)
    )
    share = ceil(Fraction(1000 * violating, frequencies.records)) / 10
    return (
        f"Even at the highest levels {violating:,} records violate, and only {allowed:,} may be suppressed. "
        f"What would do: {f'{weaker}, which those levels reach; or ' if weaker else ''}{recoding.instead(share)}."
    )
