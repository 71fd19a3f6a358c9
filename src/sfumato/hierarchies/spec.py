"""What a user may write where a hierarchy is expected: a path or an object in Python, a text on the command line."""

from __future__ import annotations

import os
from collections.abc import Callable
from difflib import get_close_matches

from sfumato.errors import HierarchyError
from sfumato.hierarchies.fanout import Fanout
from sfumato.hierarchies.flat import Flat
from sfumato.hierarchies.from_file import HierarchyFile
from sfumato.hierarchies.hierarchy import Hierarchy, HierarchySource
from sfumato.hierarchies.intervals import Intervals

# name: (what reads the arguments, an example)
_GENERATORS: dict[str, tuple[Callable[[str], HierarchySource], str]] = {
    "intervals": (Intervals.parse, "intervals:5,10,20"),
    "flat": (Flat.parse, "flat"),
    "fanout": (Fanout.parse, "fanout:5"),
}


def as_source(spec: str | os.PathLike[str] | Hierarchy | HierarchySource) -> HierarchySource:
    """The source that a Python user means: a string or path is a file, anything that builds hierarchies is itself."""
    if isinstance(spec, str | os.PathLike):
        return HierarchyFile(spec)
    # A class has the method as well, but cannot build: `flat` or `Flat` without parentheses.
    if isinstance(spec, HierarchySource) and not isinstance(spec, type):
        return spec
    raise HierarchyError(
        f"{getattr(spec, '__name__', type(spec).__name__)} is no hierarchy; "
        "give a file's path, a Hierarchy or a generator such as flat() or intervals(5, 10)."
    )


def parse_source(text: str) -> HierarchySource:
    """The source that a text names: `intervals:5,10,20`, `flat`, `fanout:5`, else a file (`./flat` is a file too)."""
    name, _, arguments = text.partition(":")
    if name not in _GENERATORS:
        near = get_close_matches(name, _GENERATORS, n=1)
        if near and "." not in text and not os.path.exists(text):
            raise HierarchyError(f"There is no file '{text}'; did you mean {_GENERATORS[near[0]][1]}?")
        return HierarchyFile(text)
    parse, _ = _GENERATORS[name]
    try:
        return parse(arguments)
    except HierarchyError as error:
        known = ", ".join(example for _, example in _GENERATORS.values())
        raise HierarchyError(f"'{text}': {error} Generators: {known}; anything else is a file.") from None
