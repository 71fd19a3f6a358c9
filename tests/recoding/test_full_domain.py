"""Full-domain recoding: bounds on levels, suppression limits, and what is published."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.hierarchies import HierarchySource
from sfumato.recoding import FullDomainRecoding
from sfumato.testing.plain_engine import PlainEngine

ROWS = [{"age": str(age), "sex": sex} for age, sex in [(30, "m"), (31, "m"), (35, "f"), (39, "f"), (52, "m")]]


def table() -> sf.Table:
    return sf.Table(PlainEngine(ROWS), quasi_identifiers={"age": sf.intervals(10, 20), "sex": sf.flat()})


def test_levels_stay_within_bounds() -> None:
    free = sf.Problem(table(), [sf.KAnonymity(2)], recoding=sf.FullDomain("20%")).solve()
    assert free.levels == {"age": 1, "sex": 0}
    bounded = sf.FullDomain("20%", min_level={"age": 2}, max_level={"sex": 0})
    solution = sf.Problem(table(), [sf.KAnonymity(2)], recoding=bounded).solve()
    assert solution.levels == {"age": 2, "sex": 0}
    assert solution.space == 2


@pytest.mark.parametrize(
    ("recoding", "message"),
    [
        ({"max_level": {"agee": 1}}, "'agee'.*age, sex"),
        ({"max_level": {"age": 9}}, "levels 0 to 3"),
        ({"min_level": {"age": 2}, "max_level": {"age": 1}}, "above max_level"),
        ({"min_level": {"age": -1}}, "whole number"),
        ({"max_level": 2}, "give a dictionary"),
        ({"suppression_limit": 2}, "not a share"),
        ({"suppression": "all"}, "choose none or all-records"),
        ({"suppression": "none", "suppression_limit": "1%"}, "leave one of them out"),
    ],
)
def test_faults_are_named(recoding: dict[str, object], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.Problem(table(), [sf.KAnonymity(2)], recoding=sf.FullDomain(**recoding))  # type: ignore[arg-type]


@pytest.mark.parametrize(("source", "kind"), [(sf.ordered(), "ordered"), (sf.unordered(), "unordered")])
def test_an_attribute_without_levels_is_refused(source: HierarchySource, kind: str) -> None:
    data = sf.Table(PlainEngine(ROWS), quasi_identifiers={"age": source, "sex": sf.flat()})
    with pytest.raises(sf.ProblemError) as caught:
        sf.Problem(data, [sf.KAnonymity(2)], recoding=sf.FullDomain())
    assert str(caught.value) == (
        f"'age' is {kind} and has no levels, but full-domain recoding raises values level by level; "
        "give it flat(), intervals(5, 10) or a hierarchy file."
    )


def test_the_limit_is_rounded_down() -> None:
    """One of five records may go at 20%, none at 19.9%."""
    assert sf.Problem(table(), [sf.KAnonymity(2)], recoding=sf.FullDomain("20%")).solve().suppressed == 1
    assert sf.Problem(table(), [sf.KAnonymity(2)], recoding=sf.FullDomain("19.9%")).solve().suppressed == 0


def test_a_missing_value_stays_empty_until_the_root() -> None:
    rows = [{"age": age} for age in ["30", "31", None, None]]
    missing = sf.Table(PlainEngine(rows), quasi_identifiers={"age": sf.intervals(10)})
    f = missing.frequencies
    released = [
        missing.engine.recode(FullDomainRecoding.at(f, [level], []).plan(missing, seed=0)).rows for level in (0, 1, 2)
    ]
    texts = [sorted(str(row["age"]) for row in rows) for rows in released]
    assert texts == [["30", "31", "None", "None"], ["None", "None", "[30, 40)", "[30, 40)"], ["*"] * 4]


def test_infeasible_says_why() -> None:
    solution = sf.Problem(table(), [sf.KAnonymity(6)]).solve()
    assert solution.status == "infeasible"
    assert "5 records violate" in solution.reason
    with pytest.raises(sf.InfeasibleError, match="nothing to release"):
        solution.release()
