"""Files elsewhere: which there are, whether they are as they were, and a copy of one."""

# ruff: noqa: S608 - names in the SQL are our own, and URIs are quoted

from __future__ import annotations

import re
from pathlib import Path

import duckdb

from sfumato.engines.duckdb.source import literal
from sfumato.errors import DataError
from sfumato.settings.uri import Uri

_FORBIDDEN = {401, 403}


def listed(connection: duckdb.DuckDBPyConnection, pattern: str, uri: Uri) -> list[str]:
    """The files that a pattern fits, in order. `uri` is what messages show of it."""
    try:
        found = connection.execute(f"SELECT file FROM glob({literal(pattern)}) ORDER BY file").fetchall()
        return [str(file) for (file,) in found]
    except duckdb.Error as error:
        fault = why(error, uri)
    raise DataError(fault)  # not while the other error is handled, which quotes what it was given


def copied(connection: duckdb.DuckDBPyConnection, uri: Uri, copy: Path) -> Path:
    """A copy of a file, among the files that do not stay."""
    try:
        content = f"SELECT content FROM read_blob({literal(exactly(uri.text, uri))})"
        rows = connection.execute(
            f"COPY ({content}) TO {literal(str(copy))} (FORMAT blob, COMPRESSION none)"
        ).fetchall()
        if rows == [(1,)]:
            return copy
        fault = f"There is no file '{uri}'; check the URI."
    except duckdb.OutOfMemoryException:
        fault = f"'{uri}' is too large to be copied in the memory there is; save it as Parquet, or copy it here first."
    except duckdb.Error as error:
        fault = why(error, uri)
    raise DataError(fault)


def stamps_of(connection: duckdb.DuckDBPyConnection, pattern: str) -> dict[str, object]:
    """Size and time of change of each file, as its server states them; nothing is read of what is in them."""
    query = f"SELECT filename, size, epoch_us(last_modified) FROM read_blob({literal(pattern)})"
    try:
        return {str(file): (size, time) for file, size, time in connection.execute(query).fetchall()}
    except duckdb.Error:
        return {}  # what is gone has none


def why_unread(connection: duckdb.DuckDBPyConnection, uri: Uri) -> str | None:
    """Why a file cannot be read, asked of its server anew; None if it can."""
    try:
        connection.execute(f"SELECT size FROM read_blob({literal(exactly(uri.plain, uri))})").fetchall()
        return None
    except duckdb.Error as error:
        return why(error, uri)


def exactly(text: str, uri: Uri) -> str:
    """A URI as a pattern that fits it alone."""
    return text if uri.scheme.startswith("http") else re.sub(r"([*?\[])", r"[\1]", text)


def why(error: duckdb.Error, uri: Uri) -> str:
    """Why a file cannot be read, by what its server answered; no address with what follows the question mark."""
    status = getattr(error, "status_code", None)
    said = str(error)
    if status in _FORBIDDEN or re.search("AuthenticationFail|AuthorizationFail|No valid Azure credentials", said):
        return f"'{uri}' may not be read with the credentials of the environment; check that they are set, and theirs."
    if status == 404 or "404" in said or "No files found" in said:
        return f"There is no file '{uri}'; check the URI."
    if isinstance(error, duckdb.IOException):
        return f"'{uri}' cannot be reached; check the host (or the endpoint) and the network."
    return f"'{uri}' cannot be read as its name says; is it whole?"
