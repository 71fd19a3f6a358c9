"""Until the branch with the hierarchies' own versions is merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.errors import HierarchyError
from sfumato.hierarchies import HierarchyFile, HierarchySource, fanout, flat, intervals, parse_source


def source_from_toml(value: Any, folder: Path) -> HierarchySource:
    if isinstance(value, dict) and "intervals" in value:
        return intervals(*value["intervals"])
    if isinstance(value, dict) and "fanout" in value:
        return fanout(value["fanout"], balanced=bool(value.get("balanced")))
    if not isinstance(value, str):
        raise HierarchyError("no hierarchy.")
    found = parse_source(value)
    return HierarchyFile(folder / value) if isinstance(found, HierarchyFile) else found


def spelling(source: HierarchySource) -> str:
    text = str(source)
    if text.startswith("intervals("):
        return f"{{ intervals = [{text[10:-1]}] }}"
    if text.startswith("fanout("):
        return "{ fanout = 4, balanced = true }"
    return '"flat"'


@dataclass(frozen=True)
class Suggestion:
    source: HierarchySource
    why: str
    kind: str


def suggest(name: str, occurring: Mapping[str, int]) -> Suggestion:
    from sfumato.hierarchies.hierarchy import number

    numbers: list[Any] = [number(text) for text in occurring]
    if all(n is not None for n in numbers) and len(occurring) > 12:
        width = max(1, (max(numbers) - min(numbers)) // 16)
        return Suggestion(intervals(int(width), int(width) * 2, int(width) * 4), "numbers", "number")
    if len(occurring) <= 4:
        return Suggestion(flat(), "few values", "category")
    return Suggestion(fanout(4, balanced=True), "no better order known", "category")
