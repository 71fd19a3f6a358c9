"""What is no function of the row is refused with the reason; and what a view cannot be made of."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

pytest.importorskip("sqlglot")

import sfumato as sf
from sfumato.errors import DataError, InfeasibleError, ProblemError
from sfumato.settings import optional


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {"age": [20, 21, 22, 23, 30, 31] * 4, "sex": ["m", "f", "m"] * 8, "illness": ["flu"] * 17 + ["cold"] * 7}
    )


def table(data: Any = None, **more: Any) -> sf.Table:
    blur = {"age": sf.intervals(2, 4), "sex": sf.flat()}
    return sf.Table(frame() if data is None else data, quasi_identifiers=blur, sensitive=["illness"], **more)


def solution() -> sf.Solution:
    return sf.Problem(table(), [sf.KAnonymity(3)]).solve()


def test_local_recoding_is_refused() -> None:
    local = sf.Problem(table(), [sf.KAnonymity(3)], recoding=sf.Local()).solve(sf.LocalSearch())
    with pytest.raises(ProblemError, match="Local recoding may publish equal records differently, so"):
        local.to_sql("postgres")
    tau = sf.Problem(
        table(), [sf.TauLDiversity("illness", tau="3/4", l=2)], loss=sf.RetainedInformation(), recoding=sf.Local()
    ).solve(sf.SequentialSweep())
    with pytest.raises(ProblemError, match="not a function of the row"):
        tau.to_sql("postgres")


def test_records_that_are_drawn_are_refused() -> None:
    recoding = sf.FullSubtree(suppression="violating-records", suppression_limit="100%")
    drawn = sf.Problem(table(), [sf.LDiversity("illness", 2)], recoding=recoding).evaluate({"age": 2, "sex": 1})
    assert 0 < drawn.suppressed < 24
    with pytest.raises(ProblemError, match="which ones is drawn"):
        drawn.to_sql("postgres")


def test_boxes_that_overlap_are_refused() -> None:
    data = pd.DataFrame(
        {"age": [20] * 9 + [30] * 2, "sex": ["m", "f"] * 5 + ["m"], "illness": ["flu", "cold"] * 5 + ["flu"]}
    )
    recoding = sf.Multidimensional(splits={"age": "every"})
    relaxed = sf.Problem(table(data), [sf.KAnonymity(3)], recoding=recoding).solve(
        sf.Mondrian(split="median", relaxed=True)
    )
    assert not relaxed.plan().whole
    with pytest.raises(ProblemError, match="boxes that do not overlap"):
        relaxed.to_sql("postgres")


def test_sets_are_refused() -> None:
    baskets = sf.Transactions([["a", "b"], ["a"], ["b", "a"]], hierarchy=sf.fanout(2))
    cut = sf.Problem(baskets, [sf.KmAnonymity(k=2, m=1)], loss=sf.NCP(), recoding=sf.ItemCut()).solve()
    with pytest.raises(ProblemError, match="Sets of items"):
        cut.to_sql("postgres")


def test_without_a_solution_there_is_nothing_to_export() -> None:
    with pytest.raises(InfeasibleError, match="There is no recoding to export: infeasible"):
        sf.Problem(table(), [sf.KAnonymity(100)]).solve().to_sql("postgres")


@pytest.mark.parametrize(
    ("named", "means"),
    [("PostgreSQL", "postgres"), ("sqlserver", "mssql"), ("databricks", "spark"), (" mysql ", "mysql")],
)
def test_dialects_have_other_names(named: str, means: str) -> None:
    assert solution().to_sql(named) == solution().to_sql(means)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"dialect": "oracel"}, "'oracel' is not a dialect of SQL that is known here; choose from postgres"),
        ({"dialect": "postgers"}, "did you mean 'postgres'"),
        ({"dialect": "postgres", "table": "f(x)"}, "is not the name of a table"),
        ({"dialect": "postgres", "types": {"age": "int"}}, "'int' is not a type for 'age'; did you mean 'integer'"),
        ({"dialect": "postgres", "types": {"agee": "text"}}, "'agee', which is not a column; did you mean 'age'"),
        ({"dialect": "postgres", "types": {"sex": "date"}}, "2 values of 'sex' are not of type date"),
        ({"dialect": "sqlite", "types": {"age": "timestamptz"}}, "not of type timestamptz"),
    ],
)
def test_what_is_wrong_is_said(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        solution().to_sql(**given)


def test_values_that_become_one_are_refused() -> None:
    data = frame().assign(sex=["1", "01", "1.0", "0"] * 6)
    strict = sf.Problem(table(data), [sf.KAnonymity(2)], recoding=sf.FullDomain(max_level={"sex": 0})).solve()
    assert "'01'" in strict.to_sql("duckdb")
    with pytest.raises(ProblemError, match="published differently are one value of type integer"):
        strict.to_sql("duckdb", types={"sex": "integer"})


def test_without_sqlglot_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(optional, "import_module", absent)
    with pytest.raises(DataError, match=r'SQL needs sqlglot; install it \(pip install "sfumato\[sql\]"\)'):
        solution().to_sql("postgres")
    with pytest.raises(DataError, match="needs sqlglot"):
        solution().to_dbt("anywhere")


def test_only_values_of_published_records_are_listed() -> None:
    """Not what the hierarchy knows beside them, nor what suppressed records alone have."""
    hierarchy = sf.Hierarchy.from_rows([(f"v{i}", "low" if i < 4 else "high", "*") for i in range(8)], "values")
    data = pd.DataFrame({"x": ["v0", "v1"] * 10 + ["v7"], "illness": ["flu"] * 21})
    known = sf.Table(data, quasi_identifiers={"x": hierarchy}, sensitive=["illness"])
    levels = sf.Problem(known, [sf.KAnonymity(5)], recoding=sf.FullDomain("20%")).evaluate({"x": 1})
    script = levels.to_sql("duckdb")
    assert levels.suppressed == 1
    assert [f"'v{i}'" in script for i in range(8)] == [True, True, *[False] * 6]


@pytest.mark.parametrize("dialect", ["sqlite", "mysql"])
def test_times_that_a_dialect_does_not_tell_apart_are_refused(dialect: str) -> None:
    moments = pd.to_datetime(["2020-01-01 10:00:00.25", "2020-01-01 10:00:00.5"] * 12)
    data = frame().assign(age=moments)
    kept = sf.Table(data, quasi_identifiers={"age": sf.flat()}, sensitive=["illness"])
    levels = sf.Problem(kept, [sf.KAnonymity(2)]).solve()
    assert levels.levels["age"] == 0
    with pytest.raises(ProblemError, match="'age' has fractions of seconds"):
        levels.to_sql(dialect)
    zoned = sf.Problem(
        sf.Table(
            data.assign(age=[f"2020-01-01 1{i % 2}:00:00+01:00" for i in range(24)]),
            quasi_identifiers={"age": sf.flat()},
            sensitive=["illness"],
        ),
        [sf.KAnonymity(2)],
    ).solve()
    with pytest.raises(ProblemError, match="has no times with a zone"):
        zoned.to_sql(dialect, types={"age": "timestamptz"})
    assert "TIMESTAMP" in zoned.to_sql("postgres", types={"age": "timestamptz"})
