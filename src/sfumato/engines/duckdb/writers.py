"""How a release is written: CSV, Parquet or a DuckDB database, as the ending of the file's name says."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.csv_file import CsvFile
from sfumato.engines.duckdb.source import Source, identifier, literal
from sfumato.engines.formulas import FORMULA, NUMBER, WITHIN, is_formula
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.set_cells import require_divided
from sfumato.errors import DataError

CSV = (".csv", ".tsv", ".txt")
PARQUET = (".parquet", ".parq", ".pq")
DATABASE = (".duckdb", ".ddb")
FORMATS = (*CSV, *(f"{ending}.gz" for ending in CSV), *PARQUET, *DATABASE)
NO_ROOM = "The release cannot be written; is there room on the disk?"
_ROWS_AT_ONCE = 100_000
PARQUET_OPTIONS = "FORMAT parquet, COMPRESSION zstd"

Run = Callable[[str, Mapping[str, Any] | None], list[tuple[Any, ...]]]


def ending(path: Path) -> str:
    """The ending that tells the format, without that of compression."""
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def is_parquet(path: Path) -> bool:
    """Whether the name is that of a Parquet file."""
    return ending(path) in PARQUET


def is_plain_csv(path: Path) -> bool:
    """Whether the name is that of a CSV file that is not compressed."""
    return ending(path) in CSV and not path.name.lower().endswith(".gz")


def delimiter_of(path: Path, source: Source) -> str:
    """What a CSV file of the source's release has between its cells: what the source has, but a .tsv has tabs."""
    if ending(path) == ".tsv":
        return "\t"
    return "," if source.delimiter == '"' else source.delimiter


def written(path: Path, source: Source) -> Path | CsvFile:
    """What reads back a file that was written."""
    return CsvFile(path, delimiter_of(path, source)) if ending(path) in CSV else path


def columns(path: Path, plan: ReleasePlan, source: Source, safe: bool) -> str:
    """The released cells o0, o1, … under the names of their columns, as SQL; with their types, but for CSV."""
    if len({name.lower() for name in plan.order}) < len(plan.order):
        raise DataError(f"{source.name} has two columns that differ in capital letters alone; rename one of them.")
    as_they_came = plan.unchanged.union(plan.kept)
    cells = []
    for i, name in enumerate(plan.order):
        typed = ending(path) not in CSV
        own = name in as_they_came
        cell = source.written(f"o{i}", name, typed) if own else f"o{i}"
        if name in source.lists and not typed:
            require_divided(plan.labels[name], source.between, name)
            cell = f"array_to_string({cell}, {literal(source.between)})"
        if safe:
            require_plain_name(name)
        if safe and (not typed or name not in source.lists) and (not typed or not own or source.is_text(name)):
            cell = safe_set(cell, source.between) if name in source.sets else spreadsheet_safe(cell)
        if len(plan.order) == 1 and ending(path) in CSV:  # a line must not be blank: programs skip such lines
            cell = f"coalesce({cell}::VARCHAR, '')"
        cells.append(f"{cell} AS {identifier(name)}")
    return ", ".join(cells)


def write(run: Run, path: Path, query: str, parameters: Mapping[str, Any], source: Source) -> int:
    """Writes the rows of a query, and says how many they are. Nothing else stays, whatever happens."""
    if ending(path) in DATABASE:
        return _write_database(run, path, query, parameters, source)
    if is_parquet(path):
        options = PARQUET_OPTIONS
    else:
        compression = "gzip" if path.name.lower().endswith(".gz") else "none"
        options = f"FORMAT csv, HEADER, DELIMITER {literal(delimiter_of(path, source))}, COMPRESSION {compression}"
    copy = f"COPY ({query}) TO {literal(os.fspath(path))} ({options}, USE_TMP_FILE false)"
    return int(run(copy, parameters)[0][0])


def write_copies(
    path: Path, printed: bytes, order: NDArray[np.int32], progress: Callable[[float], object] | None
) -> None:
    """Writes rows of a CSV text, its header first, by their numbers in the order that they are to have."""
    from sfumato import _text

    rows = _text.CsvRows(printed)
    try:
        with path.open("wb") as file:
            file.write(rows.header)
            for start in range(0, len(order), _ROWS_AT_ONCE):
                file.write(rows.copied(order[start : start + _ROWS_AT_ONCE]))
                if progress is not None:
                    progress(min(1.0, (start + _ROWS_AT_ONCE) / len(order)))
    except OSError:
        raise DataError(NO_ROOM) from None


def _write_database(run: Run, path: Path, query: str, parameters: Mapping[str, Any], source: Source) -> int:
    path.unlink(missing_ok=True)  # an empty file is no database
    try:
        run(f"ATTACH {literal(os.fspath(path))} AS released_to", None)
        try:
            create = f"CREATE TABLE released_to.main.{identifier(source.table)} AS {query}"
            return int(run(create, parameters)[0][0])
        finally:
            run("DETACH released_to", None)
    finally:
        Path(f"{path}.wal").unlink(missing_ok=True)  # stays only if the file is not whole


def spreadsheet_safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: a text that starts like one gets an apostrophe in front."""
    text = f"{cell}::VARCHAR"
    formula = f"regexp_matches({text}, '^{FORMULA}') AND NOT regexp_full_match({text}, '{NUMBER}')"
    return f"CASE WHEN {formula} THEN chr(39) ELSE '' END || {_guarded(text)}"


def safe_set(cell: str, between: str) -> str:
    """A cell of several items: each is made safe, wherever it stands, so that an item has one spelling.

    Numbers too, for a cell that starts with -5 is a formula if another item follows.
    """
    safe = f"CASE WHEN regexp_matches(item, '^{FORMULA}') THEN chr(39) ELSE '' END || {_guarded('item')}"
    items = f"string_split({cell}::VARCHAR, {literal(between)})"
    return f"array_to_string(list_transform({items}, lambda item: {safe}), {literal(between)})"


def _guarded(text: str) -> str:
    """A text with apostrophes where a spreadsheet might cut it, and take what follows for a formula."""
    return f"regexp_replace({text}, '{WITHIN}', '\\1''\\2', 'g')"


def require_plain_name(name: str) -> None:
    """Raises a DataError if a spreadsheet would take the name of a column for a formula."""
    if is_formula(name):
        raise DataError(f"Column '{name}' is named like a formula, and its file is to be safe; rename the column.")
