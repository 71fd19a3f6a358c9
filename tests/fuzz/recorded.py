"""Calls of the core as solving makes them, kept so that they can be made again with something wrong in them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import isclass
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

import sfumato as sf
from sfumato import _core
from sfumato.native import core
from sfumato.testing.brute_force_items import random_items
from sfumato.testing.random_boxes import box_problem
from sfumato.testing.random_cuts import cut_problem
from sfumato.testing.random_problems import any_problem, random_problem

SECONDS = 1.0  # for a search


@dataclass(frozen=True)
class Call:
    """A function or class of the core, or a method of what another call made, with its arguments: calls among them."""

    name: str
    arguments: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    of: Call | None = None

    def __repr__(self) -> str:
        shown = ", ".join([*map(repr, self.arguments), *(f"{key}={value!r}" for key, value in self.named.items())])
        return f"{self.of!r}.{self.name}({shown})" if self.of else f"{self.name}({shown})"


class Recorder:
    """The core, with all calls kept."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._made: dict[int, tuple[object, Call]] = {}  # what calls made; it stays, so that no other has its number

    def __getattr__(self, name: str) -> Any:
        real = getattr(_core, name)
        return real if not callable(real) or hasattr(real, "__members__") else self._recording(name, real)

    def _recording(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            made = Call(name, self._as_calls(arguments), {key: self._as_calls(value) for key, value in named.items()})
            self.calls.append(made)
            result = real(*arguments, **named)
            if isclass(real):
                self._made[id(result)] = (result, made)
            return result

        return call

    def _as_calls(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(self._as_calls, value))
        if id(value) in self._made:
            return self._made[id(value)][1]
        return None if callable(value) and not hasattr(value, "__array__") else value  # how a search tells its progress


def recorded(random: Random, rounds: int) -> list[Call]:
    """The calls that some searches of each kind make, and methods of what they make."""
    recorder = Recorder()
    with patch.object(core, "_loaded", lambda: recorder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(rounds):
            for solve in (_levels, _levels, _cuts, _boxes, _local, _fronts, _transactions):
                with suppress(sf.SfumatoError):
                    solve(random)
    return [*recorder.calls, *(method for call in recorder.calls for method in _methods(random, call))]


def _levels(random: Random) -> None:
    problem = any_problem(random, (5, 20)).problem
    algorithm = random.choice([sf.LatticeSearch(), sf.Incognito(), sf.Samarati(), sf.Datafly(), None])
    if isinstance(algorithm, sf.Incognito | sf.Samarati) and random.random() < 0.7:
        problem = sf.Problem(problem.data, [sf.KAnonymity(2)])
    problem.solve(algorithm, threads=1, time_limit=SECONDS)


def _cuts(random: Random) -> None:
    cut_problem(random, (5, 20)).problem.solve(threads=1, time_limit=SECONDS)


def _boxes(random: Random) -> None:
    algorithm = random.choice([sf.GenSearch(), sf.Mondrian()])
    box_problem(random).problem.solve(algorithm, threads=1, time_limit=SECONDS)


def _local(random: Random) -> None:
    table = random_problem(random, (5, 20)).problem.data
    sweeping = random.random() < 0.5
    model: Any = (
        sf.TauLDiversity("s", "1/2", 2) if sweeping else random.choice([sf.KAnonymity(2), sf.LDiversity("s", 2)])
    )
    algorithm = sf.SequentialSweep() if sweeping else sf.LocalSearch()
    sf.Problem(table, [model], recoding=sf.Local()).solve(algorithm, threads=1, time_limit=SECONDS)


def _fronts(random: Random) -> None:
    table = random_problem(random, (5, 20)).problem.data
    vary: Any = random.choice(
        [
            "k",
            (sf.LDiversity("s", 2), "l"),
            (sf.EntropyLDiversity("s", 2), "l"),
            (sf.DistinctLDiversity("s", 2), "l"),
            (sf.TCloseness("s", 1, random.choice(["equal", "ordered"])), "t"),
        ]
    )
    fixed = [sf.KAnonymity(2)] if vary != "k" else []
    poka = sf.POkA() if vary == "k" and random.random() < 0.5 else None
    sf.tradeoff(table, vary, constraints=fixed, algorithm=poka, threads=1, time_limit=SECONDS)


def _transactions(random: Random) -> None:
    data = random_items(random).transactions
    algorithm = random.choice([sf.AA(), sf.DA(), sf.OA(), sf.HittingSet(), None])
    sf.Problem(data, [sf.KmAnonymity(2, 2)]).solve(algorithm, threads=1, time_limit=SECONDS)


def _methods(random: Random, call: Call) -> Iterator[Call]:
    """Methods of what a call makes, with what they might be asked."""
    counts = np.array([random.randint(0, 3) for _ in range(random.randint(0, 4))], dtype=np.int64)
    if isinstance(getattr(_core, call.name), type) and issubclass(getattr(_core, call.name), _core.ClassModel):
        for method in ("holds", "publishable"):
            yield Call(method, (int(counts.sum()), counts, 1, 9), of=call)
    elif isinstance(getattr(_core, call.name), type) and issubclass(getattr(_core, call.name), _core.ClassLoss):
        yield Call("of", (int(counts.sum()), counts), of=call)
    elif call.name == "Baskets":
        closed = np.array([random.randint(0, 1) for _ in call.arguments[0]], dtype=np.uint8)
        yield Call("supported", ([0, 1], 2), of=call)
        yield Call("cost", (closed,), of=call)
        yield Call("holds", (closed, 2, 2), of=call)
        yield Call("clauses", (closed, 2, 2, 2, 10, 10, closed), of=call)
    elif call.name == "FrontNodes":
        yield Call("at", (call.arguments[5],), of=call)
    elif call.name in {"front", "lattice_search"}:
        frequencies, loss = (
            call.arguments[0],
            next(part for part in call.arguments if getattr(part, "name", "") == "Loss"),
        )
        yield Call("dearest", (frequencies,), of=loss)
        counted = [[random.randint(0, 3) for _ in column] for column in [[1], [2]]]
        yield Call("level_costs", (frequencies, counted), of=loss)
