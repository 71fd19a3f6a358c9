"""k-anonymity: the definition and its edges."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from sfumato import KAnonymity, ProblemError
from sfumato.data import ClassSummary
from sfumato.privacy.base import keys


@pytest.mark.parametrize(("size", "holds"), [(1, False), (4, False), (5, True), (6, True)])
def test_at_least_k(size: int, holds: bool) -> None:
    assert KAnonymity(5).holds(ClassSummary(size)) is holds


def test_attained_is_the_smallest_class() -> None:
    assert KAnonymity(2).attained([ClassSummary(7), ClassSummary(3), ClassSummary(9)]) == {"k": 3}
    assert KAnonymity(2).attained([]) == {"k": None}


@pytest.mark.parametrize("k", [5, 5.0, "5", Fraction(5)])
def test_k_is_exact(k: object) -> None:
    assert KAnonymity(k) == KAnonymity(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [0, -1, 2.5, "many", None, True])
def test_k_must_be_a_whole_number(k: object) -> None:
    with pytest.raises(ProblemError, match="k = "):
        KAnonymity(k)  # type: ignore[arg-type]


@pytest.mark.parametrize(("k", "others"), [(2, "1 other in"), (5, "4 others in"), (50_000, "49,999 others in")])
def test_its_promise_is_english(k: int, others: str) -> None:
    assert KAnonymity(k).promise == f"Everybody looks like at least {others} the columns that an attacker may know."


def test_two_of_a_kind_have_two_names() -> None:
    assert keys([KAnonymity(2), KAnonymity(5), KAnonymity(3)]) == ["k-anonymity", "k-anonymity#2", "k-anonymity#3"]


# --- persons with several records


def test_persons_count_where_units_are_known() -> None:
    assert KAnonymity(2).holds(ClassSummary(2))
    assert not KAnonymity(2).holds(ClassSummary(5, units=1))
    assert KAnonymity(2).holds(ClassSummary(5, units=2))
    assert KAnonymity(1).attained([ClassSummary(9, units=4), ClassSummary(5)]) == {"k": 4}


def test_persons_are_strongly_monotone(suite: Callable[[int], int]) -> None:
    """A class around a class has all its persons: whatever is merged or suppressed elsewhere, k persons stay k."""
    random = Random(5)
    seen = {True: 0, False: 0}
    for _ in range(suite(20_000)):
        people = [random.choice([None, *range(random.randint(1, 6))]) for _ in range(random.randint(1, 12))]
        part = people[: random.randint(1, len(people))]
        model = KAnonymity(random.randint(1, 5))
        small, large = (ClassSummary(len(x), units=max(1, len(set(x) - {None}))) for x in (part, people))
        assert model.holds(large) or not model.holds(small)
        seen[model.holds(small)] += 1
    assert min(seen.values()) > 100
