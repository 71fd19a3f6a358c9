"""LPlusOptimize: its options, what it refuses, the top solutions and what is done with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato import _core
from sfumato.algorithms import Limits, LPlusOptimize
from sfumato.algorithms.steps.cut_costs import CutCosts
from sfumato.solve import solve_within
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_cuts import cut_problem

TREE = "*\n  A\n    1\n    2\n  B\n    3\n    4"


def table(rows: int = 60, attributes: int = 3) -> sf.Table:
    random = Random(5)
    names = [f"q{a}" for a in range(attributes)]
    data: list[Row] = [
        {name: random.choice("1234") for name in names} | {"s": random.choice("xxxyyz"), "t": random.choice("ab")}
        for _ in range(rows)
    ]
    tree = sf.Hierarchy.from_outline(TREE)
    return sf.Table(PlainEngine(data), quasi_identifiers=dict.fromkeys(names, tree), sensitive=["s"], target="t")


def problem(suppression: str = "all-records", loss: sf.loss.Loss | None = None, **more: object) -> sf.Problem:
    return sf.Problem(table(), [sf.LPlusDiversity("s", "1/2")], loss or sf.LM(), sf.FullSubtree(suppression, **more))  # type: ignore[arg-type]


def test_it_is_chosen_for_cuts() -> None:
    solution = problem().solve()
    assert (solution.algorithm, solution.status, solution.gap) == ("l-plus-optimize", "optimal", 0)
    assert solution.space == 5**3
    assert solution.bound == solution.cost


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"bounds": "best"}, "bounds = 'best' is unknown; choose strong or paper"),
        ({"order": "up"}, "order = 'up' is unknown; choose descending or ascending"),
        ({"top": 0}, "top"),
        ({"update_bounds": "perhaps"}, "update_bounds = perhaps is neither true nor false"),
    ],
)
def test_wrong_options(options: dict[str, object], said: str) -> None:
    with pytest.raises(sf.ProblemError, match=said):
        LPlusOptimize(**options)  # type: ignore[arg-type]


def test_other_recodings_are_refused() -> None:
    with pytest.raises(sf.ProblemError, match="full-domain"):
        sf.Problem(table(), [sf.KAnonymity(2)]).solve(LPlusOptimize())


def test_losses_without_bounds_are_refused() -> None:
    with pytest.raises(sf.ProblemError, match="not weighted-sum"):
        problem(loss=sf.WeightedSum({"lm": 1, "discernibility": 1})).solve(LPlusOptimize())


def test_models_that_generalization_may_break_need_suppression() -> None:
    class AtMostTen(sf.ClassModel):
        name = "at-most-ten"
        monotonicity = sf.Monotonicity.NONE

        def holds(self, summary: sf.ClassSummary) -> bool:
            return summary.size <= 10

    with pytest.raises(sf.ProblemError, match="all-records"):
        sf.Problem(table(), [AtMostTen()], sf.LM(), sf.FullSubtree()).solve(LPlusOptimize())
    solution = sf.Problem(table(), [AtMostTen()], sf.LM(), sf.FullSubtree("all-records")).solve()
    assert (solution.status, solution.algorithm, solution.cost) == ("optimal", "l-plus-optimize", 0)


def test_top_solutions_are_distinct_and_cheapest_first() -> None:
    solution = problem().solve(LPlusOptimize(top=10))
    costs = [one.exact_cost for one in solution.top]
    assert len(costs) == 10
    assert costs == sorted(costs, key=lambda cost: cost or 0)
    assert len({str(one.recoding.to_json()) for one in solution.top if one.recoding}) == 10
    assert solution.top[0] is solution
    assert all(one.exact_bound == solution.exact_cost for one in solution.top)
    assert {one.status for one in solution.top[1:]} == {"feasible"}


def test_all_cuts_when_more_are_asked_for() -> None:
    solution = problem().solve(LPlusOptimize(top=1000))
    assert len(solution.top) == solution.space
    assert solution.status == "optimal"


def test_pick_is_seeded_and_among_the_top() -> None:
    solution = problem().solve(LPlusOptimize(top=5))
    picked = [solution.pick(seed).exact_cost for seed in range(40)]
    assert picked == [solution.pick(seed).exact_cost for seed in range(40)]
    assert set(picked) == {one.exact_cost for one in solution.top}


@pytest.mark.parametrize("suppression", ["none", "violating-values", "all-values", "violating-records", "all-records"])
def test_blur_generalises_further_and_is_checked(suppression: str) -> None:
    solution = problem(suppression).solve()
    finer = sum(map(len, solution.recoding.cuts.values()))  # type: ignore[union-attr]
    blurred = solution.blur(seed=3, steps=2)
    assert blurred.recoding is not None
    assert sum(map(len, blurred.recoding.cuts.values())) < finer or finer == 3  # type: ignore[attr-defined]
    assert (blurred.status, blurred.exact_bound) == ("feasible", solution.exact_bound) or finer == 3
    assert blurred.cost >= solution.cost  # type: ignore[operator]
    blurred.release()  # checked
    assert solution.blur(seed=3, steps=2).to_json() == blurred.to_json()
    top = solution.blur(seed=0, steps=50)
    assert all(len(labels) == 1 for labels in top.recoding.cuts.values())  # type: ignore[union-attr]


@pytest.mark.parametrize("suppression", ["violating-values", "all-values", "violating-records", "all-records"])
def test_blur_suppresses_random_classes_whole(suppression: str) -> None:
    """The classes that stay are those that there were; of the others, all records go, or all sensitive values."""
    solution = problem(suppression).solve()
    before = Counter(tuple(row.values()) for row in solution.release().rows)
    drawn = set()
    for seed in range(12):
        blurred = solution.blur(seed, steps=0, suppress="1/3")
        after = Counter(tuple(row.values()) for row in blurred.release().rows)  # checked
        stay = {row for row in after if row[3] != "*"}
        assert all(after[row] == before[row] for row in stay)
        gone = {row for row in before if row[3] != "*" and row not in stay}
        assert gone
        assert not {row[:3] for row in gone} & {row[:3] for row in stay}  # whole classes
        touched = sum(before[row] for row in gone)
        shown = sum(n for row, n in before.items() if row[3] != "*")
        assert 0 < touched <= shown / 3
        of_values = suppression.endswith("values")
        assert blurred.values_suppressed == solution.values_suppressed + touched * of_values
        assert blurred.suppressed == solution.suppressed + touched * (not of_values)
        f = solution.problem.data.frequencies
        price = blurred.question.loss.cost(f, blurred.chosen.summaries(f), blurred.suppressed)
        assert blurred.exact_cost == price > (solution.exact_cost or 0)
        assert (blurred.status, blurred.exact_bound) == ("feasible", solution.exact_bound)
        assert blurred.to_json() == solution.blur(seed, 0, "1/3").to_json()
        assert blurred.chosen.to_json()["further_suppression"] is True
        drawn.add(frozenset(gone))
    assert len(drawn) > 3
    with pytest.raises(sf.ProblemError, match="random suppression already"):
        blurred.blur(1)
    with pytest.raises(sf.ProblemError, match="suppressed at random, which nobody can repeat"):
        solution.problem.evaluate(blurred.chosen.to_json())


def test_random_suppression_heeds_the_limit() -> None:
    some = problem("all-records", suppression_limit="50%").solve()
    allowed = some.question.recoding.suppressing.records(60)
    for seed in range(10):
        try:
            blurred = some.blur(seed, 0, "90%")
        except sf.ProblemError:
            continue
        assert some.suppressed < blurred.suppressed <= allowed
    assert blurred.suppressed <= allowed


def test_blur_needs_a_cut() -> None:
    with pytest.raises(sf.ProblemError, match="FullSubtree"):
        sf.Problem(table(), [sf.KAnonymity(2)]).solve().blur(1)
    infeasible = sf.Problem(table(), [sf.KAnonymity(1000)], sf.LM(), sf.FullSubtree()).solve()
    assert infeasible.status == "infeasible"
    assert infeasible.top == ()
    for act in (infeasible.blur, infeasible.pick):
        with pytest.raises(sf.InfeasibleError):
            act(1)


def test_limits_stop_it_with_a_bound() -> None:
    whole = problem("violating-values").solve(threads=1)
    examined: list[int] = []
    limits = Limits(examined=3)
    stopped = solve_within(
        problem("violating-values"), LPlusOptimize(), limits, progress=lambda now: examined.append(now.examined)
    )
    assert stopped.status in {"feasible", "no_solution_found"}
    assert stopped.bound is not None
    assert whole.cost is not None
    assert stopped.bound <= whole.cost
    assert stopped.examined == 3


def test_what_is_stopped_is_never_dearer_than_the_most_general_cut(suite: Callable[[int], int]) -> None:
    """The paper starts with the top cut; where it is valid, there is always an answer."""
    seen = Counter[str]()
    for seed in range(suite(600)):
        random = Random(seed)
        drawn = cut_problem(random).problem
        costs = CutCosts(drawn.question)
        top = costs(costs.top)
        stopped = solve_within(drawn, LPlusOptimize(), Limits(examined=random.randint(0, 3)))
        if not top.valid:
            continue
        seen[stopped.status] += 1
        assert stopped.exact_cost is not None
        assert stopped.exact_cost <= costs.exact(top.units)
        assert stopped.exact_bound is not None
        assert stopped.exact_bound <= stopped.exact_cost
    assert seen["feasible"] > seen.total() / 4, seen
    assert not seen["no_solution_found"]


def test_wide_problems_work() -> None:
    """More attributes than a key of 64 bits or a mask of 8 would have, and more nodes than 256."""
    random = Random(6)
    names = [f"q{a}" for a in range(12)]
    rows: list[Row] = [
        {name: str(random.randrange(300)) for name in names} | {"s": random.choice("wxyz")} for _ in range(80)
    ]
    tree = sf.Hierarchy.from_rows([(str(v), f"{v // 10}@", f"{v // 100}@@", "*") for v in range(300)], "wide")
    wide = sf.Table(PlainEngine(rows), quasi_identifiers=dict.fromkeys(names, tree), sensitive=["s"])
    posed = sf.Problem(wide, [sf.LPlusDiversity("s", "1/2")], sf.LM(), sf.FullSubtree("all-records"))
    solution = posed.solve(time_limit=1)
    assert solution.space > 1 << 64
    assert solution.bound is not None
    assert solution.cost is not None
    assert 0 <= solution.bound <= solution.cost
    assert solution.release() is not None


def test_many_leaves() -> None:
    """A hierarchy of 70,000 occurring leaves."""
    leaves = 70_000
    rows: list[Row] = [{"q": str(v), "s": "wxyz"[v % 4]} for v in range(leaves)]
    tree = sf.Hierarchy.from_rows([(str(v), f"{v // 100}@", "*") for v in range(leaves)], "many")
    many = sf.Table(PlainEngine(rows), quasi_identifiers={"q": tree}, sensitive=["s"])
    posed = sf.Problem(many, [sf.LPlusDiversity("s", "1/4")], sf.LM(), sf.FullSubtree())
    solution = posed.solve(time_limit=20)
    # Each group of 100 has 25 records of each value; each leaf alone has one.
    assert solution.bound is not None
    assert solution.cost is not None
    assert solution.bound <= leaves * 99 / (leaves - 1) + 1e-6
    assert solution.cost >= solution.bound


def test_other_losses_of_values() -> None:
    """Precision and non-uniform entropy add up over values too: the search equals the best of all its own cuts."""
    for loss in (sf.Precision(), sf.NonUniformEntropy()):
        solution = problem("all-records", loss).solve(LPlusOptimize(top=1000))
        assert solution.status == "optimal"
        assert len(solution.top) == solution.space
        assert solution.exact_cost == min(one.exact_cost for one in solution.top if one.exact_cost is not None)


def test_units_are_persons() -> None:
    rows: list[Row] = [{"q": "1", "s": "x", "p": "1"}] * 3 + [{"q": "2", "s": "y", "p": p} for p in "234"]
    tree = sf.Hierarchy.from_rows([("1", "*"), ("2", "*")], "q")
    people = sf.Table(PlainEngine(rows), quasi_identifiers={"q": tree}, sensitive=["s"], unit="p")
    solution = sf.Problem(people, [sf.KAnonymity(2)], sf.LM(), sf.FullSubtree("all-records")).solve()
    assert (solution.status, solution.cost) == (
        "optimal",
        6,
    )  # one person's three records: all to the root, or left out


def test_random_problem_through_the_public_way() -> None:
    case = cut_problem(Random(1))
    assert case.problem.solve().status in {"optimal", "infeasible"}


@pytest.mark.parametrize("attributes", [3, 70])
@pytest.mark.parametrize("bounds", ["strong", "paper"])
def test_attributes_that_never_vary_cost_nothing(attributes: int, bounds: str) -> None:
    """More of them than a mask of 64 bits has places: the first three alone tell the records apart."""
    names = [f"q{a}" for a in range(attributes)]
    rows: list[Row] = []
    for i in range(8):
        values = {name: "x" if a >= 3 or i >> a & 1 else "y" for a, name in enumerate(names)}
        rows += [{**values, "s": "uvw"[i % 3]}, {**values, "s": "uvw"[(2 * i + 1) % 3]}]
    trees = {name: sf.Hierarchy.from_rows([("x", "*"), ("y", "*")], name) for name in names}
    data = sf.Table(PlainEngine(rows), quasi_identifiers=trees, sensitive=["s"])
    problem = sf.Problem(data, [sf.LPlusDiversity("s", "1/2")], sf.LM(), sf.FullSubtree("all-records"))
    solution = problem.solve(sf.LPlusOptimize(bounds=bounds))
    assert (solution.status, solution.exact_cost, solution.suppressed) == ("optimal", 16, 0)


@pytest.mark.parametrize(
    ("loss", "scheme"),
    [
        (sf.LM(), "violating-values"),
        (sf.LM(), "all-values"),
        (sf.Discernibility(), "all-records"),
        (sf.Classification(), "violating-records"),
    ],
)
def test_what_is_tabulated_and_what_is_searched_cost_the_same(
    monkeypatch: pytest.MonkeyPatch, loss: sf.loss.Loss, scheme: str
) -> None:
    """Both ways find the same least cost; a table that is stopped has a cut and a bound all the same."""
    random = np.random.default_rng(7)
    columns = {name: random.integers(0, 16, 60_000) for name in "abcd"}
    columns["s"] = (random.geometric(0.3, 60_000) + columns["a"] // 8).clip(max=6)
    columns["t"] = (random.random(60_000) < 0.2 + columns["b"] / 32).astype(int)
    people = sf.Table(
        pd.DataFrame(columns),
        quasi_identifiers=dict.fromkeys("abcd", sf.intervals(4, 16)),
        sensitive=["s"],
        target="t",
    )
    posed = sf.Problem(people, [sf.LPlusDiversity("s", {"6": "1/4"}, default="2/5")], loss, sf.FullSubtree(scheme))
    tabulated, search = posed.solve(sf.LPlusOptimize()), _core.l_plus_optimize
    stopped = solve_within(posed, sf.LPlusOptimize(), Limits(examined=tabulated.examined - 1))
    monkeypatch.setattr(_core, "l_plus_optimize", partial(search, tabulating_from=1 << 40))
    searched = posed.solve(sf.LPlusOptimize())
    assert tabulated.status == searched.status == "optimal"
    assert tabulated.exact_cost == searched.exact_cost == tabulated.exact_bound
    assert tabulated.examined != searched.examined
    assert stopped.status == "feasible"
    assert stopped.exact_bound <= tabulated.exact_cost <= stopped.exact_cost  # type: ignore[operator]
