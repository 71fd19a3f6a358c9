"""A published file as a source that can be read again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sfumato.engines import CsvFile


def as_written(released: Path, data: Mapping[str, Any]) -> Path | CsvFile:
    """The release as a source: a CSV file has the delimiter and the decimal mark of the data it was made from."""
    usual = {"delimiter": (None, ","), "decimal": (None, ".")}
    dialect = {key: value for key in usual if (value := data.get(key)) not in usual[key]}
    is_csv = released.name.lower().removesuffix(".gz").endswith((".csv", ".txt"))
    return CsvFile(released, **dialect) if dialect and is_csv else released
