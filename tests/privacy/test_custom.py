"""Models of your own: a few lines of Python, searched, released and checked like any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import pytest

import sfumato as sf
from sfumato.data import ClassSummary
from sfumato.testing.brute_force import best
from sfumato.testing.conformance import counterexample
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_problems import random_problem


@dataclass(frozen=True)
class Both(sf.ClassModel):
    """Two given values occur in every class."""

    name: ClassVar[str] = "both"
    monotonicity: ClassVar[sf.Monotonicity] = sf.Monotonicity.STRONGLY_UP

    sensitive: str
    one: str
    other: str

    @property
    def reads(self) -> str:
        return self.sensitive

    def holds(self, summary: ClassSummary) -> bool:
        return {self.one, self.other} <= summary.histograms[self.sensitive].keys()


@dataclass(frozen=True)
class Sizes(sf.ClassModel):
    """At least k records; reads sizes alone."""

    name: ClassVar[str] = "sizes"
    monotonicity: ClassVar[sf.Monotonicity] = sf.Monotonicity.STRONGLY_UP

    k: int

    def holds(self, summary: ClassSummary) -> bool:
        return summary.size >= self.k

    def attained(self, summaries: object) -> dict[str, int | float | None]:
        return {"k": min((summary.size for summary in summaries), default=None)}  # type: ignore[attr-defined]


def test_equals_brute_force(suite: Callable[[int], int]) -> None:
    random = Random(31)
    solved = 0
    for _ in range(suite(400)):
        case = random_problem(random)
        given = case.problem
        models = random.choice(
            [[Both("s", "s0", "s1")], [Sizes(3)], [Both("s", "s0", "s1"), Sizes(4), sf.KAnonymity(2)]]
        )
        problem = sf.Problem(given.data, models, given.loss, given.recoding)
        solution, expected = problem.solve(threads=random.choice([1, 3])), best(problem, case.rows)
        assert (solution.exact_cost, solution.status) == (
            (expected.cost, "optimal") if expected else (None, "infeasible")
        )
        solved += expected is not None
        if expected and random.random() < 0.1:
            solution.release()
    assert solved > suite(400) / 4


def table() -> sf.Table:
    rows = [{"q": str(i % 5), "s": "abc"[i % 3]} for i in range(30)]
    return sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])


def test_what_it_need_not_say() -> None:
    solution = sf.Problem(table(), [Both("s", "a", "b")]).solve()
    assert (solution.status, solution.attained) == ("optimal", {"both": {}})
    audit = sf.check(solution.release(), quasi_identifiers=["q"], constraints=[Both("s", "a", "b"), Sizes(3)])
    assert audit.holds
    assert audit.attained == {"both": {}, "sizes": {"k": 6}}
    assert not sf.check(solution.release(), quasi_identifiers=["q"], constraints=[Both("s", "a", "z")]).holds


def test_what_it_must_say() -> None:
    class Silent(sf.ClassModel):
        name = "silent"
        monotonicity = sf.Monotonicity.UP

    with pytest.raises(TypeError, match="abstract"):
        Silent()  # type: ignore[abstract]


def test_its_errors_come_through() -> None:
    class Broken(sf.ClassModel):
        name = "broken"
        monotonicity = sf.Monotonicity.STRONGLY_UP

        def holds(self, summary: ClassSummary) -> bool:
            raise ZeroDivisionError("mine")

    for threads in (1, 2):
        with pytest.raises(ZeroDivisionError, match="mine"):
            sf.Problem(table(), [Broken()]).solve(threads=threads)


def test_a_wrong_declaration_has_a_counterexample() -> None:
    class Odd(sf.ClassModel):
        name = "odd"
        monotonicity = sf.Monotonicity.UP

        def holds(self, summary: ClassSummary) -> bool:
            return summary.size % 2 == 1

    example = counterexample(Odd(), ["a", "b"])
    assert example is not None
    assert all(summary.size % 2 == 1 for summary in example)
    assert counterexample(Both("s", "a", "b"), ["a", "b", "c"]) is None
