"""Exported: what was written for dbt, and which requirements it does not test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class DbtExport:
    """The part of a dbt project that was written."""

    folder: Path
    files: tuple[Path, ...]  # below the folder
    untested: Mapping[str, str]  # constraint → why no test looks at it

    def __str__(self) -> str:
        lines = [f"{len(self.files)} files in {self.folder}"]
        return "\n".join([*lines, *(f"not tested: {key}, {reason}" for key, reason in self.untested.items())])
