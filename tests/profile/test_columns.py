"""Profiles of columns."""

from __future__ import annotations

import pandas as pd
import pytest

from sfumato.datasets import census
from sfumato.errors import DataError
from sfumato.profile import columns, profile
from sfumato.testing.plain_engine import PlainEngine


def test_what_is_counted() -> None:
    rows = [{"a": f" {i % 3} ", "b": "1.0" if i % 2 else "1", "c": "x" if i == 5 else None} for i in range(10)]
    profiled = profile(PlainEngine(rows))
    assert profiled.records == 10
    a, b, c = profiled.columns.values()
    assert (a.distinct, a.missing, a.kind) == (3, 0, "numbers")
    assert a.rows == {"0": 4, "1": 3, "2": 3}
    assert (b.distinct, b.kind) == (1, "constant")  # 1.0 is 1
    assert (c.distinct, c.missing, c.uniqueness) == (1, 9, 1.0)
    assert c.shares == [0.9, 0.1]
    assert c.singling_out is not None
    assert (c.singling_out.alone, c.singling_out.small) == (1, 1)
    assert profiled.spaced(["a", "b"])
    assert not profiled.spaced(["b", "c"])


def test_columns_with_very_many_values_are_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_VALUES", 20)
    by_name = profile(pd.DataFrame({"n": range(50), "few": [i % 4 for i in range(50)]})).columns
    assert (by_name["n"].rows, by_name["n"].distinct, by_name["n"].many) == (None, None, 21)
    assert (by_name["n"].suggestion, by_name["n"].singling_out, by_name["n"].kind) == (None, None, "many values")
    assert by_name["few"].distinct == 4
    with pytest.raises(DataError, match="more than 20 different values in every column"):
        profile(pd.DataFrame({"n": range(50)}))


def test_the_frequency_table_is_the_data() -> None:
    profiled = profile(census(500).to_pandas())
    codes, counts = profiled.frequencies(["age", "sex", "workclass"])
    assert counts.sum() == 500
    assert codes.shape == (len(counts), 3)
    assert len(set(codes[:, 1].tolist())) == 2
    assert profiled.columns["age"].distinct == len(set(codes[:, 0].tolist()))


@pytest.mark.parametrize("header", ["39,m,flu", "age,m,disease", "a,b,flu", "2020,b,c", "a,b,1.2.2020", "a@b.org,b,c"])
def test_a_record_in_place_of_the_header_is_not_shown(header: str) -> None:
    names = header.split(",")
    rows = [dict(zip(names, ["40", "m", "flu"], strict=True)), dict(zip(names, ["41", "f", "pox"], strict=True))]
    with pytest.raises(DataError, match="looks like a record, not like the names of columns") as caught:
        profile(PlainEngine(rows))
    assert not any(name in str(caught.value).split() for name in ("39", "m", "flu", "a@b.org", "1.2.2020"))
    assert caught.value.hidden_values == tuple(names)


def test_nothing_in_it() -> None:
    with pytest.raises(DataError, match="has a header, but no records"):
        profile(PlainEngine([], ["a", "b"]))
