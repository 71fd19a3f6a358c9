"""Delta and Iceberg tables: the rows that belong to the table, here and elsewhere, and no row that was removed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from sfumato.engines import open_engine
from sfumato.engines.duckdb.inputs import files_of
from sfumato.engines.duckdb.lake_table import log_of
from sfumato.errors import DataError

from .conftest import PEOPLE, Store, solved

Release = Callable[..., bytes]
_FIELDS = [
    ("age", "long"), ("sex", "string"), ("paid", "decimal(8,2)"), ("born", "date"), ("seen", "timestamp_ntz"),
    ("city", "string"), ("secret_note", "string"),
]  # fmt: skip


def delta_table(folder: Path) -> Path:
    """A Delta table of two versions: the second removes one of three files, whose rows are nobody's business now."""
    log = folder / "_delta_log"
    log.mkdir(parents=True)
    halves = ((f"SELECT * FROM ({PEOPLE}) WHERE age % 2 = {i}", f"part-{i}.parquet") for i in (0, 1))
    removed = (f"SELECT * REPLACE ('CANARY' AS city) FROM ({PEOPLE}) LIMIT 100", "removed.parquet")
    added = []
    for query, name in (*halves, removed):
        duckdb.execute(f"COPY ({query}) TO '{folder / name}' (FORMAT parquet)")
        size = (folder / name).stat().st_size
        added.append(
            {"add": {"path": name, "partitionValues": {}, "size": size, "modificationTime": 0, "dataChange": True}}
        )
    fields = [{"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in _FIELDS]
    protocol = {
        "minReaderVersion": 3,
        "minWriterVersion": 7,
        "readerFeatures": ["timestampNtz"],
        "writerFeatures": ["timestampNtz"],
    }
    meta = {
        "id": "00000000-0000-0000-0000-000000000001", "format": {"provider": "parquet", "options": {}},
        "schemaString": json.dumps({"type": "struct", "fields": fields}), "partitionColumns": [], "configuration": {},
    }  # fmt: skip
    first = [{"protocol": protocol}, {"metaData": meta}, *added]
    second = [{"remove": {"path": "removed.parquet", "deletionTimestamp": 1, "dataChange": True}}]
    for version, actions in enumerate((first, second)):
        (log / f"{version:020}.json").write_text("".join(f"{json.dumps(action)}\n" for action in actions))
    return folder


def test_delta_rows_are_those_of_the_table(
    tmp_path: Path, people: Path, released: Release, needs: Callable[..., None]
) -> None:
    needs("delta")
    folder = delta_table(tmp_path / "visits")
    assert "CANARY" not in open_engine(folder).distinct(["city"])["city"]
    assert released(folder) == released(f"{folder}/") == released(people / "people.parquet")
    assert released(folder, ending=".parquet") == released(people / "people.parquet", ending=".parquet")


def test_delta_elsewhere(
    tmp_path: Path, people: Path, released: Release, store: Store, needs: Callable[..., None]
) -> None:
    needs("delta", "httpfs")
    folder = delta_table(tmp_path / "visits")
    for file in folder.rglob("*"):
        if file.is_file():
            store.put(f"lake/visits/{file.relative_to(folder).as_posix()}", file)
    assert released("s3://clinic/lake/visits") == released(people / "people.parquet")
    solution = solved("s3://clinic/lake/visits")
    store.put(
        "lake/visits/_delta_log/00000000000000000002.json", (folder / "_delta_log" / f"{1:020}.json").read_bytes()
    )
    with pytest.raises(DataError, match="visits has changed since it was read"):
        solution.write(tmp_path / "released.csv")


def test_a_new_version_is_noticed(tmp_path: Path, needs: Callable[..., None]) -> None:
    needs("delta")
    folder = delta_table(tmp_path / "visits")
    solution = solved(folder)
    (folder / "_delta_log" / f"{2:020}.json").write_text((folder / "_delta_log" / f"{1:020}.json").read_text())
    with pytest.raises(DataError, match="visits has changed since it was read"):
        solution.write(tmp_path / "released.csv")


def test_iceberg_rows_are_those_of_the_table(
    tmp_path: Path, people: Path, released: Release, needs: Callable[..., None]
) -> None:
    needs("avro", "iceberg")
    catalogs = pytest.importorskip("pyiceberg.catalog.sql", reason="Iceberg tables are made by pyiceberg[sql-sqlite]")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(people / "people.parquet")
    catalog = catalogs.SqlCatalog("c", uri=f"sqlite:///{tmp_path}/c.db", warehouse=f"file://{tmp_path}/lake")
    catalog.create_namespace("n")
    table = catalog.create_table("n.visits", schema=rows.schema)
    table.append(rows)
    table.append(rows.slice(0, 100))
    table.manage_snapshots()
    table.overwrite(rows)
    folder = tmp_path / "lake" / "n" / "visits"
    assert released(folder) == released(people / "people.parquet")
    last = max((folder / "metadata").glob("*.metadata.json"))
    assert released(last) == released(people / "people.parquet")
    (folder / "metadata" / f"{last.name[:5]}-other.metadata.json").write_text(last.read_text())
    with pytest.raises(DataError, match="several files of metadata of its last version"):
        open_engine(folder)


def test_the_log_of_a_folder() -> None:
    assert log_of(["a.parquet", "year=1/b.parquet", "metadata/notes.json"]) == []
    assert log_of(["a.parquet", "_delta_log/00000000000000000000.json"]) == ["_delta_log/00000000000000000000.json"]
    named = ["metadata/v2.metadata.json", "metadata/version-hint.text", "metadata/00001-ab.metadata.json"]
    assert log_of(["data/a.parquet", *named]) == named


def test_the_files_of_a_table_are_its_log(tmp_path: Path) -> None:
    folder = delta_table(tmp_path / "visits")
    assert files_of(str(folder)) == [folder / "_delta_log" / f"{version:020}.json" for version in (0, 1)]


def test_a_broken_log_shows_nothing(tmp_path: Path, needs: Callable[..., None]) -> None:
    needs("delta")
    folder = delta_table(tmp_path / "visits")
    (folder / "_delta_log" / f"{1:020}.json").write_text('{"CANARY": ')
    with pytest.raises(DataError, match="visits is not a whole Delta or Iceberg table") as caught:
        open_engine(folder)
    assert "CANARY" not in str(caught.value)
