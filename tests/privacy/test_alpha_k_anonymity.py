"""(alpha, k)-anonymity: both halves, and ties."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.data import ClassSummary


@pytest.mark.parametrize(
    ("alpha", "k", "histogram", "holds"),
    [
        (0.5, 2, {"a": 1, "b": 1}, True),
        (0.5, 3, {"a": 1, "b": 1}, False),
        (0.5, 2, {"a": 2, "b": 1}, False),
        ("2/3", 2, {"a": 2, "b": 1}, True),
        ("66.6%", 2, {"a": 2, "b": 1}, False),
        (1, 3, {"a": 3}, True),
    ],
)
def test_k_records_and_no_share_above_alpha(alpha: object, k: int, histogram: dict[str, int], holds: bool) -> None:
    summary = ClassSummary(sum(histogram.values()), {"s": histogram})
    assert sf.AlphaKAnonymity(alpha, k, "s").holds(summary) is holds  # type: ignore[arg-type]


def test_attained() -> None:
    classes = [ClassSummary(4, {"s": {"a": 2, "b": 2}}), ClassSummary(3, {"s": {"a": 2, "b": 1}})]
    attained = sf.AlphaKAnonymity(1, 1, "s").attained(classes)
    assert attained == {"alpha": pytest.approx(2 / 3), "k": 3}
    assert all(sf.AlphaKAnonymity(**attained, sensitive="s").holds(summary) for summary in classes)  # type: ignore[arg-type]
    assert sf.AlphaKAnonymity(1, 1, "s").attained([]) == {"alpha": None, "k": None}


@pytest.mark.parametrize(("alpha", "k"), [(2, 1), (-0.1, 1), (0.5, 0), ("x", 2)])
def test_parameters(alpha: object, k: int) -> None:
    with pytest.raises(sf.ProblemError, match=r"(alpha|k) = "):
        sf.AlphaKAnonymity(alpha, k, "s")  # type: ignore[arg-type]
