"""POkA: as the paper's pseudo-code reads, on random problems; what it misses, and why, on data; its counts on Adult."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from pathlib import Path
from random import Random

import pytest

import sfumato as sf
from papers.poka.literal_poka import LiteralPOkA
from sfumato.front.front import ParetoFront
from sfumato.hierarchies import Hierarchy
from sfumato.loss import Loss
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_problems import any_problem

Rows = list[tuple[str, ...]]


def table(rows: Rows, hierarchies: dict[str, list[tuple[str, ...]]], target: str | None = None) -> sf.Table:
    """A table of a few rows: the columns with hierarchies, then the target."""
    names = [*hierarchies, *([target] if target else [])]
    records: list[Row] = [dict(zip(names, row, strict=True)) for row in rows]
    trees = {name: Hierarchy.from_rows(paths, name) for name, paths in hierarchies.items()}
    return sf.Table(PlainEngine(records), quasi_identifiers=trees, target=target)


def values(front: ParetoFront) -> list[tuple[int, float]]:
    return [(int(point.k), point.cost) for point in front]


# --- the pseudo-code


def test_it_is_the_published_one(suite: Callable[[int], int]) -> None:
    compared = long_ways = 0
    for seed in range(suite(600)):
        random = Random(seed)
        drawn = any_problem(random, (5, 20))
        problem, depth = drawn.problem, random.randint(1, 3)
        if problem.recoding.suppressing.limit == 1:
            continue
        problem = replace(problem, constraints=[sf.KAnonymity(1)])
        ranges = problem.recoding.ranges(problem.data.frequencies)
        start = tuple(random.randint(*levels) for levels in ranges) if random.random() < 0.3 else None
        literal = LiteralPOkA(problem, drawn.rows, depth)
        expected = literal.run(start)
        names = [attribute.name for attribute in problem.data.frequencies.quasi_identifiers]
        search = sf.POkA(depth, None if start is None else dict(zip(names, start, strict=True)))
        front = sf.tradeoff(problem.data, "k", problem.loss, problem.recoding, algorithm=search, keep_nodes=True)
        assert front.evaluated == len(literal.evaluated) == len(front.cloud or ())
        points = {(point.k, point.exact_cost) for point in front}
        assert points <= {(best.k, best.cost) for best in expected}
        for best in expected:  # what the paper's search reaches, less the points that others of it beat
            beaten = any(k >= best.k and c <= best.cost and (k, c) != (best.k, best.cost) for k, c in points)
            assert beaten or (best.k, best.cost) in points
        compared += 1
        long_ways += len(expected) > 3
    assert compared > suite(400)
    assert long_ways > suite(100)


def test_every_point_is_a_release_that_says_no_more_than_is_known() -> None:
    front = sf.tradeoff(_census(), recoding=sf.FullDomain("5%"), algorithm=sf.POkA())
    assert (front.complete, front.spend_limit, front.algorithm) == (False, True, "poka")
    assert "INCOMPLETE" in str(front)
    for point in front:
        solution = point.solution
        assert (solution.status, solution.bound, solution.suppressed) == ("feasible", None, point.suppressed)
        assert solution.attained["k-anonymity"]["k"] == point.k
    released = front.at(k=10).release()
    assert sf.check(released, quasi_identifiers=["age", "sex"], constraints=[sf.KAnonymity(10)]).holds


def test_the_depth_is_the_average_height_unless_said() -> None:
    data = _census()
    heights = [attribute.hierarchy.height for attribute in data.frequencies.quasi_identifiers]
    usual = sf.tradeoff(data, algorithm=sf.POkA(), keep_nodes=True)
    said = sf.tradeoff(data, algorithm=sf.POkA(depth=ceil(sum(heights) / len(heights))), keep_nodes=True)
    deeper = sf.tradeoff(data, algorithm=sf.POkA(depth=1), keep_nodes=True)
    assert (values(usual), usual.evaluated) == (values(said), said.evaluated)
    assert usual.evaluated > deeper.evaluated
    assert {point.nodes[0] for point in usual.cloud or ()} == {point.nodes[0] for point in said.cloud or ()}


def test_any_start() -> None:
    data = _census()
    low = sf.tradeoff(data, algorithm=sf.POkA(start={"age": 1}))
    assert low[-1].levels["age"] == 1
    assert low[-1].k < len(data.frequencies.counts) * 100
    assert values(sf.tradeoff(data, algorithm=sf.POkA(start={}))) == values(sf.tradeoff(data, algorithm=sf.POkA()))


def _census() -> sf.Table:
    from sfumato.datasets import census

    return sf.Table(census(2_000).to_pandas(), quasi_identifiers={"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat()})


# --- the four reasons why it is incomplete, each on a few rows (docs/algorithms/poka.md)

FLAT = [("0", "*"), ("1", "*")]


def both(
    rows: Rows,
    hierarchies: dict[str, list[tuple[str, ...]]],
    *,
    loss: Loss | None = None,
    limit: str = "0",
    depth: int | None = None,
    target: str | None = None,
) -> tuple[ParetoFront, ParetoFront]:
    """What POkA finds, and the true front of the paper's question."""
    data, recoding = table(rows, hierarchies, target), sf.FullDomain(limit)
    front = sf.tradeoff(data, loss=loss, recoding=recoding, algorithm=sf.POkA(depth))
    return front, sf.tradeoff(data, loss=loss, recoding=recoding, spend_limit=True)


def test_reason_1_the_loop_ends_at_k_2() -> None:
    """`while k > 2`: at k = 2 it ends, and k = 1 is never looked for."""
    front, true = both([("a",), ("b",), ("c",), ("c",)], {"x": [("a", "A", "*"), ("b", "A", "*"), ("c", "C", "*")]})
    assert values(true) == [(1, 0), (2, 1), (4, 4)]
    assert values(front) == [(2, 1), (4, 4)]
    assert [point.k for point in front.against(true).missed] == [1]


def test_reason_2_a_plateau_of_the_loss_ends_it_at_once() -> None:
    """No neighbour of the top loses less than the top, though nodes below them do: the search returns with nothing."""
    rows = [("0", "0", "a"), ("0", "0", "a"), ("0", "1", "b"), ("1", "0", "a"), ("1", "0", "a"), ("1", "1", "a")]
    rows += [("0", "1", "b"), ("1", "1", "a"), ("0", "0", "a")]
    front, true = both(rows, {"x": FLAT, "y": FLAT}, loss=sf.Classification(), depth=2, target="t")
    assert values(front) == [(9, 2)]
    assert values(true) == [(2, 0), (9, 2)]
    for levels in ({"x": 1, "y": 0}, {"x": 0, "y": 1}):  # the plateau
        fixed = sf.FullDomain(min_level=levels, max_level=levels)
        data = table(rows, {"x": FLAT, "y": FLAT}, "t")
        assert sf.Problem(data, [sf.KAnonymity(1)], sf.Classification(), fixed).solve().cost == 2


def test_reason_3_ties_in_k_hide_deeper_nodes() -> None:
    """Below a neighbour of the base only smaller k are expected; a node of the same k that loses less is missed."""
    front, true = both([("1", "0"), ("1", "0"), ("0", "1"), ("0", "1")], {"x": FLAT, "y": FLAT})
    assert values(true) == [(2, 0), (4, 8)]
    assert values(front) == [(2, 4), (4, 8)]
    comparison = front.against(true)
    assert [(point.k, point.cost) for point in comparison.missed] == [(2, 0)]
    assert [(point.k, point.cost) for point in comparison.wrong] == [(2, 4)]


def test_reason_4_the_loss_is_not_monotone() -> None:
    """Where records are suppressed, a node may lose more than one above it: the search turns back there."""
    rows = [("1", "1"), ("3", "1"), ("1", "0"), ("3", "2"), ("0", "0"), ("0", "0")]
    hierarchies = {
        "x": [(value, "*") for value in "0123"],
        "y": [("0", "A", "*"), ("1", "B", "*"), ("2", "B", "*")],
    }
    front, true = both(rows, hierarchies, loss=sf.Discernibility(), limit="2/6")
    assert values(true) == [(1, 8), (2, 12), (3, 18), (6, 36)]
    assert values(front) == [(3, 18), (6, 36)]
    # From (1, 1), which is on the front, the way to (0, 2) leads over (0, 1), which loses more than both.
    records: list[Row] = [dict(zip(hierarchies, row, strict=True)) for row in rows]
    problem = sf.Problem(table(rows, hierarchies), [sf.KAnonymity(1)], sf.Discernibility(), sf.FullDomain("2/6"))
    literal = LiteralPOkA(problem, records, 2)
    literal.run()
    assert [literal.evaluate(node).cost for node in ((1, 1), (0, 1), (0, 2))] == [18, 20, 12]
    unheeding = LiteralPOkA(problem, records, 2, heeds_loss=False)
    assert [(best.k, best.cost) for best in unheeding.run()] == [(6, 36), (3, 18), (2, 12)]


# --- refusals


def test_solve_refuses() -> None:
    problem = sf.Problem(_census(), [sf.KAnonymity(2)])
    with pytest.raises(sf.ProblemError, match=r"poka finds what every k costs.*sf.tradeoff"):
        problem.solve(sf.POkA())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"vary": (sf.DistinctLDiversity("s"), "l")}, "varies k of k-anonymity alone"),
        ({"vary": ["k", (sf.DistinctLDiversity("s"), "l")]}, "varies k of k-anonymity alone"),
        ({"constraints": [sf.DistinctLDiversity("s", 2)]}, "no requirement beside k, such as distinct-l-diversity"),
        ({"algorithm": sf.POkA(start={"z": 1})}, "start has 'z', which is not a quasi-identifier; choose from x"),
        ({"algorithm": sf.POkA(start={"x": 2})}, r"start\['x'\] = 2, but 'x' has levels 0 to 1"),
    ],
)
def test_what_it_does_not_search(options: dict[str, object], why: str) -> None:
    rows: list[Row] = [{"x": str(i % 2), "s": str(i % 3)} for i in range(12)]
    data = sf.Table(PlainEngine(rows), quasi_identifiers={"x": sf.flat()}, sensitive=["s"])
    keywords: dict[str, object] = {"algorithm": sf.POkA(), **options}
    with pytest.raises(sf.ProblemError, match=why):
        sf.tradeoff(data, **keywords)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keywords", "why"),
    [
        ({"depth": 0}, "depth = 0 is not a whole number from 1 up"),
        ({"depth": "x"}, "depth = x is not a whole number"),
        ({"start": 3}, "does not say whose"),
        ({"start": {"age": -1}}, "not a whole number from 0 up"),
    ],
)
def test_settings(keywords: dict[str, object], why: str) -> None:
    with pytest.raises(sf.ProblemError, match=why):
        sf.POkA(**keywords)  # type: ignore[arg-type]


def test_a_limit_ends_it_with_the_points_so_far() -> None:
    data = _census()
    front = sf.tradeoff(data, algorithm=sf.POkA(), time_limit=0)
    assert len(front) <= 1
    assert not front.complete


# --- Adult, as in the paper

ATTRIBUTES = "age workclass education marital-status race sex native-country salary-class".split()


@pytest.mark.parametrize(
    ("loss", "evaluated", "reached", "points"),
    [(sf.LM(), 3608, 35, 36), (sf.Discernibility(), 2400, 30, 31)],
    ids=["GLM", "DCN"],
)
def test_adult(shared_data: Path, loss: Loss, evaluated: int, reached: int, points: int) -> None:
    adult = _adult(shared_data, ATTRIBUTES, None)
    recoding = sf.FullDomain("1%")
    front = sf.tradeoff(adult, loss=loss, recoding=recoding, algorithm=sf.POkA(depth=3))
    comparison = front.against(sf.tradeoff(adult, loss=loss, recoding=recoding, spend_limit=True))
    assert (front.space, front.evaluated) == (17_920, evaluated)
    assert (len(comparison.found), len(comparison.found) + len(comparison.missed)) == (reached, points)
    assert [point.k for point in comparison.missed] == [1]
    assert comparison.wrong == ()
    assert str(comparison).startswith(f"{reached} of {points} points found")


def test_adult_with_classification_returns_at_once(shared_data: Path) -> None:
    adult = _adult(shared_data, ATTRIBUTES[:-1], "salary-class")
    front = sf.tradeoff(adult, loss=sf.Classification(), recoding=sf.FullDomain("1%"), algorithm=sf.POkA(depth=3))
    assert (front.space, front.evaluated, [point.k for point in front]) == (8_960, 8, [30_162])
    shallow = sf.tradeoff(adult, loss=sf.Classification(), recoding=sf.FullDomain("1%"), algorithm=sf.POkA(depth=1))
    assert len(shallow) > 10


def _adult(shared_data: Path, names: list[str], target: str | None) -> sf.Table:
    import pandas as pd

    frame = pd.read_csv(shared_data / "adult-45222.csv.gz", nrows=30_162)
    folder = shared_data / "hierarchies" / "adult-poka"
    return sf.Table(frame, quasi_identifiers={name: folder / f"{name}.csv" for name in names}, target=target)
