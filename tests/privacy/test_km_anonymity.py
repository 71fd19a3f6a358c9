from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.privacy import ItemsetModel


def test_sets_of_up_to_m_items() -> None:
    records = {frozenset("ab"): 2, frozenset("bc"): 1, frozenset("c"): 1}
    assert sf.KmAnonymity(2, 1).holds(records)
    assert not sf.KmAnonymity(2, 2).holds(records)  # b and c together are in one
    assert not sf.KmAnonymity(3, 1).holds(records)


def test_short_transactions_count_too() -> None:
    """Sets of just m items are not enough, other than the paper says."""
    records = {frozenset("ab"): 2, frozenset("c"): 1}
    assert not sf.KmAnonymity(2, 2).holds(records)


def test_negative_knowledge() -> None:
    records = {frozenset("a"): 3, frozenset("ab"): 2, frozenset("b"): 2}
    assert sf.KmAnonymity(2, 2, negative=True).holds(records)
    assert not sf.KmAnonymity(3, 2, negative=True).holds(records)  # b without a: two
    assert sf.KmAnonymity(2, 2).holds({frozenset("a"): 2, frozenset("ab"): 2})
    assert not sf.KmAnonymity(3, 2, negative=True).holds({frozenset("a"): 2, frozenset("ab"): 3})


def test_what_searches_may_ask() -> None:
    assert isinstance(sf.KmAnonymity(5, 2), ItemsetModel)
    assert (sf.KmAnonymity(5, 2).monotone, sf.KmAnonymity(5, 2).least_support) == (True, 5)
    negative = sf.KmAnonymity("5", "2", negative="true")
    assert (negative.monotone, negative.least_support, negative.k) == (False, None, 5)


@pytest.mark.parametrize(("k", "m"), [(0, 1), (2, 0), (1.5, 1)])
def test_nonsense(k: float, m: int) -> None:
    with pytest.raises(sf.ProblemError, match="not a whole number from 1 up"):
        sf.KmAnonymity(k, m)


def test_tables_refuse_it() -> None:
    with pytest.raises(sf.ProblemError, match=r"a KmAnonymity is not a constraint on a table"):
        sf.check("x.csv", quasi_identifiers=["a"], constraints=[sf.KmAnonymity(2, 2)])
