"""Datafly takes the one way up that its rule says, and is honest about the solution at its end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import sfumato as sf
from sfumato.algorithms import Datafly, LatticeSearch, Limits
from sfumato.solve import solve_within
from sfumato.testing.brute_force import NodeResult, evaluate
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_problems import RandomProblem, random_problem


def solve(case: RandomProblem, **limits: int) -> sf.Solution:
    return solve_within(case.problem, Datafly(), Limits(**limits))


def greedy(case: RandomProblem) -> tuple[NodeResult, int]:
    """The node where the rule ends, and how many it looked at: labels counted in the rows."""
    attributes = case.problem.data.frequencies.quasi_identifiers
    paths = [{row[0]: row for row in attribute.hierarchy.rows} for attribute in attributes]
    ranges = case.problem.recoding.ranges(case.problem.data.frequencies)
    levels = [lowest for lowest, _ in ranges]
    for steps in range(1, 100):
        node = evaluate(case.problem, case.rows, tuple(levels))
        below = [a for a, (_, highest) in enumerate(ranges) if levels[a] < highest]
        if node.valid or not below:
            return node, steps
        labels = {a: {paths[a][row[attributes[a].name] or ""][levels[a]] for row in case.rows} for a in below}
        levels[max(below, key=lambda a: len(labels[a]))] += 1
    raise AssertionError("no lattice is that high")


@pytest.mark.parametrize("units", [False, True])
def test_takes_the_greedy_way(units: bool) -> None:
    random = Random(1997)
    seen: Counter[str] = Counter()
    for _ in range(300):
        case = random_problem(random, units=units)
        solution, (expected, steps) = solve(case), greedy(case)
        best = solve_within(case.problem, LatticeSearch(), Limits())
        assert solution.examined == steps
        seen[solution.status] += 1
        if not expected.valid:
            assert (solution.status, best.status) == ("infeasible", "infeasible")
            assert solution.reason == best.reason
            continue
        assert (solution.status, solution.bound) == ("feasible", None)
        assert tuple(solution.levels.values()) == expected.levels
        assert (solution.exact_cost, solution.suppressed) == (expected.cost, expected.suppressed)
        assert best.exact_cost is not None
        seen["dearer than the optimum"] += best.exact_cost < expected.cost
        assert solve(case, examined=steps - 1).status == "no_solution_found"
        if random.random() < 0.2:
            solution.release()  # checked on the way
    assert seen["infeasible"] > 5
    assert seen["dearer than the optimum"] > 20, seen


def test_where_the_top_proves_nothing_it_gives_up() -> None:
    """Merging classes can break entropy l-diversity once others may be suppressed: the top is invalid, not the rest."""
    rows: list[Row] = [{"a": "x", "s": s} for s in ("1", "2")] * 3 + [{"a": "y", "s": "1"}] * 3
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": sf.flat()}, sensitive=["s"])
    entropy = [sf.EntropyLDiversity("s", 2)]
    forced = sf.Problem(table, entropy, recoding=sf.FullDomain("40%", min_level={"a": 1})).solve(sf.Datafly())
    assert forced.status == "no_solution_found"
    assert "No node on the path" in forced.reason
    assert forced.recoding is None
    free = sf.Problem(table, entropy, recoding=sf.FullDomain("40%")).solve(sf.Datafly())
    assert (free.status, free.suppressed, free.levels) == ("feasible", 3, {"a": 0})
