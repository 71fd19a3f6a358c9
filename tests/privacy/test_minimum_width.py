from __future__ import annotations

from math import inf

import pytest

import sfumato as sf
from sfumato.testing.plain_engine import PlainEngine, Row

AGES: list[Row] = [{"age": str(age), "job": job} for age, job in zip([20, 21, 23, 30, 31, 38], "abcabc", strict=True)]
JOBS = sf.Hierarchy.from_rows([("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*")], "job")


def printed(**labels: str) -> sf.ClassSummary:
    return sf.ClassSummary(1, published=labels)


@pytest.mark.parametrize(
    ("label", "width"),
    [("38", 0), ("[35, 40)", 5), ("[35, 40]", 5), ("[-1.5, 2]", 3.5), ("*", inf), ("", 0), ("[1e2, 300)", 200)],
)
def test_widths_are_read_off_what_is_printed(label: str, width: float) -> None:
    model = sf.MinimumWidth({"age": 5})
    assert model.width("age", printed(age=label)) == width
    assert model.holds(printed(age=label)) == (width >= 5)


def test_nodes_are_as_wide_as_they_have_leaves() -> None:
    model = sf.MinimumWidth({"job": 2}).among_leaves({"job": JOBS, "age": JOBS})
    widths = {label: model.width("job", printed(job=label)) for label in ("a", "ab", "c", "*", "{a, c}", "else")}
    assert widths == {"a": 1, "ab": 2, "c": 1, "*": 3, "{a, c}": 2, "else": 0}
    assert model.attained([printed(job="ab"), printed(job="*")]) == {"job": 2}


def test_no_box_is_narrower() -> None:
    table = sf.Table(PlainEngine(AGES), quasi_identifiers={"age": sf.ordered(), "job": JOBS})
    problem = sf.Problem(table, [sf.MinimumWidth({"age": 5, "job": 2})], sf.LM(), sf.Multidimensional())
    solution = problem.solve()
    assert solution.status == "optimal"
    assert solution.attained["minimum-width"]["age"] >= 5  # type: ignore[operator]
    for row in solution.release().rows:
        low, high = str(row["age"]).strip("[]").split(", ")
        assert int(high) - int(low) >= 5
        assert row["job"] in {"ab", "*"}


def test_check_reads_a_release() -> None:
    rows: list[Row] = [{"age": "[20, 25)", "job": "ab"}, {"age": "31", "job": "a"}]
    audit = sf.check(
        PlainEngine(rows),
        quasi_identifiers={"age": sf.ordered(), "job": JOBS},
        constraints=[sf.MinimumWidth({"age": 5, "job": 1})],
    )
    assert not audit.holds
    assert audit.attained["minimum-width"] == {"age": 0, "job": 1}
    with pytest.raises(sf.ProblemError, match="neither a number nor an interval") as raised:
        sf.check(PlainEngine(rows), quasi_identifiers=["age", "job"], constraints=[sf.MinimumWidth({"job": 1})])
    assert "ab" not in str(raised.value)
    with pytest.raises(sf.ProblemError, match="'pay', which is not a quasi-identifier"):
        sf.check(PlainEngine(rows), quasi_identifiers=["age"], constraints=[sf.MinimumWidth({"pay": 1})])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sf.MinimumWidth({}), "names no attribute; give a dictionary such as"),
        (lambda: sf.MinimumWidth({"age": -1}), r"widths\['age'\] = -1 is negative"),
        (lambda: sf.MinimumWidth({"age": 5}).holds(sf.ClassSummary(3)), "which is unknown here"),
        (lambda: posed({"pay": 5}, sf.Multidimensional()), "'pay', which is not a quasi-identifier"),
        (lambda: posed({"age": 5}, sf.FullDomain()), "full-domain recoding draws none; use recoding=sf.Multidim"),
        (lambda: posed({"age": 5}, sf.Multidimensional(tight=True)), "tight publishes less than a box"),
    ],
)
def test_faults_are_named(make: object, message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        make()  # type: ignore[operator]


def posed(widths: dict[str, int], recoding: sf.recoding.Recoding) -> sf.Problem:
    table = sf.Table(PlainEngine(AGES), quasi_identifiers={"age": sf.flat(), "job": JOBS})
    return sf.Problem(table, [sf.MinimumWidth(widths)], sf.LM(), recoding)
