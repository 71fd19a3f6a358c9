"""Parts named on the command line: `k-anonymity:k=5` is KAnonymity(k=5). The keys are the fields of the dataclass."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, Field, fields
from types import ModuleType
from typing import Any

from sfumato.errors import ProblemError


def parts(family: ModuleType) -> dict[str, type[Any]]:
    """The registered parts of a family, by name."""
    found = (getattr(family, name) for name in family.__all__)
    return {part.name: part for part in found if hasattr(part, "paper")}


def parse_part(text: str, family: ModuleType, kind: str, sensitive: Sequence[str] = ()) -> Any:
    """The part that a text names, such as `k-anonymity:k=5` or `lm:weights.age=2,record=1`."""
    name, _, rest = text.partition(":")
    known = parts(family)
    if name not in known:
        raise ProblemError(f"'{name}' is no {kind}; {_nearest(name, known)}")
    part = known[name]
    keywords: dict[str, Any] = {}
    for setting in rest.split(",") if rest else []:
        _set(keywords, setting, text, part)
    wanted = [field.name for field in settings(part) if field.default is MISSING and field.default_factory is MISSING]
    if "sensitive" in wanted and len(sensitive) == 1:
        keywords.setdefault("sensitive", sensitive[0])
    absent = [key for key in wanted if key not in keywords]
    if absent:
        raise ProblemError(f"'{text}' does not say {' and '.join(absent)}; write it like {name}:{absent[0]}=….")
    return part(**keywords)


def settings(part: type[Any]) -> list[Field[Any]]:
    """The fields of a part that a user sets."""
    return [field for field in fields(part) if field.metadata.get("setting", True)]


def spelling(field: Field[Any]) -> str:
    """How a part's field is set: `k=…`, or by entries as in `weights.NAME=…` if it is a dictionary."""
    return f"{field.name}=…" if _takes_value(field) else f"{field.name}.NAME=…"


def _takes_value(field: Field[Any]) -> bool:
    return bool(re.sub(r"Mapping\[.*?\]|None|[\s|]", "", str(field.type)))


def _takes_entries(field: Field[Any]) -> bool:
    return "Mapping" in str(field.type)


def _set(keywords: dict[str, Any], setting: str, text: str, part: type[Any]) -> None:
    """Adds `key=value`, or `key.entry=value` for a field that is a dictionary."""
    known = {field.name: field for field in settings(part)}
    if not known:
        raise ProblemError(f"'{part.name}' has no settings; write it without '{setting}'.")
    key, equals, value = setting.partition("=")
    name, dot, entry = key.partition(".")
    if not equals or not value:
        raise ProblemError(
            f"'{setting}' in '{text}' is no setting; write it like {spelling(next(iter(known.values())))}."
        )
    if name not in known:
        raise ProblemError(f"'{part.name}' has no '{name}'; {_nearest(name, known)}")
    if not (_takes_entries(known[name]) and entry if dot else _takes_value(known[name])):
        raise ProblemError(f"'{setting}' in '{text}' is no setting; write it like {spelling(known[name])}.")
    entries = keywords.setdefault(name, {}) if dot else keywords
    if (entry or name) in entries:
        raise ProblemError(f"'{key}' is set twice in '{text}'; set it once.")
    entries[entry or name] = value


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name.lower(), list(known), n=1)
    return f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(known)}."
