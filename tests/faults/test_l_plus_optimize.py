"""The suite can fail: faults planted in LPlusOptimize are noticed by the comparison with brute force."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from random import Random

import pytest

import sfumato as sf
from sfumato import _core
from sfumato.algorithms import Limits, LPlusOptimize
from sfumato.native import cuts as native_cuts
from sfumato.recoding import Scheme
from sfumato.settings.exact import ratio
from sfumato.solve import solve_within
from sfumato.testing.brute_force_cuts import CutResult, cheapest
from sfumato.testing.planting import planted
from sfumato.testing.random_cuts import cut_problem
from sfumato.testing.random_problems import RandomProblem

Cases = list[tuple[RandomProblem, list[CutResult]]]


@cache
def solved(scheme: Scheme) -> Cases:
    """Problems of a scheme with their two best cuts; if it suppresses values, larger ones, priced in few units."""
    random = Random(2 if scheme.of_values else 2020)
    cases = [cut_problem(random, (30, 80) if scheme.of_values else (5, 40), scheme=scheme) for _ in range(25)]
    if scheme.of_values:
        cases = [dense(case) for case in cases]
    return [(case, cheapest(case.problem, case.rows, 2)) for case in cases]


def dense(case: RandomProblem) -> RandomProblem:
    """The same problem at prices of few units: a leaf more costs a record one, a suppressed value two.

    LM's unit is one part of a common denominator, and the costs of two cuts are many such parts from each other: bounds
    of classes that are one unit too high each then add up to less than that, and nothing can come of it.
    """
    problem = case.problem
    leaves = {a.name: len(a.hierarchy.leaves) for a in problem.data.frequencies.quasi_identifiers}
    loss = sf.LM({name: number - 1 for name, number in leaves.items()}, value=Fraction(2, len(leaves)))
    return RandomProblem(sf.Problem(problem.data, problem.constraints, loss, problem.recoding), case.rows)


def disagreements(cases: Cases, top: int = 2) -> int:
    """How many random problems end in another answer than brute force, or in a bound above the optimum."""
    wrong = 0
    for case, expected in cases:
        for limits in (Limits(), *(Limits(examined=number) for number in (4, 12))):
            solution = solve_within(case.problem, LPlusOptimize(top), limits)
            if solution.status in {"optimal", "infeasible"}:
                wrong += [one.exact_cost for one in solution.top] != [cut.cost for cut in expected[:top]]
            if expected:
                wrong += solution.exact_bound is not None and solution.exact_bound > expected[0].cost
    return wrong


@pytest.mark.parametrize("scheme", Scheme)
def test_without_fault_all_agree(scheme: Scheme) -> None:
    assert disagreements(solved(scheme)) == 0


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("fault", [_core.Fault.BOUND_ONE_TOO_HIGH, _core.Fault.CUT_SKIPPED])
def test_fault_in_the_search_is_noticed(fault: _core.Fault, scheme: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "l_plus_optimize", partial(_core.l_plus_optimize, tabulating_from=NEVER))
    cases = solved(scheme)
    with planted(fault):
        assert disagreements(cases) > 0


def examined(cases: Cases) -> list[int]:
    return [solve_within(case.problem, LPlusOptimize(), Limits()).examined for case, _ in cases]


NEVER = 1 << 40  # tuples
TABULATED = [scheme for scheme in Scheme if scheme is not Scheme.NONE]


@pytest.mark.parametrize("scheme", TABULATED)
def test_fault_in_the_table_of_classes_is_noticed(scheme: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    tabulate = partial(_core.l_plus_optimize, tabulating_from=0)
    monkeypatch.setattr(_core, "l_plus_optimize", partial(_core.l_plus_optimize, tabulating_from=NEVER))
    searched = examined(solved(scheme))
    monkeypatch.setattr(_core, "l_plus_optimize", tabulate)
    now = examined(solved(scheme))
    cases = [
        case for i, case in enumerate(solved(scheme)) if now[i] != searched[i]
    ]  # the others are searched all the same
    assert len(cases) >= 3
    assert disagreements(cases, top=1) == 0
    for fault in (_core.Fault.BOUND_ONE_TOO_HIGH, _core.Fault.CUT_SKIPPED):
        with planted(fault):
            assert disagreements(cases, top=1) > 0
    monkeypatch.setattr(native_cuts, "ratio", lower)
    for name in ("l_diversity", "l_plus_diversity"):
        monkeypatch.setattr(f"sfumato.privacy.{name}.ratio", lower)
    assert disagreements(cases, top=1) > 0


@pytest.mark.parametrize("scheme", Scheme)
def test_less_for_less_or_equal_is_noticed(scheme: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thresholds so little lower that no small class lies between them."""
    monkeypatch.setattr(native_cuts, "ratio", lower)
    for name in ("l_diversity", "l_plus_diversity"):
        monkeypatch.setattr(f"sfumato.privacy.{name}.ratio", lower)
    assert disagreements(solved(scheme)) > 0


def lower(limit: Fraction) -> tuple[int, int, int]:
    return ratio(max(Fraction(0), limit - Fraction(1, 10**12)))


def test_deleting_too_few_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A price of suppressed records that is one unit off."""
    original: Callable[..., object] = _core.CutLoss

    def cheaper(metric: object, weight: object, record: int = 0, value: int = 0, target: int = 0) -> object:
        return original(metric, weight, max(0, record - 1), value, target)

    monkeypatch.setattr(_core, "CutLoss", cheaper)
    assert disagreements(solved(Scheme.ALL_RECORDS)) > 0
