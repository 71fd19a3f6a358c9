"""Parquet files, folders and patterns elsewhere; of these, only the columns that are needed are read."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import Any

import duckdb

from sfumato.engines.duckdb.lake_table import METADATA, log_of, query_of, query_of_metadata
from sfumato.engines.duckdb.objects import exactly, listed, stamps_of, why
from sfumato.engines.duckdb.parquet import WILD, ParquetSource, is_part, partitions_in
from sfumato.engines.duckdb.schemes import is_server, open_scheme
from sfumato.engines.workspace import PrivateFolder
from sfumato.errors import DataError
from sfumato.settings.uri import Uri


class RemoteParquetSource(ParquetSource):
    """`s3://bucket/visits.parquet`, a folder such as `s3://bucket/visits`, or a pattern; likewise by other schemes."""

    def __init__(self, uri: Any) -> None:
        super().__init__(uri.path)
        self._uri: Uri = uri
        self.name = uri.name
        self._pattern = exactly(uri.text, uri)  # that fits all that is read, and what would be if it were there

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, Uri) or is_server(source):
            return False
        return source.suffix.lower() in {*ParquetSource.suffixes, ""} or source.name.endswith(METADATA)

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        scheme = open_scheme(connection, self._uri)
        text = self._uri.text
        if text.endswith(METADATA):
            self._attach_table(connection, query_of_metadata(connection, text, self.name))
        elif self._uri.suffix and not (scheme.lists and WILD.search(self._uri.path)):
            self._attach_files(connection, [self._pattern], set())
        elif scheme.lists:
            self._attach_several(connection)
        else:
            raise DataError(f"'{self._uri}' names no file, and folders cannot be listed there; give the URI of a file.")

    def _attach_several(self, connection: duckdb.DuckDBPyConnection) -> None:
        """A pattern, or a folder."""
        is_pattern = WILD.search(self._uri.path) is not None
        text = self._uri.text if is_pattern else f"{self._uri.text.rstrip('/')}/"
        parts = text.split("/")
        wild = next((i for i, part in enumerate(parts) if i > 2 and WILD.search(part)), len(parts) - 1)
        root = "/".join(parts[:wild]) + "/"
        self._pattern = text if is_pattern else f"{exactly(text, self._uri)}**"
        found = listed(connection, self._pattern, self._uri)
        inside = [os.path.relpath(file, root) if not file.startswith(root) else file[len(root) :] for file in found]
        if not is_pattern and (log := log_of(inside)):
            self._attach_table(connection, query_of(connection, root, log, self.name))
            return
        files = [file for file in map(PurePosixPath, inside) if is_pattern or is_part(file)]
        if not files:
            what = "no file" if is_pattern else "no Parquet file in"
            raise DataError(f"There is {what} '{self._uri}'; check the URI.")
        above = {part.partition("=")[0].lower() for part in parts[3:wild] if "=" in part}
        texts = [exactly(root + str(file), self._uri) for file in files]
        self._attach_files(connection, texts, partitions_in(files), above)

    def _unreadable(self, error: Exception) -> str | None:
        outside = isinstance(error, duckdb.HTTPException | duckdb.IOException) or "credentials" in str(error)
        return why(error, self._uri) if outside and isinstance(error, duckdb.Error) else None

    def fault(self, error: duckdb.Error) -> str:
        return self._unreadable(error) or f"{self.name} cannot be read any more; is it still there, and whole?"

    def stamps(self, connection: duckdb.DuckDBPyConnection) -> dict[str, object]:
        return stamps_of(connection, self._pattern)
