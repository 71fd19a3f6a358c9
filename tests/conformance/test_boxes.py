"""GenSearch equals brute force over all hierarchical partitions with every loss, model and scheme, and bounds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

import sfumato as sf
from sfumato.algorithms import GenSearch, Limits, Mondrian
from sfumato.loss import LM, Classification, Discernibility, Volume
from sfumato.solve import solve_within
from sfumato.testing.box_space import Space
from sfumato.testing.brute_force_boxes import best, optima
from sfumato.testing.random_boxes import MOST, box_problem

SETTINGS = [GenSearch(), GenSearch(priority="cost"), GenSearch(priority="lb/cost"), GenSearch(all_optima=True)]


def solve(space: Space, algorithm: GenSearch = SETTINGS[0], limits: Limits | None = None) -> sf.Solution:
    return solve_within(space.problem, algorithm, limits or Limits())


def described(space: Space) -> str:
    problem = space.problem
    return f"{problem.constraints}, {problem.loss}, {problem.recoding}, {len(space.rows)} records"


def recount(solution: sf.Solution) -> Fraction:
    """The cost of what would be published, as the loss defines it."""
    loss, frequencies = solution.question.loss, solution.problem.data.frequencies
    assert solution.recoding is not None
    reads = [name for name in [loss.reads(frequencies)] if name is not None]
    return loss.cost(frequencies, solution.recoding.summaries(frequencies, reads), solution.suppressed)


def same(solution: sf.Solution, expected: Fraction | None) -> bool:
    if expected is None:
        return solution.status == "infeasible" and solution.recoding is None
    return (
        solution.status == "optimal"
        and solution.exact_bound == expected == solution.exact_cost
        and all(recount(one) == expected for one in solution.top)
    )


def test_equals_brute_force(suite: Callable[[int], int]) -> None:
    """Orders with gaps, taxonomies, sets, missing values, persons; any models; all losses; both schemes."""
    random = Random(2011)
    count = suite(1_000)
    seen: Counter[str] = Counter()
    for number in range(count):
        space = box_problem(random)
        expected, _ = best(space, MOST)
        solution = solve(space, SETTINGS[number % len(SETTINGS)])
        assert same(solution, expected), described(space)
        problem = space.problem
        seen.update([problem.loss.name, problem.recoding.suppressing.scheme.value])
        seen.update({model.name for model in problem.constraints})
        seen["units"] += problem.data.frequencies.units is not None
        if expected is not None:
            assert len(solution.release().rows) == len(space.rows) - solution.suppressed  # raises unless checked
            seen["feasible"] += 1
            seen["inside"] += 1 < solution.classes < len(problem.data.frequencies.counts)
    assert seen["inside"] >= seen["feasible"] / 3, seen
    assert min(seen[name] for name in ("lm", "discernibility", "classification", "volume")) >= count / 10, seen
    assert min(seen[name] for name in ("epsilon-privacy", "minimum-width", "units")) >= count / 20, seen
    assert seen["all-records"] >= count / 5, seen


@pytest.mark.parametrize("model", ["epsilon-privacy", "minimum-width"])
@pytest.mark.parametrize("loss", [LM, Volume, Classification, Discernibility])
def test_losses_and_models_of_the_paper(model: str, loss: type[sf.loss.Loss], suite: Callable[[int], int]) -> None:
    """At least a hundred of each loss, of epsilon-privacy and of widths, which make cuts in empty gaps count."""
    random = Random(f"{model} {loss.name}")
    for _ in range(suite(100)):
        space = box_problem(random, loss=loss, model=model)
        assert same(solve(space), best(space, MOST)[0]), described(space)


def test_bound_holds_at_every_stop(suite: Callable[[int], int]) -> None:
    random = Random(2012)
    stopped = 0
    for _ in range(suite(200)):
        space = box_problem(random)
        optimum, _ = best(space, MOST)
        for limit in range(0, solve(space).examined + 1, random.choice([1, 3])):
            solution = solve(space, limits=Limits(examined=limit))
            assert solution.examined <= limit
            if optimum is None:
                assert solution.status in {"infeasible", "no_solution_found"}, described(space)
                continue
            assert solution.exact_bound is not None
            assert 0 <= solution.exact_bound <= optimum, described(space)
            if solution.exact_cost is not None:
                assert optimum <= solution.exact_cost == recount(solution), described(space)
                assert (solution.status == "optimal") == (solution.exact_bound == solution.exact_cost)
            stopped += solution.status in {"feasible", "no_solution_found"}
    assert stopped > suite(200)


def test_all_optima(suite: Callable[[int], int]) -> None:
    """As many different groupings as brute force finds; where widths count, boxes of the same records may differ."""
    random = Random(2013)
    several = 0
    for _ in range(suite(500)):
        space = box_problem(random)
        if any(model.measures for model in space.problem.constraints) or space.problem.recoding.suppression != "none":
            continue
        solution = solve(space, GenSearch(all_optima=True))
        if solution.status == "optimal":
            assert len(solution.top) == optima(space, MOST), described(space)
            several += len(solution.top) > 1
    assert several > suite(500) / 50


def test_memory_and_threads_change_nothing(suite: Callable[[int], int]) -> None:
    random = Random(2014)
    for _ in range(suite(100)):
        space = box_problem(random)
        one = solve(space)
        other, little = solve(space, limits=Limits(threads=2)), solve(space, limits=Limits(memory=0))
        assert (one.status, one.exact_cost, one.examined) == (other.status, other.exact_cost, other.examined)
        # Without memory nothing is worked out whole, so the effort may differ.
        assert (one.status, one.exact_cost) == (little.status, little.exact_cost)


def test_start_and_approximation(suite: Callable[[int], int]) -> None:
    """Both change how much is looked at, and never what is proved."""
    random = Random(2015)
    seen: Counter[str] = Counter()
    for _ in range(suite(300)):
        space = box_problem(random)
        plain = solve(space)
        if plain.status != "optimal" or plain.cost == 0:
            continue
        again = solve(space, GenSearch(start=plain))
        assert (again.status, again.exact_cost, again.exact_bound) == ("optimal", plain.exact_cost, plain.exact_cost)
        near = solve(space, GenSearch(approximation=1.5))
        assert near.exact_cost is not None
        assert near.exact_bound is not None
        assert plain.exact_cost is not None
        assert near.exact_bound <= plain.exact_cost <= near.exact_cost <= Fraction(3, 2) * near.exact_bound
        seen["start"] += again.examined < plain.examined
        seen["approximation"] += near.examined < plain.examined
    assert min(seen[name] for name in ("start", "approximation")) > 0, seen


@pytest.mark.parametrize("algorithm", [Mondrian(), Mondrian("median"), Mondrian("median", relaxed=True)])
def test_mondrian_is_valid_and_no_better(algorithm: Mondrian, suite: Callable[[int], int]) -> None:
    random = Random(2016)
    seen: Counter[str] = Counter()
    for _ in range(suite(200)):
        space = box_problem(random)
        if algorithm.accepts(space.problem.question):
            continue
        solution = solve_within(space.problem, algorithm, Limits())
        optimum, _ = best(space, MOST)
        if solution.recoding is None:
            assert solution.status == "no_solution_found" or optimum is None, described(space)
            continue
        assert solution.exact_bound is None
        assert recount(solution) == solution.exact_cost
        assert algorithm.relaxed or (optimum is not None and solution.exact_cost >= optimum), described(space)
        assert len(solution.release().rows) == len(space.rows) - solution.suppressed
        seen["solved"] += 1
        seen["split"] += solution.classes > 1
    assert seen["split"] > seen["solved"] / 4


@pytest.mark.parametrize("loss", [LM, Volume, Classification, Discernibility])
def test_dense_and_sparse_agree(loss: type[sf.loss.Loss], suite: Callable[[int], int]) -> None:
    """All boxes at once, or those that the proof needs: one answer, and both can be published."""
    from sfumato import _core
    from sfumato.native.boxes import NativeBoxes
    from sfumato.native.run import Run

    random = Random(f"dense {loss.name}")
    seen: Counter[str] = Counter()
    for number in range(suite(300)):
        plain = number % 2 == 0
        space = box_problem(random, loss=loss, model="minimum-width" if number % 3 == 0 else None, plain=plain)
        native = NativeBoxes.of(space.problem.question)
        ways = {way: native.search(_core.gen_search, Run(), way=way) for way in ("SPARSE", "DENSE", "BY_SIZE")}
        costs = {way: [one.cost for one in result.partitions] for way, result in ways.items()}
        assert costs["SPARSE"] == costs["DENSE"] == costs["BY_SIZE"], described(space)
        assert len({result.bound for result in ways.values()}) == 1
        assert all(result.complete for result in ways.values())
        expected, _ = best(space, MOST)
        assert [native.costs.exact(cost) for cost in costs["DENSE"]] == ([] if expected is None else [expected])
        for way, (cost,) in ((way, reached) for way, reached in costs.items() if reached):  # with nothing to begin with
            alone = native.search(_core.gen_search, Run(), way=way, upper=cost + 1)
            assert [one.cost for one in alone.partitions] == [cost], described(space)
        for result in ways.values():
            for one in result.partitions:
                f, recoding = space.problem.data.frequencies, native.recoded(one)
                out = recoding.withheld_records(f)
                reads = [name for name in [space.problem.question.loss.reads(f)] if name is not None]
                assert space.problem.question.loss.cost(f, recoding.summaries(f, reads), out) == expected, described(
                    space
                )
                seen["published"] += 1
        seen["sets"] += any(d.kind == "unordered" and len(d.whole) > 2 for d in space.dimensions)
    assert seen["published"] > suite(300)
    assert seen["sets"] < suite(300) * 0.9  # with them it is sparse in any case
