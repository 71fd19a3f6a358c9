from __future__ import annotations

import json

import pytest

import sfumato as sf

ROWS = [("a1", "A", "*"), ("a2", "A", "*"), ("b1", "B", "*"), ("b2", "B", "*")]
BASKETS = [["a1", "b1"], ["a2", "b1"], ["a1", "a2", "b2"], ["b2"]]


def solved(k: int, m: int) -> sf.Solution:
    data = sf.Transactions(BASKETS, hierarchy=sf.Hierarchy.from_rows(ROWS, "items"))
    return sf.Problem(data, [sf.KmAnonymity(k, m)], recoding=sf.ItemCut()).solve()


def test_what_the_json_says() -> None:
    solution = solved(2, 2)
    assert dict(solution.recoding.generalised) == {"A": 2, "B": 2}
    assert solution.recoding.intact == 0
    assert "cut  0 of 4 items as they are, the others as 2 more general ones" in str(solution)
    report = json.loads(json.dumps(solution.to_json()))
    assert report["recoding"] == {"model": "item-cut", "generalised": {"A": 2, "B": 2}, "intact": 0}
    assert report["attained"] == {"km-anonymity": {"k": 3, "m": 2}}
    assert report["records"] == {"in": 4, "out": 4, "suppressed": 0, "values_suppressed": 0}


def test_labels_must_tell_nodes_apart() -> None:
    rows = [("x", "y", "*"), ("z", "y", "*"), ("y", "w", "*"), ("v", "w", "*")]
    data = sf.Transactions([["x"], ["y"]], hierarchy=sf.Hierarchy.from_rows(rows, "items"))
    with pytest.raises(sf.ProblemError, match="1 labels name two nodes"):
        sf.Problem(data, [sf.KmAnonymity(2, 1)])


def test_local_algorithms_are_refused() -> None:
    data = sf.Transactions(BASKETS, hierarchy=sf.flat())
    problem = sf.Problem(data, [sf.KmAnonymity(2, 1)])
    with pytest.raises(sf.ProblemError, match="lra recodes items transaction by transaction; use local-items"):
        problem.solve(sf.LRA())
    with pytest.raises(sf.ProblemError, match="lattice-search"):
        problem.solve(sf.LatticeSearch())
    with pytest.raises(sf.ProblemError, match="FullDomain is not a recoding of transactions"):
        sf.Problem(data, [sf.KmAnonymity(2, 1)], recoding=sf.FullDomain())
