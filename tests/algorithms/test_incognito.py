"""Incognito finds the minimal nodes that brute force finds, and the optimum that LatticeSearch finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import ClassVar

import pytest

import sfumato as sf
from sfumato.algorithms import Incognito, LatticeSearch, Limits
from sfumato.data import ClassSummary
from sfumato.loss import Loss
from sfumato.privacy import ClassModel
from sfumato.solve import solve_within
from sfumato.testing.brute_force import NodeResult, evaluate, nodes
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_problems import random_problem

SENSITIVE = sf.Hierarchy.from_rows(
    [("s0", "even", "*"), ("s2", "even", "*"), ("s1", "odd", "*"), ("s3", "odd", "*")], "sensitive"
)
DRAWS: dict[str, Callable[[Random], ClassModel]] = {
    "k-anonymity": lambda random: sf.KAnonymity(random.randint(1, 6)),
    "distinct-l-diversity": lambda random: sf.DistinctLDiversity("s", random.randint(1, 3)),
    "entropy-l-diversity": lambda random: sf.EntropyLDiversity("s", random.choice(["3/2", "2", "5/2"])),
    "recursive-l-diversity": lambda random: sf.RecursiveLDiversity("s", random.choice([1, 2, 3]), random.randint(2, 3)),
    "l-diversity": lambda random: sf.LDiversity("s", random.choice(["3/2", "4/3", "2"])),
    "t-closeness": lambda random: sf.TCloseness(
        "s", random.choice(["1/10", "1/5", "1/3"]), random.choice(["equal", "ordered", "hierarchical"])
    ),
}


def posed(random: Random, models: Sequence[ClassModel], *, units: bool = False) -> tuple[sf.Problem, list[Row]]:
    """A random problem with these models in place of its own, and without suppression."""
    case = random_problem(random, (80, 150) if random.random() < 0.1 else (5, 40), units=units)
    given = case.problem.data.frequencies.quasi_identifiers
    table = sf.Table(
        PlainEngine(case.rows),
        quasi_identifiers={attribute.name: attribute.hierarchy for attribute in given},
        sensitive={"s": SENSITIVE},
        unit="person" if units else None,
    )
    return sf.Problem(table, models, case.problem.loss, replace(case.problem.recoding, suppression_limit=0)), case.rows


def minimal_nodes(problem: sf.Problem, rows: list[Row]) -> list[NodeResult]:
    """The valid nodes of the lattice with no other valid node below them, cheapest first."""
    valid = [node for node in nodes(problem, rows) if node.valid]
    minimal = [v for v in valid if not any(below(u.levels, v.levels) for u in valid if u is not v)]
    return sorted(minimal, key=lambda node: (node.cost, node.levels))


def below(one: Sequence[int], other: Sequence[int]) -> bool:
    return all(x <= y for x, y in zip(one, other, strict=True))


def levels_of(solution: sf.Solution) -> list[tuple[int, ...]]:
    return [tuple(levels.values()) for levels in solution.minimal]


def solve(problem: sf.Problem, **limits: int) -> sf.Solution:
    return solve_within(problem, Incognito(), Limits(**limits))


def assert_same(problem: sf.Problem, rows: list[Row]) -> str:
    """Incognito against brute force and LatticeSearch; returns where the optimum lies."""
    solution, expected = solve(problem), minimal_nodes(problem, rows)
    other = solve_within(problem, LatticeSearch(), Limits())
    assert levels_of(solution) == [node.levels for node in expected]
    assert (solution.status, solution.exact_cost) == (other.status, other.exact_cost)
    if not expected:
        assert solution.status == "infeasible"
        assert solution.recoding is None
        assert solution.exact_bound is None
        assert solution.reason == other.reason
        return "infeasible"
    assert solution.status == "optimal"
    assert solution.exact_cost == solution.exact_bound == expected[0].cost
    assert solution.levels == other.levels == solution.minimal[0]
    assert solution.suppressed == 0
    ranges = problem.recoding.ranges(problem.data.frequencies)
    ends = {tuple(lowest for lowest, _ in ranges), tuple(highest for _, highest in ranges)}
    return "end" if expected[0].levels in ends else "interior"


@pytest.mark.parametrize("name", DRAWS)
def test_minimal_nodes_equal_brute_force(name: str, suite: Callable[[int], int]) -> None:
    random = Random(f"incognito: {name}")
    seen: Counter[str] = Counter()
    several = 0
    count = suite(600)
    for _ in range(count):
        models = [DRAWS[name](random)]
        if random.random() < 0.2:
            models.append(sf.KAnonymity(random.randint(2, 4)))
        problem, rows = posed(random, models)
        seen[assert_same(problem, rows)] += 1
        several += len(solve(problem).minimal) > 1
    assert seen["interior"] >= count / 10, seen
    assert several >= count / 30, "too few problems with several minimal nodes"


def test_minimal_nodes_equal_brute_force_with_persons(suite: Callable[[int], int]) -> None:
    random = Random(37)
    for _ in range(suite(600)):
        models: list[ClassModel] = [sf.KAnonymity(random.randint(2, 5))]
        if random.random() < 0.3:
            models.append(sf.DistinctLDiversity("s", 2))
        assert_same(*posed(random, models, units=True))


def test_memory_limit_changes_nothing(suite: Callable[[int], int]) -> None:
    random = Random(41)
    for _ in range(suite(200)):
        problem, rows = posed(random, [DRAWS[random.choice(list(DRAWS))](random)], units=random.random() < 0.3)
        assert levels_of(solve(problem, memory=0)) == [node.levels for node in minimal_nodes(problem, rows)]


def test_bound_holds_at_every_stop(suite: Callable[[int], int]) -> None:
    random = Random(43)
    seen: Counter[str] = Counter()
    for _ in range(suite(300)):
        problem, rows = posed(random, [DRAWS[random.choice(list(DRAWS))](random)])
        expected = minimal_nodes(problem, rows)
        for limit in range(solve(problem).examined):
            solution = solve(problem, examined=limit)
            seen[solution.status] += 1
            assert solution.examined <= limit
            assert solution.minimal == ()
            if not expected:
                assert solution.status == "no_solution_found"
                continue
            assert solution.exact_bound is not None
            assert solution.exact_bound <= expected[0].cost
            if solution.exact_cost is not None:
                assert expected[0].cost <= solution.exact_cost
                assert (solution.status == "optimal") == (solution.exact_bound == solution.exact_cost)
    assert {"feasible", "no_solution_found"} <= set(seen)


def test_trace_closes_in() -> None:
    problem, _ = posed(Random(3), [sf.KAnonymity(2)])
    trace = solve(problem).trace
    bounds, costs = [point.bound for point in trace], [point.cost for point in trace if point.cost is not None]
    assert bounds == sorted(bounds)
    assert costs == sorted(costs, reverse=True)
    assert bounds[-1] == costs[-1]


@pytest.mark.parametrize("name", DRAWS)
def test_subset_property(name: str, suite: Callable[[int], int]) -> None:
    """What violates a model with respect to some attributes violates it with respect to more of them."""
    random = Random(f"subsets: {name}")
    violated = 0
    for _ in range(suite(300)):
        problem, rows = posed(random, [DRAWS[name](random)])
        attributes = problem.data.frequencies.quasi_identifiers
        levels = tuple(random.randint(0, attribute.hierarchy.height) for attribute in attributes)
        valid = evaluate(problem, rows, levels).valid
        for size in range(1, len(attributes)):
            for chosen in combinations(range(len(attributes)), size):
                table = sf.Table(
                    PlainEngine(rows),
                    quasi_identifiers={attributes[a].name: attributes[a].hierarchy for a in chosen},
                    sensitive={"s": SENSITIVE},
                )
                part = evaluate(sf.Problem(table, problem.constraints), rows, tuple(levels[a] for a in chosen))
                assert part.valid or not valid
                violated += not part.valid
    assert violated > 0


def test_any_minimal_node_can_be_released() -> None:
    problem = sf.Problem(patients(), [sf.KAnonymity(2)])
    solution = problem.solve(sf.Incognito())
    assert len(solution.minimal) == 3
    for levels in solution.minimal:
        only = replace(problem, recoding=sf.FullDomain(min_level=levels, max_level=levels)).solve()
        assert only.levels == levels
        only.release()  # checked on the way


# --- the paper's example


def patients() -> sf.Table:
    """LeFevre et al. 2005, Figure 1, with the hierarchies of Figure 2."""
    rows: list[Row] = [
        {"birthdate": birthdate, "sex": sex, "zipcode": zipcode, "disease": disease}
        for birthdate, sex, zipcode, disease in [
            ("1/21/76", "Male", "53715", "Flu"),
            ("4/13/86", "Female", "53715", "Hepatitis"),
            ("2/28/76", "Male", "53703", "Bronchitis"),
            ("1/21/76", "Male", "53703", "Broken Arm"),
            ("4/13/86", "Female", "53706", "Sprained Ankle"),
            ("2/28/76", "Female", "53706", "Hang Nail"),
        ]
    ]
    zipcode = [("53715", "5371*", "537**"), ("53710", "5371*", "537**"), ("53706", "5370*", "537**")]
    zipcode.append(("53703", "5370*", "537**"))
    return sf.Table(
        PlainEngine(rows),
        quasi_identifiers={
            "birthdate": sf.flat(),
            "sex": sf.flat(),
            "zipcode": sf.Hierarchy.from_rows(zipcode, "zipcode"),
        },
        sensitive=["disease"],
    )


def test_patients() -> None:
    """Figures 5 to 7: the roots of the last graph are the minimal 2-anonymous generalizations.

    17 checks: 3 of single attributes; 3 for birthdate and sex, 4 for either of them with the zipcode; the 3 roots.
    """
    solution = sf.Problem(patients(), [sf.KAnonymity(2)]).solve(sf.Incognito())
    assert {tuple(levels.values()) for levels in solution.minimal} == {(1, 1, 0), (1, 0, 2), (0, 1, 2)}
    assert solution.examined == 3 + 3 + 4 + 4 + 3
    assert solution.space == 3 * 3 * 4 - 1
    assert solution.to_json()["minimal"] == [dict(levels) for levels in solution.minimal]


# --- what it refuses


@dataclass(frozen=True)
class Fickle(ClassModel):
    """At most k records: merging breaks it."""

    name: ClassVar[str] = "fickle"
    monotonicity: ClassVar[sf.Monotonicity] = sf.Monotonicity.NONE
    k: int = 4

    def holds(self, summary: ClassSummary) -> bool:
        return summary.size <= self.k


def test_refuses_what_it_cannot_prove() -> None:
    table = patients()
    two = [sf.KAnonymity(2)]
    with pytest.raises(sf.ProblemError, match="incognito suppresses nothing"):
        sf.Problem(table, two, recoding=sf.FullDomain("50%")).solve(sf.Incognito())
    assert Incognito().accepts(sf.Problem(table, two, recoding=sf.FullDomain("10%")).question) is None, (
        "none of six records"
    )
    with pytest.raises(sf.ProblemError, match="fickle may hold in two classes and not in their union"):
        sf.Problem(table, [Fickle()]).solve(sf.Incognito())


def test_refuses_more_subsets_than_it_can_number() -> None:
    names = [f"q{a}" for a in range(40)]
    rows: list[Row] = [dict.fromkeys(names, str(i)) for i in range(4)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={name: sf.fanout(2) for name in names})
    with pytest.raises(sf.ProblemError, match="too many; use lattice-search"):
        sf.Problem(table, [sf.KAnonymity(2)]).solve(sf.Incognito())


LOSSES: list[Loss] = [sf.LM(), sf.Discernibility(), sf.Precision(), sf.AverageClassSize(), sf.NonUniformEntropy()]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_losses_never_fall_by_generalization(loss: Loss, suite: Callable[[int], int]) -> None:
    """Every edge of random lattices, nothing suppressed: so the cheapest minimal node is the cheapest of all."""
    random = Random(47)
    for _ in range(suite(100)):
        problem, rows = posed(random, [sf.KAnonymity(1)])
        problem = replace(problem, loss=loss)
        cost_of: dict[tuple[int, ...], Fraction] = {node.levels: node.cost for node in nodes(problem, rows)}
        for levels, a in product(cost_of, range(len(problem.data.frequencies.quasi_identifiers))):
            above = (*levels[:a], levels[a] + 1, *levels[a + 1 :])
            assert above not in cost_of or cost_of[levels] <= cost_of[above]


def test_default_is_lattice_search() -> None:
    assert sf.Problem(patients(), [sf.KAnonymity(2)]).solve().algorithm == "lattice-search"
