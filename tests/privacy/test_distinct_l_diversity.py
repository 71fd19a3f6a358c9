"""Distinct l-diversity: the definition and its edges."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.data import ClassSummary
from sfumato.testing.plain_engine import PlainEngine


@pytest.mark.parametrize(
    ("histogram", "holds"), [({"a": 9}, False), ({"a": 8, "b": 1}, True), ({"a": 1, "b": 1, "c": 1}, True)]
)
def test_at_least_l_values(histogram: dict[str, int], holds: bool) -> None:
    summary = ClassSummary(sum(histogram.values()), {"s": histogram})
    assert sf.DistinctLDiversity("s", 2).holds(summary) is holds


def test_a_missing_value_is_a_value() -> None:
    rows = [{"q": "x", "s": "ill"}, {"q": "x", "s": None}]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    solution = sf.Problem(table, [sf.DistinctLDiversity("s", 2)]).solve()
    assert (solution.cost, solution.attained) == (0, {"distinct-l-diversity": {"l": 2}})


def test_two_sensitive_attributes_are_both_protected() -> None:
    rows = [
        {"q": q, "s": s, "t": t} for q, s, t in [("a", "1", "x"), ("a", "2", "x"), ("b", "1", "y"), ("b", "1", "z")]
    ]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s", "t"])
    one = sf.Problem(table, [sf.DistinctLDiversity("t", 2)], recoding=sf.FullDomain("50%")).solve()
    assert (one.levels, one.suppressed) == ({"q": 0}, 2)
    both = sf.Problem(table, [sf.DistinctLDiversity("s", 2), sf.DistinctLDiversity("t", 2)]).solve()
    assert both.levels == {"q": 1}
    assert both.attained == {"distinct-l-diversity:s": {"l": 2}, "distinct-l-diversity:t": {"l": 3}}


def test_the_attribute_must_be_sensitive() -> None:
    table = sf.Table(PlainEngine([{"q": "x", "s": "y"}]), quasi_identifiers={"q": sf.flat()})
    with pytest.raises(sf.ProblemError, match="not sensitive"):
        sf.Problem(table, [sf.DistinctLDiversity("s", 2)])
