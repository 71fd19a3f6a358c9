"""Frames: every kind of column is read as text and comes back as it was, without what is not published."""

from __future__ import annotations

import datetime
import decimal
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.engines import DuckDBEngine
from sfumato.engines.duckdb.pandas_frame import as_text

NAT = pd.NaT
COLUMNS: dict[str, tuple[Any, list[str | None]]] = {
    "int64": (pd.Series([38, 7, 7]), ["38", "7", "7"]),
    "uint8": (pd.Series([38, 7, 7], dtype="uint8"), ["38", "7", "7"]),
    "large": (pd.Series([2**63, 1, 1], dtype="uint64"), ["9223372036854775808", "1", "1"]),
    "float": (pd.Series([38.0, np.nan, 0.5]), ["38", None, "0.5"]),
    "float32": (pd.Series([0.1, 38, np.nan], dtype="float32"), ["0.1", "38", None]),
    "infinite": (pd.Series([np.inf, -np.inf, 1e16]), ["inf", "-inf", "10000000000000000"]),
    "negative zero": (pd.Series([-0.0, 0.0, 1.0]), ["0", "0", "1"]),
    "bool": (pd.Series([True, False, True]), ["true", "false", "true"]),
    "bool or missing": (pd.Series([True, None, False], dtype=object), ["true", None, "false"]),
    "datetime": (pd.Series(pd.to_datetime(["2020-01-31", "2020-02-01", None])), ["2020-01-31", "2020-02-01", None]),
    "time of day": (
        pd.Series([pd.Timestamp(2020, 1, 31, 13, 5), pd.Timestamp(2020, 1, 31), NAT]),
        ["2020-01-31 13:05:00", "2020-01-31", None],
    ),
    "seconds": (
        pd.Series(np.array(["2020-01-31", "2020-02-01", "NaT"], "datetime64[s]")),
        ["2020-01-31", "2020-02-01", None],
    ),
    "time zone": (
        pd.Series(
            [pd.Timestamp("2020-01-31", tz="Europe/Berlin"), NAT, pd.Timestamp("2020-01-31 13:05", tz="Europe/Berlin")]
        ),
        ["2020-01-31", None, "2020-01-31 13:05:00+01:00"],
    ),
    "date": (
        pd.Series([datetime.date(2020, 1, 31), None, datetime.date(2020, 2, 1)]),
        ["2020-01-31", None, "2020-02-01"],
    ),
    "category": (pd.Series(["a", "b", None], dtype="category"), ["a", "b", None]),
    "ordered": (pd.Series(pd.Categorical(["lo", "hi", "lo"], ["lo", "hi"], ordered=True)), ["lo", "hi", "lo"]),
    "category of numbers": (pd.Series([38, 7, 7], dtype="category"), ["38", "7", "7"]),
    "Int64": (pd.Series([38, None, 7], dtype="Int64"), ["38", None, "7"]),
    "Float64": (pd.Series([38, None, 7.5], dtype="Float64"), ["38", None, "7.5"]),
    "boolean": (pd.Series([True, None, False], dtype="boolean"), ["true", None, "false"]),
    "string": (pd.Series(["a", None, "b"], dtype="string"), ["a", None, "b"]),
    "None": (pd.Series(["a", None, "b"], dtype=object), ["a", None, "b"]),
    "NaN": (pd.Series(["a", np.nan, "b"], dtype=object), ["a", None, "b"]),
    "mixed": (pd.Series([1, "x", 2.5], dtype=object), ["1", "x", "2.5"]),
    "decimal": (pd.Series([decimal.Decimal("1.10"), None, decimal.Decimal(2)]), ["1.10", None, "2"]),
    "all NaN": (pd.Series([np.nan] * 3), [None] * 3),
    "all None": (pd.Series([None] * 3, dtype=object), [None] * 3),
    "all NA": (pd.Series([None] * 3, dtype="Int64"), [None] * 3),
    "duration": (pd.Series(pd.to_timedelta([1, 2, None], unit="D")), ["1 days 00:00:00", "2 days 00:00:00", None]),
    "period": (pd.Series(pd.period_range("2020-01", periods=3, freq="M")), ["2020-01", "2020-02", "2020-03"]),
}


@pytest.fixture(params=COLUMNS)
def column(request: pytest.FixtureRequest) -> tuple[pd.Series[Any], list[str | None]]:
    return COLUMNS[request.param]


def released(frame: pd.DataFrame, **roles: Any) -> pd.DataFrame:
    table = sf.Table(frame, **{"quasi_identifiers": {"id": sf.flat()}, **roles})
    release = sf.Problem(table, [sf.KAnonymity(1)]).solve().release()
    assert isinstance(release, pd.DataFrame)
    return release


def test_text_of_every_kind(column: tuple[pd.Series[Any], list[str | None]]) -> None:
    series, texts = column
    assert DuckDBEngine(pd.DataFrame({"x": series})).distinct(["x"])["x"] == {text: texts.count(text) for text in texts}


@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive", "target", "insensitive"])
def test_comes_back_as_it_was(column: tuple[pd.Series[Any], list[str | None]], role: str) -> None:
    """At level 0 and in all other published columns: same values, same type, in the row they belong to."""
    frame = pd.DataFrame({"id": [10, 20, 30], "x": column[0]})
    roles: dict[str, Any] = {
        "quasi-identifier": {"quasi_identifiers": {"id": sf.flat(), "x": sf.flat()}},
        "sensitive": {"sensitive": ["x"]},
        "target": {"target": "x"},
        "insensitive": {"insensitive": ["x"]},
    }[role]
    release = released(frame, **roles).sort_values("id", ignore_index=True)
    pd.testing.assert_frame_equal(release, frame)


def test_generalised_to_text() -> None:
    frame = pd.DataFrame({"age": [38.0, 39.0, np.nan, np.nan], "id": [1, 1, 1, 1]})
    table = sf.Table(frame, quasi_identifiers={"age": sf.intervals(5), "id": sf.flat()})
    release = sf.Problem(table, [sf.KAnonymity(2)]).solve().release()
    assert sorted(release["age"].fillna("missing")) == ["[35, 40)", "[35, 40)", "missing", "missing"]
    assert release["id"].dtype == "int64"


def test_whole_numbers_match_labels_without_decimals() -> None:
    hierarchy = sf.Hierarchy.from_rows([("38", "30s", "*"), ("39", "30s", "*")], "ages")
    frame = pd.DataFrame({"age": [38.0, 39.0, np.nan]})
    table = sf.Table(frame, quasi_identifiers={"age": hierarchy})
    assert table.codes["age"] == {"38": 0, "39": 1, None: 2}


def test_categories_that_are_not_published_are_gone() -> None:
    kind = pd.CategoricalDtype(["SECRET", "a", "SUPPRESSED", "b"], ordered=True)
    frame = pd.DataFrame(
        {
            "q": pd.Series(["a", "a", "b", "b", "SUPPRESSED"], dtype=kind),
            "s": pd.Series(["b", "a", "b", "a", "SUPPRESSED"], dtype=kind),
            "note": pd.Series(["a", "a", "b", "b", "SUPPRESSED"], dtype=kind),
        }
    )
    table = sf.Table(frame, quasi_identifiers={"q": sf.flat()}, sensitive=["s"], insensitive=["note"])
    solution = sf.Problem(table, [sf.KAnonymity(2)], recoding=sf.FullDomain("20%")).solve()
    assert solution.levels == {"q": 0}
    release = solution.release()
    for name in release:
        assert list(release[name].cat.categories) == ["a", "b"]
        assert release[name].cat.ordered
    assert (release["q"] == release["note"]).all()


def test_nothing_of_the_frame_travels_along() -> None:
    """Neither the index nor the attributes nor the columns' names of names."""
    frame = pd.DataFrame({"age": [38, 38, 39]}, index=pd.Index(["Ann", "Bob", "Cid"], name="who"))
    frame.attrs["source"] = "SECRET"
    frame.columns.name = "SECRET"
    table = sf.Table(frame, quasi_identifiers={"age": sf.flat()})
    release = sf.Problem(table, [sf.KAnonymity(2)], recoding=sf.FullDomain("40%")).solve().release()
    assert release.attrs == {}
    assert release["age"].attrs == {}
    assert release.columns.name is None
    assert release.index.equals(pd.RangeIndex(2))
    assert release.index.name is None
    assert release["age"].tolist() == [38, 38]


@pytest.mark.parametrize(
    "index", [[5, 5, 5], ["x", "y", "z"], [2, 1, 0], pd.MultiIndex.from_product([["a"], [1, 2, 3]])]
)
def test_any_index_will_do(index: Any) -> None:
    frame = pd.DataFrame({"id": [1, 2, 3], "x": [10, 20, 30]}, index=index)
    release = released(frame, insensitive=["x"])
    assert (release["x"] == release["id"] * 10).all()
    assert len(release) == 3


def test_the_frame_is_left_alone() -> None:
    frame = pd.DataFrame({name: series for name, (series, _) in COLUMNS.items()}, index=[3, 1, 2])
    before = frame.copy(deep=True)
    released(frame.assign(id=[1, 2, 3]), insensitive=list(COLUMNS))
    released(frame, quasi_identifiers={name: sf.flat() for name in COLUMNS})
    pd.testing.assert_frame_equal(frame, before)


def test_columns_named_by_numbers() -> None:
    release = released(pd.DataFrame({0: [1, 2], 1: ["a", "b"]}), quasi_identifiers={"0": sf.flat()}, insensitive=["1"])
    assert list(release.columns) == [0, 1]
    assert sorted(release.itertuples(index=False, name=None)) == [(1, "a"), (2, "b")]


def test_two_columns_of_one_name() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(sf.DataError, match="two columns of one name; give each its own"):
        sf.Table(frame, quasi_identifiers={"a": sf.flat()})


def test_lists_are_no_values() -> None:
    frame = pd.DataFrame({"a": [["SECRET"], [2]], "b": [1, 1]})
    assert sf.Table(frame, quasi_identifiers={"b": sf.flat()}).frequencies.records == 2, "a column without a role"
    with pytest.raises(sf.DataError, match="Column 'a' holds values that are not hashable, such as lists") as caught:
        sf.Table(frame, quasi_identifiers={"a": sf.flat()})
    assert "SECRET" not in str(caught.value)


def test_empty_texts_are_missing_but_come_back_empty() -> None:
    frame = pd.DataFrame({"id": [1, 1, 2, 2], "x": ["", "a", "", "a"], "note": ["", None, "b", ""]})
    table = sf.Table(frame, quasi_identifiers={"id": sf.flat(), "x": sf.flat()}, insensitive=["note"])
    assert table.codes["x"] == {"a": 0, None: 1}
    release = sf.Problem(table, [sf.KAnonymity(1)]).solve().release().sort_values(["id", "x"], ignore_index=True)
    pd.testing.assert_frame_equal(release, frame)


def test_subclasses_are_frames_and_series_are_not() -> None:
    class Frame(pd.DataFrame):
        pass

    assert DuckDBEngine.accepts(Frame({"a": [1]}))
    assert not DuckDBEngine.accepts(pd.Series([1]))
    with pytest.raises(
        sf.DataError,
        match="Series is not a table; give a path, a frame of pandas, polars, pyarrow or Spark, or a DuckDB relation",
    ):
        sf.Table(pd.Series([1]), quasi_identifiers={"a": sf.flat()})


def test_text_of_single_values() -> None:
    assert as_text(np.float32(0.1)) == "0.1"
    assert as_text(np.bool_(True)) == "true"
    assert as_text(datetime.datetime(2020, 1, 31)) == "2020-01-31"
    assert as_text(np.int8(-3)) == "-3"


def test_values_of_one_text_come_in_an_order_that_the_input_does_not_decide() -> None:
    values = [1, "1", 1.0, True, "true", None, 2]
    frame = pd.DataFrame({"q": ["a"] * 28, "x": pd.Series(values * 4, dtype=object)})
    releases = []
    for seed in range(4):
        shuffled = frame.sample(frac=1, random_state=seed, ignore_index=True)
        table = sf.Table(shuffled, quasi_identifiers={"q": sf.flat()}, insensitive=["x"])
        released = sf.Problem(table, [sf.KAnonymity(2)]).solve().release()
        releases.append([(type(value), value) for value in released["x"]])
    assert releases == releases[:1] * 4
    assert Counter(releases[0]) == Counter((type(value), value) for value in frame["x"])
