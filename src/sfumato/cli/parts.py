"""Parts named on the command line: `k-anonymity:k=5` is KAnonymity(k=5). The keys are the fields of the dataclass."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields
from types import ModuleType
from typing import Any

from sfumato.errors import ProblemError


def parts(family: ModuleType) -> dict[str, type[Any]]:
    """The registered parts of a family, by name."""
    found = [getattr(family, name) for name in family.__all__]
    return {part.name: part for part in found if isinstance(part, type) and hasattr(part, "paper")}


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
    wanted = [field.name for field in fields(part) if field.default is MISSING and field.default_factory is MISSING]
    if "sensitive" in wanted and len(sensitive) == 1:
        keywords.setdefault("sensitive", sensitive[0])
    absent = [key for key in wanted if key not in keywords]
    if absent:
        raise ProblemError(f"'{text}' does not say {' and '.join(absent)}; write it like {name}:{absent[0]}=….")
    return part(**keywords)


def _set(keywords: dict[str, Any], setting: str, text: str, part: type[Any]) -> None:
    """Adds `key=value`, or `key.entry=value` for a field that is a dictionary."""
    key, equals, value = setting.partition("=")
    field, dot, entry = key.partition(".")
    known = [candidate.name for candidate in fields(part)]
    if not equals:
        raise ProblemError(f"'{setting}' in '{text}' has no value; write it like {key}=….")
    if field not in known:
        raise ProblemError(f"'{part.name}' has no '{field}'; {_nearest(field, known)}")
    if dot:
        keywords.setdefault(field, {})[entry] = value
    else:
        keywords[field] = value


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(known)}."
