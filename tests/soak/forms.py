"""Data in any form: the same rows as files, frames and databases, and releases as rows again."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import sfumato as sf
from sfumato.testing.plain_engine import PlainEngine

Rows = Sequence[dict[str, str | None]]


def _columns(rows: Rows) -> dict[str, list[str | None]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def _csv(rows: Rows, folder: Path, name: str, delimiter: str = ",") -> str:
    path = folder / name
    opener = gzip.open if name.endswith(".gz") else open
    with opener(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(rows[0])
        writer.writerows([["" if cell is None else cell for cell in row.values()] for row in rows])
    return str(path)


def _parquet(rows: Rows, folder: Path, name: str) -> str:
    path = folder / name
    pq.write_table(_arrow(rows), path)
    return str(path)


def _arrow(rows: Rows, names: Sequence[str] | None = None) -> pa.Table:
    names = list(rows[0]) if names is None else names
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in names})


def _parts(rows: Rows, folder: Path, name: str) -> str:
    """A folder of two Parquet files."""
    parts = folder / name
    parts.mkdir(exist_ok=True)
    for part, some in enumerate(
        (rows[: len(rows) // 2] or rows, rows[len(rows) // 2 :] if len(rows) > 1 else rows[:0])
    ):
        pq.write_table(_arrow(some, list(rows[0])), parts / f"{part}.parquet")
    return str(parts)


def _encoded(rows: Rows, folder: Path, name: str) -> sf.CsvFile:
    """Text in another encoding, which has to be copied."""
    path = Path(_csv(rows, folder, name, "|"))
    path.write_bytes(path.read_bytes().decode("utf-8").encode("utf-16"))
    return sf.CsvFile(path, encoding="utf-16", delimiter="|")


def _database(rows: Rows, folder: Path, name: str) -> str:
    path = folder / name
    path.unlink(missing_ok=True)
    table = _arrow(rows)
    with duckdb.connect(str(path)) as connection:
        connection.register("arrow", table)
        connection.execute("CREATE TABLE people AS SELECT * FROM arrow")
    return f"{path}::people"


SOURCES: dict[str, Callable[[Rows, Path], Any]] = {
    "csv": lambda rows, folder: _csv(rows, folder, "in.csv"),
    "csv;": lambda rows, folder: _csv(rows, folder, "in2.csv", ";"),
    "csv.gz": lambda rows, folder: _csv(rows, folder, "in.csv.gz", "\t"),
    "parquet": lambda rows, folder: _parquet(rows, folder, "in.parquet"),
    "duckdb": lambda rows, folder: _database(rows, folder, "in.duckdb"),
    "pandas": lambda rows, folder: pd.DataFrame(_columns(rows), dtype=object),
    "polars": lambda rows, folder: pl.DataFrame(_columns(rows), schema=dict.fromkeys(rows[0], pl.String)),
    "arrow": lambda rows, folder: _arrow(rows),
    "lazy": lambda rows, folder: pl.LazyFrame(_columns(rows), schema=dict.fromkeys(rows[0], pl.String)),
    "relation": lambda rows, folder: duckdb.from_arrow(_arrow(rows)),
    "parts": lambda rows, folder: _parts(rows, folder, "parts"),
    "utf-16": lambda rows, folder: _encoded(rows, folder, "in3.csv"),
    "plain": lambda rows, folder: PlainEngine([dict(row) for row in rows]),
}
OUTPUTS = (".csv", ".csv.gz", ".parquet", ".duckdb")


def output_of(kind: str, ending: str) -> str:
    """The ending, if the engine of that kind of source writes such files."""
    return ending if kind != "plain" or ending in PlainEngine.formats else ".csv"


def rows_of(released: Any) -> list[dict[str, str]]:
    """The rows of what is handed out in Python, as `read` has those of files."""
    if isinstance(released, str | Path):
        return read(Path(released))
    if isinstance(released, PlainEngine):
        rows: Any = released.rows
    elif isinstance(released, pl.LazyFrame):
        rows = released.collect().to_dicts()
    elif isinstance(released, pl.DataFrame):
        rows = released.to_dicts()
    elif isinstance(released, pd.DataFrame):
        rows = released.astype(object).where(released.notna(), None).to_dict("records")
    else:
        table = released if isinstance(released, pa.Table) else released.to_arrow_table()
        rows = table.to_pylist()
    return [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in rows]


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a published file, as texts; "" where a cell is missing. Nothing of the package is used."""
    if path.name.endswith((".csv", ".csv.gz")):
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        lines = text.decode("utf-8").splitlines()
        delimiter = next((mark for mark in ";\t|" if mark in lines[0]), ",")
        return list(csv.DictReader(lines, delimiter=delimiter))
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
    else:
        with duckdb.connect(str(path), read_only=True) as connection:
            ((name,),) = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
            cursor = connection.execute(f'SELECT * FROM "{name}"')
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, cells, strict=True)) for cells in cursor.fetchall()]
    return [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in rows]
