from __future__ import annotations

from itertools import pairwise
from random import Random

import pandas as pd
import pytest

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.datasets import census
from sfumato.native.run import Run
from sfumato.solve import solve_within
from sfumato.testing.plain_engine import PlainEngine, Row

ROWS: list[Row] = [{"x": str(i * i % 23), "y": str(i * 7 % 12), "s": "ab"[i % 3 == 0]} for i in range(120)]


def problem(k: int = 5, loss: sf.loss.Loss | None = None, *, l: int = 0, **options: object) -> sf.Problem:
    table = sf.Table(PlainEngine(ROWS), quasi_identifiers={"x": sf.ordered(), "y": sf.ordered()}, sensitive=["s"])
    recoding = sf.Multidimensional(**options)  # type: ignore[arg-type]
    models = [sf.KAnonymity(k), *([sf.DistinctLDiversity("s", l)] if l else [])]
    return sf.Problem(table, models, loss or sf.Discernibility(), recoding)


def test_it_is_preferred_for_boxes() -> None:
    assert problem().solve().algorithm == "gen-search"


def test_it_is_no_worse_than_mondrian() -> None:
    best, greedy = problem().solve(), problem().solve(sf.Mondrian())
    assert best.status == "optimal"
    assert best.cost is not None
    assert greedy.cost is not None
    assert best.cost < greedy.cost


def test_options_change_the_effort_and_not_the_answer() -> None:
    changed = set()
    for k in (3, 5, 8, 12):
        plain = problem(k, l=2).solve()
        others = {
            "cost": sf.GenSearch(priority="cost"),
            "ratio": sf.GenSearch(priority="lb/cost"),
            "start": sf.GenSearch(start=plain),
            "greedy": sf.GenSearch(start=problem_of(plain).solve(sf.Mondrian())),
        }
        for name, algorithm in others.items():
            other = problem_of(plain).solve(algorithm)
            assert (other.status, other.cost, other.bound) == ("optimal", plain.cost, plain.bound), name
            changed |= {name} if other.examined != plain.examined else set()
    assert changed == {"cost", "ratio", "start", "greedy"}


def problem_of(solution: sf.Solution) -> sf.Problem:
    return solution.problem


def test_approximation_stops_early() -> None:
    plain, near = problem(l=2).solve(), problem(l=2).solve(sf.GenSearch(approximation=1.25))
    assert near.examined < plain.examined
    assert near.gap is not None
    assert near.gap <= 0.25
    assert near.bound is not None
    assert plain.cost is not None
    assert near.bound <= plain.cost


def test_all_optima_differ() -> None:
    solution = problem(12).solve(sf.GenSearch(all_optima=True))
    assert {one.cost for one in solution.top} == {solution.cost}
    boxes = [sorted(one.recoding.boxes) for one in solution.top]  # type: ignore[union-attr]
    assert all(one != other for one, other in pairwise(boxes))


def test_more_optima_than_are_kept_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 21 records in a row three are together, and all others two by two: the three may stand in ten places."""
    rows: list[Row] = [{"x": str(x)} for x in range(21)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": sf.ordered()})
    asked = sf.Problem(table, [sf.KAnonymity(2)], sf.Discernibility(), sf.Multidimensional())
    whole = asked.solve(sf.GenSearch(all_optima=True))
    assert (len(whole.top), whole.more, "more" in whole.to_json()) == (10, False, False)
    monkeypatch.setattr(sf.algorithms.gen_search, "_MOST_OPTIMA", 9)
    some = asked.solve(sf.GenSearch(all_optima=True))
    assert (len(some.top), some.more, some.status, some.cost) == (9, True, "optimal", whole.cost)
    assert str(some).endswith("; of the cheapest there are more than the 9 that were kept")
    assert some.to_json()["more"] is True
    monkeypatch.setattr(sf.algorithms.gen_search, "_MOST_OPTIMA", 10)
    assert not asked.solve(sf.GenSearch(all_optima=True)).more
    assert not asked.solve().more


def test_the_trace_closes_the_gap() -> None:
    solution = problem().solve()
    bounds = [point.bound for point in solution.trace if point.bound is not None]
    costs = [point.cost for point in solution.trace if point.cost is not None]
    assert bounds == sorted(bounds)
    assert costs == sorted(costs, reverse=True)
    assert bounds[-1] == costs[-1] == solution.cost


def test_stopped_at_once_it_still_bounds() -> None:
    solution = solve_within(problem(), sf.GenSearch(), Limits(examined=0))
    assert solution.status in {"feasible", "no_solution_found"}
    assert solution.bound is not None
    assert solution.bound <= (problem().solve().cost or 0)


def test_all_models_together() -> None:
    table = sf.Table(
        census(500).to_pandas(),
        quasi_identifiers={"age": sf.intervals(5, 10), "sex": sf.flat()},
        sensitive=["occupation"],
    )
    models: list[sf.ClassModel] = [
        sf.KAnonymity(10),
        sf.EntropyLDiversity("occupation", 3),
        sf.TCloseness("occupation", 0.5),
        sf.EpsilonPrivacy("occupation", epsilon=10, sigma=100, b=0),
        sf.MinimumWidth({"age": 5}),
    ]
    solution = sf.Problem(table, models, sf.Discernibility(), sf.Multidimensional(splits={"age": 20})).solve(
        sf.GenSearch(approximation=1.05), time_limit=60
    )
    assert solution.gap is not None
    assert solution.gap <= 0.05
    assert solution.classes > 1
    assert len(solution.release()) == 500


def hierarchical(boxes: list[tuple[tuple[int, int], ...]]) -> bool:
    """Whether some cut leaves all boxes whole, and so on in both parts."""
    if len(boxes) == 1:
        return True
    for axis in range(len(boxes[0])):
        for cut in {box[axis][1] for box in boxes}:
            left = [box for box in boxes if box[axis][1] <= cut]
            right = [box for box in boxes if box[axis][0] > cut]
            if right and len(left) + len(right) == len(boxes):
                return hierarchical(left) and hierarchical(right)
    return False


@pytest.mark.parametrize("k", [12, 40])
def test_a_long_search_finds_partitions_that_hold(k: int) -> None:
    """Where the proof takes long there are guesses and rollouts: what they find are partitions all the same."""
    from sfumato import _core
    from sfumato.native.boxes import NativeBoxes

    random, values = Random(k), (9, 7, 6, 5)
    rows: list[Row] = [
        {name: str(int(min(random.random(), random.random()) * n)) for name, n in zip("abcd", values, strict=True)}
        for _ in range(4_000)
    ]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={name: sf.ordered() for name in "abcd"})
    posed = sf.Problem(table, [sf.KAnonymity(k)], sf.Discernibility(), sf.Multidimensional())
    native, f = NativeBoxes.of(posed.question), posed.data.frequencies
    whole = native.search(_core.gen_search, Run(), way="DENSE")
    assert whole.complete
    costs = []
    for examined in (1_000, 45_000):
        run = Run(Limits(examined=examined))
        result = native.search(_core.gen_search, run, way="SPARSE")
        recoding = native.recoded(result.partitions[0])
        assert hierarchical(list(recoding.boxes))
        summaries = list(recoding.summaries(f))
        assert min(one.size for one in summaries) >= k
        assert posed.loss.cost(f, summaries, 0) == result.partitions[0].cost
        assert result.bound <= whole.bound <= result.partitions[0].cost
        costs.append(result.partitions[0].cost)
    assert costs[1] < costs[0]


@pytest.mark.parametrize("loss", [sf.LM(), sf.Volume(), sf.Classification()])
@pytest.mark.parametrize("width", [0, 2])
def test_a_long_search_under_several_models(loss: sf.loss.Loss, width: int) -> None:
    """Partitions by few cuts at a time: orders with missing values, a taxonomy, widths, sensitive values."""
    from sfumato import _core
    from sfumato.native.boxes import NativeBoxes

    random = Random(7)
    tree = sf.fanout(2)
    rows: list[Row] = [
        {
            "a": None if random.random() < 0.02 else str(int(min(random.random(), random.random()) * 12)),
            "b": str(int(random.random() ** 2 * 9)),
            "c": str(int(random.random() * 5)),
            "d": str(int(random.random() * 7)),
            "s": random.choice("xxyz"),
        }
        for _ in range(3_000)
    ]
    table = sf.Table(
        PlainEngine(rows),
        quasi_identifiers={"a": sf.ordered(), "b": sf.ordered(), "c": tree, "d": sf.ordered()},
        sensitive=["s"],
        target="s",
    )
    models = [sf.KAnonymity(12), sf.LPlusDiversity("s", "3/5"), *([sf.MinimumWidth({"b": width})] if width else [])]
    posed = sf.Problem(table, models, loss, sf.Multidimensional())
    native, f = NativeBoxes.of(posed.question), posed.data.frequencies
    whole = native.search(_core.gen_search, Run(), way="DENSE")
    result = native.search(_core.gen_search, Run(Limits(examined=40_000)), way="SPARSE")
    assert whole.complete
    assert result.bound <= whole.bound <= result.partitions[0].cost
    for one in (whole.partitions[0], result.partitions[0]):
        recoding = native.recoded(one)
        assert hierarchical(list(recoding.boxes))
        reads = ["s"]
        assert posed.question.loss.cost(f, recoding.summaries(f, reads), 0) == native.costs.exact(one.cost)
        assert all(model.holds(summary) for summary in recoding.summaries(f, reads) for model in models[:2])


def test_infeasible_says_what_would_do() -> None:
    solution = problem(121).solve()
    assert solution.status == "infeasible"
    assert "suppression = 'all-records'" in solution.reason
    assert problem(121, suppression="all-records").solve().suppressed == 120


def test_wide_numbers_and_many_cells() -> None:
    """More than 255 cells, and weights whose common denominator is long: the same search in wider numbers."""
    rows: list[Row] = [{"x": str(i), "y": str(i % 4)} for i in range(300)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": sf.ordered(), "y": sf.ordered()})
    weights = {"x": f"1/{10**9 + 9}", "y": f"1/{10**9 + 7}"}
    wide = sf.Problem(table, [sf.KAnonymity(100)], sf.LM(weights), sf.Multidimensional()).solve()  # type: ignore[arg-type]
    assert wide.status == "optimal"
    assert wide.classes == 3
    assert (
        wide.problem.question.loss.cost(table.frequencies, wide.chosen.summaries(table.frequencies), 0)
        == wide.exact_cost
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sf.GenSearch(approximation=0.9), "approximation = 0.9 is below the least cost; give 1 or more."),
        (lambda: sf.GenSearch(priority="fast"), "priority = 'fast' is unknown; choose lb, cost, lb/cost."),
        (lambda: problem(loss=sf.Precision()).solve(), "minimises lm, discernibility, classification or volume"),
        (
            lambda: problem().solve(sf.GenSearch(start=problem().solve())),
            "start is not a solution of this table's boxes",
        ),
        (lambda: problem().solve(sf.LatticeSearch()), "multidimensional"),
    ],
)
def test_faults_are_named(make: object, message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        make()  # type: ignore[operator]


def test_a_start_must_be_valid() -> None:
    loose = problem(2)
    weak = loose.solve()
    strict = sf.Problem(loose.data, [sf.KAnonymity(30)], sf.Discernibility(), sf.Multidimensional())
    with pytest.raises(sf.ProblemError, match="start does not satisfy the problem"):
        strict.solve(sf.GenSearch(start=weak))


@pytest.mark.parametrize(
    ("recoding", "algorithm"),
    [
        (sf.Multidimensional(splits={"x": "every", "y": "every"}), sf.Mondrian()),
        (sf.Multidimensional(splits={"x": 2, "y": 2}), sf.Mondrian(split="median", relaxed=True)),
        (sf.Multidimensional(splits={"x": 2, "y": 2}, tight=True), sf.Mondrian()),
    ],
)
def test_a_start_has_boxes_of_the_problem(recoding: sf.Multidimensional, algorithm: sf.Mondrian) -> None:
    """What has finer splits, or overlaps, may cost less than the least there is: it would be a proof of nothing."""
    people = pd.DataFrame({"x": [i % 7 for i in range(100)], "y": [3 * i % 11 for i in range(100)]})
    table = sf.Table(people, quasi_identifiers={"x": sf.ordered(), "y": sf.ordered()})
    start = sf.Problem(table, [sf.KAnonymity(3)], recoding=recoding).solve(algorithm)
    problem = sf.Problem(table, [sf.KAnonymity(3)], recoding=sf.Multidimensional(splits={"x": 2, "y": 2}))
    with pytest.raises(sf.ProblemError, match="start has boxes that are not among this problem's"):
        problem.solve(sf.GenSearch(start=start))
    own = problem.solve(sf.Mondrian())
    assert problem.solve(sf.GenSearch(start=own)).exact_cost == problem.solve().exact_cost


def test_rounds_of_exact_searches_improve_what_a_proof_cannot() -> None:
    """After 30,000 boxes rounds of dives and rollouts begin, and what they find is valid and costs what it says."""
    random = Random(7)
    rows: list[Row] = [
        {f"q{a}": str(min(int(random.expovariate(0.35)), 9)) for a in range(5)} | {"s": random.choice("uuvwx")}
        for _ in range(1_500)
    ]
    kinds = {f"q{a}": sf.ordered() for a in range(5)}
    table = sf.Table(PlainEngine(rows), quasi_identifiers=kinds, sensitive=["s"])
    for models, most in (([sf.KAnonymity(5)], 7_500), ([sf.KAnonymity(5), sf.TCloseness("s", 0.3)], 9_000)):
        asked = sf.Problem(table, models, sf.Discernibility(), sf.Multidimensional())
        solution = solve_within(asked, sf.GenSearch(), Limits(examined=250_000))
        early = min(one.cost for one in solution.trace if one.cost is not None and one.examined < 30_000)
        assert solution.cost is not None
        assert solution.bound is not None
        assert solution.bound <= solution.cost <= most < early
        assert solution.recoding is not None
        sizes = [one.size for one in solution.recoding.summaries(table.frequencies)]
        assert sum(n * n for n in sizes) == solution.cost
        assert len(solution.release().rows) == len(rows)  # checked
