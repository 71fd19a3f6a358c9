"""Hashes: the same for the same content, however it is written."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from sfumato.engines import open_engine
from sfumato.engines.items import ItemRecords
from sfumato.report.hashes import (
    file_sha256,
    hierarchy_sha256,
    plan_sha256,
    released_sha256,
    sets_sha256,
    table_sha256,
)
from sfumato.solution import Solution

ROLES = {"quasi_identifiers": {"age": sf.intervals(10)}, "sensitive": ["disease"]}


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc" * 1000)
    assert file_sha256(path) == hashlib.sha256(b"abc" * 1000).hexdigest()
    assert file_sha256(Path(f"{path}::table")) == file_sha256(path)
    assert file_sha256(tmp_path / "absent") is None


def test_folders(tmp_path: Path) -> None:
    for folder, name in (("a", "1"), ("b", "1"), ("c", "2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("x")
    first, same, other = (file_sha256(tmp_path / folder) for folder in "abc")
    assert first == same != other


def test_tables_by_content(people: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(people)
    header, *lines = people.read_text().splitlines()
    (tmp_path / "turned.csv").write_text("\n".join([header, *reversed(lines)]) + "\n")
    frame.to_parquet(tmp_path / "x.parquet")
    sources = [people, frame, tmp_path / "turned.csv", tmp_path / "x.parquet", frame[frame.columns[::-1]]]
    hashes = [table_sha256(sf.Table(source, **ROLES)) for source in sources]  # type: ignore[arg-type]
    assert len(set(hashes)) == 1
    frame.loc[3, "age"] += 1
    assert table_sha256(sf.Table(frame, **ROLES)) != hashes[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".duckdb"])
def test_releases_have_the_content_of_their_plan(solution: Solution, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"released{ending}"
    solution.write(path)
    plan = solution.plan()
    assert released_sha256(open_engine(path), plan.columns) == plan_sha256(plan)


def test_spreadsheets_and_decimals_make_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("age,s\n" + "38.0,=a\n38.0,+b\n" * 3)
    table = sf.Table(path, quasi_identifiers={"age": sf.flat()}, sensitive=["s"])
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    solution.write(tmp_path / "safe.csv", spreadsheet_safe=True)
    assert "'=a" in (tmp_path / "safe.csv").read_text()
    plan = solution.plan()
    assert released_sha256(open_engine(tmp_path / "safe.csv"), plan.columns) == plan_sha256(plan)


def test_hierarchies_without_the_missing_value() -> None:
    tree = sf.Hierarchy.from_rows([("a", "x", "*"), ("b", "x", "*")], "t")
    assert hierarchy_sha256(tree) == hierarchy_sha256(tree.with_missing())
    assert hierarchy_sha256(tree) != hierarchy_sha256(sf.Hierarchy.from_rows([("a", "y", "*"), ("b", "y", "*")], "t"))


def test_the_hash_of_sets_is_of_what_they_hold() -> None:
    one = sets_sha256(ItemRecords.of([((0, 1), 3), ((2,), 1)]), ["milk", "bread", "7"])
    assert one == sets_sha256(ItemRecords.of([((1,), 1), ((0, 2), 2), ((0, 2), 1)]), ["bread", "7.0", "milk"])
    assert one != sets_sha256(ItemRecords.of([((0, 1), 2), ((2,), 2)]), ["milk", "bread", "7"])
    assert one != sets_sha256(ItemRecords.of([((0, 1), 3), ((2,), 1)]), ["milk", "wine", "7"])
