"""What a user may write where a hierarchy is expected: a path or an object in Python, a text on the command line."""

from __future__ import annotations

import os
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from sfumato.errors import HierarchyError
from sfumato.hierarchies.cuts import Cuts
from sfumato.hierarchies.dates import Dates
from sfumato.hierarchies.fanout import Fanout
from sfumato.hierarchies.flat import Flat
from sfumato.hierarchies.from_file import HierarchyFile
from sfumato.hierarchies.groups import Groups
from sfumato.hierarchies.hierarchy import Hierarchy, HierarchySource
from sfumato.hierarchies.intervals import Intervals
from sfumato.hierarchies.masking import Masking
from sfumato.hierarchies.ordered import Ordered
from sfumato.hierarchies.unordered import Unordered

# name: (what reads the arguments, an example)
_GENERATORS: dict[str, tuple[Callable[[str], HierarchySource], str]] = {
    "intervals": (Intervals.parse, "intervals:5,10,20"),
    "cuts": (Cuts.parse, "cuts:18,30,65/30"),
    "masking": (Masking.parse, "masking"),
    "dates": (Dates.parse, "dates:month,year"),
    "flat": (Flat.parse, "flat"),
    "fanout": (Fanout.parse, "fanout:5"),
    "groups": (Groups.parse, "groups:20,5"),
    "ordered": (Ordered.parse, "ordered"),
    "unordered": (Unordered.parse, "unordered"),
}
_FILES = ("outline", "pairs")


def as_source(spec: str | os.PathLike[str] | Hierarchy | HierarchySource) -> HierarchySource:
    """The source that a Python user means: a string or path is a file, anything that builds hierarchies is itself."""
    if isinstance(spec, str | os.PathLike):
        return HierarchyFile(spec)
    # A class has the method as well, but cannot build: `flat` or `Flat` without parentheses.
    if isinstance(spec, HierarchySource) and not isinstance(spec, type):
        return spec
    raise HierarchyError(
        f"{getattr(spec, '__name__', type(spec).__name__)} is not a hierarchy; "
        "give a file's path, a Hierarchy or a generator such as flat() or intervals(5, 10)."
    )


def parse_source(text: str, folder: Path | None = None) -> HierarchySource:
    """The source that a text names: `intervals:5,10,20`, `masking` …, `outline:FILE`, `pairs:FILE`, else a file.

    Files are looked for in the folder if one is given. A file called like a generator is written `./flat`.
    """
    name, colon, arguments = text.partition(":")
    parse: Callable[[str], HierarchySource]
    if name in _GENERATORS:
        parse, _ = _GENERATORS[name]
    elif name in _FILES and colon:
        parse = partial(_file, format=name, folder=folder)
    else:
        near = get_close_matches(name, _GENERATORS, n=1)
        if near and "." not in text and not os.path.exists(_in(folder, text)):
            raise HierarchyError(f"There is no file '{text}'; did you mean {_GENERATORS[near[0]][1]}?")
        return HierarchyFile(_in(folder, text))
    try:
        return parse(arguments)
    except HierarchyError as error:
        examples = ", ".join(example for _, example in _GENERATORS.values())
        raise HierarchyError(
            f"'{text}': {error} Generators: {examples}; outline:FILE and pairs:FILE are files, and so is anything else."
        ) from None


def is_file_text(text: str) -> bool:
    """Whether a text names a file as it stands."""
    name, colon, _ = text.partition(":")
    if name in _GENERATORS or (name in _FILES and colon):
        return False
    return "." in text or not get_close_matches(name, _GENERATORS, n=1)


def _file(path: str, format: str, folder: Path | None) -> HierarchyFile:  # noqa: A002 - the field's name
    if not path:
        raise HierarchyError("no file is named.")
    return HierarchyFile(_in(folder, path), format=format)  # type: ignore[arg-type]


def _in(folder: Path | None, path: str) -> str | Path:
    """The path, seen from a folder."""
    return path if folder is None else folder / path
