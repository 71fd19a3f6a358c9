"""Parquet files, folders and patterns of them."""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from sfumato.engines.duckdb.source import literal
from sfumato.engines.duckdb.typed import TypedSource
from sfumato.engines.workspace import PrivateFolder
from sfumato.errors import DataError


class ParquetSource(TypedSource):
    """A Parquet file, a folder of them, or a pattern such as `visits/*.parquet`."""

    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".parq", ".pq")

    def __init__(self, path: Any) -> None:
        super().__init__()
        self._path = Path(path)
        self.name = self._path.name or os.fspath(self._path)

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike):
            return False
        path = Path(source)
        return path.suffix.lower() in ParquetSource.suffixes or path.is_dir()

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        files = self.files()
        # Folders such as year=2020 say the year of all rows in them; but not those that the folder itself lies in.
        partitions = {part.lower() for file in files for part in self._partitions(file)}
        if partitions:
            (spill.path / "files").symlink_to(self._path.absolute(), target_is_directory=True)
            files = [spill.path / "files" / file.relative_to(self._path) for file in files]
        listed = [literal(re.sub(r"([*?\[])", r"[\1]", os.fspath(file.absolute()))) for file in files]
        options = f"union_by_name=true, hive_partitioning={bool(partitions)}"
        try:
            names = self._names(connection, listed[0])
            self._describe(
                connection,
                f"SELECT * FROM read_parquet([{', '.join(listed)}], {options})",
                names if len(files) == 1 and not partitions else None,  # DuckDB renames what differs in capitals alone
            )
        except (duckdb.Error, ValueError):
            raise DataError(f"{self.name} is not a Parquet file, or its files have different columns.") from None
        folded = {name.lower() for name in names}
        if len(folded) < len(names) and self.columns != tuple(names):
            raise DataError(f"{self.name} has two columns that differ in capital letters alone; rename one of them.")
        if taken := sorted(folded & partitions):
            raise DataError(f"{self.name}: '{taken[0]}' is a column, and a folder has that name; rename one of them.")

    def fault(self, error: duckdb.Error) -> str:
        return f"{self.name} cannot be read any more; is it still there, and whole?"

    @staticmethod
    def _names(connection: duckdb.DuckDBPyConnection, file: str) -> list[str]:
        """A file's columns, under their own names; the parts of nested columns follow them, and are none."""
        names, parts = [], 0
        schema = connection.execute(f"SELECT name, num_children FROM parquet_schema({file})").fetchall()
        for name, children in schema[1:]:
            if not parts:
                names.append(str(name))
            parts += (children or 0) - (parts > 0)
        return names

    def _partitions(self, file: Path) -> list[str]:
        if not self._path.is_dir():
            return []
        return [part.partition("=")[0] for part in file.relative_to(self._path).parts[:-1] if "=" in part]

    def files(self) -> list[Path]:
        """The files behind the path; a pattern is only one if no file has that very name."""
        if self._path.is_dir():
            inside = (file.relative_to(self._path) for file in sorted(self._path.rglob("*")))
            files = [
                self._path / file
                for file in inside
                # What starts like this is a program's own: drafts, logs, checksums.
                if file.suffix.lower() in self.suffixes and not any(part[0] in "._" for part in file.parts)
            ]
        elif self._path.exists():
            files = [self._path]
        else:
            files = sorted(map(Path, glob.glob(os.fspath(self._path), recursive=True)))
        if not files:
            what = "no Parquet file in the folder" if self._path.is_dir() else "no file"
            raise DataError(f"There is {what} '{self._path}'; check the path.")
        return files
