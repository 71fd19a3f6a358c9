"""LM: the definition by hand, weights and prices, and units that never lose a tie."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import sfumato as sf
from sfumato.data import ClassSummary
from sfumato.native.tables import NativeProblem
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_problems import random_problem

ROWS = [{"age": str(age), "sex": sex} for age, sex in [(30, "m"), (31, "m"), (35, "f"), (39, "f"), (39, "f")]]


def table() -> sf.Table:
    """Ages 30, 31, 35, 39: four leaves. Sexes: two."""
    return sf.Table(PlainEngine(ROWS), quasi_identifiers={"age": sf.intervals(5), "sex": sf.flat()})


def test_by_hand() -> None:
    # [30, 35) covers 2 of 4 leaves: 1/3. Sex as it is: 0. One record suppressed: 2 attributes.
    classes = [ClassSummary(2, leaves=(2, 1)), ClassSummary(2, leaves=(2, 1))]
    assert sf.LM().cost(table().frequencies, classes, suppressed=1) == Fraction(4, 3) + 2
    assert sf.LM().relative(Fraction(10), table().frequencies) == 1


def test_weights_and_price() -> None:
    loss = sf.LM(weights={"age": 0.5}, record="3/2")
    classes = [ClassSummary(4, leaves=(4, 2))]
    assert loss.cost(table().frequencies, classes, suppressed=1) == 4 * Fraction(3, 2) + Fraction(3, 2) * Fraction(3, 2)


def test_a_one_leaf_hierarchy_costs_nothing() -> None:
    one = sf.Table(PlainEngine([{"a": "x"}, {"a": "x"}]), quasi_identifiers={"a": sf.flat()})
    assert sf.LM().cost(one.frequencies, [ClassSummary(2, leaves=(1,))], 0) == 0
    assert sf.Problem(one, [sf.KAnonymity(2)]).solve().levels == {"a": 0}


@pytest.mark.parametrize(
    "wrong", [{"weights": {"age": -1}}, {"record": -1}, {"record": "dear"}, {"weights": {"age": "x"}}]
)
def test_prices_are_numbers(wrong: dict[str, object]) -> None:
    with pytest.raises(sf.ProblemError):
        sf.LM(**wrong)  # type: ignore[arg-type]


def test_weights_name_quasi_identifiers() -> None:
    with pytest.raises(sf.ProblemError, match=r"'agee'.*age, sex"):
        sf.Problem(table(), [sf.KAnonymity(2)], sf.LM(weights={"agee": 1}))


def test_twin_equals_definition() -> None:
    """The cost of each level of each attribute, for random tables, weights and prices."""
    random = Random(4)
    for _ in range(100):
        problem = random_problem(random).problem
        f, loss = problem.data.frequencies, problem.loss
        assert isinstance(loss, sf.LM)
        core = loss.core(f)
        native = NativeProblem.of(f, [], core)
        values = [[0] * int(f.codes[:, a].max() + 1) for a in range(len(f.quasi_identifiers))]
        for row, count in zip(f.codes.tolist(), f.counts.tolist(), strict=True):
            for a in range(len(values)):
                values[a][row[a]] += count
        occurring = [[count for count in column if count] for column in values]
        costs = iter(native.loss.level_costs(native.frequencies, occurring))
        for a, attribute in enumerate(f.quasi_identifiers):
            h = attribute.hierarchy
            for level in range(h.height + 1):
                leaves = [
                    [1] * a + [int(h.sizes[level][h.groups[level][code]])] + [1] * 9 for code in range(len(values[a]))
                ]
                classes = [
                    ClassSummary(count, leaves=tuple(leaves[code][: len(values)]))
                    for code, count in enumerate(values[a])
                    if count
                ]
                assert core.exact(next(costs)) == loss.cost(f, classes, 0)


def test_hierarchies_without_a_common_denominator() -> None:
    """Forty attributes with prime numbers of further leaves: the least common multiple has 200 bits."""
    primes = [p for p in range(2, 400) if all(p % d for d in range(2, p))][:40]
    random = Random(9)
    rows = [{f"q{p}": str(random.randrange(p + 1)) for p in primes} for _ in range(500)]
    rows[: max(primes) + 1] = [{f"q{p}": str(i % (p + 1)) for p in primes} for i in range(max(primes) + 1)]
    wide = sf.Table(PlainEngine(rows), quasi_identifiers={f"q{p}": sf.flat() for p in primes})
    core = sf.LM().core(wide.frequencies)
    for p, price in zip(primes, core.values[0].unit, strict=True):
        assert 0 <= Fraction(1, p) - core.exact(price) <= Fraction(1, 2**80)
    solution = sf.Problem(wide, [sf.KAnonymity(3)], recoding=sf.FullDomain("10%")).solve(time_limit=1)
    assert solution.bound is not None
    assert solution.cost is not None
    assert solution.bound <= solution.cost
