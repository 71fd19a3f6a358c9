"""Samarati's search ends at the least height, with the least loss of that height."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import sfumato as sf
from sfumato.algorithms import LatticeSearch, Limits, Samarati
from sfumato.solve import solve_within
from sfumato.testing.brute_force import NodeResult, nodes
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_problems import RandomProblem, random_problem


def solve(case: RandomProblem, **limits: int) -> sf.Solution:
    return solve_within(case.problem, Samarati(), Limits(**limits))


def lowest(case: RandomProblem) -> list[NodeResult]:
    """The valid nodes of the least height, cheapest first."""
    valid = [node for node in nodes(case.problem, case.rows) if node.valid]
    least = min((sum(node.levels) for node in valid), default=0)
    return sorted((n for n in valid if sum(n.levels) == least), key=lambda node: (node.cost, node.levels))


@pytest.mark.parametrize("units", [False, True])
def test_equals_brute_force(units: bool) -> None:
    random = Random(2001)
    seen: Counter[str] = Counter()
    for _ in range(300):
        case = random_problem(random, units=units)
        solution, expected = solve(case), lowest(case)
        seen[solution.status] += 1
        assert [tuple(levels.values()) for levels in solution.minimal] == [node.levels for node in expected]
        if not expected:
            assert solution.status == "infeasible"
            continue
        assert solution.status == "feasible"
        assert (solution.bound, solution.gap) == (None, None)
        assert solution.exact_cost == expected[0].cost
        assert solution.suppressed == expected[0].suppressed
        best = solve_within(case.problem, LatticeSearch(), Limits())
        assert best.exact_cost is not None
        assert best.exact_cost <= expected[0].cost
        seen["dearer than the optimum"] += best.exact_cost < expected[0].cost
        if random.random() < 0.2:
            solution.release()  # checked on the way
    assert seen["infeasible"] > 5
    assert seen["dearer than the optimum"] > 20, seen


def test_stopped_it_returns_the_best_so_far() -> None:
    random = Random(2002)
    for _ in range(50):
        case = random_problem(random)
        valid = {node.levels: node.cost for node in nodes(case.problem, case.rows) if node.valid}
        for limit in range(solve(case).examined):
            solution = solve(case, examined=limit)
            assert solution.minimal == ()
            assert solution.examined <= limit
            if limit == 0:
                assert solution.status == "no_solution_found"
            else:
                assert solution.status == "feasible"
                assert valid[tuple(solution.levels.values())] == solution.exact_cost


def test_a_higher_node_may_be_cheaper() -> None:
    """Height counts levels, and a level of one attribute may lose less than one of another: two below one."""
    rows: list[Row] = [{"a": str(i % 2), "b": str(i)} for i in range(4)]
    b = sf.Hierarchy.from_rows([(str(i), f"{i // 2}", "*") for i in range(4)], "b")
    c = sf.Hierarchy.from_rows([("0", "0", "0", "*"), ("1", "1", "1", "*")], "a")
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": c, "b": b})
    weights = sf.LM({"a": 1, "b": 10})
    problem = sf.Problem(table, [sf.KAnonymity(2)], weights)
    lowest, best = problem.solve(sf.Samarati()), problem.solve()
    assert (sum(lowest.levels.values()), sum(best.levels.values())) == (2, 4)
    assert best.exact_cost is not None
    assert lowest.exact_cost is not None
    assert best.exact_cost < lowest.exact_cost


def test_refuses_what_is_not_monotone() -> None:
    rows: list[Row] = [{"a": str(i % 3), "s": str(i % 2)} for i in range(30)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": sf.flat()}, sensitive=["s"])
    entropy = [sf.EntropyLDiversity("s", 2)]
    with pytest.raises(sf.ProblemError, match="not monotone under suppression"):
        sf.Problem(table, entropy, recoding=sf.FullDomain("10%")).solve(sf.Samarati())
    assert sf.Problem(table, entropy).solve(sf.Samarati()).status == "feasible"
