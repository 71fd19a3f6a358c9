"""Parquet files, folders and patterns of them; folders that are tables of Delta Lake or Iceberg."""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import Any, ClassVar

import duckdb

from sfumato.engines.duckdb.lake_table import METADATA, log_of, query_of, query_of_metadata
from sfumato.engines.duckdb.source import identifier, literal
from sfumato.engines.duckdb.typed import TypedSource
from sfumato.engines.workspace import PrivateFolder
from sfumato.errors import DataError
from sfumato.settings.uri import Uri

WILD = re.compile(r"[*?\[]")


class ParquetSource(TypedSource):
    """A Parquet file, a folder or a pattern of them (`visits/*.parquet`), or a table of Delta Lake or Iceberg."""

    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".parq", ".pq")

    def __init__(self, path: Any) -> None:
        super().__init__()
        self._path = Path(path)
        self.name = self._path.name or os.fspath(self._path)

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike) or isinstance(source, Uri):
            return False
        path = Path(source)
        return path.suffix.lower() in ParquetSource.suffixes or path.name.endswith(METADATA) or path.is_dir()

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        if self._path.name.endswith(METADATA):
            self._attach_table(connection, query_of_metadata(connection, os.fspath(self._path.absolute()), self.name))
            return
        if log := log_files(self._path):
            folder = f"{os.fspath(self._path.absolute())}/"
            self._attach_table(connection, query_of(connection, folder, [file.as_posix() for file in log], self.name))
            return
        files = self.files()
        # Folders such as year=2020 say the year of all rows in them; but not those that the folder itself lies in.
        root = self._root()
        partitions = partitions_in(file.relative_to(root) for file in files)
        if partitions:
            (spill.path / "files").symlink_to(root.absolute(), target_is_directory=True)
            files = [spill.path / "files" / file.relative_to(root) for file in files]
        listed = [re.sub(r"([*?\[])", r"[\1]", os.fspath(file.absolute())) for file in files]
        self._attach_files(connection, listed, partitions)

    def _attach_table(self, connection: duckdb.DuckDBPyConnection, query: str) -> None:
        """Makes a table of Delta Lake or Iceberg visible."""
        try:
            self._describe(connection, query)
        except duckdb.Error as error:
            fault = self._unreadable(error) or f"{self.name} is not a whole Delta or Iceberg table; what is in its log?"
        else:
            return
        raise DataError(fault)  # not while the other error is handled

    def _attach_files(
        self,
        connection: duckdb.DuckDBPyConnection,
        files: Sequence[str],
        partitions: set[str],
        above: Iterable[str] = (),
    ) -> None:
        """Makes files visible. partitions: columns that folders name; above: what folders name that are no columns."""
        listed = ", ".join(map(literal, files))
        options = f"union_by_name=true, hive_partitioning={bool(partitions)}"
        try:
            names = self._names(connection, literal(files[0]))
            folded = {name.lower() for name in names}
            taken = sorted(folded & {*partitions, *(above if partitions else ())})
            if taken and WILD.search(os.fspath(self._path)):  # of a pattern, files are as they are
                partitions, taken = set(), []
                options = options.replace("True", "False")
            if taken:
                raise DataError(
                    f"{self.name}: '{taken[0]}' is a column, and a folder has that name; rename one of them."
                )
            hidden = sorted({*above} - partitions) if partitions else []
            but = f" EXCLUDE ({', '.join(map(identifier, hidden))})" if hidden else ""
            self._describe(
                connection,
                f"SELECT *{but} FROM read_parquet([{listed}], {options})",
                names if len(files) == 1 and not partitions else None,  # DuckDB renames what differs in capitals alone
            )
        except (duckdb.Error, ValueError) as error:
            fault = self._unreadable(error)
            fault = fault or f"{self.name} is not a Parquet file, or its files have different columns."
        else:
            if len(folded) < len(names) and self.columns != tuple(names):
                raise DataError(
                    f"{self.name} has two columns that differ in capital letters alone; rename one of them."
                )
            return
        raise DataError(fault)  # not while the other error is handled

    def _unreadable(self, error: Exception) -> str | None:
        """Why it is that files cannot be read at all, if it is known."""
        return None

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

    def _root(self) -> Path:
        """The folder that all files lie in: itself, or the one before the first wildcard of a pattern."""
        if self._path.is_dir():
            return self._path
        if self._path.exists():
            return self._path.parent
        parts = self._path.parts
        return Path(*parts[: next((i for i, part in enumerate(parts) if WILD.search(part)), len(parts) - 1)])

    def files(self) -> list[Path]:
        """The files behind the path; a pattern is only one if no file has that very name."""
        if self._path.is_dir():
            if log := log_files(self._path):
                return [self._path / file for file in log]
            inside = (file.relative_to(self._path) for file in sorted(self._path.rglob("*")))
            files = [self._path / file for file in inside if is_part(file)]
        elif self._path.exists():
            files = [self._path]
        else:
            files = sorted(map(Path, glob.glob(os.fspath(self._path), recursive=True)))
        if not files:
            what = "no Parquet file in the folder" if self._path.is_dir() else "no file"
            raise DataError(f"There is {what} '{self._path}'; check the path.")
        return files


def is_part(file: PurePath) -> bool:
    """Whether a file inside a folder is part of the data: what starts like this is a program's own, such as drafts."""
    return file.suffix.lower() in ParquetSource.suffixes and not any(part[0] in "._" for part in file.parts)


def partitions_in(files: Iterable[PurePath]) -> set[str]:
    """The columns that the folders of these files name, in small letters."""
    return {part.partition("=")[0].lower() for file in files for part in file.parts[:-1] if "=" in part}


def log_files(folder: Path) -> list[PurePath]:
    """The log of a folder that is a table of Delta Lake or Iceberg."""
    if not folder.is_dir():
        return []
    files = (file for name in ("_delta_log", "metadata") for file in sorted((folder / name).glob("*")))
    return [PurePath(file) for file in log_of([file.relative_to(folder).as_posix() for file in files])]
