from __future__ import annotations

from fractions import Fraction

import pytest

import sfumato as sf

ROWS = [("a1", "A", "*"), ("a2", "A", "*"), ("b", "b", "*"), ("c", "c", "*")]  # c does not occur
BASKETS = [["a1", "b"], ["a2", "b"], ["a1"]]


def data() -> sf.Transactions:
    return sf.Transactions(BASKETS, hierarchy=sf.Hierarchy.from_rows(ROWS, "items"))


def solved(loss: sf.NCP, k: int = 2) -> sf.Solution:
    return sf.Problem(data(), [sf.KmAnonymity(k, 1)], loss).solve()


def test_a_share_of_all_leaves() -> None:
    """a1, a2 become A, two of four leaves, in three of five occurrences; b stays."""
    assert solved(sf.NCP()).exact_cost == Fraction(3 * 2, 5 * 4)
    assert solved(sf.NCP(), k=1).exact_cost == 0
    assert solved(sf.NCP(), k=3).exact_cost == 1  # b is in two transactions: all becomes the root


def test_weights() -> None:
    weighted = solved(sf.NCP({"a1": 2, "b": "1/2"}))
    assert weighted.exact_cost == Fraction((2 * 2 + 1) * 2, (2 * 2 + 1 + 1) * 4)


def test_unknown_weights() -> None:
    with pytest.raises(sf.ProblemError, match="weights has 1 items that are not leaves") as fault:
        solved(sf.NCP({"secret": 2}))
    assert fault.value.hidden_values == ("secret",)
    with pytest.raises(sf.ProblemError, match="negative"):
        sf.NCP({"b": -1})


def test_tables_have_other_losses() -> None:
    import pandas as pd

    table = sf.Table(pd.DataFrame({"x": [1, 2]}), quasi_identifiers={"x": sf.flat()})
    with pytest.raises(sf.ProblemError, match="NCP is not a loss"):
        sf.Problem(table, [sf.KAnonymity(2)], sf.NCP())
    with pytest.raises(sf.ProblemError, match="LM is not a loss of transactions"):
        sf.Problem(data(), [sf.KmAnonymity(2, 1)], sf.LM())
