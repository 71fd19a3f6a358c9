"""Parts by name: the fields of a part's dataclass are its settings, on the command line and in a project file alike."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from types import ModuleType
from typing import Any, cast

from sfumato.errors import ProblemError


class _Open:
    """A setting that is left open, for a trade-off to vary."""

    def __repr__(self) -> str:
        return "open"


OPEN: Any = _Open()


def parts(family: ModuleType) -> dict[str, type[Any]]:
    """The registered parts of a family, by name."""
    members = (getattr(family, name) for name in family.__all__)
    return {part.name: part for part in members if hasattr(part, "paper")}


def about(part: Any) -> str:
    """What a part is about: "classes", or "itemsets" for those of columns of sets."""
    return str(getattr(part, "about", "classes"))


def table_parts(family: ModuleType) -> dict[str, type[Any]]:
    """The registered parts of a family that are about classes; the others are about sets of items."""
    return {name: part for name, part in parts(family).items() if about(part) == "classes"}


def find_part(name: str, family: ModuleType, kind: str) -> type[Any]:
    """The part of that name; `kind` is what messages call the family's members."""
    for member in family.__all__:  # a class has its part's name: the others need not be loaded
        if member.lower() == name.replace("-", "") and getattr(getattr(family, member), "name", None) == name:
            return cast("type[Any]", getattr(family, member))
    members = parts(family)
    if name not in members:
        article = "an" if kind[0] in "aeiou" else "a"
        raise ProblemError(f"'{name}' is not {article} {kind}; {nearest(name, members)}")
    return members[name]


def settings(part: type[Any]) -> list[Field[Any]]:
    """The fields of a part that a user sets."""
    return [field for field in fields(part) if field.metadata.get("setting", True)]


def setting(part: type[Any], name: str) -> Field[Any]:
    """The field that a setting's name means."""
    named = {field.name: field for field in settings(part)}
    if not named:
        raise ProblemError(f"'{part.name}' has no settings; write it without '{name}'.")
    if name not in named:
        raise ProblemError(f"'{part.name}' has no '{name}'; {nearest(name, named)}")
    return named[name]


def make_part(part: type[Any], given: Mapping[str, Any], sensitive: Sequence[str], called: str, like: str) -> Any:
    """The part with these settings; the only sensitive attribute need not be named.

    A setting that is missing is reported as `called` not saying it, to be written like `like`, with its name for NAME.
    """
    wanted = [
        field.name
        for field in settings(part)
        if (field.default is MISSING and field.default_factory is MISSING) or field.default is OPEN
    ]
    keywords = dict(given)
    if "sensitive" in wanted and len(sensitive) == 1:
        keywords.setdefault("sensitive", sensitive[0])
    absent = [key for key in wanted if key not in keywords]
    if absent:
        example = like.replace("NAME", absent[0] if takes_value(setting(part, absent[0])) else f"{absent[0]}.NAME")
        raise ProblemError(f"{called} does not say {' and '.join(absent)}; write it like {example}.")
    return part(**keywords)


def takes_value(field: Field[Any]) -> bool:
    """Whether the field may be set to one value."""
    return bool(re.sub(r"Mapping\[.*?\]|None|[\s|]", "", str(field.type)))


def takes_entries(field: Field[Any]) -> bool:
    """Whether the field may be a dictionary."""
    return "Mapping" in str(field.type)


def nearest(name: str, names: Iterable[str]) -> str:
    """What somebody may have meant, or all there is."""
    listed = list(names)
    near = difflib.get_close_matches(name.lower(), listed, n=1)
    return f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(listed)}."
