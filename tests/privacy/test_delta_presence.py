"""delta-presence: the definition and its edges."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pandas as pd
import pytest

import sfumato as sf
from sfumato.data import ClassSummary
from sfumato.settings.exact import Number
from sfumato.testing.conformance import counterexample

PEOPLE = pd.DataFrame({"age": [20, 20, 21, 30, 30, 30, 31, 31], "sex": list("ffmfmmff")})
DATA = PEOPLE.iloc[[0, 2, 4]]


def model(least: Number, most: Number, population: object = "people.csv") -> sf.DeltaPresence:
    return sf.DeltaPresence(least, most, population=population)


@pytest.mark.parametrize(
    ("records", "people", "holds"),
    [(1, 10, True), (1, 11, False), (3, 10, True), (31, 100, False), (1, 1, False), (2, 1, False), (1, 0, False)],
)
def test_share_of_the_people(records: int, people: int, holds: bool) -> None:
    assert model("1/10", 0.3).holds(ClassSummary(records, population=people)) is holds


def test_records_of_nobody_violate_whatever_is_asked() -> None:
    assert model(0, 1).holds(ClassSummary(5, population=5))
    assert not model(0, 1).holds(ClassSummary(6, population=5))
    assert not model(0, 1).holds(ClassSummary(1, population=0))


def test_attained_are_the_smallest_and_the_largest_share() -> None:
    classes = [ClassSummary(1, population=3), ClassSummary(2, population=4), ClassSummary(1, population=8)]
    assert model(0, 1).attained(classes) == {"delta_min": 0.125, "delta_max": 0.5}
    assert model(0, 1).attained([]) == {"delta_min": None, "delta_max": None}
    assert model(0, 1).attained([*classes, ClassSummary(2, population=1)]) == {"delta_min": None, "delta_max": None}


def test_attained_holds_when_it_is_read_back() -> None:
    random = Random(11)
    for _ in range(500):
        classes = [ClassSummary(random.randint(1, 20), population=random.randint(20, 90)) for _ in range(3)]
        attained = model(0, 1).attained(classes)
        least, most = attained["delta_min"], attained["delta_max"]
        assert least is not None
        assert most is not None
        assert all(model(least, most).holds(summary) for summary in classes)


@pytest.mark.parametrize(("least", "most"), [(-0.1, 1), (0, 1.1), (0.5, 0.4), ("many", 1)])
def test_deltas_are_shares_in_order(least: Number, most: Number) -> None:
    with pytest.raises(sf.ProblemError, match="delta_m"):
        model(least, most)


def test_deltas_are_exact() -> None:
    third = model("1/3", "1/3")
    assert third.holds(ClassSummary(1, population=3))
    assert not third.holds(ClassSummary(333_333_333, population=10**9))
    assert model(0, 0.1).most == Fraction(1, 10)


def test_equal_deltas_of_many_digits_stay_in_order() -> None:
    """What the core compares with is rounded against the release; the model can be bound all the same."""
    fine = Fraction(1, 3**100)
    bound = model(fine, fine).among(sf.Table(PEOPLE, quasi_identifiers={"sex": sf.flat()}).frequencies)
    assert bound.delta_min == bound.delta_max == fine
    assert bound.least >= fine >= bound.most


def test_only_a_limit_from_above_is_monotone() -> None:
    assert model(0, 0.5).monotonicity is sf.Monotonicity.UP
    assert model(0.1, 0.5).monotonicity is sf.Monotonicity.NONE
    assert counterexample(model(0, 0.5), ["a", "b"]) is None


class Overstated(sf.DeltaPresence):
    monotonicity = sf.Monotonicity.UP  # type: ignore[assignment]


class StronglyOverstated(sf.DeltaPresence):
    monotonicity = sf.Monotonicity.STRONGLY_UP  # type: ignore[assignment]


def test_stronger_declarations_are_refuted() -> None:
    assert counterexample(Overstated("1/2", 1, population="people.csv"), ["a", "b"]) is not None
    assert counterexample(StronglyOverstated(0, "1/2", population="people.csv"), ["a", "b"]) is not None


def test_a_hand_counted_example() -> None:
    """By decade and sex, 1 of 2, 1 of 1, 1 of 2 and 0 of 3 people are in the data; by decade 2 of 3 and 1 of 5."""
    people = sf.Table(PEOPLE, quasi_identifiers={"age": sf.intervals(10), "sex": sf.flat()})
    data = sf.Table(DATA, quasi_identifiers=people.hierarchies)

    def solved(least: Number, most: Number, limit: Number = 0, highest: int = 1) -> sf.Solution:
        recoding = sf.FullDomain(limit, max_level={"age": highest})
        return sf.Problem(data, [model(least, most, people)], recoding=recoding).solve()

    assert solved(0, 1).levels == {"age": 0, "sex": 0}
    assert solved(0, "2/3").levels == {"age": 1, "sex": 1}
    assert solved(0, "2/3").attained == {"delta-presence": {"delta_min": 0.2, "delta_max": 0.6666666666666667}}
    assert solved("1/5", "2/3").levels == {"age": 1, "sex": 1}
    assert solved("1/4", "2/3").status == "infeasible"
    assert solved(0, "1/2", "1/3").suppressed == 1
    assert solved("3/8", "3/8", highest=2).levels == {"age": 2, "sex": 1}
    assert solved("2/5", "1/2", highest=2).status == "infeasible"
    solved("3/8", "3/8", highest=2).release()


def test_delta_min_needs_one_record_per_person() -> None:
    data = sf.Table(
        DATA.assign(person=["a", "a", "b"]), quasi_identifiers={"age": sf.flat(), "sex": sf.flat()}, unit="person"
    )
    people = PEOPLE[PEOPLE["age"].isin(DATA["age"])]
    with pytest.raises(sf.ProblemError, match="leave delta_min at 0"):
        sf.Problem(data, [model(0.1, 1, people)])
    assert sf.Problem(data, [model(0, 1, people)]).solve().status == "optimal"
