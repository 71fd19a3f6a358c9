"""Numbers at the edges of what is counted: below a limit answers are right, beyond it the message says what to do.

Rows that each stand for very many records make large counts of small tables. Multiplying all counts and k by one number
must multiply what is lost by it and change nothing else: so answers are known for any number of records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from sfumato import _core
from sfumato.algorithms import Algorithm
from sfumato.data import FrequencyTable
from sfumato.data.frequencies import MOST_COMBINATIONS, MOST_RECORDS, require_countable
from sfumato.engines import Counted
from sfumato.errors import DataError, HierarchyError, ProblemError
from sfumato.testing.plain_engine import PlainEngine, Row

ROWS = 64
LETTERS = [("a", "ab", "*"), ("b", "ab", "*"), ("c", "cd", "*"), ("d", "cd", "*")]


class Crowd(PlainEngine):
    """Rows each of which stands for many records."""

    def __init__(self, rows: list[Row], times: int | list[int]) -> None:
        super().__init__(rows)
        self.times = np.array(times, dtype=np.int64)

    def count(self, codes: Mapping[str, Mapping[str | None, int]], **more: Any) -> Counted:
        counted = super().count(codes, **more)  # type: ignore[arg-type]
        return replace(counted, counts=counted.counts * self.times)


def rows(seed: int = 1) -> list[Row]:
    random = Random(seed)
    return [
        {"x": random.choice("abcd"), "y": random.choice("abcd"), "z": random.choice("01"), "s": random.choice("uvw")}
        for _ in range(ROWS)
    ]


def table(times: int | list[int], some: list[Row] | None = None) -> sf.Table:
    letters = sf.Hierarchy.from_rows(LETTERS, "letters")
    crowd = Crowd(rows() if some is None else some, times)
    schemes = {"x": letters, "y": letters, "z": sf.flat()}
    return sf.Table(crowd, quasi_identifiers=schemes, sensitive=["s"])  # type: ignore[arg-type]


def around(records: int) -> list[int]:
    """How many times each row occurs, so that there are about as many records."""
    return [records // ROWS + more for more in (-1, 0, 1)]


SEARCHES: list[tuple[Algorithm, sf.FullDomain | sf.FullSubtree | sf.Multidimensional | sf.Local]] = [
    (sf.LatticeSearch(), sf.FullDomain("20%")),
    (sf.Samarati(), sf.FullDomain("20%")),
    (sf.Datafly(), sf.FullDomain("20%")),
    (sf.Incognito(), sf.FullDomain()),
    (sf.LPlusOptimize(), sf.FullSubtree(suppression="all-records")),
    (sf.GenSearch(), sf.Multidimensional()),
    (sf.Mondrian(), sf.Multidimensional()),
    (sf.Mondrian("median"), sf.Multidimensional()),
    (sf.SimulatedAnnealing(moves=200), sf.FullSubtree()),
    (sf.LocalSearch(steps=300), sf.Local()),
]
MODELS = [
    sf.DistinctLDiversity("s", 2),
    sf.LDiversity("s", "3/2"),
    sf.EntropyLDiversity("s", "1.4"),
    sf.RecursiveLDiversity("s", 3, 2),
    sf.TCloseness("s", "0.4"),
    sf.BetaLikeness("s", 2),
    sf.DeltaDisclosure("s", 1),
]


@pytest.mark.parametrize(("algorithm", "recoding"), SEARCHES, ids=lambda part: getattr(part, "name", ""))
def test_many_records_are_searched_as_few_are(algorithm: Algorithm, recoding: Any) -> None:
    small = sf.Problem(table(1), [sf.KAnonymity(3)], sf.LM(), recoding).solve(algorithm)
    assert small.exact_cost is not None
    for bits in (15, 16, 31, 32, 36):
        for times in around(1 << bits):
            if times * ROWS > MOST_RECORDS or (isinstance(recoding, sf.Local) and times * ROWS >= 1 << 32):
                continue
            problem = sf.Problem(table(times), [sf.KAnonymity(3 * times)], sf.LM(), recoding)
            large = problem.solve(algorithm)
            assert problem.question.records == times * ROWS
            if algorithm.name == "local-search":  # how many copies go where is a matter of steps
                assert large.exact_bound is not None
                assert large.exact_bound <= small.exact_cost * times
                assert sum(counts_of(large).values()) == times * ROWS
                assert min(counts_of(large).values()) >= 3 * times
                continue
            assert large.exact_cost == small.exact_cost * times
            assert large.suppressed == small.suppressed * times


LOSSES = [(sf.NonUniformEntropy(), 1), (sf.Discernibility(), 2), (sf.LM({"x": "1/3"}, "1/7"), 1)]  # and their powers


@pytest.mark.parametrize(("loss", "power"), LOSSES, ids=lambda part: getattr(part, "name", ""))
@pytest.mark.parametrize(("algorithm", "recoding"), SEARCHES, ids=lambda part: getattr(part, "name", ""))
def test_what_many_records_lose_is_added_up_in_wide_numbers(
    algorithm: Algorithm, recoding: Any, loss: Any, power: int
) -> None:
    """Logarithms have 36 bits and squares of class sizes 72; with so many records their sums have more than 64."""
    if not isinstance(recoding, sf.FullDomain | sf.FullSubtree):
        return
    small = sf.Problem(table(1), [sf.KAnonymity(3)], loss, recoding).solve(algorithm)
    assert small.exact_cost is not None
    for times in ((1 << 21) + 1, (1 << 25) - 1, 1 << 29):
        large = sf.Problem(table(times), [sf.KAnonymity(3 * times)], loss, recoding).solve(algorithm)
        assert large.exact_cost is not None
        assert float(large.exact_cost / times**power) == pytest.approx(float(small.exact_cost), rel=1e-7)


def counts_of(solution: sf.Solution) -> dict[int, int]:
    """The records of each published class."""
    classes = solution.chosen.classes(solution.problem.data.frequencies)
    return dict(enumerate(classes.sizes.tolist()))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_shares_of_many_records_are_those_of_few(model: Any) -> None:
    """Models of shares are asked about counts that are wider than 32 bits, and products that are wider than 64."""
    recodings = [(sf.LatticeSearch(), sf.FullDomain("20%")), (sf.GenSearch(), sf.Multidimensional())]
    for algorithm, recoding in recodings:
        costs = set()
        for times in (1, *around(1 << 32), (1 << 30) - 1):
            solution = sf.Problem(table(times), [model], sf.LM(), recoding).solve(algorithm)
            assert solution.exact_cost is not None
            costs.add(solution.exact_cost / times)
        assert len(costs) == 1


def test_squares_of_many_records_are_exact() -> None:
    for recoding in (sf.FullDomain("20%"), sf.FullSubtree(), sf.Multidimensional()):
        costs = set()
        for times in (1, *around(1 << 32), (1 << 30) - 1):
            problem = sf.Problem(table(times), [sf.KAnonymity(3 * times)], sf.Discernibility(), recoding)
            costs.add(Fraction(problem.solve().exact_cost or 0, times * times))
        assert len(costs) == 1


def test_records_are_fewer_than_two_to_the_36() -> None:
    most = [1] * (ROWS - 1) + [MOST_RECORDS - ROWS]  # one less than the limit
    some = [
        dict(row, x="abcd"[i % 4], y="abcd"[i // 4 % 4], z="01"[i // 16 % 2], s="uv"[i // 32])
        for i, row in enumerate(rows())
    ]
    for more, fits in ((0, True), (1, True), (2, False)):
        times = [*most[:-1], most[-1] + more]
        if fits:
            data = table(times, some)
            assert data.frequencies.records == MOST_RECORDS - 1 + more
            solution = sf.Problem(data, [sf.KAnonymity(2)]).solve()
            assert solution.status == "optimal"
        else:
            with pytest.raises(DataError, match=r"at most 68,719,476,735 can be counted; anonymize parts of the data"):
                table(times, some)
    core = [np.array([MOST_RECORDS + more - 1, 1], dtype=np.int64) for more in (-1, 0, 1)]
    assert all(_core.Frequencies([], [], [], counts) for counts in core[:2])
    with pytest.raises(ProblemError, match="anonymize parts of the data"):
        _core.Frequencies([], [], [], core[2])
    with pytest.raises(ProblemError, match="anonymize parts of the data"):
        _core.Frequencies([], [], [], np.array([1, 1]), population=core[2])


def test_combinations_are_fewer_than_two_to_the_31() -> None:
    one = np.int64(1)
    require_countable(np.broadcast_to(one, MOST_COMBINATIONS - 1))
    require_countable(np.broadcast_to(one, MOST_COMBINATIONS))
    with pytest.raises(DataError, match=r"at most 2,147,483,647 can be counted; name fewer quasi-identifiers"):
        FrequencyTable((), (), np.empty((0, 0), np.int32), np.broadcast_to(one, MOST_COMBINATIONS + 1))


def test_a_sum_that_wraps_around_is_refused() -> None:
    with pytest.raises(DataError, match="anonymize parts"):
        require_countable(np.array([(1 << 63) - 1, (1 << 63) - 1, 3]))


@pytest.mark.parametrize("k", [ROWS - 1, ROWS, ROWS + 1, (1 << 31) + 1, (1 << 32) + 1, 10**18])
def test_k_up_to_the_records_and_beyond(k: int) -> None:
    for recoding in (sf.FullDomain(), sf.FullSubtree(), sf.Multidimensional(), sf.Local()):
        solution = sf.Problem(table(1), [sf.KAnonymity(k)], sf.LM(), recoding).solve()
        if k <= ROWS:
            assert solution.exact_cost == 3 * ROWS
        else:
            assert solution.status == "infeasible"


def chain(levels: int) -> sf.Hierarchy:
    """Two leaves that meet at the root, so many labels one above the other."""
    return sf.Hierarchy(
        (("a", *(f"a{i}" for i in range(levels - 2)), "*"), ("b", *(f"b{i}" for i in range(levels - 2)), "*")), "chain"
    )


@pytest.mark.parametrize("levels", [65_534, 65_535, 65_536])
def test_levels_are_fewer_than_two_to_the_16(levels: int) -> None:
    if levels > 65_535:
        with pytest.raises(HierarchyError, match=r"65,536 levels are more than 65,535; leave levels out"):
            chain(levels)
        return
    data = sf.Table(
        PlainEngine([{"x": "a"}, {"x": "a"}, {"x": "b"}]),  # type: ignore[arg-type]
        quasi_identifiers={"x": chain(levels)},
    )
    node = sf.Problem(data, [sf.KAnonymity(3)]).solve()
    assert node.recoding.as_node == {"x": levels - 1}
    assert node.exact_cost == 3


def test_the_core_counts_levels_in_16_bits() -> None:
    level = (np.zeros(1, dtype=np.uint32), np.ones(1, dtype=np.int64))
    assert _core.Hierarchy([level] * 65_535)
    assert _core.Hierarchy([level] * 65_536)
    with pytest.raises(ProblemError, match="leave levels out"):
        _core.Hierarchy([level] * 65_537)


def test_sums_of_prices_keep_their_order() -> None:
    """Weights of coprime denominators have no common one below 2^120: sums are then within 2^-50 of the truth."""
    primes = [(1 << 61) - 1, (1 << 31) - 1, (1 << 89) - 1]
    for denominators in ([1, 1, 1], [*primes[:2], 1], primes):
        weights = {name: Fraction(3, n) + 1 for name, n in zip("xyz", denominators, strict=True)}
        problem = sf.Problem(table(1), [sf.KAnonymity(3)], sf.LM(weights=weights), sf.FullDomain())
        solution = problem.solve()
        least = min(
            cost
            for levels in product(range(3), range(3), range(2))
            if (cost := lost(problem, levels, weights)) is not None
        )
        assert solution.exact_cost is not None
        assert solution.exact_bound is not None
        assert abs(solution.exact_cost - least) <= least / 2**50
        assert solution.exact_bound <= least


def lost(problem: sf.Problem, levels: tuple[int, ...], weights: Mapping[str, Fraction]) -> Fraction | None:
    """What publishing all at these levels loses, by definition; None if it is not 3-anonymous."""
    f = problem.data.frequencies
    published = [tuple(row) for row in f.generalized(levels).tolist()]
    sizes: dict[tuple[int, ...], int] = {}
    for row, n in zip(published, f.counts.tolist(), strict=True):
        sizes[row] = sizes.get(row, 0) + n
    if min(sizes.values()) < 3:
        return None
    total = Fraction(0)
    for attribute, level in zip(f.quasi_identifiers, levels, strict=True):
        hierarchy = attribute.hierarchy
        each = Fraction(int(hierarchy.sizes[level][0]) - 1, len(hierarchy.rows) - 1)  # nodes of a level are alike here
        total += weights[attribute.name] * each * f.records
    return total


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_thresholds_are_never_weaker_than_asked(more: int) -> None:
    """Denominators up to 2^90 are compared exactly; finer thresholds are rounded to the safe side."""
    thirds: list[Row] = [{"x": "a", "y": "a", "z": "0", "s": value} for value in "uvw"]
    for denominator in ((1 << 90) - 1, 1 << 90, (1 << 90) + 1, 1 << 200):
        theta = Fraction(denominator // 3 + more, denominator)
        for recoding in (sf.FullDomain(), sf.FullSubtree(suppression="all-records"), sf.Multidimensional()):
            solution = sf.Problem(table(1, thirds), [sf.LPlusDiversity("s", theta)], sf.LM(), recoding).solve()
            published = solution.exact_cost is not None and not solution.suppressed
            if published:
                assert theta >= Fraction(1, 3)
            elif denominator <= 1 << 90:
                assert theta < Fraction(1, 3)


def test_weights_of_items_are_added_up_exactly_or_refused() -> None:
    hierarchy = sf.Hierarchy.from_rows([("a", "*"), ("b", "*")], "items")
    for bits, fits in ((100, True), (117, True), (118, False), (4000, False)):
        data = sf.Transactions([["a"], ["a"], ["b"]], hierarchy=hierarchy)
        if fits:
            assert sf.Problem(data, [sf.KmAnonymity(2, 1)], sf.NCP({"a": 1 << bits})).solve().exact_cost == 1
        else:
            with pytest.raises(ProblemError, match=r"round them|give one that is shorter"):
                sf.Problem(data, [sf.KmAnonymity(2, 1)], sf.NCP({"a": 1 << bits})).solve()
