"""Moving earth: by hand, and against linear programming."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog

from sfumato.data import Distribution
from sfumato.testing.transport import earth_movers, least_work


def test_a_cheap_way_is_given_up_for_a_cheaper_whole() -> None:
    """The first path takes a to x; the second must send it to y after all."""
    apart = {("a", "x"): 1, ("a", "y"): 2, ("b", "x"): 1, ("b", "y"): 9}
    assert least_work({"a": 3, "b": 2}, {"x": 2, "y": 3}, lambda x, y: Fraction(apart[x, y])) == 3 * 2 + 2 * 1


def test_equals_linear_programming() -> None:
    random = Random(3)
    for _ in range(60):
        m, n = random.randint(1, 5), random.randint(1, 5)
        cost = [[random.randint(0, 9) for _ in range(n)] for _ in range(m)]
        flow = [[random.choice([0, 0, 1, 2, 5]) for _ in range(n)] for _ in range(m)]
        supply, demand = [sum(row) for row in flow], [sum(column) for column in zip(*flow, strict=True)]
        equal = np.zeros((m + n, m * n))
        for i in range(m):
            equal[i, i * n : (i + 1) * n] = 1
        for j in range(n):
            equal[m + j, j::n] = 1
        least = linprog(np.ravel(cost), A_eq=equal, b_eq=supply + demand).fun
        work = least_work(
            {str(i): amount for i, amount in enumerate(supply)},
            {str(j): amount for j, amount in enumerate(demand)},
            lambda x, y: Fraction(cost[int(x)][int(y)]),  # noqa: B023
        )
        assert float(work) == pytest.approx(least, abs=1e-9)


def test_the_paper_s_salaries() -> None:
    salaries = Distribution("salary", {str(k): 1 for k in range(3, 12)})
    assert earth_movers(salaries, {"3": 1, "4": 1, "5": 1}, "ordered") == Fraction(3, 8)
    assert earth_movers(salaries, {"6": 1, "8": 1, "11": 1}, "ordered") == Fraction(1, 6)
    assert earth_movers(salaries, {"6": 1}, "equal") == Fraction(8, 9)


def test_what_is_not_equal_cannot_be_moved() -> None:
    with pytest.raises(ValueError, match="not equal"):
        least_work({"a": 1}, {"a": 2}, lambda x, y: Fraction(x != y))
