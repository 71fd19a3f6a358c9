"""The suite can fail: faults planted in LatticeSearch are noticed by the comparison with brute force."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from sfumato import _core
from sfumato.algorithms import LatticeSearch, Limits
from sfumato.data import FrequencyTable
from sfumato.loss import AverageClassSize, Classification, Discernibility
from sfumato.privacy import AlphaKAnonymity, ClassModel, KAnonymity, LDiversity, Monotonicity, TCloseness
from sfumato.settings.exact import ratio
from sfumato.solve import solve_within
from sfumato.testing.brute_force import NodeResult, best
from sfumato.testing.planting import planted
from sfumato.testing.random_problems import RandomProblem, any_problem, random_problem


def without_monotonicity(case: RandomProblem) -> bool:
    """A part may satisfy the models where the whole does not, and records may be suppressed."""
    up = any(model.monotonicity is Monotonicity.UP for model in case.problem.constraints)
    return up and 0 < Fraction(case.problem.recoding.suppression_limit) < 1


def of_classes(case: RandomProblem) -> bool:
    """The loss looks at classes."""
    return isinstance(case.problem.loss, Discernibility | Classification | AverageClassSize)


def strongly_monotone(case: RandomProblem) -> bool:
    """k-anonymity, distinct l-diversity, or both, with LM."""
    return all(model.monotonicity is Monotonicity.STRONGLY_UP for model in case.problem.constraints)


KINDS: dict[Callable[[RandomProblem], bool], Callable[[Random], RandomProblem]] = {
    strongly_monotone: random_problem,
    without_monotonicity: any_problem,
    of_classes: any_problem,
}


@cache
def solved(kind: Callable[[RandomProblem], bool]) -> list[tuple[RandomProblem, NodeResult | None]]:
    """A hundred problems of a kind with their answers."""
    random = Random(2026)
    cases: list[RandomProblem] = []
    while len(cases) < 100:
        case = KINDS[kind](random)
        cases += [case] if kind(case) else []
    return [(case, best(case.problem, case.rows)) for case in cases]


def disagreements(kind: Callable[[RandomProblem], bool]) -> int:
    """How many random problems end in another answer than brute force, or in a bound above the optimum."""
    wrong = 0
    for case, expected in solved(kind):
        for limits in (Limits(), Limits(examined=5)):
            solution = solve_within(case.problem, LatticeSearch(), limits)
            complete = solution.status in {"optimal", "infeasible"}
            wrong += complete and (solution.exact_cost is None) != (expected is None)
            if expected is not None:
                wrong += solution.exact_bound is not None and solution.exact_bound > expected.cost
                wrong += complete and solution.exact_cost != expected.cost
    return wrong


@pytest.mark.parametrize("kind", KINDS)
def test_without_fault_all_agree(kind: Callable[[RandomProblem], bool]) -> None:
    assert disagreements(kind) == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", [_core.Fault.BOUND_ONE_TOO_HIGH, _core.Fault.NODE_SKIPPED])
def test_fault_in_the_search_is_noticed(fault: _core.Fault, kind: Callable[[RandomProblem], bool]) -> None:
    with planted(fault):
        assert disagreements(kind) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_hopeless_too_soon_is_noticed(kind: Callable[[RandomProblem], bool]) -> None:
    """What violates is given up with all its parts: right if every model is strongly monotone, and wrong if not."""
    with planted(_core.Fault.HOPELESS_TOO_SOON):
        assert (disagreements(kind) == 0) == (kind is strongly_monotone)


@pytest.mark.parametrize("kind", [strongly_monotone, of_classes])
def test_greater_for_greater_or_equal_is_noticed(
    kind: Callable[[RandomProblem], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KAnonymity, "twin", lambda self, frequencies, sensitive: (self.k + 1,))
    assert disagreements(kind) > 0


@pytest.mark.parametrize("kind", [without_monotonicity, of_classes])
def test_less_for_less_or_equal_is_noticed(
    kind: Callable[[RandomProblem], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thresholds so little lower that no small class lies between them."""

    def strict(model: type[ClassModel]) -> Callable[..., Any]:
        original = model.twin

        def twin(self: ClassModel, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...]:
            position, (whole, rest, parts), *more = original(self, frequencies, sensitive) or ()
            return position, ratio(whole + Fraction(rest, parts) - Fraction(1, 10**12)), *more

        return twin

    for model in (LDiversity, AlphaKAnonymity, TCloseness):
        monkeypatch.setattr(model, "twin", strict(model))
    assert disagreements(kind) > 0


def test_records_for_persons_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.native.tables._native_units", lambda units: None)
    random = Random(2027)
    wrong = 0
    for _ in range(50):
        case = random_problem(random, units=True)
        expected = best(case.problem, case.rows)
        solution = solve_within(case.problem, LatticeSearch(), Limits())
        wrong += solution.exact_cost != (None if expected is None else expected.cost)
    assert wrong > 0
