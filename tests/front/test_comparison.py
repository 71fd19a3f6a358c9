"""One front against another."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.front.front import ParetoFront
from sfumato.testing.plain_engine import PlainEngine, Row


@pytest.fixture
def true() -> ParetoFront:
    rows: list[Row] = [{"x": str(i * i % 23), "s": str(i % 3)} for i in range(60)]
    return sf.tradeoff(
        sf.Table(PlainEngine(rows), quasi_identifiers={"x": sf.intervals(5, 10)}, sensitive=["s"]), spend_limit=True
    )


def test_a_front_against_itself(true: ParetoFront) -> None:
    same = true.against(true)
    assert same.found == true.points
    assert (same.missed, same.wrong, same.share) == ((), (), 1)
    assert str(same) == f"{len(true)} of {len(true)} points found (100.0%)"


def test_found_missed_and_wrong(true: ParetoFront) -> None:
    assert len(true) >= 3
    dearer = replace(true[1], exact_cost=true[1].exact_cost + 1)
    part = replace(true, points=(true[0], dearer), complete=False)
    comparison = part.against(true)
    assert comparison.found == (true[0],)
    assert comparison.missed == true.points[1:]
    assert comparison.wrong == (dearer,)
    assert comparison.share == pytest.approx(1 / len(true))
    assert f"missed: k = {true[1].k}" in str(comparison)
    assert f"not on the front: k = {true[1].k}" in str(comparison)


def test_only_like_is_compared_with_like(true: ParetoFront) -> None:
    with pytest.raises(sf.ProblemError, match="itself incomplete"):
        true.against(replace(true, complete=False))
    other = sf.tradeoff(true.problem.data, (sf.DistinctLDiversity("s"), "l"))
    with pytest.raises(sf.ProblemError, match="One front varies l, the other k"):
        other.against(true)
