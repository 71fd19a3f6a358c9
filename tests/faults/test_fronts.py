"""The suite can fail: faults planted in the fronts are noticed by the comparison with brute force."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

import sfumato as sf
from sfumato import _core
from sfumato.native.front_question import FrontAnswer
from sfumato.testing.brute_force_fronts import BrutePoint, Varies, brute_front
from sfumato.testing.planting import planted
from sfumato.testing.random_problems import RandomProblem, any_problem

KINDS = ["sizes", "classes", "bounded", "boxes", "pruned"]  # the ways in which the core finds a front

LOSSES: dict[str, list[sf.Loss]] = {
    "bounded": [sf.LM(), sf.Discernibility()],
    "boxes": [sf.LM(), sf.Discernibility()],
    "pruned": [sf.LM()],
}  # where that is proved


@cache
def solved(kind: str) -> list[tuple[RandomProblem, list[BrutePoint]]]:
    """Sixty problems with their fronts of k."""
    random = Random(2028)
    cases = []
    while len(cases) < 60:
        case = any_problem(random, (5, 25))
        if (case.problem.data.frequencies.units is not None) != (kind in {"classes", "boxes"}):
            continue  # persons are counted class by class
        limit = random.choice([Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)])
        loss = random.choice(LOSSES[kind]) if kind in LOSSES else case.problem.loss
        problem = replace(case.problem, loss=loss, recoding=replace(case.problem.recoding, suppression_limit=limit))
        free = replace(problem, constraints=[sf.KAnonymity(1)])
        varied = [Varies(sf.KAnonymity(1), "k", tuple(range(1, len(case.rows) + 1)))]
        expected = brute_front(free, varied, case.rows, spend_limit=kind == "pruned")
        cases.append((RandomProblem(problem, case.rows), expected))
    return cases


def disagreements(kind: str) -> int:
    """How many fronts differ from brute force, in points or in nodes that tie."""
    wrong = 0
    for case, expected in solved(kind):
        p, pruned = case.problem, kind == "pruned"
        how = {"boxes": "bounded"}.get(kind, kind) if kind in LOSSES else "complete"
        front = sf.tradeoff(p.data, "k", p.loss, p.recoding, spend_limit=pruned, algorithm=how, threads=1)
        points = [((point.k - 1,), point.exact_cost, tuple(tuple(n.values()) for n in point.nodes)) for point in front]
        wrong += points != [(point.places, point.cost, point.nodes) for point in expected]
    return wrong


@pytest.mark.parametrize("kind", KINDS)
def test_without_fault_all_agree(kind: str) -> None:
    assert disagreements(kind) == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", [_core.Fault.NODE_SKIPPED, _core.Fault.TOO_STRICT])
def test_fault_is_noticed(fault: _core.Fault, kind: str) -> None:
    """A node that is left out, and < for ≤ where the limit is tested."""
    with planted(fault):
        assert disagreements(kind) > 0


@pytest.mark.parametrize("kind", ["sizes", "bounded", "boxes", "pruned"])  # classes use no bound
def test_bound_one_too_high_is_noticed(kind: str) -> None:
    with planted(_core.Fault.BOUND_ONE_TOO_HIGH):
        assert disagreements(kind) > 0


def test_ties_lost_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    original = sf.ParetoFront.of

    def first_node(answer: FrontAnswer) -> sf.ParetoFront:
        return original(replace(answer, points=[replace(point, nodes=point.nodes[:1]) for point in answer.points]))

    monkeypatch.setattr(sf.ParetoFront, "of", first_node)
    assert disagreements("sizes") > 0
