"""Entropy l-diversity: the definition, ties, and l left open. Exactness: tests/conformance."""

from __future__ import annotations

import math

import pytest

import sfumato as sf
from sfumato.data import ClassSummary
from sfumato.testing.plain_engine import PlainEngine


def a_class(*counts: int, unknown: int = 0) -> ClassSummary:
    return ClassSummary(sum(counts) + unknown, {"s": {f"s{i}": count for i, count in enumerate(counts)}})


@pytest.mark.parametrize(
    ("counts", "l", "holds"),
    [
        ((1, 1), 2, True),
        ((1, 1, 1), 3, True),
        ((1, 1, 1), "3.000000001", False),
        ((2, 1), 2, False),
        ((2, 1), "1.88", True),  # 3 / 2^(2/3) = 1.8898…
        ((2, 1), "1.89", False),
        ((4, 1, 1, 1, 1), 4, True),  # a tie of unequal shares
        ((500_000, 500_000), 2, True),
        ((500_001, 499_999), 2, False),
        ((7,), 1, True),
    ],
)
def test_entropy_of_at_least_ln_l(counts: tuple[int, ...], l: object, holds: bool) -> None:
    assert sf.EntropyLDiversity("s", l).holds(a_class(*counts)) is holds  # type: ignore[arg-type]


def test_suppressed_values_add_no_entropy() -> None:
    """-½ ln ½ - ¼ ln ¼ = ln 2 with the fourth record unknown."""
    assert sf.EntropyLDiversity("s", 2).holds(a_class(2, 1, unknown=1))
    assert not sf.EntropyLDiversity("s", 2).holds(a_class(1, unknown=9))


def test_attained_holds_when_it_is_read_back() -> None:
    classes = [a_class(3, 2, 2), a_class(5, 4, 1)]
    l = sf.EntropyLDiversity("s", 1).attained(classes)["l"]
    assert l is not None
    assert l == pytest.approx(math.exp(-sum(q * math.log(q) for q in (0.5, 0.4, 0.1))))
    assert all(sf.EntropyLDiversity("s", l).holds(summary) for summary in classes)
    assert sf.EntropyLDiversity("s", 1).attained([a_class(6, 6, 6)]) == {"l": 3}
    assert sf.EntropyLDiversity("s", 1).attained([]) == {"l": None}


def test_l_may_be_left_open_but_not_asked_for() -> None:
    table = sf.Table(PlainEngine([{"q": "x", "s": "y"}]), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    with pytest.raises(sf.ProblemError, match="entropy-l-diversity does not say l; give it"):
        sf.Problem(table, [sf.EntropyLDiversity("s")])
    with pytest.raises(sf.ProblemError, match="entropy-l-diversity does not say l; give it"):
        sf.check(table.engine, quasi_identifiers=["q"], constraints=[sf.EntropyLDiversity("s")])
    assert sf.EntropyLDiversity("s").attained([a_class(1, 1)]) == {"l": 2}


@pytest.mark.parametrize("l", [0, "1/2", "many", 10**10])
def test_l_is_a_number_from_1_up(l: object) -> None:
    with pytest.raises(sf.ProblemError, match="l = "):
        sf.EntropyLDiversity("s", l)  # type: ignore[arg-type]
