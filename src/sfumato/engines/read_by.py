"""ReadBy: data by its name, path or URI, and the session of an engine that reads it, which may be yet to be opened."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.engines.csv_file import CsvFile
from sfumato.errors import DataError
from sfumato.settings.given import brief, file_of, located, place_of
from sfumato.settings.uri import Uri

READERS = {".parquet": "parquet", ".orc": "orc", ".json": "json", ".avro": "avro", ".csv": "csv", ".csv.gz": "csv"}


@dataclass(frozen=True)
class ReadBy:
    """A table's name, a path, a URI or a `CsvFile`, and what reads it: a session of Spark, or `SparkSettings`."""

    source: Any
    engine: Any

    def __post_init__(self) -> None:
        if not isinstance(self.source, str | os.PathLike | CsvFile):
            raise DataError(
                f"{brief(self.source)} is not the name, path or URI of a table; leave engine out for a frame."
            )
        source: Any = located(self.source)
        object.__setattr__(self, "source", os.fspath(source) if is_name(source) else source)
        if isinstance(self.place, Path):
            file_of(self.place)

    @property
    def place(self) -> Path | Uri | None:
        """Where the data is; None of a table that has a name."""
        path = plain_source(self)
        return None if is_name(path) else place_of(path, "source")


def is_name(source: object) -> bool:
    """Whether this is the name of a table, such as `hospital.visits`: neither a path nor a URI."""
    if not isinstance(source, str | os.PathLike) or isinstance(source, Uri):
        return False
    text = os.fspath(source)
    return bool(text) and "/" not in text and os.sep not in text and ending_of(text) is None


def ending_of(place: str) -> str | None:
    """The ending that says how a path is read; None if it has no such."""
    return next((ending for ending in READERS if place.rstrip("/").lower().endswith(ending)), None)


def called(source: object) -> str:
    """What messages call it: a table's name, the last name of a path, or a URI without who logs in."""
    path = plain_source(source)
    if isinstance(path, Uri) or is_name(path):
        return str(path)
    return Path(str(path)).name


def plain_source(source: object) -> Any:
    """The path of data whose path comes with further words, or is a URI of a file here; anything else as it is."""
    if isinstance(source, ReadBy):
        source = source.source
    path = source.path if isinstance(source, CsvFile) else source
    return Path("/", path.path) if isinstance(path, Uri) and path.scheme == "file" else path
