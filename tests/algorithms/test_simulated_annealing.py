"""SimulatedAnnealing: valid, seeded, anytime, never below the optimum, and without a claim."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import sfumato as sf
from sfumato.algorithms import Limits, Progress, SimulatedAnnealing
from sfumato.algorithms.steps.cut_costs import CutCosts
from sfumato.algorithms.steps.cut_walk import CutWalk
from sfumato.recoding import FullSubtree, Scheme
from sfumato.solve import solve_within
from sfumato.testing.brute_force_cuts import best
from sfumato.testing.random_cuts import cut_problem
from sfumato.testing.random_problems import random_problem


def test_never_below_the_optimum_and_often_there(suite: Callable[[int], int]) -> None:
    random = Random(11)
    count, there = suite(300), 0
    for seed in range(count):
        case = cut_problem(random, any_model=seed % 3 == 0)
        expected = best(case.problem, case.rows)
        solution = case.problem.solve(SimulatedAnnealing(moves=200), seed=seed)
        assert solution.bound is None
        if expected is None:
            assert solution.recoding is None
            assert solution.status in {"infeasible", "no_solution_found"}
            there += 1
            continue
        if solution.status == "feasible":
            assert solution.exact_cost is not None
            assert solution.exact_cost >= expected.cost
            assert solution.losses[solution.question.loss.spelled]["value"] == float(solution.exact_cost)
            there += solution.exact_cost == expected.cost
            solution.release()  # it is checked
    assert there >= 0.8 * count


def test_infeasible_is_only_claimed_where_it_is_proved(suite: Callable[[int], int]) -> None:
    random, claimed = Random(12), 0
    for _ in range(suite(300)):
        case = cut_problem(random, any_model=True, scheme=Scheme.NONE)
        solution = case.problem.solve(SimulatedAnnealing(moves=20))
        if solution.status == "infeasible":
            claimed += 1
            assert best(case.problem, case.rows) is None
    assert claimed


def test_the_seed_decides() -> None:
    case = cut_problem(Random(5), (40, 40), scheme=Scheme.ALL_RECORDS)
    problem = case.problem

    def path(algorithm: SimulatedAnnealing, seed: int = 0) -> list[tuple[int, float | None]]:
        return [(point.examined, point.cost) for point in problem.solve(algorithm, seed=seed).trace]

    assert path(SimulatedAnnealing(moves=50)) == path(SimulatedAnnealing(moves=50))
    assert path(SimulatedAnnealing(seed=3, moves=50)) == path(SimulatedAnnealing(moves=50), seed=3)
    assert len({str(path(SimulatedAnnealing(seed=seed, moves=50))) for seed in range(8)}) > 1


def test_the_trace_falls_and_says_no_bound() -> None:
    case = cut_problem(Random(5), (40, 40), scheme=Scheme.ALL_RECORDS)
    seen: list[Progress] = []
    solution = case.problem.solve(SimulatedAnnealing(runs=2, moves=100), progress=seen.append)
    costs = [point.cost for point in solution.trace if point.cost is not None]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == solution.cost
    assert all(point.bound is None for point in solution.trace)
    assert seen
    assert solution.examined == 2 * (1 + 100 + 100)
    assert "bound none" in str(solution)


@pytest.mark.parametrize("examined", [1, 2, 7, 101, 150])
def test_stopped_anywhere_it_has_the_best_so_far(examined: int) -> None:
    case = cut_problem(Random(5), (40, 40), scheme=Scheme.ALL_RECORDS)
    whole = solve_within(case.problem, SimulatedAnnealing(moves=100), Limits(), 1)
    part = solve_within(case.problem, SimulatedAnnealing(moves=100), Limits(examined=examined), 1)
    assert part.examined == examined
    assert part.status == "feasible"
    assert part.cost == [point.cost for point in whole.trace if point.examined <= examined][-1]


def test_time_and_interruption() -> None:
    case = cut_problem(Random(5), (40, 40), scheme=Scheme.ALL_RECORDS)
    assert case.problem.solve(SimulatedAnnealing(), time_limit=0).examined == 1

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    stopped = case.problem.solve(SimulatedAnnealing(), progress=interrupt)
    assert stopped.interrupted
    assert stopped.status == "feasible"


def test_one_cut_is_one_cut() -> None:
    case = cut_problem(Random(5))
    data = case.problem.data
    top = {q.name: q.hierarchy.height for q in data.frequencies.quasi_identifiers}
    problem = sf.Problem(data, [sf.KAnonymity(1)], recoding=FullSubtree(min_level=top))
    solution = problem.solve(SimulatedAnnealing())
    assert (solution.examined, solution.space) == (1, 1)


def test_other_recodings_are_refused() -> None:
    case = random_problem(Random(1))
    with pytest.raises(sf.ProblemError, match="searches full-subtree cuts, not full-domain"):
        case.problem.solve(SimulatedAnnealing())


@pytest.mark.parametrize("setting", [{"seed": -1}, {"runs": 0}, {"moves": 0}, {"moves": "many"}])
def test_settings_are_whole_numbers(setting: dict[str, int]) -> None:
    with pytest.raises(sf.ProblemError, match="not a whole number"):
        SimulatedAnnealing(**setting)


def test_a_walk_knows_its_moves(suite: Callable[[int], int]) -> None:
    """Every move leads to a cut, can be taken back, and all cuts can be reached."""
    random = Random(13)
    for _ in range(suite(50)):
        case = cut_problem(random)
        costs = CutCosts(case.problem.question)
        walk, seen = CutWalk(costs.taxonomies, costs.top), {costs.top}
        for _ in range(30 if walk.movable else 0):
            before = walk.cut
            move = walk.move(random)
            after = walk.cut
            assert after != before
            for taxonomy, nodes in zip(costs.taxonomies, after, strict=True):
                taxonomy.levels(nodes)  # raises unless it is a cut
            walk.undo(move)
            assert walk.cut == before
            walk.undo(move)
            seen.add(after)
        assert len(seen) > 1 or not walk.movable
