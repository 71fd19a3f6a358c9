"""How transactions come: the lines of a file, lists of items, or rows of a table; each read a block at a time."""

# ruff: noqa: S608 - names in the SQL are quoted

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, cast

import duckdb

from sfumato.engines.items import TransactionSource
from sfumato.errors import DataError
from sfumato.settings.file_kinds import require_text_file
from sfumato.settings.given import brief
from sfumato.settings.uri import Uri
from sfumato.settings.wording import setting

_NO_ITEMS = (list, tuple, set, frozenset, dict, bytes)
_BLOCK = 1 << 15  # lines that are dealt with at a time
_TABLES = (".csv", ".tsv", ".parquet", ".parq", ".pq", ".duckdb", ".ddb")
_LISTS = (".parquet", ".parq", ".pq")


def kind_of(where: TransactionSource) -> str:
    """How transactions come: in `lines`, in `rows` of a table, or in `lists`."""
    item = where.item
    path = Path(where.source) if isinstance(where.source, str | os.PathLike) else None
    if isinstance(where.source, Uri) and where.transaction is None:
        raise DataError(
            f"'{where.source}' has to be read as a table; name its columns by transaction and item, or copy it here."
        )
    if where.transaction is not None:
        if item is None:
            raise DataError("transaction names a column, but item does not; name the column of items too.")
        return "rows"
    if path is not None:
        name = path.name.lower().removesuffix(".gz")
        if name.endswith(_LISTS) and item is not None:
            return "lists"
        if name.endswith(_TABLES):
            raise DataError(
                f"'{path.name}' is a table; name its columns, as in {setting('transaction', 'basket')} and "
                f"{setting('item', 'product')}, or save it as text with one transaction per line."
            )
        if item is not None:
            raise DataError(f"'{path.name}' has a transaction per line and no columns; leave item out.")
        return "lines"
    return "lists"


def listed(source: object, item: str | None) -> Iterable[Any]:
    """The lists of items of a Python object: lists themselves, or a column of lists of a frame or a Parquet file."""
    if item is None:
        if isinstance(source, Iterable) and not isinstance(source, Mapping) and not hasattr(source, "columns"):
            return source
        raise DataError(
            f"{type(source).__name__} does not say where its items are; name the column of lists by item, or the "
            "columns of rows by transaction and item."
        )
    column: Any
    if isinstance(source, str | os.PathLike):
        quoted = item.replace('"', '""')
        try:
            query = f'SELECT "{quoted}" FROM read_parquet($path)'
            return [row[0] for row in duckdb.execute(query, {"path": os.fspath(source)}).fetchall()]
        except duckdb.Error:
            raise DataError(
                f"'{Path(source).name}' has no readable column '{item}'; check its path and columns."
            ) from None
    columns = getattr(source, "column_names", None) or list(getattr(source, "columns", ()))
    if item not in list(columns):
        raise DataError(f"{type(source).__name__} has no column '{item}'; name the column that holds lists of items.")
    column = cast("Any", source)[item]
    return cast("Iterable[Any]", column.to_pylist() if hasattr(column, "to_pylist") else list(column))


def text_of_item(value: object, name: str, number: int) -> str:
    """An item as text: integers without decimals."""
    if value is None or (isinstance(value, float) and isnan(value)):
        raise DataError(f"{name}, transaction {number}: an item is missing; leave it out.")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, _NO_ITEMS):
        raise DataError(f"{name}, transaction {number}: an item is {brief(value)}; give texts or numbers.")
    text = str(value)
    if not text.strip():
        raise DataError(f"{name}, transaction {number}: an item is empty; leave it out.")
    return text


def blocks(path: Path, separator: str | None) -> Iterator[Counter[str]]:
    """The lines of a file, a block at a time, equal ones counted; items stand on lines of their own."""
    number = 0
    require_text_file(path, f"'{path.name}'")
    try:
        with gzip.open(path, "rb") if path.suffix.lower() == ".gz" else open(path, "rb") as raw:
            lines = io.TextIOWrapper(cast("Any", raw), "utf-8-sig", newline=None)
            while block := list(islice(lines, _BLOCK)):
                number += len(block)
                if separator is None:
                    yield Counter("\n".join(line.split()) for line in block)
                else:
                    parts = ((item.strip() for item in line.split(separator)) for line in block)
                    yield Counter("\n".join(item for item in items if item) for items in parts)
        return
    except FileNotFoundError:
        fault = f"There is no file '{path}'; check the path."
    except IsADirectoryError:
        fault = f"'{path}' is a folder; give the path of a file with one transaction per line."
    except UnicodeError:
        fault = f"{path.name}, after line {number}: not UTF-8; save the file with that encoding."
    except (OSError, EOFError, zlib.error):
        fault = f"'{path}' cannot be read; is it whole?"
    raise DataError(fault)  # not while the other error is handled, which has the bytes with it


def nothing() -> Any:
    """A table without rows, for an engine whose transactions come in another way."""
    return duckdb.sql("SELECT 0 AS nothing WHERE false")
