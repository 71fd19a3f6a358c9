"""Inputs: which files reading a source reads, so that nothing is written over them, or among them, unnoticed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from sfumato.engines.duckdb.database_file import DatabaseSource, SqliteSource, file_and_table
from sfumato.engines.duckdb.parquet import ParquetSource
from sfumato.engines.read_by import plain_source
from sfumato.errors import DataError
from sfumato.settings.given import located
from sfumato.settings.uri import Uri

_WILD = re.compile(r"[*?\[]")


def reads(source: object, target: Path) -> bool:
    """Whether reading the source reads the file of that path, by whatever name, or would if it were there."""
    source = plain_source(source)
    if not isinstance(source, str | os.PathLike) or isinstance(located(source), Uri):
        return False  # what is elsewhere is not written
    path = Path(source)
    if DatabaseSource.accepts(path):
        return _same(Path(file_and_table(path)[0]), target)
    if SqliteSource.accepts(path):
        return any(_same(file, target) for file in _of_sqlite(Path(file_and_table(path)[0])))
    if _same(path, target):
        return True
    return _is_within(path, target) if path.is_dir() else _would_fit(path, target)


def files_of(source: str) -> list[Path]:
    """The files that reading a path reads, as far as they are there; none of what is elsewhere."""
    if isinstance(located(source), Uri):
        return []
    with suppress(OSError, ValueError, DataError):  # what cannot be a path, or must not be looked at, is not there
        if ParquetSource.accepts(source):
            return ParquetSource(source).files()
        if SqliteSource.accepts(source):
            return [file for file in _of_sqlite(Path(file_and_table(source)[0])) if file.is_file()]
        path = Path(file_and_table(source)[0] if DatabaseSource.accepts(source) else source)
        return [path] if path.is_file() else []
    return []


def _of_sqlite(path: Path) -> list[Path]:
    """A SQLite database has what was written last in files of their own."""
    return [path, *(path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-journal"))]


def _same(path: Path, target: Path) -> bool:
    """Whether two paths are one file: the same name, or links to the same."""
    if os.path.realpath(path) == os.path.realpath(target):
        return True
    try:
        return os.path.samefile(path, target)
    except (OSError, ValueError):
        return False


def _is_part(folder: Path, target: Path) -> bool:
    """Whether a file is one of those that a folder of Parquet files has."""
    inside = Path(os.path.realpath(target))
    if inside.suffix.lower() not in ParquetSource.suffixes or not inside.is_relative_to(os.path.realpath(folder)):
        return False
    return not any(part[0] in "._" for part in inside.relative_to(os.path.realpath(folder)).parts)


def _is_within(folder: Path, target: Path) -> bool:
    """Whether reading a folder reads a file."""
    return _is_part(folder, target) or any(_same(part, target) for part in folder.rglob("*") if part.is_file())


def _would_fit(path: Path, target: Path) -> bool:
    """Whether a path is a pattern that a file fits."""
    if path.exists() or not ParquetSource.accepts(path):
        return False
    return any(_fits(pattern.parts, Path(os.path.realpath(target)).parts) for pattern in _patterns(path))


def _patterns(pattern: Path) -> Iterator[Path]:
    """A pattern from the root on, with the folders before its first wildcard as they are called, links followed."""
    parts = Path(os.path.abspath(pattern)).parts
    plain = next((i for i, part in enumerate(parts) if _WILD.search(part)), len(parts))
    yield Path(os.path.realpath(Path(*parts[:plain])), *parts[plain:])


def _fits(pattern: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether a path has the parts that a pattern asks for; `**` is any number of folders."""
    if not pattern or not parts:
        return not parts and all(part == "**" for part in pattern)
    if pattern[0] == "**":
        return _fits(pattern[1:], parts) or _fits(pattern, parts[1:])
    hidden = parts[0].startswith(".") and not pattern[0].startswith(".")
    return not hidden and fnmatchcase(parts[0], pattern[0]) and _fits(pattern[1:], parts[1:])
