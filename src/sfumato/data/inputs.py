"""Inputs of a run: data, hierarchies and whatever else it reads, none of which an output may be written over."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sfumato.engines.duckdb.inputs import reads
from sfumato.errors import DataError
from sfumato.hierarchies import HierarchyFile


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


def data_inputs(source: object, hierarchies: Mapping[str, object]) -> tuple[Input, ...]:
    """The inputs of data from a source, whose columns have these hierarchies."""
    data = Input(source, "part of the data" if _is_many(source) else "the data itself")
    files = {name: one.path if isinstance(one, HierarchyFile) else one for name, one in hierarchies.items()}
    return (data, *(Input(path, f"the hierarchy of '{name}'") for name, path in files.items()))


def require_apart(outputs: Iterable[Output], inputs: Iterable[Input]) -> None:
    """Raises a DataError if an output is one of the inputs, by whatever name, or another output."""
    known = list(inputs)
    for output in outputs:
        for other in known:
            if reads(other.source, output.path):
                raise DataError(f"'{output.path}' is {other.called}; write {output.called} to another file.")
        known.append(Input(output.path, output.called))


def _is_many(source: object) -> bool:
    """Whether a source is a folder, or a pattern, of several files."""
    if not isinstance(source, str | os.PathLike) or Path(source).is_file():
        return False
    return Path(source).is_dir() or any(sign in os.fspath(source) for sign in "*?[")
