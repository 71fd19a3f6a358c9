"""Ordered: values with an order and no hierarchy."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.errors import HierarchyError
from sfumato.hierarchies import HierarchySource, Ordered, ordered
from sfumato.testing.plain_engine import PlainEngine


def test_values_come_in_value_order() -> None:
    hierarchy = ordered().build("income", {"10": 1, "9": 2, "-1.5": 1})
    assert hierarchy.rows == (("-1.5", "*"), ("9", "*"), ("10", "*"))
    assert hierarchy.kind == "ordered"
    assert ordered().build("income", {}).rows == (("*", "*"),)
    assert isinstance(ordered(), HierarchySource)


def test_a_listed_order_is_kept_for_what_occurs() -> None:
    hierarchy = ordered(["low", "middle", "high"]).build("income", {"high": 1, "low": 2})
    assert hierarchy.leaves == ("low", "high")


def test_the_kind_survives_a_missing_value() -> None:
    hierarchy = ordered().build("income", {"1": 1}).with_missing()
    assert hierarchy.kind == "ordered"
    assert hierarchy.leaves == ("1", "")


def test_values_that_are_not_listed_are_counted_and_hidden() -> None:
    with pytest.raises(HierarchyError) as caught:
        ordered(["low", "high"]).build("income", {"low": 3, "secret": 2, "other secret": 1})
    assert str(caught.value) == (
        "The order lacks 2 of the 3 values of 'income' (3 rows); "
        "list every value from low to high, or see them in the error's hidden_values."
    )
    assert caught.value.hidden_values == ("other secret", "secret")


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["a", "b", "a"], "ordered() lists 'a' twice; list every value once, from low to high."),
        ([], "ordered() lists no values; list them from low to high, or leave the order out to sort them."),
        ("abc", "The order 'abc' is one text; give a list of values, as in ordered(['low', 'high'])."),
        ([1, 2], "ordered() lists 1, which is not a text; write values as texts: '1'."),
    ],
)
def test_faults_are_named(order: list[str], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        ordered(order)
    assert str(caught.value) == message


def test_it_gives_a_sensitive_attribute_its_order() -> None:
    rows: list[dict[str, str | None]] = [{"age": "30", "income": income} for income in ("low", "high", "middle")]
    order = sf.ordered(["low", "middle", "high"])
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"age": sf.flat()}, sensitive={"income": order})
    assert table.frequencies.others[0].labels == ("low", "middle", "high")


def test_arguments_are_read_from_text() -> None:
    assert Ordered.parse("") == ordered()
    assert Ordered.parse("low,middle,high") == ordered(["low", "middle", "high"])
    assert str(ordered()) == "ordered()"
    assert eval(str(ordered(["a'", "b"])), {"ordered": ordered}) == ordered(["a'", "b"])
