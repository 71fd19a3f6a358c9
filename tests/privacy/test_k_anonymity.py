"""k-anonymity: the definition and its edges."""

from __future__ import annotations

from fractions import Fraction

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


def test_two_of_a_kind_have_two_names() -> None:
    assert keys([KAnonymity(2), KAnonymity(5), KAnonymity(3)]) == ["k-anonymity", "k-anonymity#2", "k-anonymity#3"]
