"""Releases of transactions: in every form, what is written is what the plan says, and can be opened again."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engines import (
    ItemRecords,
    ReleasePlan,
    SetLabels,
    TransactionsEngine,
    TransactionSource,
    open_transactions,
)
from sfumato.engines.duckdb import transaction_release
from sfumato.errors import DataError

ITEMS = ["ale", "brot", "café", "dairy", "eggs", "=1+1", "two words", 'quo"te, comma']
Sets = Counter[tuple[str, ...]]


def plan_of(sets: Sets, seed: int = 0, items: list[str] | None = None) -> ReleasePlan:
    """Each set is published as it is."""
    names = ITEMS if items is None else items
    coded = sorted((tuple(sorted(names.index(item) for item in one)), times) for one, times in sets.items())
    records = ItemRecords.of(coded)
    each = np.arange(len(records))
    return ReleasePlan(
        columns=("item",),
        codes={},
        combinations=each.astype(np.int32)[:, None],
        counts=records.weight,
        entry=each,
        published=each.astype(np.int32)[:, None],
        copies=records.weight,
        labels={"item": SetLabels(records, names)},
        unchanged=frozenset(),
        order=("item",),
        seed=seed,
    )


def drawn(seed: int, items: list[str]) -> Sets:
    random = np.random.default_rng(seed)
    return Counter(
        tuple(sorted(random.choice(items, random.integers(1, 4), replace=False).tolist())) for _ in range(200)
    )


def read(engine: TransactionsEngine) -> Sets:
    labels = sorted(engine.occurring(counted=False))
    records = engine.merged({label: i for i, label in enumerate(labels)})
    return Counter({tuple(sorted(labels[item] for item in items)): times for items, times in records.sets()})


def lists_of(sets: Sets) -> list[list[str]]:
    return [list(items) for items, times in sets.items() for _ in range(times)]


def rows_of(sets: Sets) -> dict[str, list[Any]]:
    pairs = [(number, item) for number, items in enumerate(lists_of(sets)) for item in items]
    return {"basket": [number for number, _ in pairs], "product": [item for _, item in pairs]}


PLAIN = ITEMS[:5]


@pytest.mark.parametrize("ending", [".txt", ".dat", ".txt.gz", ".dat.gz", ".csv", ".parquet"])
@pytest.mark.parametrize("separator", [None, ";"])
def test_files_are_read_back(tmp_path: Path, ending: str, separator: str | None) -> None:
    (tmp_path / "in.txt").write_text(f"ale{separator or ' '}eggs\n")
    engine = open_transactions(tmp_path / "in.txt", separator=separator)
    engine.forget()
    assert ending in engine.formats
    sets = drawn(1, PLAIN if separator is None else [*PLAIN, "two words"])
    path = tmp_path / f"released{ending}"
    written = engine.recode(plan_of(sets), path)
    assert read(open_transactions(written)) == read(open_transactions(written, like=engine)) == sets


def test_lines_are_those_of_the_plan_in_its_order(tmp_path: Path) -> None:
    engine = open_transactions([["x"]])
    sets = drawn(2, PLAIN)
    released = [" ".join(items) for items in engine.recode(plan_of(sets, 7))]
    engine.recode(plan_of(sets, 7), tmp_path / "released.txt")
    assert (tmp_path / "released.txt").read_text("utf-8") == "".join(f"{line}\n" for line in released)
    engine.recode(plan_of(sets, 7), tmp_path / "released.txt.gz")
    assert gzip.decompress((tmp_path / "released.txt.gz").read_bytes()) == (tmp_path / "released.txt").read_bytes()
    first = (tmp_path / "released.txt.gz").read_bytes()
    engine.recode(plan_of(sets, 7), tmp_path / "again.txt.gz")
    assert (tmp_path / "again.txt.gz").read_bytes() == first, "no name and no time in it"
    assert [" ".join(items) for items in engine.recode(plan_of(sets, 8))] != released


@pytest.mark.parametrize("at_once", [3, 100_000])
def test_rows_number_the_transactions_in_the_order_of_the_release(
    tmp_path: Path, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transaction_release, "_BLOCK", at_once)
    monkeypatch.setattr(transaction_release, "_AT_ONCE", at_once)
    engine = open_transactions(pd.DataFrame(rows_of(drawn(0, ITEMS))), "basket", "product")
    plan = plan_of(drawn(3, ITEMS))
    lists = open_transactions([["x"]]).recode(plan)
    expected = [(number, item) for number, items in enumerate(lists, start=1) for item in items]
    frame = engine.recode(plan)
    assert list(frame.itertuples(index=False, name=None)) == expected
    assert list(frame.columns) == ["basket", "product"]
    engine.recode(plan, tmp_path / "released.csv")
    with open(tmp_path / "released.csv", encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["basket", "product"], *([str(n), item] for n, item in expected)]
    engine.recode(plan, tmp_path / "released.parquet")
    assert [tuple(row.values()) for row in pq.read_table(tmp_path / "released.parquet").to_pylist()] == expected


def test_very_many_rows_are_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then all threads sort."""
    engine, plan = open_transactions([["x"]]), plan_of(drawn(3, ITEMS))
    engine.recode(plan, tmp_path / "streamed.csv")
    monkeypatch.setattr("sfumato.engines.duckdb.database._MOST_STREAMED", 10)
    engine.recode(plan, tmp_path / "sorted.csv")
    assert (tmp_path / "sorted.csv").read_bytes() == (tmp_path / "streamed.csv").read_bytes()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_come_back_in_their_kind(kind: Any) -> None:
    sets = drawn(4, ITEMS)
    rows, lists = kind(rows_of(sets)), kind({"items": lists_of(sets)})
    for source, names in ((rows, ("basket", "product")), (lists, (None, "items"))):
        engine = open_transactions(source, *names)
        assert read(engine) == sets
        engine.forget()
        released = engine.recode(plan_of(sets))
        assert type(released) is type(source)
        assert list(getattr(released, "column_names", getattr(released, "columns", None))) == [n for n in names if n]
        assert read(open_transactions(released, like=engine)) == sets


def test_relations_come_back_as_relations() -> None:
    sets = drawn(4, ITEMS)
    frame = pd.DataFrame(rows_of(sets))
    engine = open_transactions(duckdb.sql("SELECT * FROM frame"), "basket", "product")
    del frame
    released = engine.recode(plan_of(sets))
    assert isinstance(released, duckdb.DuckDBPyRelation)
    assert read(open_transactions(released, like=engine)) == sets


def test_rows_of_a_file_come_back_as_lists(tmp_path: Path) -> None:
    sets = drawn(5, ITEMS)
    pd.DataFrame(rows_of(sets)).to_csv(tmp_path / "in.csv", index=False)
    engine = open_transactions(tmp_path / "in.csv", "basket", "product")
    released = engine.recode(plan_of(sets))
    assert Counter(map(tuple, map(sorted, released))) == sets
    assert read(open_transactions(released, like=engine)) == sets


def test_names_of_columns_need_not_be_plain(tmp_path: Path) -> None:
    sets = drawn(6, ITEMS)
    frame = pd.DataFrame(rows_of(sets)).set_axis(["a;b;c", 'the "product", all of it'], axis=1)
    engine = open_transactions(frame, *frame.columns)
    for ending in (".csv", ".parquet"):
        written = engine.recode(plan_of(sets), tmp_path / f"released{ending}")
        assert (written.transaction, written.item) == tuple(frame.columns)
        assert read(open_transactions(written)) == sets


def test_spreadsheets_see_no_formula(tmp_path: Path) -> None:
    engine = open_transactions([["x"]])
    plan = plan_of(Counter({("=1+1",): 2}))
    engine.recode(plan, tmp_path / "released.csv", safe=True)
    assert (tmp_path / "released.csv").read_text() == "transaction,item\n1,'=1+1\n2,'=1+1\n"
    with pytest.raises(DataError, match=r"write rows to a \.csv file"):
        engine.recode(plan, tmp_path / "released.txt", safe=True)


@pytest.mark.parametrize(
    ("item", "separator"),
    [("two words", None), ("", None), ("a;b", ";"), (" padded", ";"), ("line\nbreak", ";"), ("re\rturn", ";")],
)
def test_labels_that_lines_cannot_hold(tmp_path: Path, item: str, separator: str | None) -> None:
    (tmp_path / "in.txt").write_text("x\n")
    engine = open_transactions(tmp_path / "in.txt", separator=separator)
    plan = plan_of(Counter({("ale", item): 2}), items=["ale", item])
    with pytest.raises(DataError, match="Some published labels contain what separates items") as caught:
        engine.recode(plan, tmp_path / "released.txt")
    assert not item or item not in str(caught.value)


def test_items_with_the_mark_between_items_are_refused() -> None:
    with pytest.raises(DataError, match=r"some items contain the control character chr\(31\)"):
        open_transactions([["a\x1fb"]]).occurring(counted=False)


def test_nothing_published(tmp_path: Path) -> None:
    engine, plan = open_transactions([["x"]]), plan_of(Counter())
    assert engine.recode(plan) == []
    for ending in (".txt", ".csv", ".parquet"):
        written = engine.recode(plan, tmp_path / f"released{ending}")
        assert read(open_transactions(written)) == Counter()


def test_labels_are_made_when_they_are_needed() -> None:
    sets = drawn(6, ITEMS)
    labels = plan_of(sets).labels["item"]
    assert len(labels) == len(sets)
    assert labels[-1] == labels[len(labels) - 1]
    assert labels[1:3] == [labels[1], labels[2]]
    assert {tuple(sorted((label or "").split("\x1f"))) for label in labels} == set(sets)
    with pytest.raises(IndexError):
        labels[len(labels)]


def test_drafts_take_their_place(tmp_path: Path) -> None:
    engine = open_transactions([["x"]])
    with engine.drafted(tmp_path / "released.txt") as draft:
        written = engine.recode(plan_of(drawn(1, PLAIN)), draft)
        assert isinstance(written, TransactionSource)
        assert read(open_transactions(written, like=engine)) == drawn(1, PLAIN)
        assert not (tmp_path / "released.txt").exists()
    assert read(open_transactions(tmp_path / "released.txt")) == drawn(1, PLAIN)
    assert list(tmp_path.iterdir()) == [tmp_path / "released.txt"]
