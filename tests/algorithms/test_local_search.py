"""LocalSearch against brute force over all local recodings; and against what it promises."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pandas as pd
import pytest

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.privacy import ClassModel, Monotonicity
from sfumato.solve import solve_within
from sfumato.testing.brute_force_local import least_local
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_parts import MODELS, random_loss
from sfumato.testing.random_rows import SENSITIVE, random_hierarchy, random_rows

KINDS = [kind for kind in MODELS if kind is not sf.TauLDiversity]


def random_case(
    random: Random, records: tuple[int, int], kinds: list[type[ClassModel]]
) -> tuple[sf.Problem, list[Row]]:
    """Few records, uneven hierarchies with absent leaves and missing values, one or two models, weights."""
    names = [f"q{a}" for a in range(random.randint(1, 3))]
    hierarchies = {name: random_hierarchy(random, name) for name in names}
    rows = random_rows(random, hierarchies, records)
    target = random.random() < 0.3
    rows = [{**row, "t": random.choice("yn")} for row in rows]
    table = sf.Table(
        PlainEngine(rows), quasi_identifiers=hierarchies, sensitive={"s": SENSITIVE}, target="t" if target else None
    )
    drawn = random.sample(kinds, min(len(kinds), random.choice([1, 1, 2])))
    models = [MODELS[kind](random, table.frequencies.distributions["s"]) for kind in drawn]
    return sf.Problem(table, models, random_loss(random, names), sf.Local()), rows


def random_orders(
    random: Random, records: tuple[int, int], kinds: list[type[ClassModel]]
) -> tuple[sf.Problem, list[Row]]:
    """Few records with one or two attributes published as intervals, with gaps and missing values, beside a tree."""
    names = ["a", "b"][: random.choice([1, 1, 2])]
    rows: list[Row] = []
    for row in random_rows(random, {"q": (tree := random_hierarchy(random, "q"))}, records):
        own = {name: str(random.choice([1, 2, 3, 5, 8, 13, 21])) if random.random() < 0.93 else None for name in names}
        rows.append({**row, **own})
    sources = {name: random.choice([sf.ordered(), sf.intervals(4, 8)]) for name in names}
    table = sf.Table(PlainEngine(rows), quasi_identifiers={**sources, "q": tree}, sensitive={"s": SENSITIVE})
    drawn = random.sample(kinds, min(len(kinds), random.choice([1, 1, 2])))
    models = [MODELS[kind](random, table.frequencies.distributions["s"]) for kind in drawn]
    weights = {name: random.choice([1, 2, "1/3"]) for name in [*names, "q"]} if random.random() < 0.4 else None
    return sf.Problem(table, models, sf.LM(weights), sf.Local(splits=dict.fromkeys(names, "every"))), rows


def random_namesakes(
    random: Random, records: tuple[int, int], kinds: list[type[ClassModel]]
) -> tuple[sf.Problem, list[Row]]:
    """Few records whose hierarchies have nodes that are called like others, above them or elsewhere."""
    named = {name: with_namesake(random, random_hierarchy(random, name)) for name in ("q0", "q1")}
    rows = random_rows(random, named, records)
    table = sf.Table(PlainEngine(rows), quasi_identifiers=named, sensitive={"s": SENSITIVE})
    models = [MODELS[random.choice(kinds)](random, table.frequencies.distributions["s"])]
    return sf.Problem(table, models, sf.LM(), sf.Local()), rows


def with_namesake(random: Random, hierarchy: sf.Hierarchy) -> sf.Hierarchy:
    """A hierarchy with one node called like a leaf, if it has nodes between leaves and root."""
    for _ in range(20):
        level, leaf = random.randrange(1, hierarchy.height + 1), random.choice(hierarchy.leaves)
        old = random.choice(hierarchy.labels[level])
        rows = [[leaf if i == level and x == old else x for i, x in enumerate(row)] for row in hierarchy.rows]
        if level < hierarchy.height and (leaf == old or leaf not in hierarchy.labels[level]):
            return sf.Hierarchy.from_rows(rows, hierarchy.source)
    return hierarchy


@pytest.mark.parametrize("kinds", [[sf.KAnonymity], KINDS], ids=["k-anonymity", "any model"])
@pytest.mark.parametrize(
    "posed", [random_case, random_orders, random_namesakes], ids=["trees", "intervals", "namesakes"]
)
def test_bound_and_cost_enclose_the_least_loss(
    posed: Callable[..., tuple[sf.Problem, list[Row]]], kinds: list[type[ClassModel]], suite: Callable[[int], int]
) -> None:
    random = Random(f"local {len(kinds)}")
    feasible = best = proved = between = 0
    for _ in range(max(30, suite(300))):
        problem, rows = posed(random, (4, 8), kinds)
        solution = problem.solve(sf.LocalSearch(steps=400, rounds=6), seed=random.randrange(3))
        least = least_local(problem, rows)
        if least is None:
            assert solution.status == "infeasible"
            continue
        assert solution.exact_bound is not None
        assert solution.exact_cost is not None
        assert solution.exact_bound <= least <= solution.exact_cost
        assert (solution.status == "optimal") == (solution.exact_bound == solution.exact_cost)
        feasible += 1
        best += solution.exact_cost == least
        proved += solution.status == "optimal"
        between += 0 < least < problem.question.loss.cost(problem.data.frequencies, [], len(rows))
    assert best > 0.9 * feasible  # that small, it finds the best nearly always
    assert proved > feasible / 10
    assert between > feasible / 5  # neither nothing nor everything is lost


def require_release(solution: sf.Solution, records: int) -> None:
    """The release passes the check, with every record, and costs what it is said to."""
    problem, f = solution.problem, solution.problem.data.frequencies
    audit = sf.check(
        solution.release(),
        quasi_identifiers=[attribute.name for attribute in f.quasi_identifiers],
        constraints=problem.constraints,
        sensitive={"s": SENSITIVE},
        reference=solution.reference or None,
    )
    assert audit.holds
    assert audit.records == records
    again = problem.question.loss.cost(f, solution.chosen.summaries(f), solution.suppressed)
    assert (solution.exact_cost, solution.suppressed) == (again, 0)


def test_intervals_are_released_and_pass_check(suite: Callable[[int], int]) -> None:
    random = Random("intervals")
    printed = 0
    for _ in range(max(10, suite(100))):
        problem, rows = random_orders(random, (20, 80), KINDS)
        solution = problem.solve(sf.LocalSearch(steps=300, rounds=2), threads=random.choice([1, 2]))
        if solution.status == "infeasible":
            continue
        require_release(solution, len(rows))
        printed += any("[" in str(label) for label in solution.plan().labels["a"])
    assert printed > 3


def test_many_values_of_an_order() -> None:
    """More than the bound looks at one by one: blocks stand for several intervals."""
    random = Random(4)
    frame = pd.DataFrame(
        {"income": [random.randint(1, 900) for _ in range(400)], "sex": [random.choice("fm") for _ in range(400)]}
    )
    table = sf.Table(frame, quasi_identifiers={"income": sf.ordered(), "sex": sf.flat()})
    problem = sf.Problem(table, [sf.KAnonymity(5)], sf.LM(), sf.Local())
    solution = problem.solve(sf.LocalSearch(steps=4000, rounds=4))
    assert solution.exact_bound is not None
    assert solution.exact_cost is not None
    assert 0 < solution.exact_bound <= solution.exact_cost < 2 * solution.exact_bound
    fine = sf.Problem(table, [sf.KAnonymity(5)], sf.LM(), sf.Multidimensional()).solve(sf.Mondrian())
    assert solution.cost < fine.cost  # type: ignore[operator]
    coarse = sf.Problem(table, [sf.KAnonymity(5)], sf.LM(), sf.Local(splits={"income": 3}))
    assert set(coarse.solve(sf.LocalSearch(steps=500)).release()["income"].str[0]) == {"["}


def test_every_release_passes_check_and_publishes_every_record(suite: Callable[[int], int]) -> None:
    random = Random("releases")
    split = 0
    for _ in range(max(20, suite(200))):
        problem, rows = random_case(random, (5, 60), KINDS)
        solution = problem.solve(sf.LocalSearch(steps=300, rounds=2))
        if solution.status == "infeasible":
            continue
        plan = solution.plan()
        assert int(plan.copies.sum()) == len(rows)
        require_release(solution, len(rows))
        split += not plan.whole
    assert split > 2  # equal records, published differently


def people(records: int = 300, seed: int = 0) -> sf.Table:
    random = Random(seed)
    frame = pd.DataFrame(
        {
            "age": [random.randint(18, 60) for _ in range(records)],
            "sex": [random.choice("fm") for _ in range(records)],
            "job": [random.choice("abcdef") for _ in range(records)],
            "s": [random.choice("xxyz") for _ in range(records)],
        }
    )
    tree = sf.Hierarchy.from_rows([(job, "abc" if job < "d" else "def", "*") for job in "abcdef"], "job")
    qi = {"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat(), "job": tree}
    return sf.Table(frame, quasi_identifiers=qi, sensitive=["s"])


def test_the_answer_depends_on_seed_and_steps_alone() -> None:
    table = people()
    for models in ([sf.KAnonymity(4)], [sf.KAnonymity(3), sf.LDiversity("s", "3/2")]):
        problem = sf.Problem(table, models, sf.LM(), sf.Local())
        search = sf.LocalSearch(rounds=3)
        one, two, other = (
            solve_within(problem, search, Limits(examined=900, threads=threads), seed)
            for threads, seed in ((1, 5), (2, 5), (1, 6))
        )
        assert (one.exact_cost, one.exact_bound, one.examined) == (two.exact_cost, two.exact_bound, two.examined)
        assert one.release().equals(two.release())
        assert not one.release().equals(other.release())
        assert one.examined == 900


def test_more_steps_lose_less_and_rounds_prove_more() -> None:
    problem = sf.Problem(people(), [sf.KAnonymity(5)], sf.LM(), sf.Local())
    few = problem.solve(sf.LocalSearch(steps=0, rounds=0))
    many = problem.solve(sf.LocalSearch(steps=20_000, rounds=6))
    assert few.exact_bound is not None
    assert many.exact_bound is not None
    assert few.exact_bound < many.exact_bound
    assert few.exact_cost is not None
    assert many.exact_cost is not None
    assert many.exact_cost < few.exact_cost
    assert many.trace[-1].bound == many.bound
    assert many.exact_cost / many.exact_bound < Fraction(5, 4)
    whole = sf.Problem(people(), [sf.KAnonymity(5)], sf.LM()).solve()
    assert whole.exact_cost is not None
    assert 3 * many.exact_cost < 2 * whole.exact_cost  # than one generalization for all


def test_stopped_at_any_moment_it_publishes_everything() -> None:
    problem = sf.Problem(people(60), [sf.KAnonymity(3), sf.DistinctLDiversity("s", 2)], sf.LM(), sf.Local())
    for examined in (0, 1, 7, 50):
        solution = solve_within(problem, sf.LocalSearch(), Limits(examined=examined))
        assert int(solution.plan().copies.sum()) == 60
        assert solution.attained["k-anonymity"]["k"] >= 3  # type: ignore[operator]
    solution = solve_within(problem, sf.LocalSearch(), Limits(seconds=0))
    assert (solution.status, solution.exact_bound) == ("feasible", 0)
    assert int(solution.plan().copies.sum()) == 60


def test_a_class_may_be_valid_within_one_that_is_not() -> None:
    """Where merging keeps a model, a record's class at a node may violate it, and a part of it be published there."""
    frame = pd.DataFrame({"q": list("xxxxxyyy"), "s": list("aaaabbbb")})
    table = sf.Table(frame, quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    solution = sf.Problem(table, [sf.LDiversity("s", 2)], sf.LM(), sf.Local()).solve()
    assert solution.exact_cost == 6  # one a and the b of x are published as x
    assert solution.exact_bound is not None
    assert solution.exact_bound <= 6


class TwoValues(ClassModel):
    """A model of one's own: two different values, none of which has more than four fifths of the class."""

    name = "two-values"
    monotonicity = Monotonicity.UP
    reads = "s"

    def holds(self, summary: sf.ClassSummary) -> bool:
        return 5 * max(summary.histograms["s"].values()) <= 4 * summary.size


def test_a_model_of_ones_own() -> None:
    problem = sf.Problem(people(80), [TwoValues(), sf.KAnonymity(3)], sf.LM(), sf.Local())
    solution = problem.solve(sf.LocalSearch(steps=300, rounds=2), threads=2)
    summaries = solution.chosen.classes(problem.data.frequencies).summaries(["s"])
    assert all(TwoValues().holds(summary) and summary.size >= 3 for summary in summaries)
    assert len(summaries) > 3
    assert solution.exact_bound is not None


def test_what_it_refuses_and_what_cannot_be_met() -> None:
    table = people(30)
    with pytest.raises(sf.ProblemError, match="recodes locally, not full-domain"):
        sf.Problem(table, [sf.KAnonymity(2)]).solve(sf.LocalSearch())
    with pytest.raises(sf.ProblemError, match="discernibility looks at whole classes"):
        sf.Problem(table, [sf.KAnonymity(2)], sf.Discernibility(), sf.Local()).solve()
    tau = sf.TauLDiversity("s", 1, 2, hierarchy=sf.flat())
    with pytest.raises(sf.ProblemError, match="choose sequential-sweep"):
        sf.Problem(table, [tau], sf.LM(), sf.Local()).solve(sf.LocalSearch())
    solution = sf.Problem(table, [sf.KAnonymity(31)], sf.LM(), sf.Local()).solve()
    assert solution.status == "infeasible"
    assert "violates k-anonymity" in solution.reason
    cut = sf.Local(splits={"age": "every"})
    with pytest.raises(sf.ProblemError, match="precision does not say what intervals of 'age' lose"):
        sf.Problem(table, [sf.KAnonymity(2)], sf.Precision(), cut).solve(sf.LocalSearch())
    with pytest.raises(sf.ProblemError, match="'age' is published as intervals; choose local-search"):
        sf.Problem(table, [sf.LDiversity("s", 2)], sf.LM(), cut).solve(sf.OneDimensional())
    with pytest.raises(sf.ProblemError, match="steps"):
        sf.LocalSearch(steps=-1)


def test_an_empty_table_is_published_empty() -> None:
    rows = pd.DataFrame({"q": []}, dtype=str)
    table = sf.Table(rows, quasi_identifiers={"q": sf.flat()})
    solution = sf.Problem(table, [sf.KAnonymity(2)], sf.LM(), sf.Local()).solve()
    assert (solution.status, solution.classes, solution.cost) == ("optimal", 0, 0)
    assert len(solution.release()) == 0


def test_progress_tells_cost_and_bound() -> None:
    seen: list[object] = []
    problem = sf.Problem(people(), [sf.KAnonymity(5)], sf.LM(), sf.Local())
    problem.solve(time_limit=0.4, progress=seen.append)
    assert all(now.cost is None or now.bound <= now.cost for now in seen)  # type: ignore[attr-defined]
