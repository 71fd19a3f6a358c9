"""Suppression: a scheme and an exact limit."""

from __future__ import annotations

import pytest

from sfumato import ProblemError
from sfumato.recoding import Scheme, Suppression


@pytest.mark.parametrize(
    ("limit", "total", "records"),
    [(0, 100, 0), (0.1, 30, 3), ("1/3", 10, 3), ("1%", 30162, 301), (1, 7, 7), (0.07, 100, 7), ("29/100", 100, 29)],
)
def test_records_are_counted_exactly(limit: float | str, total: int, records: int) -> None:
    assert Suppression.of("all-records", limit).records(total) == records


def test_none_suppresses_nothing() -> None:
    assert Suppression.of("none", 0) == Suppression(Scheme.NONE, 0)  # type: ignore[arg-type]
    assert Suppression.of("none", 0).records(100) == 0


def test_unknown_schemes_are_refused() -> None:
    with pytest.raises(ProblemError, match="choose none or all-records"):
        Suppression.of("some-records", 0)
