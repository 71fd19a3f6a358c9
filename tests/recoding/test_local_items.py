from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import sfumato as sf

ROWS = [("a1", "A", "*"), ("a2", "A", "*"), ("b1", "B", "*"), ("b2", "B", "*")]
BASKETS = [["a1"]] * 3 + [["a2"]] + [["b1"]] * 4 + [["b2"]] * 2


def data() -> sf.Transactions:
    return sf.Transactions(BASKETS, hierarchy=sf.Hierarchy.from_rows(ROWS, "items"))


def test_parts_may_publish_an_item_differently() -> None:
    problem = sf.Problem(data(), [sf.KAnonymity(2)], recoding=sf.LocalItems())
    solution = problem.solve()
    assert solution.algorithm == "partition"
    # A lone a2 is filled up with an a1; the other a1 stay as they are.
    released = Counter(map(tuple, solution.release()))
    assert released == {("a1",): 2, ("A",): 2, ("b1",): 4, ("b2",): 2}
    assert solution.exact_cost == Fraction(2 * 2, 10 * 4)
    assert solution.to_json()["recoding"]["model"] == "local-items"
    assert "parts with a cut each" in str(solution)
    assert solution.attained == {"k-anonymity": {"k": 2}}


def test_global_searches_are_refused() -> None:
    problem = sf.Problem(data(), [sf.KmAnonymity(2, 1)], recoding=sf.LocalItems())
    with pytest.raises(sf.ProblemError, match="aa recodes items all alike; use item-cut, not local-items"):
        problem.solve(sf.AA())
    assert problem.solve().algorithm == "lra"
