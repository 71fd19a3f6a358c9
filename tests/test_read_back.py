"""What is written is read back before it gets its name: writers with planted faults publish nothing."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.engines import DuckDBEngine, DuckDBTransactions
from sfumato.engines.duckdb.transaction_release import TransactionRelease
from sfumato.errors import DataError, PrivacyViolation
from sfumato.testing.plain_engine import PlainEngine

BASKETS = [["milk", "bread"], ["brie", "bread"], ["milk", "wine"], ["brie", "wine"]] * 2 + [["milk", "bread"]] * 2
DAIRY = sf.Hierarchy.from_pairs({"milk": "dairy", "brie": "dairy", "bread": "*", "wine": "*", "dairy": "*"})
COLUMNS = {"transaction": "basket", "item": "product"}
Fault = Callable[[str], str]


def rows() -> pd.DataFrame:
    pairs = [(number, item) for number, items in enumerate(BASKETS) for item in items]
    return pd.DataFrame(pairs, columns=["basket", "product"])


def solved(source: object = BASKETS, k: int = 3, **columns: str) -> Any:
    data: Any = sf.Transactions(source, hierarchy=DAIRY, **columns)
    return sf.Problem(data, [sf.KmAnonymity(k, 2)]).solve()


# What a writer may do wrong, as what becomes of the published items in their order.
FAULTS: dict[str, Callable[[list[str]], list[str]]] = {
    "a label is dropped": lambda items: items[1:],
    "a label of the data": lambda items: ["milk", *items[1:]],
    "a label of nobody": lambda items: ["cheese", *items[1:]],
    "another label": lambda items: ["bread" if items[0] != "bread" else "wine", *items[1:]],
    "two labels swapped everywhere": lambda items: [{"bread": "wine", "wine": "bread"}.get(x, x) for x in items],
    "a label twice": lambda items: [items[0], *items],
}


def in_lines(fault: Callable[[list[str]], list[str]], text: str) -> str:
    lines = text.splitlines()
    if "everywhere" in next(name for name, one in FAULTS.items() if one is fault):
        return "".join(f"{' '.join(fault(line.split()))}\n" for line in lines)
    return "".join(f"{line}\n" for line in [" ".join(fault(lines[0].split())), *lines[1:]])


def in_rows(fault: Callable[[list[str]], list[str]], frame: pd.DataFrame) -> pd.DataFrame:
    name, item = frame.columns
    everywhere = "everywhere" in next(known for known, one in FAULTS.items() if one is fault)
    sets = {number: list(some[item]) for number, some in frame.groupby(name)}
    first = min(sets)
    changed = {number: fault(items) if everywhere or number == first else items for number, items in sets.items()}
    return pd.DataFrame([(number, label) for number, items in changed.items() for label in items], columns=[name, item])


def plant(monkeypatch: pytest.MonkeyPatch, fault: Callable[[list[str]], list[str]]) -> None:
    """Every way to write transactions has the fault."""
    lines, table = TransactionRelease.write_lines, TransactionRelease.write_rows

    def faulty_lines(self: TransactionRelease, draft: Path, *given: Any) -> None:
        lines(self, draft, *given)
        packed = draft.suffix == ".gz"
        text = (gzip.decompress(draft.read_bytes()) if packed else draft.read_bytes()).decode()
        changed = in_lines(fault, text).encode()
        draft.write_bytes(gzip.compress(changed) if packed else changed)

    def faulty_rows(self: TransactionRelease, draft: Path, *given: Any) -> None:
        table(self, draft, *given)
        if draft.suffix == ".csv":
            in_rows(fault, pd.read_csv(draft)).to_csv(draft, index=False)
        else:
            in_rows(fault, pd.read_parquet(draft)).to_parquet(draft)

    monkeypatch.setattr(TransactionRelease, "write_lines", faulty_lines)
    monkeypatch.setattr(TransactionRelease, "write_rows", faulty_rows)


@pytest.mark.parametrize("name", ["released.txt", "released.txt.gz", "released.csv", "released.parquet"])
def test_transactions_as_written_are_those_of_the_solution(name: str, tmp_path: Path) -> None:
    solution = solved()
    solution.write(tmp_path / name)
    columns = {} if ".txt" in name else {"transaction": "transaction", "item": "item"}
    assert sf.check(tmp_path / name, constraints=[sf.KmAnonymity(4, 2)], hierarchy=DAIRY, **columns).holds


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        pytest.param(name, fault, id=f"{name}, {what}")
        for name in ("released.txt", "released.txt.gz", "released.csv", "released.parquet")
        for what, fault in FAULTS.items()
    ],
)
def test_faulty_writers_of_transactions_publish_nothing(
    name: str, fault: Callable[[list[str]], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solved()
    plant(monkeypatch, fault)
    (tmp_path / name).write_bytes(b"before")
    with pytest.raises(PrivacyViolation) as caught:
        solution.write(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == b"before"
    assert not any(label in str(caught.value) for label in ("milk", "brie", "cheese"))


def test_a_record_that_is_lost_or_written_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = TransactionRelease.write_lines
    changes: list[Fault] = [lambda text: text.split("\n", 1)[1], lambda text: text + text, lambda text: text + "\n"]
    for change in changes:

        def faulty(self: TransactionRelease, draft: Path, *given: Any, change: Fault = change) -> None:
            write(self, draft, *given)
            draft.write_text(change(draft.read_text()))

        monkeypatch.setattr(TransactionRelease, "write_lines", faulty)
        with pytest.raises(PrivacyViolation, match="is not what was to be published"):
            solved().write(tmp_path / "released.txt")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("fault", [one for name, one in FAULTS.items() if "twice" not in name])
def test_transactions_in_memory_are_checked_as_they_are_returned(
    fault: Callable[[list[str]], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = rows()
    lists = pd.DataFrame({"items": BASKETS})
    solutions = [
        solved(),
        *(solved(source, **COLUMNS) for source in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame))),
        *(solved(source, item="items") for source in (lists, pl.DataFrame({"items": BASKETS}))),
    ]
    assert all(len(solution.release()) in {10, 20} for solution in solutions)
    recode = DuckDBTransactions.recode

    def faulty(*given: Any) -> Any:
        returned = recode(*given)
        if isinstance(returned, list):
            return [line.split() for line in in_lines(fault, "\n".join(map(" ".join, returned))).splitlines()]
        kind, plain = type(returned), returned if isinstance(returned, pd.DataFrame) else returned.to_pandas()
        if "items" in plain.columns:
            text = "\n".join(" ".join(items) for items in plain["items"])
            plain = pd.DataFrame({"items": [line.split() for line in in_lines(fault, text).splitlines()]})
        else:
            plain = in_rows(fault, plain)
        if kind is pl.DataFrame:
            return pl.from_pandas(plain)
        return pa.Table.from_pandas(plain) if kind is pa.Table else plain

    monkeypatch.setattr(DuckDBTransactions, "recode", faulty)
    for solution in solutions:
        with pytest.raises(PrivacyViolation):
            solution.release()


def test_labels_that_lines_cannot_hold(tmp_path: Path) -> None:
    rows = [["a", " all", "*"], ["b", " all", "*"], ["c", "c", "*"]]
    data: Any = sf.Transactions(
        [["a", "c"], ["b", "c"]] * 2, hierarchy=sf.Hierarchy.from_rows(rows, "items"), separator=","
    )
    solution = sf.Problem(data, [sf.KmAnonymity(3, 1)]).solve()
    with pytest.raises(DataError, match="labels contain what"):
        solution.write(tmp_path / "released.txt")
    solution.write(tmp_path / "released.csv")


def test_columns_of_one_name(tmp_path: Path) -> None:
    solution = solved(pd.DataFrame({"Transaction": BASKETS}), item="Transaction")
    with pytest.raises(DataError, match="'Transaction' would be two columns; rename it"):
        solution.write(tmp_path / "released.csv")


# --- tables


def table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age": [f"{20 + i % 4}" for i in range(16)],
            "sex": ["f", "m"] * 8,
            "disease": ["flu", "cold", "pox", "flu"] * 4,
        }
    )


def solved_table(source: object) -> sf.Solution:
    roles = {"age": sf.intervals(2), "sex": sf.flat()}
    data = sf.Table(source, quasi_identifiers=roles, sensitive=["disease"])
    return sf.Problem(data, [sf.KAnonymity(4), sf.DistinctLDiversity("disease", 2)]).solve()


def _one(frame: pd.DataFrame, column: str, value: object) -> pd.DataFrame:
    frame = frame.astype(object)
    frame.loc[0, column] = value
    return frame


def _swapped(frame: pd.DataFrame) -> pd.DataFrame:
    """The sensitive values of two classes change places, so that one of them has a single value left."""
    flu_first = sorted(frame["disease"], key=lambda disease: disease != "flu")
    return frame.sort_values("sex").assign(disease=flu_first)


TABLE_FAULTS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "a label is dropped": lambda frame: _one(frame, "age", None),
    "a label of the data": lambda frame: _one(frame, "age", "23"),
    "values swapped": _swapped,
    "a sensitive value for all": lambda frame: frame.assign(disease="flu"),
    "a record is lost": lambda frame: frame.iloc[:-1],
    "a record twice": lambda frame: pd.concat([frame, frame.iloc[:1]]),
}


@pytest.mark.parametrize("fault", TABLE_FAULTS.values(), ids=TABLE_FAULTS)
@pytest.mark.parametrize("name", ["released.csv", "released.parquet", None])
def test_faulty_writers_of_tables_publish_nothing(
    name: str | None,
    fault: Callable[[pd.DataFrame], pd.DataFrame],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solution = solved_table(table())
    assert len(solution.release()) == 16
    recode = DuckDBEngine.recode

    def faulty(self: DuckDBEngine, plan: Any, path: Path | None = None, **given: Any) -> Any:
        written = recode(self, plan, path, **given)
        if path is None:
            return fault(written)
        if path.suffix == ".csv":
            fault(pd.read_csv(path, dtype=str)).to_csv(path, index=False)
        else:
            fault(pd.read_parquet(path)).to_parquet(path)
        return written

    monkeypatch.setattr(DuckDBEngine, "recode", faulty)
    publish = solution.release if name is None else partial(solution.write, tmp_path / name)
    with pytest.raises(PrivacyViolation):
        publish()
    assert not list(tmp_path.iterdir())


OTHER_AGE = {"[0, 20)": "[20, 40)", "[20, 40)": "[0, 20)"}
# What satisfies the constraints, and still is not what was to be published.
OTHER_ROWS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "a label of another class": lambda frame: _one(frame, "age", OTHER_AGE[frame["age"][0]]),
    "two labels swapped": lambda frame: frame.assign(age=frame["age"].map(OTHER_AGE)),
    "sensitive values of other rows": lambda frame: frame.assign(disease=sorted(frame["disease"])),
    "one record in place of another": lambda frame: pd.concat([frame.iloc[1:], frame.iloc[1:2]]),
}


@pytest.mark.parametrize("fault", OTHER_ROWS.values(), ids=OTHER_ROWS)
@pytest.mark.parametrize("name", ["released.csv", "released.csv.gz", "released.parquet"])
def test_other_rows_than_planned_are_not_published(
    name: str,
    fault: Callable[[pd.DataFrame], pd.DataFrame],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = pd.DataFrame(
        {
            "age": "12 15 18 19 17 14 23 25 28 29 30 31 33 38".split(),
            "disease": ["flu"] * 2 + ["cold"] * 4 + ["pox"] * 3 + ["cold"] * 2 + ["flu"] * 3,
            "note": "n",
        }
    )
    roles: dict[str, Any] = {"quasi_identifiers": {"age": sf.intervals(20, 40)}, "insensitive": ["note"]}
    data = sf.Table(people, sensitive=["disease"], **roles)
    solution = sf.Problem(data, [sf.KAnonymity(3)]).solve()
    solution.write(tmp_path / name)
    before, recode = (tmp_path / name).read_bytes(), DuckDBEngine.recode

    def faulty(self: DuckDBEngine, plan: Any, path: Path, **given: Any) -> Any:
        written = recode(self, plan, path, **given)
        if ".csv" in name:
            fault(pd.read_csv(path, dtype=str)).to_csv(path, index=False)
        else:
            fault(pd.read_parquet(path)).to_parquet(path, index=False)
        return written

    monkeypatch.setattr(DuckDBEngine, "recode", faulty)
    with pytest.raises(PrivacyViolation, match="is not what was to be published") as caught:
        solution.write(tmp_path / name)
    assert (tmp_path / name).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert not any(value in str(caught.value) for value in ("flu", "cold", "pox"))


# --- files that are safe for spreadsheets are read back too

FORMULAS: list[list[str]] = [["=a", "5"], ["=a"], ["5"]] * 2


def test_sets_that_are_safe_are_checked_as_they_were(tmp_path: Path) -> None:
    """An item has one spelling, wherever it stands in a cell: else each spelling would be rare."""
    frame = pd.DataFrame({"q": ["x"] * 6, "items": [" ".join(items[::-1]) for items in FORMULAS]})
    flat = sf.Hierarchy.from_pairs({"5": "*", "=a": "*"})
    table = sf.Table(frame, quasi_identifiers={"q": sf.flat()}, sets={"items": flat})
    solution = sf.Problem(table, [sf.KAnonymity(2), sf.KmAnonymity(4, 1)]).solve()
    solution.write(tmp_path / "r.csv", spreadsheet_safe=True)
    assert sorted((tmp_path / "r.csv").read_text().splitlines()) == sorted(
        ["q,items", *["x,5 '=a", "x,'=a", "x,5"] * 2]
    )


@pytest.mark.parametrize("engine", [PlainEngine, pd.DataFrame])
@pytest.mark.parametrize("separator", [None, "|", ", "])
def test_lists_are_written_as_texts(engine: Callable[[Any], Any], separator: str | None, tmp_path: Path) -> None:
    """The plan has lists and the file has texts: what stands between the items is another thing in both."""
    rows = [{"q": "x", "items": items} for items in [["a", "b"], ["b"], [], ["b", "a"]] * 2]
    source, flat = engine(rows), sf.Hierarchy.from_pairs({"a": "*", "b": "*"})
    table = sf.Table(source, quasi_identifiers={"q": sf.flat()}, sets={"items": flat}, separator=separator)
    sf.Problem(table, [sf.KAnonymity(2), sf.KmAnonymity(2, 2)]).solve().write(tmp_path / "r.csv")
    written = pd.read_csv(tmp_path / "r.csv", keep_default_na=False)["items"]
    assert sorted(written) == sorted(["", "b", *[(separator or " ").join("ab")] * 2] * 2)


@pytest.mark.parametrize("name", ["released.csv", "released.parquet"])
def test_faulty_writers_of_safe_transactions_publish_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flat = sf.Hierarchy.from_pairs({"5": "*", "=a": "*"})
    solution = sf.Problem(sf.Transactions(FORMULAS, hierarchy=flat), [sf.KmAnonymity(4, 1)]).solve()
    solution.write(tmp_path / f"good-{name}", spreadsheet_safe=True)
    plant(monkeypatch, FAULTS["a label is dropped"])
    with pytest.raises(PrivacyViolation):
        solution.write(tmp_path / name, spreadsheet_safe=True)
    assert [path.name for path in tmp_path.iterdir()] == [f"good-{name}"]


# --- tables with sets


SET_FAULTS: dict[str, Callable[[list[str]], list[str]]] = {
    "a label is dropped": lambda items: items[1:],
    "a label of the data": lambda items: ["milk" if items[0] != "milk" else "brie", *items[1:]],
    "a label of nobody": lambda items: ["cheese", *items[1:]],
    "all labels are dropped": lambda items: [],
}


@pytest.mark.parametrize("fault", SET_FAULTS.values(), ids=SET_FAULTS)
@pytest.mark.parametrize("name", ["released.csv", "released.parquet", None])
@pytest.mark.parametrize("listed", [True, False], ids=["lists", "texts"])
def test_faulty_writers_of_sets_publish_nothing(
    name: str | None,
    listed: bool,
    fault: Callable[[list[str]], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cells = [items if listed else " ".join(items) for items in BASKETS]
    frame = pd.DataFrame({"age": ["20", "21"] * 5, "bought": cells})
    data = sf.Table(frame, quasi_identifiers={"age": sf.flat()}, sets={"bought": DAIRY})
    solution = sf.Problem(data, [sf.KAnonymity(5), sf.KmAnonymity(4, 2)]).solve()
    assert len(solution.release()) == 10
    recode = DuckDBEngine.recode

    def changed(rows: pd.DataFrame) -> pd.DataFrame:
        rows = rows.astype(object)
        cell = rows["bought"][0]
        is_text = isinstance(cell, str)
        faulty = fault(cell.split(" ") if is_text else list(cell))
        rows.at[0, "bought"] = " ".join(faulty) if is_text else faulty
        return rows

    def faulty(self: DuckDBEngine, plan: Any, path: Path | None = None, **given: Any) -> Any:
        written = recode(self, plan, path, **given)
        if path is None:
            return changed(written)
        if path.suffix == ".csv":
            changed(pd.read_csv(path, dtype=str)).to_csv(path, index=False)
        else:
            changed(pd.read_parquet(path)).to_parquet(path)
        return written

    monkeypatch.setattr(DuckDBEngine, "recode", faulty)
    publish = solution.release if name is None else partial(solution.write, tmp_path / name)
    with pytest.raises(PrivacyViolation) as caught:
        publish()
    assert not list(tmp_path.iterdir())
    assert not any(label in str(caught.value) for label in ("milk", "brie", "cheese"))
