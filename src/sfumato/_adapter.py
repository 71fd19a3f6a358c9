"""Until the branch with the hierarchies' own versions is merged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Dates, HierarchyFile, HierarchySource, Masking, dates, flat, intervals
from sfumato.hierarchies.spec import parse_source


def source_from_toml(value: Any, folder: Path) -> HierarchySource:
    if isinstance(value, dict):
        [(name, arguments)] = value.items()
        if name == "intervals":
            return intervals(*arguments)
        if name == "dates":
            return dates(*arguments)
        if name == "masking":
            return Masking(tuple(arguments))
    if value == "masking":
        return Masking()
    if value == "flat":
        return flat()
    if not isinstance(value, str):
        raise HierarchyError("no hierarchy.")
    found = parse_source(value)
    return HierarchyFile(folder / value) if isinstance(found, HierarchyFile) else found


def spelling(source: HierarchySource) -> str:
    text = str(source)
    if text.startswith("intervals("):
        return f"{{ intervals = [{text[10:-1]}] }}"
    if isinstance(source, Dates):
        return f"{{ dates = {list(source.units)} }}"
    if isinstance(source, Masking):
        return f"{{ masking = {list(source.masked)} }}" if source.masked else '"masking"'
    return '"flat"'
