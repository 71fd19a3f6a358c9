"""Run: one search under way, in C++ or in Python: its limits, the way it goes, who watches, and what it ends with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from threading import Lock
from typing import Any, Protocol

from sfumato.native import core as _core
from sfumato.native.limits import Limits
from sfumato.questions import Answer, Question, Status, TracePoint
from sfumato.settings.exact import rounded_down

_NO_LIMIT = 1 << 62  # steps


@dataclass(frozen=True)
class Progress:
    """How far a search has come."""

    seconds: float
    examined: int
    cost: float | None
    bound: float | None  # None for heuristics that prove nothing


class Units(Protocol):
    """What the core's whole units stand for, such as a `CoreLoss`."""

    def exact(self, units: int) -> Fraction:
        """The cost as a fraction."""
        ...


class CoreCosts:
    """Costs as the core counts them, in whole units, turned back into what they are."""

    def __init__(self, units: Units) -> None:
        self._units = units

    def exact(self, units: int) -> Fraction:
        """The cost as a fraction."""
        return self._units.exact(units)

    def reached(self, units: int) -> float | None:
        """The cost as a float, None where there is none yet."""
        return None if units >= _core.NO_COST else float(self.exact(units))

    def progress(self, now: _core.Progress) -> Progress:
        """The core's progress in the loss's own units."""
        return Progress(now.seconds, now.examined, self.reached(now.incumbent), rounded_down(self.exact(now.bound)))

    def trace(self, control: _core.Control) -> list[TracePoint]:
        """The way the search went."""
        points = [self.progress(point) for point in control.trace() if point.bound < _core.NO_COST]
        return [TracePoint(p.seconds, p.examined, p.cost, p.bound) for p in points]


class Run:
    """One search: in C++ `with run.core(costs) as …`, in Python `run.stopped` and `run.report` at every step."""

    def __init__(
        self, limits: Limits | None = None, watcher: Callable[[Progress], object] | None = None, seed: int = 0
    ) -> None:
        self.limits, self.watcher, self.seed = limits or Limits(), watcher, seed
        self.examined, self.interrupted = 0, False
        self.trace: list[TracePoint] = []
        self._in_core = 0.0  # seconds
        self._adding = Lock()
        self._under_way: set[_core.Control] = set()
        self._cancelled = False
        self._began: float | None = None  # when the part in Python did
        self._made = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has searched: since the part in Python began, or in the core alone."""
        return self._in_core if self._began is None else time.monotonic() - self._began

    @property
    def stopped(self) -> bool:
        """Whether a limit has been reached."""
        self.begin()
        most = self.limits.examined
        return self.seconds >= self.limits.seconds or (most is not None and self.examined >= most)

    def begin(self) -> None:
        """From now on all time counts."""
        if self._began is None:
            self._began = time.monotonic() - self._in_core

    def report(self, cost: Fraction | None, bound: Fraction | None) -> None:
        """Tell whoever watches how far the part in Python has come."""
        self.begin()
        if self.watcher is not None:
            self.watcher(Progress(self.seconds, self.examined, _float(cost), _float(bound)))

    def keep(self, cost: Fraction | None, bound: Fraction | None) -> None:
        """The same, for a moment that belongs to the trace."""
        self.trace.append(TracePoint(self.seconds, self.examined, _float(cost), _float(bound)))
        self.report(cost, bound)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """A part in Python that Ctrl-C ends: what it has so far counts."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True

    @contextmanager
    def core(
        self,
        costs: CoreCosts | None = None,
        *,
        threads: int | None = None,
        watched: bool = True,
        counted: bool = True,
    ) -> Iterator[tuple[_core.Control, Callable[[_core.Progress], object] | None]]:
        """Search control for a part in C++, with what is left of the limits; and what it calls with its progress.

        threads: if not those of the limits. watched, counted: whether its progress is shown, and its steps are counted.
        """
        control = self.control(threads)
        with self._adding:
            self._under_way.add(control)
            if self._cancelled:
                control.cancel()
        try:
            yield control, self._shown(costs) if watched else None
        finally:
            self._add(control, costs, counted=counted)

    def cancel(self) -> None:
        """Ends all parts in C++ that are under way, in whatever threads, and those that are still to come."""
        with self._adding:
            self._cancelled = True
            for control in self._under_way:
                control.cancel()

    def control(self, threads: int | None = None) -> _core.Control:
        """Search control with what is left of the limits."""
        limits = self.limits
        most = _NO_LIMIT if limits.examined is None else max(limits.examined - self.examined, 0)
        taken = max(self.seconds, time.monotonic() - self._made)  # to hand the problem over takes time, too
        left = max(limits.seconds - taken, 0.0)
        return _core.Control(left, most, limits.memory_left, threads or limits.threads)

    def _add(self, control: _core.Control, costs: CoreCosts | None, *, counted: bool) -> None:
        """What a part in C++ has taken."""
        end = control.progress()
        with self._adding:  # parts may run at a time
            self._under_way.discard(control)
            self.examined += end.examined if counted else 0
            self._in_core += end.seconds
            self.interrupted = self.interrupted or control.interrupted
            if costs is not None:
                self.trace += costs.trace(control)

    def answer(
        self,
        question: Question,
        algorithm: str,
        status: Status,
        recoding: Any,
        cost: Fraction | None,
        bound: Fraction | None = None,
        *,
        space: int | None = None,
        reason: str | None = None,
        minimal: Sequence[Mapping[str, int]] = (),
        others: Sequence[Answer] = (),
        more: bool = False,
        ranked: bool = False,
    ) -> Answer:
        """What the search ends with; a heuristic's trace is the moment it was done.

        ranked: the cheapest few are asked for, and those that follow the first are not proved to be the next ones.
        """
        if status is Status.FEASIBLE and not ranked and cost is not None and cost == bound:
            status = Status.OPTIMAL  # also where the search was stopped before it noticed
        trace = tuple(self.trace)
        if not trace and cost is not None:
            proved = None if bound is None else rounded_down(bound)
            trace = (TracePoint(self.seconds, self.examined, float(cost), proved),)
        return Answer(
            question=question,
            algorithm=algorithm,
            status=status,
            recoding=recoding,
            exact_cost=cost,
            exact_bound=None if status is Status.INFEASIBLE else bound,
            examined=self.examined,
            space=question.space if space is None else space,
            seconds=self.seconds,
            trace=trace,
            reason=self.reason(status, question) if reason is None else reason,
            interrupted=self.interrupted,
            minimal=minimal,
            others=others,
            more=more,
        )

    def reason(self, status: Status, question: Question) -> str:
        """Why there is nothing to release."""
        if status is Status.INFEASIBLE:
            return question.nearest()
        if status is Status.NO_SOLUTION_FOUND:
            why, then = ("Interrupted", "") if self.interrupted else ("The limit was reached", ": allow more time")
            return f"{why} before there was a solution{then}."
        return ""

    def _shown(self, costs: CoreCosts | None) -> Callable[[_core.Progress], object] | None:
        watcher = self.watcher
        if watcher is None:
            return None
        if costs is not None:
            return lambda now: watcher(costs.progress(now))
        return lambda now: watcher(Progress(now.seconds, now.examined, None, None))


def status_of(*, valid: bool, complete: bool) -> Status:
    """What an exact search may claim: whether it has something valid, and whether it has looked at everything."""
    if valid:
        return Status.OPTIMAL if complete else Status.FEASIBLE
    return Status.INFEASIBLE if complete else Status.NO_SOLUTION_FOUND


def _float(number: Fraction | None) -> float | None:
    return None if number is None else float(number)
