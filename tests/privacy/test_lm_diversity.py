from __future__ import annotations

import pytest

import sfumato as sf


def test_shares_of_sensitive_items() -> None:
    records = {frozenset("as"): 1, frozenset("a"): 1, frozenset("b"): 1}
    assert sf.LmDiversity(2, 1, ["s"]).holds(records)
    assert sf.LmDiversity(3, 1, ["s"]).worst(records) == (1, 2)
    assert not sf.LmDiversity(3, 1, ["s"]).holds(records)


def test_who_knows_nothing_may_not_learn_it_either() -> None:
    records = {frozenset("s"): 2, frozenset("a"): 1}
    assert sf.LmDiversity(2, 1, ["s"]).worst(records) == (2, 3)


def test_sensitive_items_do_not_identify() -> None:
    records = {frozenset("st"): 1, frozenset("a"): 3}
    assert sf.LmDiversity(2, 2, ["s", "t"]).holds(records)


def test_spellings() -> None:
    assert sf.LmDiversity(2, 1, "flu+asthma").sensitive_items == ("flu", "asthma")
    with pytest.raises(sf.ProblemError, match="names none"):
        sf.LmDiversity(2, 1, [])


def test_unknown_items() -> None:
    data = sf.Transactions([["a"], ["b"]], hierarchy=sf.flat())
    with pytest.raises(sf.ProblemError, match="1 sensitive items are not leaves") as fault:
        sf.Problem(data, [sf.LmDiversity(2, 1, ["secret"])])
    assert "secret" not in str(fault.value)
    assert fault.value.hidden_values == ("secret",)


def test_too_frequent_from_the_start() -> None:
    data = sf.Transactions([["s"], ["s", "a"], ["b"]], hierarchy=sf.flat())
    solution = sf.Problem(data, [sf.LmDiversity(2, 1, ["s"])]).solve()
    assert (solution.status, solution.examined) == ("infeasible", 0)
    assert "more than 1/l" in solution.reason
