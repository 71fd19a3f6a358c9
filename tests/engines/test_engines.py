"""Opening a source, and naming the columns it does not have."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from sfumato.engines import DuckDBEngine, Engine, open_engine, require_columns
from sfumato.errors import DataError
from sfumato.testing.plain_engine import PlainEngine


def test_both_engines_follow_the_protocol() -> None:
    assert isinstance(DuckDBEngine(pd.DataFrame({"a": [1]})), Engine)
    assert isinstance(PlainEngine([{"a": "1"}]), Engine)


def test_an_engine_is_its_own() -> None:
    engine = PlainEngine([{"a": "1"}])
    assert open_engine(engine) is engine


def test_like_comes_first(tmp_path: Path) -> None:
    plain = PlainEngine([{"a": "1"}])
    assert isinstance(open_engine([{"a": "2"}], plain), PlainEngine)
    (tmp_path / "rows.csv").write_text("a\n1\n")
    assert isinstance(open_engine(tmp_path / "rows.csv", plain), DuckDBEngine)
    assert isinstance(open_engine(str(tmp_path / "rows.csv")), DuckDBEngine)


@pytest.mark.parametrize("source", [None, 5, {"a": [1]}, [{"a": "1"}], DuckDBEngine, b"people.csv"])
def test_no_table(source: object) -> None:
    with pytest.raises(
        DataError,
        match=r"is not a table; give a path, a frame of pandas, polars, pyarrow or Spark, or a DuckDB relation",
    ):
        open_engine(source)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["age", "sexx"], r"has no column 'sexx'; did you mean 'sex'\?"),
        (["Age"], r"has no column 'Age'; did you mean 'age'\?"),
        (["agee"], r"has no column 'agee'; did you mean 'age'\?"),
        (["age", "income"], r"the list has no column 'income'; it has age, sex, zip code\."),
        (["income", "wage"], r"has no column 'income'; is its first line a header\? See it in the error"),
    ],
)
def test_columns_it_does_not_have(names: list[str], message: str) -> None:
    engine = PlainEngine([{"age": "1", "sex": "2", "zip code": "3"}])
    require_columns(engine, ["age", "zip code"])
    with pytest.raises(DataError, match=message) as caught:
        require_columns(engine, names)
    assert caught.value.hidden_values == engine.columns


def test_without_header_no_cell_is_shown(tmp_path: Path) -> None:
    """The first record stands where names should be; none of it gets into a message."""
    (tmp_path / "people.csv").write_text("39,Grace Secret,Bachelors\n40,Ann,Masters\n")
    for names in (["age"], ["age", "race", "education"], ["Bachelor of Arts", "secret"]):
        with pytest.raises(sf.DataError) as caught:
            sf.Table(tmp_path / "people.csv", quasi_identifiers={name: sf.flat() for name in names})
        assert not any(cell in str(caught.value) for cell in ("39", "Grace", "Bachelors"))


def test_many_columns_are_not_all_listed() -> None:
    engine = PlainEngine([{f"column {i}": "1" for i in range(300)}])
    with pytest.raises(DataError) as caught:
        require_columns(engine, ["column 3", "x"])
    assert str(caught.value).endswith("column 10, column 11, ….")


def test_columns_with_too_many_values_are_left_out() -> None:
    rows = [{"a": str(i), "b": "x" if i % 2 else None, "c": str(i % 3)} for i in range(6)]
    for engine in (PlainEngine(rows), DuckDBEngine(pd.DataFrame(rows))):
        assert engine.distinct(["a", "b", "c"], 3) == {"b": {"x": 3, None: 3}, "c": {"0": 2, "1": 2, "2": 2}}
        assert engine.distinct(["a", "b", "c"], 2) == {"b": {"x": 3, None: 3}}
        assert list(engine.distinct(["a", "b", "c"])) == ["a", "b", "c"]
        assert engine.distinct(["a", "b", "c"], 0) == {}
