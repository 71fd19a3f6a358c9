from __future__ import annotations

import sfumato as sf


def test_sets_shorter_than_m_are_leaves_too() -> None:
    """A transaction of one item has no set of two: the paper's text would let it pass, its algorithm does not."""
    rows = [("a", "A", "*"), ("b", "A", "*"), ("c", "c", "*")]
    data = sf.Transactions([["a"], ["b", "c"], ["b", "c"]], hierarchy=sf.Hierarchy.from_rows(rows, "items"))
    solution = sf.Problem(data, [sf.KmAnonymity(2, 2)]).solve(sf.DA())
    assert dict(solution.recoding.generalised) == {"A": 2}
    assert (solution.status, solution.bound) == ("feasible", None)
