"""t-closeness: three distances against transport solved outright, examples of the paper, and what a class may hide."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

import sfumato as sf
from sfumato.data import ClassSummary, Distribution
from sfumato.testing.conformance import random_class
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_rows import random_hierarchy
from sfumato.testing.transport import earth_movers

DISEASES = sf.Hierarchy.from_rows(
    [
        ("flu", "lung", "lung", "any"),
        ("pneumonia", "lung", "lung", "any"),
        ("gastritis", "stomach", "digestive", "any"),
        ("ulcer", "stomach", "digestive", "any"),
        ("colitis", "colon", "digestive", "any"),
        ("scar", "scar", "scar", "any"),
    ],
    "diseases",
)


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_equals_transport(distance: str, suite: Callable[[int], int]) -> None:
    random = Random(8)
    for _ in range(suite(300)):
        hierarchy = random_hierarchy(random, "s") if distance == "hierarchical" else DISEASES
        values = list(hierarchy.leaves)[: random.randint(2, 6)]
        counts = {value: random.randint(1, 5) for value in values}
        model = sf.TCloseness("s", 1, distance).bound_to({"s": Distribution("s", counts, hierarchy)})
        summary = random_class(random, values, unknown=False)
        assert model.distance_of(summary) == earth_movers(model.input, summary.histograms["s"], distance)


def test_salaries_of_the_paper() -> None:
    """Li et al., Section 4.1: salaries 3k to 11k; {3k,4k,5k} is at distance 0.375, {6k,8k,11k} at 0.167."""
    salaries = {str(k): 1 for k in range(3, 12)}
    model = sf.TCloseness("salary", 0.2, "ordered").bound_to({"salary": Distribution("salary", salaries)})
    low = ClassSummary(3, {"salary": {"3": 1, "4": 1, "5": 1}})
    wide = ClassSummary(3, {"salary": {"6": 1, "8": 1, "11": 1}})
    assert model.distance_of(low) == Fraction(3, 8)
    assert model.distance_of(wide) == Fraction(1, 6)
    assert (model.holds(low), model.holds(wide)) == (False, True)
    assert model.attained([low, wide]) == {"t": 0.375}


def test_hierarchical_by_hand() -> None:
    """Height 3; half of flu moves to pneumonia (height 1), so the work is ½ · ⅓."""
    model = sf.TCloseness("s", 1, "hierarchical").bound_to(
        {"s": Distribution("s", {"flu": 1, "pneumonia": 1}, DISEASES)}
    )
    assert model.distance_of(ClassSummary(2, {"s": {"flu": 2}})) == Fraction(1, 6)
    assert model.distance_of(ClassSummary(2, {"s": {"scar": 2}})) == 1, "also a leaf that the input has not"
    assert model.distance_of(ClassSummary(2, {"s": {"unheard of": 2}})) == 1


def test_ties_are_exact() -> None:
    reference = {"s": Distribution("s", {"a": 1, "b": 2})}
    summary = ClassSummary(3, {"s": {"a": 2, "b": 1}})
    assert sf.TCloseness("s", "1/3").bound_to(reference).holds(summary)
    assert not sf.TCloseness("s", 0.3333333333333333).bound_to(reference).holds(summary)


def test_suppressed_values_may_be_any() -> None:
    """The farthest filling: both records of the two could be b."""
    model = sf.TCloseness("s", 1).bound_to({"s": Distribution("s", {"a": 3, "b": 1})})
    assert model.distance_of(ClassSummary(4, {"s": {"a": 2}})) == Fraction(1, 4)
    assert model.distance_of(ClassSummary(4, {"s": {"b": 2}})) == Fraction(3, 4)


def test_one_value_is_at_no_distance() -> None:
    summary = ClassSummary(2, {"s": {"a": 2}})
    for distance in ("equal", "ordered"):
        assert sf.TCloseness("s", 0, distance).bound_to({"s": Distribution("s", {"a": 9})}).holds(summary)


def table(**sensitive: object) -> sf.Table:
    rows = [{"q": str(i % 3), "s": "xyz"[i % 2], "n": str(i % 4)} for i in range(12)]
    hierarchies = {"s": sensitive.get("s"), "n": None}
    return sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=hierarchies)  # type: ignore[arg-type]


def test_what_a_distance_needs_comes_from_the_table() -> None:
    with pytest.raises(sf.ProblemError, match="needs an order, and 's' has texts; give it a hierarchy"):
        sf.Problem(table(), [sf.TCloseness("s", 0.2, "ordered")])
    with pytest.raises(sf.ProblemError, match="needs a hierarchy of 's'"):
        sf.Problem(table(), [sf.TCloseness("s", 0.2, "hierarchical")])
    assert sf.Problem(table(), [sf.TCloseness("n", 0.2, "ordered")]).solve().status == "optimal"
    for distance in ("ordered", "hierarchical"):
        assert sf.Problem(table(s=sf.flat()), [sf.TCloseness("s", 0.2, distance)]).solve().status == "optimal"


def test_numeric_order_comes_before_the_order_of_leaves() -> None:
    odd = sf.Hierarchy.from_rows([("10", "*"), ("9", "*"), ("100", "*")], "odd")
    assert Distribution("s", {"10": 1, "9": 1, "": 2, "100": 1}, odd).order == ("9", "10", "100", "")
    assert Distribution("s", {"b": 1, "a": 1}).order is None
    letters = sf.Hierarchy.from_rows([("b", "*"), ("a", "*")], "letters")
    assert Distribution("s", {"a": 1, "b": 1}, letters).order == ("b", "a")


def test_a_bound_model_equals_what_was_asked_for() -> None:
    problem = sf.Problem(table(), [sf.TCloseness("s", 0.2)])
    assert problem.question.constraints == (sf.TCloseness("s", 0.2),)
    assert problem.solve().to_json()["reference"] == {"s": {"x": 6, "y": 6}}


@pytest.mark.parametrize(("t", "distance"), [(1.5, "equal"), (-1, "equal"), ("x", "equal"), (0.1, "euclidean")])
def test_parameters(t: object, distance: str) -> None:
    with pytest.raises(sf.ProblemError, match=r"(t|distance) = "):
        sf.TCloseness("s", t, distance)  # type: ignore[arg-type]
