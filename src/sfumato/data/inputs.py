"""Inputs of a run: data, hierarchies and whatever else it reads.

No output may be written over one, and none may change while a release is made of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sfumato.engines import Engine, Stamped, plain_source
from sfumato.engines.duckdb.inputs import files_of, reads
from sfumato.errors import DataError
from sfumato.hierarchies import HierarchyFile
from sfumato.settings.given import located
from sfumato.settings.uri import Uri

_CHANGED = "{} has changed since it was read; read it again, and solve anew."


@dataclass(frozen=True)
class Input:
    """What is read, if it is a path or has one, and what messages call it."""

    source: object
    called: str


@dataclass(frozen=True)
class Output:
    """A file that is to be written, and what messages call it."""

    path: Path
    called: str


@dataclass(frozen=True)
class AsRead:
    """A path as it was before it was read: its files, each by inode, size and time of change."""

    path: str
    files: Mapping[Path, tuple[int, int, int]]

    @classmethod
    def of(cls, *sources: object) -> tuple[AsRead, ...]:
        """Those of the sources that are paths, or have one."""
        paths = (one.path if isinstance(one, HierarchyFile) else plain_source(one) for one in sources)
        here = (path for path in map(located, paths) if not isinstance(path, Uri))
        places = (os.path.abspath(path) for path in here if isinstance(path, str | os.PathLike))
        return tuple(cls(place, _stamps(place)) for place in places)

    def require_unchanged(self) -> None:
        """Raises a DataError if the path does not hold what was read any more."""
        if _stamps(self.path) != self.files:
            raise DataError(_CHANGED.format(Path(self.path).name))


@dataclass(frozen=True)
class AsSeen:
    """A source elsewhere as its engine saw it before it was read."""

    engine: Stamped
    called: str
    stamps: Mapping[str, object]

    @classmethod
    def of(cls, engine: Engine) -> tuple[AsSeen, ...]:
        """Of an engine that can tell."""
        stamps = engine.stamps() if isinstance(engine, Stamped) else {}
        return (cls(engine, engine.name, stamps),) if stamps and isinstance(engine, Stamped) else ()

    def require_unchanged(self) -> None:
        """Raises a DataError if the source does not hold what was read any more."""
        if self.engine.stamps() != self.stamps:
            raise DataError(_CHANGED.format(self.called))


def data_inputs(source: object, hierarchies: Mapping[str, object]) -> tuple[Input, ...]:
    """The inputs of data from a source, whose columns have these hierarchies."""
    data = Input(source, "part of the data" if _is_many(source) else "the data itself")
    files = {name: one.path if isinstance(one, HierarchyFile) else one for name, one in hierarchies.items()}
    return (data, *(Input(path, f"the hierarchy of '{name}'") for name, path in files.items()))


def require_apart(outputs: Iterable[Output], inputs: Iterable[Input]) -> None:
    """Raises a DataError if an output is one of the inputs, by whatever name, or another output."""
    others = list(inputs)
    for output in outputs:
        for other in others:
            if reads(other.source, output.path):
                raise DataError(f"'{output.path}' is {other.called}; write {output.called} to another file.")
        others.append(Input(output.path, output.called))


def _stamps(path: str) -> dict[Path, tuple[int, int, int]]:
    stamps = {}
    for file in files_of(path):
        with suppress(OSError):  # one that is gone has no stamp
            status = file.stat()
            stamps[file] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return stamps


def _is_many(source: object) -> bool:
    """Whether a source is a folder, or a pattern, of several files."""
    source = located(plain_source(source))
    if not isinstance(source, str | os.PathLike) or isinstance(source, Uri) or Path(source).is_file():
        return False
    return Path(source).is_dir() or any(sign in os.fspath(source) for sign in "*?[")
