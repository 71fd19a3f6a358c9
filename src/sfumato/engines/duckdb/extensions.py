"""Extensions of DuckDB: loaded where they are installed, never fetched."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import duckdb

from sfumato.engines.duckdb.source import literal
from sfumato.errors import DataError

# What an extension reads, and which others it reads with; those are of no use without it.
_WITH = {"iceberg": ("avro",)}
_CALLED = {"postgres_scanner": "postgres", "mysql_scanner": "mysql", "sqlite_scanner": "sqlite"}


def load(connection: duckdb.DuckDBPyConnection, extension: str, what: str) -> None:
    """Loads an extension, or raises a DataError with the one command that installs it. `what` needs it."""
    for name in (*_WITH.get(extension, ()), extension):
        if not is_loaded(connection, name):
            called = _CALLED.get(name, name)
            raise DataError(
                f"{what} needs DuckDB's extension {called}, which is not installed and is never fetched unasked; "
                f"install it: python -c \"import duckdb; duckdb.execute('INSTALL {called}')\""
            )


def is_loaded(connection: duckdb.DuckDBPyConnection, extension: str) -> bool:
    """Loads an extension from where DuckDB installs them, or from a Python package; whether it was there."""
    for place in (extension, *map(_quoted, _packaged(extension))):
        try:
            connection.execute(f"LOAD {place}")
            return True
        except duckdb.Error:
            continue
    return False


def _quoted(path: Path) -> str:
    return literal(os.fspath(path))


def _packaged(extension: str) -> list[Path]:
    """The file of a package such as duckdb-extension-httpfs, if it is for this version of DuckDB."""
    try:
        package = find_spec(f"duckdb_extension_{extension}")
    except (ImportError, ValueError):
        return []
    folders = [] if package is None else [*(package.submodule_search_locations or ())]
    inside = Path("extensions", f"v{duckdb.__version__}", f"{extension}.duckdb_extension")
    return [file for folder in folders if (file := Path(folder) / inside).is_file()]
