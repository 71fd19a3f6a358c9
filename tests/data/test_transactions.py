"""Transactions of every kind are the same transactions; garbage is refused, without a value of the data."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf

BASKETS = [["milk", "bread"], ["bread", "milk"], ["wine"], ["milk", "milk", "wine"], []]


def plain(data: sf.Transactions) -> dict[tuple[str, ...], int]:
    return {tuple(sorted(data.items.labels[v] for v in items)): n for items, n in data.items.records.sets()}


EXPECTED = {("bread", "milk"): 2, ("wine",): 1, ("milk", "wine"): 1}


def rows() -> pd.DataFrame:
    pairs = [(number, item) for number, items in enumerate(BASKETS) for item in items]
    return pd.DataFrame(pairs, columns=["basket", "product"])


def lines(folder: Path, between: str = " ") -> Path:
    path = folder / "baskets.txt"
    path.write_text("".join(f"{between.join(items)}\n" for items in BASKETS), encoding="utf-8")
    return path


def test_every_kind_is_read_alike(tmp_path: Path) -> None:
    frame = rows()
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    lists = pd.DataFrame({"items": BASKETS})
    lists.to_parquet(tmp_path / "lists.parquet")
    text = lines(tmp_path)
    (tmp_path / "baskets.txt.gz").write_bytes(gzip.compress(text.read_bytes()))
    named = {"transaction": "basket", "item": "product"}
    for source, columns in [
        (BASKETS, {}),
        (iter(BASKETS), {}),
        (text, {}),
        (tmp_path / "baskets.txt.gz", {}),
        (frame, named),
        (pl.from_pandas(frame), named),
        (pa.Table.from_pandas(frame), named),
        (tmp_path / "rows.csv", named),
        (tmp_path / "rows.parquet", named),
        (lists, {"item": "items"}),
        (pl.DataFrame({"items": BASKETS}), {"item": "items"}),
        (pa.table({"items": BASKETS}), {"item": "items"}),
        (tmp_path / "lists.parquet", {"item": "items"}),
    ]:
        data = sf.Transactions(source, hierarchy=sf.fanout(2), **columns)
        assert plain(data) == EXPECTED
        assert (data.total, data.repeated) == (4, 1)
        assert data.empty == (0 if columns.get("transaction") else 1)
    assert repr(data) == "Transactions(4 transactions, 3 distinct; 3 items, 7 occurrences)"


def test_separators(tmp_path: Path) -> None:
    (tmp_path / "baskets.dat").write_text("red wine, bread ,\n\n,\nbread,red wine\n", encoding="utf-8")
    data = sf.Transactions(tmp_path / "baskets.dat", hierarchy=sf.flat(), separator=",")
    assert (plain(data), data.empty) == ({("bread", "red wine"): 2}, 2)


def test_numbers_are_in_numeric_order() -> None:
    data = sf.Transactions([[10, 9], [100.0, 9]], hierarchy=sf.fanout(2))
    assert data.hierarchy.leaves == ("9", "10", "100")


def test_multisets() -> None:
    rows = [("milk", "dairy", "*"), ("brie", "dairy", "*"), ("wine", "wine", "*"), ("bread", "bread", "*")]
    data = sf.Transactions(BASKETS, hierarchy=sf.Hierarchy.from_rows(rows, "items"), multiset="count")
    assert plain(data) == {("bread", "milk"): 2, ("wine",): 1, ("milk ×2", "wine"): 1}
    assert data.hierarchy.leaves == ("milk", "milk ×2", "brie", "wine", "bread")
    assert data.hierarchy.rows[1] == ("milk ×2", "dairy", "*")


@pytest.mark.parametrize("kind", ["csv", "parquet", "txt", "txt.gz"])
def test_releases_read_back(tmp_path: Path, kind: str) -> None:
    frame = rows()
    data = sf.Transactions(frame, hierarchy=sf.fanout(2), transaction="basket", item="product")
    solution = sf.Problem(data, [sf.KmAnonymity(2, 1)]).solve()
    solution.write(tmp_path / f"released.{kind}")
    named = {} if "txt" in kind else {"transaction": "basket", "item": "product"}
    audit = sf.check(tmp_path / f"released.{kind}", constraints=[sf.KmAnonymity(2, 1)], **named)
    assert audit.holds
    assert audit.records == 4
    released = solution.release()
    assert list(released.columns) == ["basket", "product"]
    assert released["basket"].nunique() == 4


def test_frames_come_back_as_they_came() -> None:
    for source in (pd.DataFrame({"items": BASKETS}), pl.DataFrame({"items": BASKETS}), pa.table({"items": BASKETS})):
        data = sf.Transactions(source, hierarchy=sf.flat(), item="items")
        released = sf.Problem(data, [sf.KmAnonymity(1, 1)]).solve().release()
        assert type(released) is type(source)
        assert len(released) == 4


def test_order_depends_on_the_seed_alone() -> None:
    baskets = [[str(n % 5)] for n in range(40)]
    problem = sf.Problem(sf.Transactions(baskets, hierarchy=sf.flat()), [sf.KmAnonymity(2, 1)])
    other = sf.Problem(sf.Transactions(baskets[::-1], hierarchy=sf.flat()), [sf.KmAnonymity(2, 1)])
    assert problem.solve(seed=1).release() == other.solve(seed=1).release() != problem.solve(seed=2).release()


def test_labels_that_would_break_a_line(tmp_path: Path) -> None:
    data = sf.Transactions([["red wine"], ["milk"]], hierarchy=sf.flat())
    solution = sf.Problem(data, [sf.KmAnonymity(1, 1)]).solve()
    with pytest.raises(sf.DataError, match="contain what separates items"):
        solution.write(tmp_path / "released.txt")
    assert not (tmp_path / "released.txt").exists()
    with pytest.raises(sf.DataError, match="names no known format"):
        solution.write(tmp_path / "released.xlsx")


FAULTS = [
    (lambda: sf.Transactions(["secret"], hierarchy=sf.flat()), "transaction 1: no list of items"),
    (lambda: sf.Transactions([["a"], [None]], hierarchy=sf.flat()), "transaction 2: an item is missing"),
    (lambda: sf.Transactions([[" "]], hierarchy=sf.flat()), "an item is empty"),
    (lambda: sf.Transactions(rows(), hierarchy=sf.flat()), "does not say where its items are"),
    (lambda: sf.Transactions(rows(), hierarchy=sf.flat(), item="x"), "has no column 'x'"),
    (lambda: sf.Transactions(rows(), hierarchy=sf.flat(), transaction="x"), "name the column of items too"),
    (lambda: sf.Transactions("x.csv", hierarchy=sf.flat()), "is a table; name its columns"),
    (lambda: sf.Transactions("nowhere.txt", hierarchy=sf.flat()), "There is no file"),
    (lambda: sf.Transactions([["a"]], hierarchy=sf.flat(), multiset="x"), "multiset = 'x' is unknown"),
    (lambda: sf.Transactions([["a"]], hierarchy=sf.flat(), separator=""), "separates nothing"),
    (lambda: sf.Transactions([["a"], ["b"]], hierarchy=sf.ordered()), "has no levels"),
]


@pytest.mark.parametrize(("call", "words"), FAULTS)
def test_garbage(call: object, words: str) -> None:
    with pytest.raises(sf.InputError, match=words) as fault:
        call()  # type: ignore[operator]
    assert "secret" not in str(fault.value)


def test_items_that_the_hierarchy_lacks(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("milk;dairy;*\n", encoding="utf-8")
    with pytest.raises(sf.HierarchyError, match="has no path for 2 of the 3 values of 'item'") as fault:
        sf.Transactions(BASKETS, hierarchy=tmp_path / "items.csv")
    assert "wine" not in str(fault.value)
    assert "wine" in str(fault.value.hidden_values)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "baskets.txt").write_bytes(b"a b\n\xff\xfe c\n")
    with pytest.raises(sf.DataError, match="not UTF-8"):
        sf.Transactions(tmp_path / "baskets.txt", hierarchy=sf.flat())


def test_missing_cells() -> None:
    frame = pd.DataFrame({"t": [1, None], "i": ["a", "b"]})
    with pytest.raises(sf.DataError, match="in 1 rows 't' or 'i' is missing"):
        sf.Transactions(frame, hierarchy=sf.flat(), transaction="t", item="i")


def test_a_long_transaction() -> None:
    """10,000 items in one transaction at m = 3: there are 10^11 sets, and none of them needs a look."""
    long = [str(n) for n in range(10_000)]
    data = sf.Transactions([long] * 3 + [["1", "2"]] * 2, hierarchy=sf.fanout(10))
    solution = sf.Problem(data, [sf.KmAnonymity(3, 3)]).solve()
    assert (solution.status, solution.cost) == ("optimal", 0)
