"""SQLite files: the rows of a local file, whatever the collation, and guarded from being written over."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.engines import open_engine
from sfumato.engines.duckdb.inputs import files_of, reads
from sfumato.errors import DataError

from .conftest import KEEP, solved

Release = Callable[..., bytes]
COLUMNS = (
    "age INTEGER, sex TEXT COLLATE NOCASE, paid TEXT, born TEXT, seen TEXT, city TEXT COLLATE NOCASE, secret_note TEXT"
)


def _made(file: Path, people: Path) -> Path:
    with open(people / "people.csv", encoding="utf-8", newline="") as text:
        rows = [[cell or None for cell in row] for row in csv.reader(text)][1:]
    connection = sqlite3.connect(file)
    connection.execute(f"CREATE TABLE people ({COLUMNS})")
    connection.executemany(f"INSERT INTO people VALUES ({', '.join('?' * 7)})", rows)
    connection.commit()
    connection.close()
    return file


@pytest.fixture
def shop(tmp_path: Path, people: Path, needs: Callable[..., None]) -> Path:
    needs("sqlite_scanner")
    return _made(tmp_path / "shop.sqlite", people)


def test_a_table_releases_what_a_local_file_does(shop: Path, people: Path, released: Release) -> None:
    assert released(shop) == released(f"{shop}::people") == released(people / "people.csv")


def test_a_file_is_known_by_its_content_if_it_ends_in_db(shop: Path, people: Path, released: Release) -> None:
    assert released(shop.rename(shop.with_suffix(".db"))) == released(people / "people.csv")


def test_what_is_written_last_is_read_and_noticed(shop: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(shop)
    connection.execute("PRAGMA journal_mode = wal")
    solution = solved(shop)
    connection.execute("UPDATE people SET city = 'Oslo' WHERE age = 20")
    connection.commit()
    with pytest.raises(DataError, match=r"shop\.sqlite has changed since it was read"):
        solution.write(tmp_path / "released.csv")
    assert open_engine(shop).distinct(["city"])["city"]["Oslo"] == 15
    connection.close()


def test_a_release_is_not_written_over_it(shop: Path) -> None:
    assert reads(str(shop), shop)
    assert reads(f"{shop}::people", shop)
    assert reads(shop, shop.with_name("shop.sqlite-wal"))
    assert not reads(shop, shop.with_name("other.csv"))
    assert files_of(f"{shop}::people") == [shop]


def test_several_tables_are_named_and_no_cell(shop: Path) -> None:
    connection = sqlite3.connect(shop)
    connection.execute("CREATE TABLE others (age INTEGER)")
    connection.execute("INSERT INTO others VALUES ('CANARY')")  # SQLite allows it
    connection.execute("CREATE TABLE texts AS SELECT CAST(age AS TEXT) AS age FROM others")
    connection.commit()
    connection.close()
    with pytest.raises(DataError, match=r"shop\.sqlite: name one table, .*; it has others, people, texts\."):
        open_engine(shop)
    with pytest.raises(
        DataError, match="holds other values than its type says; make a table that holds texts"
    ) as caught:
        sf.Table(f"{shop}::others", quasi_identifiers={"age": sf.flat()})
    assert "CANARY" not in str(caught.value)
    assert "CANARY" in open_engine(f"{shop}::texts").distinct(["age"])["age"]


def test_what_is_no_database(tmp_path: Path, needs: Callable[..., None]) -> None:
    needs("sqlite_scanner")
    with pytest.raises(DataError, match="There is no file"):
        open_engine(tmp_path / "none.sqlite")
    (tmp_path / "text.sqlite").write_text("CANARY " * 200)
    with pytest.raises(DataError, match=r"text\.sqlite is not a SQLite database") as caught:
        open_engine(tmp_path / "text.sqlite")
    assert "CANARY" not in str(caught.value)


def test_needed_columns_only(shop: Path) -> None:
    assert "secret_note" in open_engine(shop).columns
    assert sf.check(shop, quasi_identifiers=["age"], constraints=[sf.KAnonymity(k=15)]).holds
    assert len(KEEP) == 4
