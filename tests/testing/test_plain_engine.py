"""The plain engine does what the protocol says; so it can stand for any other."""

from __future__ import annotations

import csv
from pathlib import Path

import sfumato as sf
from sfumato.testing.plain_engine import PlainEngine, Row

ROWS: list[Row] = [{"a": "1", "b": None}, {"a": "1", "b": ""}, {"a": "2", "b": "x"}]


def test_distinct_and_count() -> None:
    engine = PlainEngine(ROWS)
    assert engine.columns == ("a", "b")
    assert engine.distinct(["b", "a"]) == {"b": {None: 2, "x": 1}, "a": {"1": 2, "2": 1}}
    counted = engine.count({"b": {None: 0, "x": 1}, "a": {"1": 0, "2": 0}})
    rows = map(tuple, counted.combinations.tolist())
    assert dict(zip(rows, counted.counts.tolist(), strict=True)) == {(0, 0): 2, (1, 0): 1}


def test_its_rows_are_its_own() -> None:
    engine = PlainEngine(ROWS)
    engine.rows[0]["a"] = "changed"
    assert ROWS[0]["a"] == "1"


def test_no_rows() -> None:
    assert PlainEngine([]).columns == ()
    counted = PlainEngine([], ["a"]).count({"a": {}})
    assert counted.combinations.shape == (0, 1)
    assert counted.counts.shape == (0,)


def test_release_is_an_engine_that_can_be_checked(tmp_path: Path) -> None:
    table = sf.Table(PlainEngine(ROWS * 2), quasi_identifiers={"a": sf.flat()}, insensitive=["b"])
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    released = solution.release()
    assert isinstance(released, PlainEngine)
    assert sf.check(released, quasi_identifiers=["a"], constraints=[sf.KAnonymity(2)]).holds
    solution.write(tmp_path / "released.csv")
    with open(tmp_path / "released.csv", encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == [{name: cell or "" for name, cell in row.items()} for row in released.rows]
