"""LatticeSearch equals brute force, and its bound holds wherever it stops."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

import sfumato as sf
from sfumato.algorithms import LatticeSearch, Limits
from sfumato.solve import solve_within
from sfumato.testing.brute_force import NodeResult, best, nodes
from sfumato.testing.random_problems import RandomProblem, random_problem


def solve(case: RandomProblem, **limits: int) -> sf.Solution:
    return solve_within(case.problem, LatticeSearch(), Limits(**limits))


def assert_same(solution: sf.Solution, expected: NodeResult | None) -> None:
    if expected is None:
        assert solution.status == "infeasible"
        assert solution.recoding is None
        return
    assert solution.status == "optimal"
    assert solution.exact_cost == solution.exact_bound == expected.cost
    assert solution.cost == solution.bound
    assert tuple(solution.levels.values()) == expected.levels
    assert solution.suppressed == expected.suppressed
    assert solution.classes == len(expected.released)


def test_equals_brute_force_on_random_problems(suite: Callable[[int], int]) -> None:
    random = Random(2026)
    interior = trivial = 0
    for _ in range(suite(3000)):
        case = random_problem(random)
        expected = best(case.problem, case.rows)
        assert_same(solve(case), expected)
        if expected is not None:
            ranges = case.problem.recoding.ranges(case.problem.data.frequencies)
            ends = {tuple(lowest for lowest, _ in ranges), tuple(highest for _, highest in ranges)}
            interior += expected.levels not in ends
            trivial += expected.levels in ends
    assert interior >= (interior + trivial) / 3, "too many problems have their optimum at the top or the bottom"


def test_equals_brute_force_where_tuples_are_merged(suite: Callable[[int], int]) -> None:
    random = Random(64)  # working copies are only made of tables with more tuples than that
    for _ in range(suite(600)):
        case = random_problem(random, records=(100, 400))
        assert_same(solve(case), best(case.problem, case.rows))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_equals_brute_force_and_shrinks(random: Random) -> None:
    case = random_problem(random)
    assert_same(solve(case), best(case.problem, case.rows))


def test_release_holds_what_brute_force_would_publish(suite: Callable[[int], int]) -> None:
    random = Random(7)
    for _ in range(suite(600)):
        case = random_problem(random)
        expected = best(case.problem, case.rows)
        if expected is None:
            continue
        names = [attribute.name for attribute in case.problem.data.frequencies.quasi_identifiers]
        released = solve(case).release().rows  # checked on the way
        assert Counter(tuple(row[name] or "" for name in names) for row in released) == expected.released


def test_threads_agree(suite: Callable[[int], int]) -> None:
    random = Random(11)
    for _ in range(suite(600)):
        case = random_problem(random)
        one, two = solve(case, threads=1), solve(case, threads=3)
        assert (one.status, one.cost) == (two.status, two.cost)
        assert one.recoding is None or one.levels == two.levels


def test_memory_limit_changes_nothing(suite: Callable[[int], int]) -> None:
    random = Random(13)
    for _ in range(suite(500)):
        case = random_problem(random)
        assert_same(solve(case, memory=0), best(case.problem, case.rows))


def test_bound_holds_at_every_stop(suite: Callable[[int], int]) -> None:
    random = Random(5)
    stopped = 0
    for _ in range(suite(500)):
        case = random_problem(random)
        optimum = best(case.problem, case.rows)
        needed = solve(case).examined
        for limit in range(needed + 1):
            solution = solve(case, examined=limit)
            assert solution.examined <= limit
            if optimum is None:
                assert solution.status in {"infeasible", "no_solution_found"}
                continue
            assert solution.exact_bound is not None
            assert solution.exact_bound <= optimum.cost
            if solution.exact_cost is not None:
                assert optimum.cost <= solution.exact_cost
                assert (solution.status == "optimal") == (solution.exact_bound == solution.exact_cost)
            stopped += solution.status in {"feasible", "no_solution_found"}
    assert stopped > 0


def test_trace_closes_in() -> None:
    case = random_problem(Random(3))
    trace = solve(case).trace
    bounds, costs = [point.bound for point in trace], [point.cost for point in trace if point.cost is not None]
    assert bounds == sorted(bounds)
    assert costs == sorted(costs, reverse=True)
    assert bounds[-1] == costs[-1]


def test_loss_is_not_monotone_once_records_may_be_suppressed() -> None:
    """Three records; raising the second attribute takes k from 2 to 3 and LM from 2 to 1.5 (of three leaves)."""
    from sfumato.testing.plain_engine import PlainEngine

    rows = [{"a": "1", "b": "1"}, {"a": "1", "b": "2"}, {"a": "1", "b": "1"}]
    b = sf.Hierarchy.from_rows([("1", "A", "*"), ("2", "A", "*"), ("3", "B", "*")], "b")
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": sf.flat(), "b": b})
    problem = sf.Problem(table, [sf.KAnonymity(2)], sf.LM(), sf.FullDomain("34%"))
    cost_of = {node.levels: node.cost for node in nodes(problem, rows)}
    assert cost_of[0, 0] == 2
    assert cost_of[0, 1] == Fraction(3, 2)
    assert problem.solve().levels == {"a": 0, "b": 1}


def test_keys_wider_than_64_bits() -> None:
    """Forty attributes of fifty values: a key would need 226 bits."""
    from sfumato.testing.plain_engine import PlainEngine

    random = Random(1)
    rows = [{f"q{a}": str(random.randrange(50)) for a in range(40)} for _ in range(60)]
    rows += [dict(row) for row in rows]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={f"q{a}": sf.fanout(10) for a in range(40)})
    twins = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    assert (twins.status, twins.cost) == ("optimal", 0)
    triples = sf.Problem(table, [sf.KAnonymity(3)]).solve(time_limit=1)
    assert triples.bound is not None
    assert triples.cost is not None
    assert 0 < triples.bound <= triples.cost
    assert triples.attained["k-anonymity"]["k"] >= 3


@pytest.mark.parametrize("count", [0, 1])
def test_tiny_tables(count: int, tmp_path: object) -> None:
    import pandas as pd

    frame = pd.DataFrame({"a": ["x"] * count, "b": [1] * count})
    table = sf.Table(frame, quasi_identifiers={"a": sf.flat(), "b": sf.intervals(5)})
    solution = sf.Problem(table, [sf.KAnonymity(2)], recoding=sf.FullDomain(1)).solve()
    assert solution.status == "optimal"
    assert len(solution.release()) == 0
    assert sf.Problem(table, [sf.KAnonymity(2)]).solve().status == ("infeasible" if count else "optimal")


def test_models_that_nothing_is_known_of(suite: Callable[[int], int]) -> None:
    """Even sizes: merging may break it, and mend it; then no part of the lattice can be skipped for it."""

    class EvenSizes(sf.ClassModel):
        name = "even-sizes"
        monotonicity = sf.Monotonicity.NONE

        def holds(self, summary: sf.ClassSummary) -> bool:
            return summary.size % 2 == 0

    random = Random(12)
    for _ in range(suite(500)):
        drawn = random_problem(random)
        problem = replace(drawn.problem, constraints=[EvenSizes(), *drawn.problem.constraints])
        assert_same(solve(RandomProblem(problem, drawn.rows)), best(problem, drawn.rows))


# --- persons with several records


def best_by_sets(case: RandomProblem, k: int, limit: Fraction) -> tuple[Fraction, tuple[int, ...], int] | None:
    """The cheapest node under LM, its levels and what it suppresses: all nodes, from the rows, with sets of persons."""
    attributes = case.problem.data.frequencies.quasi_identifiers
    paths = [{row[0]: row for row in attribute.hierarchy.rows} for attribute in attributes]
    leaves = [Counter((j, label) for row in a.hierarchy.rows for j, label in enumerate(row)) for a in attributes]
    valid = []
    for levels in product(*(range(attribute.hierarchy.height + 1) for attribute in attributes)):
        members: dict[tuple[str, ...], list[str | None]] = defaultdict(list)
        for row in case.rows:
            labels = (path[row[a.name] or ""][j] for path, a, j in zip(paths, attributes, levels, strict=True))
            members[tuple(labels)].append(row["person"])
        cost, suppressed = Fraction(0), 0
        for labels, persons in members.items():
            if max(1, len({person for person in persons if person is not None})) < k:
                suppressed += len(persons)
                cost += len(persons) * len(attributes)
                continue
            for a, (j, label) in enumerate(zip(levels, labels, strict=True)):
                whole = len(attributes[a].hierarchy.rows)
                cost += len(persons) * Fraction(leaves[a][j, label] - 1, max(whole - 1, 1))
        if suppressed <= limit * len(case.rows):
            valid.append((cost, levels, suppressed))
    return min(valid, default=None)


@pytest.mark.parametrize("limit", [Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1)])
def test_units_equal_brute_force_with_sets_of_persons(limit: Fraction, suite: Callable[[int], int]) -> None:
    """Tables at every limit; every third is large enough for the search to make working copies of its tuples."""
    random, cases = Random(31), suite(1000)
    seen = Counter[str]()
    for i in range(cases):
        case = random_problem(random, (100, 200) if i % 3 == 0 else (5, 40), units=True)
        k = random.randint(2, 5)
        expected = best_by_sets(case, k, limit)
        problem = sf.Problem(case.problem.data, [sf.KAnonymity(k)], recoding=sf.FullDomain(limit))
        solution = solve_within(problem, LatticeSearch(), Limits())
        if expected is None:
            assert solution.status == "infeasible"
            seen["infeasible"] += 1
            continue
        assert solution.status == "optimal"
        assert (solution.exact_cost, tuple(solution.levels.values()), solution.suppressed) == expected
        persons_alone = sf.Problem(records_only(case), problem.constraints, recoding=problem.recoding)
        by_records = solve_within(persons_alone, LatticeSearch(), Limits())
        assert by_records.exact_cost is not None
        assert by_records.exact_cost <= expected[0], "fewer persons than records: nothing gets cheaper"
        seen["dearer"] += by_records.exact_cost < expected[0]
        seen["suppressed"] += solution.suppressed > 0
    assert seen["dearer"] > cases / 15, "counting persons must matter"
    assert (seen["suppressed"] > 0) == (limit > 0)
    assert (seen["infeasible"] > 0) == (limit < 1)


def records_only(case: RandomProblem) -> sf.Table:
    """The same table without its unit."""
    data = case.problem.data
    hierarchies = {attribute.name: attribute.hierarchy for attribute in data.frequencies.quasi_identifiers}
    return sf.Table(data.engine, quasi_identifiers=hierarchies, sensitive=data.sensitive)


def test_units_with_any_models_and_losses(suite: Callable[[int], int]) -> None:
    random = Random(17)
    for _ in range(suite(600)):
        case = random_problem(random, random.choice([(5, 40), (70, 120)]), units=True)
        expected = best(case.problem, case.rows)
        assert_same(solve(case), expected)
        assert_same(solve(case, threads=2, memory=0), expected)


def test_units_are_attained_and_released(suite: Callable[[int], int]) -> None:
    random = Random(19)
    for _ in range(suite(300)):
        case = random_problem(random, units=True)
        problem = replace(case.problem, constraints=[sf.KAnonymity(2)])
        solution = problem.solve()
        if solution.recoding is None:
            continue
        released = solution.release()  # checked on the way
        assert "person" not in released.columns
        assert (solution.attained["k-anonymity"]["k"] or 2) >= 2
