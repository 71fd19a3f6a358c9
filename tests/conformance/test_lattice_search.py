"""LatticeSearch equals brute force with every registered model and loss, and its bound holds wherever it stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import sfumato as sf
from sfumato import loss, privacy
from sfumato.algorithms import LatticeSearch, Limits
from sfumato.privacy import Monotonicity
from sfumato.privacy.populations import PopulationModel
from sfumato.settings.registry import table_parts as parts
from sfumato.solve import solve_within
from sfumato.testing.brute_force import NodeResult, best
from sfumato.testing.conformance import of_boxes
from sfumato.testing.random_parts import LIMITS, LOSSES, MODELS
from sfumato.testing.random_problems import RandomProblem, any_problem


def solve(case: RandomProblem, **limits: int) -> sf.Solution:
    return solve_within(case.problem, LatticeSearch(), Limits(**limits))


def same(solution: sf.Solution, expected: NodeResult | None) -> bool:
    """Whether the optimum of the search is that of brute force, and proved."""
    if expected is None:
        return solution.status == "infeasible" and solution.recoding is None
    return (
        solution.status == "optimal"
        and solution.exact_cost == solution.exact_bound == expected.cost
        and tuple(solution.levels.values()) == expected.levels
        and solution.suppressed == expected.suppressed
        and solution.classes == len(expected.released)
    )


def described(case: RandomProblem) -> str:
    problem = case.problem
    return f"{problem.constraints}, {problem.loss}, {problem.recoding}, {len(case.rows)} records"


def sizes(number: int) -> tuple[int, int]:
    """Every twentieth table is large enough for the search to merge its tuples."""
    return (70, 120) if number % 20 == 0 else (5, 40)


def interior(case: RandomProblem, levels: tuple[int, ...]) -> bool:
    ranges = case.problem.recoding.ranges(case.problem.data.frequencies)
    return levels not in {tuple(lowest for lowest, _ in ranges), tuple(highest for _, highest in ranges)}


def parts_of(case: RandomProblem) -> list[str]:
    return [*(model.name for model in case.problem.constraints), case.problem.loss.name]


# Models that look at a population have random problems of their own, with one.
REGISTERED = {
    name for name, part in parts(privacy).items() if not issubclass(part, PopulationModel) and not of_boxes(part)
}
LOSS_NAMES = {name for name, part in parts(loss).items() if not of_boxes(part)}


def test_every_model_and_every_loss_is_drawn() -> None:
    assert {model.name for model in MODELS} == REGISTERED
    assert {kind.name for kind in LOSSES} == LOSS_NAMES


def test_equals_brute_force(suite: Callable[[int], int]) -> None:
    """One or two models, one or two sensitive attributes, units, all limits, bounded levels."""
    random = Random(1789)
    count = suite(5_000)
    inside: Counter[str] = Counter()  # optima that are neither at the top nor at the bottom
    given_up: Counter[str] = Counter()  # of these, with records suppressed
    seen: Counter[object] = Counter()
    for number in range(count):
        case = any_problem(random, sizes(number))
        expected = best(case.problem, case.rows)
        assert same(solve(case), expected), described(case)
        recoding, data = case.problem.recoding, case.problem.data
        seen.update([recoding.suppression_limit, "feasible" if expected else "infeasible"])
        seen["two models"] += len(case.problem.constraints) > 1
        seen["two attributes"] += len({model.reads for model in case.problem.constraints} - {None}) > 1
        seen["units"] += data.frequencies.units is not None
        seen["levels"] += bool(recoding.min_level or recoding.max_level)
        if expected is not None and interior(case, expected.levels):
            inside.update(parts_of(case))
            given_up.update(parts_of(case) if expected.suppressed else [])
    assert min(inside[name] for name in [*REGISTERED, *LOSS_NAMES]) >= count / 100, inside
    assert min(given_up[name] for name in [*REGISTERED, *LOSS_NAMES]) >= count / 500, given_up
    assert all(seen[limit] >= count / 8 for limit in LIMITS)
    # Every problem asks for one loss, so these are the optima inside.
    assert sum(inside[name] for name in LOSS_NAMES) >= seen["feasible"] / 3
    assert min(seen[x] for x in ("two models", "two attributes", "units", "levels", "infeasible")) >= count / 50, seen


def test_bound_holds_at_every_stop(suite: Callable[[int], int]) -> None:
    random = Random(1848)
    stopped = 0
    for _ in range(suite(600)):
        case = any_problem(random)
        optimum = best(case.problem, case.rows)
        needed = solve(case).examined
        for limit in range(needed + 1):
            solution = solve(case, examined=limit)
            assert solution.examined <= limit
            if optimum is None:
                assert solution.status in {"infeasible", "no_solution_found"}, described(case)
                continue
            assert solution.exact_bound is not None
            assert 0 <= solution.exact_bound <= optimum.cost, described(case)
            assert all(point.bound >= 0 for point in solution.trace)
            if solution.exact_cost is not None:
                assert optimum.cost <= solution.exact_cost, described(case)
                assert (solution.status == "optimal") == (solution.exact_bound == solution.exact_cost)
            stopped += solution.status in {"feasible", "no_solution_found"}
    assert stopped > suite(600)


def test_threads_and_memory_change_nothing(suite: Callable[[int], int]) -> None:
    random = Random(1871)
    for number in range(suite(1_500)):
        case = any_problem(random, sizes(number))
        one = solve(case)
        for other in (solve(case, threads=3), solve(case, memory=0), solve(case, memory=20_000, threads=2)):
            assert (one.status, one.exact_cost) == (other.status, other.exact_cost), described(case)
            assert one.recoding is None or one.levels == other.levels, described(case)


def test_releases_pass_the_check(suite: Callable[[int], int]) -> None:
    """What is released satisfies the models as the check reads them, with records suppressed too."""
    random = Random(1914)
    released = suppressed = 0
    for _ in range(suite(600)):
        case = any_problem(random)
        solution = solve(case)
        if solution.recoding is None:
            continue
        assert len(solution.release().rows) == len(case.rows) - solution.suppressed  # raises unless the check agrees
        released += 1
        suppressed += solution.suppressed > 0
    assert released >= suite(600) / 3
    assert suppressed >= suite(600) / 20


def test_parts_of_violating_classes_are_published_below() -> None:
    """One record of the rare value and two of the common: as a whole they violate, the finer node publishes two."""
    from sfumato.testing.plain_engine import PlainEngine, Row

    rows: list[Row] = [{"a": "1", "s": "x"}, {"a": "1", "s": "y"}, {"a": "2", "s": "x"}, {"a": "2", "s": "x"}]
    a = sf.Hierarchy.from_rows([("1", "*"), ("2", "*")], "a")
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": a}, sensitive=["s"])
    problem = sf.Problem(table, [sf.LDiversity("s", 2)], sf.LM(), sf.FullDomain("50%"))
    assert sf.LDiversity.monotonicity is Monotonicity.UP
    solution = problem.solve()
    assert (solution.status, solution.levels, solution.suppressed) == ("optimal", {"a": 0}, 2)
    assert same(solution, best(problem, rows))
