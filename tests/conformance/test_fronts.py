"""Fronts equal brute force for every loss and every way to vary a model, and their points are optima."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, product
from math import exp, floor, log
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

import sfumato as sf
from sfumato import loss as losses
from sfumato.settings.registry import table_parts as parts
from sfumato.testing.brute_force import best, classes
from sfumato.testing.brute_force_fronts import BrutePoint, Varies, brute_front
from sfumato.testing.conformance import of_boxes
from sfumato.testing.random_parts import LOSSES
from sfumato.testing.random_problems import RandomProblem, any_problem


def limited(case: RandomProblem, random: Random) -> sf.FullDomain:
    """The case's recoding with a limit below 100%."""
    limit = random.choice([Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)])
    return replace(case.problem.recoding, suppression_limit=limit)


def besides(case: RandomProblem, random: Random) -> list[sf.ClassModel]:
    """What holds at every point: nothing, k = 2, or whatever the case requires."""
    return random.choice([[], [sf.KAnonymity(2)], list(case.problem.constraints)])


def brute_points(front: sf.ParetoFront, varied: list[Varies]) -> list[BrutePoint]:
    """A front in the form of brute force."""
    return sorted(
        (
            BrutePoint(
                tuple(one.values.index(point.values[one.parameter]) for one in varied),
                point.exact_cost,
                tuple(tuple(node.values()) for node in point.nodes),
                (),
            )
            for point in front
        ),
        key=lambda point: (point.places, point.cost),
    )


def same(front: sf.ParetoFront, expected: list[BrutePoint], varied: list[Varies]) -> bool:
    points = brute_points(front, varied)
    first = sorted(zip(points, expected, strict=False), key=lambda pair: (pair[0].places, pair[0].cost))
    suppressed = {tuple(p.values[one.parameter] for one in varied): p.suppressed for p in front}
    return (
        len(points) == len(expected)
        and all((a.places, a.cost, a.nodes) == (b.places, b.cost, b.nodes) for a, b in first)
        and all(
            suppressed[tuple(one.values[i] for one, i in zip(varied, b.places, strict=True))] == b.suppressed[0]
            for b in expected
        )
    )


def posed(case: RandomProblem, recoding: sf.FullDomain, constraints: list[sf.ClassModel]) -> sf.Problem:
    """The problem with the constraints that hold at every point, for brute force."""
    problem = sf.Problem(case.problem.data, [*constraints, sf.KAnonymity(1)], case.problem.loss, recoding)
    object.__setattr__(problem, "constraints", problem.constraints[:-1])
    return problem


def test_k_equals_brute_force(suite: Callable[[int], int]) -> None:
    """Every loss, units or none, other constraints or none; all evaluations, exact and the paper's."""
    random = Random(1609)
    count = suite(700)
    seen: Counter[str] = Counter()
    for number in range(count):
        case = any_problem(random, (70, 120) if number % 40 == 0 else (5, 30))
        recoding = limited(case, random)
        loss = LOSSES[list(LOSSES)[number % len(LOSSES)]](
            random, [a.name for a in case.problem.data.frequencies.quasi_identifiers]
        )
        case = RandomProblem(replace(case.problem, loss=loss, recoding=recoding), case.rows)
        fixed = list(case.problem.constraints) if random.random() < 0.5 else []
        problem = posed(case, recoding, fixed)
        varied = [Varies(sf.KAnonymity(1), "k", tuple(range(1, len(case.rows) + 1)))]
        for spend in (False, True):
            expected = brute_front(problem, varied, case.rows, spend_limit=spend)
            ask = (problem.data, "k", loss, recoding, fixed, spend)
            assert same(sf.tradeoff(*ask, "complete", threads=1 + spend), expected, varied), problem
            seen["points"] += len(expected)
            seen["ties"] += any(len(point.nodes) > 1 for point in expected)
            seen["inside"] += any(sum(point.nodes[0]) > 0 for point in expected[:-1])
            for how in ("bounded", "pruned"):
                try:
                    fewer = sf.tradeoff(*ask, how, threads=1 + number % 2)
                except sf.ProblemError:
                    continue
                assert same(fewer, expected, varied), problem
                seen[how] += 1
                seen[f"{how}, left out"] += fewer.evaluated < fewer.space
        seen[loss.name] += 1
        seen["fixed"] += bool(fixed)
        seen["units"] += problem.data.frequencies.units is not None
    assert all(seen[name] >= count / 10 for name, part in parts(losses).items() if not of_boxes(part)), seen
    assert seen["points"] >= 3 * count, seen
    assert min(seen["ties"], seen["inside"]) >= count / 3, seen
    assert min(seen[how] for how in ("fixed", "units", "pruned", "pruned, left out")) >= count / 20, seen
    assert min(seen["bounded"], seen["bounded, left out"]) >= count / 4, seen


def values_of(rows: int) -> dict[str, tuple[Any, ...]]:
    """What classes of so many records can attain at most, by kind of parameter."""
    shares = sorted({Fraction(a, b) for b in range(1, rows + 1) for a in range(1, b + 1)})
    return {"whole": tuple(range(1, 7)), "l": tuple(sorted(1 / q for q in shares)), "share": tuple(reversed(shares))}


MODELS: dict[str, tuple[Callable[[], Any], str, str]] = {
    "l-diversity": (lambda: sf.LDiversity("s"), "l", "l"),
    "distinct-l-diversity": (lambda: sf.DistinctLDiversity("s"), "l", "whole"),
    "recursive-l-diversity": (lambda: sf.RecursiveLDiversity("s", c=2), "l", "whole"),
    "l-plus-diversity": (lambda: sf.LPlusDiversity("s"), "theta", "share"),
    "alpha-k-anonymity": (lambda: sf.AlphaKAnonymity(1, 2, "s"), "alpha", "share"),
}


@pytest.mark.parametrize("name", MODELS)
def test_other_parameters_equal_brute_force(name: str, suite: Callable[[int], int]) -> None:
    make, parameter, kind = MODELS[name]
    random = Random(1616)
    count = suite(200)
    seen: Counter[str] = Counter()
    for _ in range(count):
        case = any_problem(random, (5, 14))
        recoding = limited(case, random)
        problem = posed(case, recoding, besides(case, random))
        model = make()
        varied = [Varies(model, parameter, values_of(len(case.rows))[kind])]
        for spend in (False, True):
            expected = brute_front(problem, varied, case.rows, spend_limit=spend)
            ask = (problem.data, (model, parameter), problem.loss, recoding, problem.constraints, spend)
            assert same(sf.tradeoff(*ask, "complete", threads=1 + spend), expected, varied), problem
            fewer = sf.tradeoff(*ask, threads=2 - spend)  # the fastest that is proved
            assert same(fewer, expected, varied), problem
            seen["several"] += len(expected) > 1
            seen["left out"] += fewer.evaluated < fewer.space
    assert seen["several"] >= count / 4, seen
    assert parameter == "alpha" or seen["left out"] >= count / 20, seen


def distances(case: RandomProblem, recoding: sf.FullDomain, distance: str) -> tuple[Fraction, ...]:
    """All that classes are away from the whole table, from the farthest on."""
    occurring = {Fraction(1)}
    problem = posed(case, recoding, [])
    known = problem.data.frequencies.distributions["s"]
    whole, order = known.counts, known.order or tuple(known.counts)
    for levels in product(*(range(low, high + 1) for low, high in recoding.ranges(problem.data.frequencies))):
        for summary in classes(problem, case.rows, levels).values():
            gaps = [
                Fraction(whole[value], len(case.rows)) - Fraction(summary.histograms["s"].get(value, 0), summary.size)
                for value in order
            ]
            work = map(abs, accumulate(gaps)) if distance == "ordered" else (gap for gap in gaps if gap > 0)
            occurring.add(sum(work, Fraction(0)) / (max(1, len(order) - 1) if distance == "ordered" else 1))
    return tuple(sorted(occurring, reverse=True))


def entropies(case: RandomProblem, recoding: sf.FullDomain) -> tuple[Fraction, ...]:
    """e to the entropy of every class, in the steps that fronts tell it in, and a step more in case of rounding."""
    occurring = {Fraction(1)}
    problem = posed(case, recoding, [])
    for levels in product(*(range(low, high + 1) for low, high in recoding.ranges(problem.data.frequencies))):
        for summary in classes(problem, case.rows, levels).values():
            shares = [n / summary.size for n in summary.histograms["s"].values()]
            steps = floor(exp(-sum(q * log(q) for q in shares)) * 10**6)
            occurring |= {Fraction(max(steps + more, 10**6), 10**6) for more in (-1, 0, 1)}
    return tuple(sorted(occurring))


@pytest.mark.parametrize("name", ["t", "ordered t", "k and t", "entropy l", "k and entropy l"])
def test_fronts_of_irregular_steps_equal_brute_force(name: str, suite: Callable[[int], int]) -> None:
    random = Random(1622)
    count = suite(200)
    several = 0
    for _ in range(count):
        case = any_problem(random, (5, 14))
        recoding = limited(case, random)
        problem = posed(case, recoding, besides(case, random))
        make, _ = ANY[name]
        ask = (problem.data, make(), problem.loss, recoding, problem.constraints, False)
        front = sf.tradeoff(*ask, "complete", threads=2)
        tried = {"k": tuple(range(1, len(case.rows) + 1))}
        if "entropy" in name:
            tried["l"] = entropies(case, recoding)
        else:
            tried["t"] = distances(case, recoding, "ordered" if "ordered" in name else "equal")
        varied = [Varies(one.model, one.parameter, tried[one.parameter]) for one in front.question.varied]
        expected = brute_front(problem, varied, case.rows)
        assert same(front, expected, varied), problem
        assert same(sf.tradeoff(*ask, threads=1), expected, varied), problem  # the fastest that is proved
        several += len(front) > 1
    assert several >= count / 4


def least_taus(rows: int, l: int) -> tuple[Fraction, ...]:
    """All that tau can be where a share a/n of k values is on the line from tau at 1 to 1 at l, from the largest on."""
    bottoms = {n * steps for n in range(1, rows + 1) for steps in range(1, l)}
    return tuple(sorted({Fraction(a, b) for b in bottoms for a in range(1, b + 1)}, reverse=True))


@pytest.mark.parametrize("parameter", ["tau", "l"])
def test_fronts_of_tau_l_diversity_equal_brute_force(parameter: str, suite: Callable[[int], int]) -> None:
    """By the core's ratings, and by the model's own where the core's numbers are too small for it."""
    random = Random(f"tau-l {parameter}")
    count, several = max(20, suite(100)), 0
    for number in range(count):
        case = any_problem(random, (5, 12))
        recoding = limited(case, random)
        problem = posed(case, recoding, [sf.KAnonymity(2)] if random.random() < 0.3 else [])
        l, tau = random.randint(2, 4), random.choice([Fraction(1, 2), Fraction(2, 3)])
        made = sf.TauLDiversity("s", l=l) if parameter == "tau" else sf.TauLDiversity("s", tau)
        ask = (problem.data, (made, parameter), problem.loss, recoding, problem.constraints)
        with patch("sfumato.privacy.tau_l_diversity._WIDEST", 0 if number % 4 == 0 else 1 << 62):
            front = sf.tradeoff(*ask, algorithm="complete", threads=2)
        tried = least_taus(len(case.rows), l) if parameter == "tau" else tuple(range(2, 9))
        (one,) = front.question.varied
        varied = [Varies(one.model, parameter, tried)]
        expected = brute_front(problem, varied, case.rows)
        assert same(front, expected, varied), problem
        assert same(sf.tradeoff(*ask, threads=1), expected, varied), problem  # the fastest that is proved
        several += len(front) > 1
    assert several >= (count / 5 if parameter == "tau" else 1)


ANY: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    "k": (lambda: "k", [{"k": k} for k in (1, 2, 3, 4, 6)]),
    "entropy l": (lambda: (sf.EntropyLDiversity("s"), "l"), [{"l": l} for l in (1, "3/2", 2, "5/2", 3, "2.3")]),
    "tau": (lambda: (sf.TauLDiversity("s", l=3), "tau"), [{"tau": tau} for tau in (1, "9/10", "2/3", "1/2", "2/5")]),
    "l of tau": (lambda: (sf.TauLDiversity("s", "1/2"), "l"), [{"l": l} for l in (2, 3, 4, 5)]),
    "t": (lambda: (sf.TCloseness("s"), "t"), [{"t": t} for t in (1, "1/2", "1/3", "1/5", 0)]),
    "ordered t": (lambda: (sf.TCloseness("s", distance="ordered"), "t"), [{"t": t} for t in ("1/2", "1/4", 0)]),
    "tree t": (lambda: (sf.TCloseness("s", distance="hierarchical"), "t"), [{"t": t} for t in ("1/2", "1/4", 0)]),
    "theta": (lambda: (sf.LPlusDiversity.by_frequency("s", 1), "theta"), [{"theta": t} for t in (1, "2/3", "1/2")]),
    "default": (lambda: (sf.LPlusDiversity("s", {"s0": "2/3"}, 1), "default"), [{"default": t} for t in (1, "1/2")]),
    "beta": (lambda: (sf.BetaLikeness("s"), "beta"), [{"beta": b} for b in (5, 2, 1, "1/2", 0)]),
    "enhanced": (lambda: (sf.BetaLikeness("s", 1, True), "beta"), [{"beta": b} for b in (5, 1, "1/2", 0)]),
    "delta": (lambda: (sf.DeltaDisclosure("s"), "delta"), [{"delta": d} for d in (5, 2, 1, "1/2")]),
    "alpha and k": (lambda: (sf.AlphaKAnonymity("2/3", 1, "s"), "k"), [{"k": k} for k in (1, 2, 4)]),
    "k and t": (
        lambda: ["k", (sf.TCloseness("s"), "t")],
        [{"k": k, "t": t} for k in (1, 2, 4) for t in (1, "1/2", "1/3", "1/5")],
    ),
    "k and entropy l": (
        lambda: ["k", (sf.EntropyLDiversity("s"), "l")],
        [{"k": k, "l": l} for k in (1, 2, 4) for l in (1, "3/2", 2, 3)],
    ),
}


@pytest.mark.parametrize("name", ANY)
def test_at_equals_the_optimum(name: str, suite: Callable[[int], int]) -> None:
    """Whatever is asked for, in steps or between them, costs what brute force finds for that requirement alone.

    Or less, if that requirement is not worth asking for: a stricter one costs less.
    """
    make, asked = ANY[name]
    random = Random(1637)
    count = suite(200)
    seen: Counter[str] = Counter()
    for _ in range(count):
        case = any_problem(random, (5, 25))
        if "s0" not in case.problem.data.frequencies.distributions["s"].counts:
            continue
        recoding = limited(case, random)
        front = sf.tradeoff(case.problem.data, make(), case.problem.loss, recoding, threads=1)
        for values in asked:
            models = [one.at(values[one.parameter]) for one in front.question.varied]
            problem = sf.Problem(case.problem.data, models, case.problem.loss, recoding)
            expected = best(problem, case.rows)
            try:
                cheapest = front.at(**values)
            except sf.InfeasibleError:
                assert expected is None, (problem, values)
                continue
            assert expected is not None, (problem, values)
            if cheapest.exact_cost < expected.cost:  # a stricter one may cost less, where records are cheap to suppress
                stricter = [one.at(cheapest.values[one.parameter]) for one in front.question.varied]
                problem = sf.Problem(case.problem.data, stricter, case.problem.loss, recoding)
                weaker, expected = expected, best(problem, case.rows)
                assert expected is not None, (problem, values)
                assert expected.suppressed > weaker.suppressed, (problem, values)
                seen["stricter"] += 1
            assert cheapest.exact_cost == expected.cost, (problem, values)
            seen["feasible"] += 1
            seen["suppressed"] += expected.suppressed > 0
    assert seen["feasible"] >= count * 3 / 4, seen
    assert seen["stricter"] < seen["feasible"] / 20, seen
    assert seen["suppressed"] >= count / 20, seen


def test_every_point_is_a_solution(suite: Callable[[int], int]) -> None:
    """What a point releases passes the check, attains what it says, and loses what it says; solve agrees."""
    random = Random(1648)
    released = 0
    for _ in range(suite(200)):
        case = any_problem(random, (5, 25))
        recoding = limited(case, random)
        make, _ = ANY[random.choice(["k", "entropy l", "t", "beta", "delta", "k and t"])]
        for point in sf.tradeoff(case.problem.data, make(), case.problem.loss, recoding):
            solution = point.solution
            assert (solution.status, solution.gap) == ("optimal", 0)
            assert len(point.release().rows) == len(case.rows) - point.suppressed
            assert solution.problem.solve(threads=1).exact_cost == point.exact_cost
            assert solution.losses[case.problem.loss.name]["value"] == pytest.approx(point.cost)
            released += 1
    assert released >= suite(200)
