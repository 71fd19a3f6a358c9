"""How a release is written: CSV, Parquet or a DuckDB database, told by the ending of the file's name."""

from __future__ import annotations

import os
from pathlib import Path

from sfumato.engines.plan import ReleasePlan
from sfumato.engines.source import Source, identifier, literal
from sfumato.errors import DataError

CSV = (".csv", ".tsv", ".txt")
PARQUET = (".parquet", ".parq", ".pq")
DATABASE = (".duckdb", ".ddb")


def ending(path: Path) -> str:
    """The ending that tells the format, without that of compression."""
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def is_writable_format(path: Path) -> bool:
    """Whether releases can be written in the format that the name ends in."""
    compressed = path.name.lower().endswith(".gz")
    return ending(path) in CSV or (ending(path) in PARQUET + DATABASE and not compressed)


def statements(path: Path, query: str, plan: ReleasePlan, source: Source) -> tuple[str, str, str]:
    """What is done before, to write the rows of a query, and after."""
    if len({name.lower() for name in plan.order}) < len(plan.order):
        raise DataError(f"{source.name} has two columns that differ in capital letters alone; rename one of them.")
    if ending(path) in DATABASE:
        path.unlink(missing_ok=True)  # an empty file is no database
        before = f"ATTACH {literal(os.fspath(path))} AS released_to"
        return before, f"CREATE TABLE released_to.main.{identifier(source.table)} AS {query}", "DETACH released_to"
    if ending(path) in PARQUET:
        options = "FORMAT parquet, COMPRESSION zstd"
    else:
        delimiter = "\t" if ending(path) == ".tsv" and source.delimiter == "," else source.delimiter
        compression = "gzip" if path.name.lower().endswith(".gz") else "none"
        options = f"FORMAT csv, HEADER, DELIMITER {literal(delimiter)}, COMPRESSION {compression}"
    return "SELECT 1", f"COPY ({query}) TO {literal(os.fspath(path))} ({options}, USE_TMP_FILE false)", "SELECT 1"


def spreadsheet_safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: a text that starts like one gets an apostrophe in front."""
    text = f"{cell}::VARCHAR"
    formula = f"regexp_matches({text}, '^[=+@\\t\\r-]') AND try_cast({text} AS DOUBLE) IS NULL"
    return f"CASE WHEN {formula} THEN chr(39) || {text} ELSE {text} END"
