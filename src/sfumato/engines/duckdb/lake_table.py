"""Tables of Delta Lake and Iceberg: folders in which a log says what files belong to the table, and which no more."""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import re
from collections.abc import Sequence

import duckdb

from sfumato.engines.duckdb.extensions import load
from sfumato.engines.duckdb.source import literal
from sfumato.errors import DataError

_DELTA = re.compile(r"_delta_log/\d+\.(json|checkpoint\..*parquet)")
_ICEBERG = re.compile(r"metadata/v?(\d+)(-[\w-]+)?(\.gz)?\.metadata\.json")
_HINT = "metadata/version-hint.text"
METADATA = ".metadata.json"  # of one version of an Iceberg table


def log_of(inside: Sequence[str]) -> list[str]:
    """The files among those in a folder that say what belongs to the table; none if it is a folder of files."""
    return [file for file in inside if _DELTA.fullmatch(file) or _ICEBERG.fullmatch(file) or file == _HINT]


def query_of(connection: duckdb.DuckDBPyConnection, folder: str, inside: Sequence[str], name: str) -> str:
    """A query for the rows of the table, once the extension that reads it is loaded.

    folder: with a slash at its end. inside: its log.
    """
    if any(map(_DELTA.fullmatch, inside)):
        load(connection, "delta", f"The Delta table {name}")
        return f"SELECT * FROM delta_scan({literal(folder)})"
    load(connection, "iceberg", f"The Iceberg table {name}")
    if _HINT in inside:
        return f"SELECT * FROM iceberg_scan({literal(folder.rstrip('/'))})"
    versions = {file: int(found[1]) for file in inside if (found := _ICEBERG.fullmatch(file))}
    last = [file for file, version in versions.items() if version == max(versions.values())]
    if len(last) > 1:
        raise DataError(
            f"{name} has several files of metadata of its last version; give the one that its catalog names."
        )
    return f"SELECT * FROM iceberg_scan({literal(folder + last[0])})"


def query_of_metadata(connection: duckdb.DuckDBPyConnection, file: str, name: str) -> str:
    """A query for the rows of an Iceberg table, as one file of metadata has them."""
    load(connection, "iceberg", f"The Iceberg table {name}")
    return f"SELECT * FROM iceberg_scan({literal(file)})"
