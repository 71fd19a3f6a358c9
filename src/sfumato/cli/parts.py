"""Parts named on the command line: `k-anonymity:k=5` is KAnonymity(k=5). The keys are the fields of the dataclass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field
from types import ModuleType
from typing import Any

from sfumato.errors import ProblemError
from sfumato.settings.registry import OPEN, find_part, make_part, nearest, setting, settings, takes_entries, takes_value


def parse_part(
    text: str, family: ModuleType, kind: str, sensitive: Sequence[str] = (), beside: Mapping[str, Any] | None = None
) -> Any:
    """The part that a text names, such as `k-anonymity:k=5` or `lm:weights.age=2,record=1`; beside: more settings."""
    part, keywords = parse_settings(text, family, kind)
    return make_part(part, {**(beside or {}), **keywords}, sensitive, called=f"'{text}'", like=f"{part.name}:NAME=…")


def parse_settings(text: str, family: ModuleType, kind: str) -> tuple[type[Any], dict[str, Any]]:
    """The part that a text names, and the settings that it says."""
    name, _, rest = text.partition(":")
    part = find_part(name, family, kind)
    keywords: dict[str, Any] = {}
    for word in rest.split(",") if rest else []:
        _set(keywords, word, text, part)
    return part, keywords


def parse_varied(text: str, sensitive: Sequence[str] = ()) -> tuple[Any, str]:
    """The model and the parameter that `k`, `entropy-l-diversity:l` or `t-closeness:t,distance=ordered` varies."""
    from sfumato import privacy

    name, _, rest = ("k-anonymity:k" if text == "k" else text).partition(":")
    part = find_part(name, privacy, "privacy model")
    words = rest.split(",") if rest else []
    varied = [word for word in words if "=" not in word]
    if len(varied) != 1:
        raise ProblemError(f"--vary {text} does not say which parameter; write it like k, or t-closeness:t.")
    varies = getattr(part, "varies", ())  # models of sets of items have none
    if not isinstance(varies, Mapping | property) and not varies:
        raise ProblemError(f"{name} has no parameter that can be varied; vary one that has, such as k.")
    if isinstance(varies, Mapping) and varied[0] not in varies:  # of some, it depends on their settings
        raise ProblemError(f"{name} does not vary '{varied[0]}'; {nearest(varied[0], varies)}")
    # Where it cannot be left open it must have some value; of what it is, nothing depends.
    given = OPEN if setting(part, varied[0]).default is OPEN else "1"
    rest = ",".join(word for word in words if word != varied[0])
    return parse_part(f"{name}:{rest}", privacy, "privacy model", sensitive, {varied[0]: given}), varied[0]


def spelling(field: Field[Any]) -> str:
    """How a part's field is set: `k=…`, or by entries as in `weights.NAME=…` if it is a dictionary."""
    return f"{field.name}=…" if takes_value(field) else f"{field.name}.NAME=…"


def _set(keywords: dict[str, Any], word: str, text: str, part: type[Any]) -> None:
    """Adds `key=value`, or `key.entry=value` for a field that is a dictionary."""
    key, equals, value = word.partition("=")
    name, dot, entry = key.partition(".")
    if (fields := settings(part)) and not (equals and value):
        raise ProblemError(f"'{word}' in '{text}' is not a setting; write it like {spelling(fields[0])}.")
    only = [field for field in fields if takes_entries(field) and not takes_value(field)]
    if len(fields) == len(only) == 1 and not dot and name != only[0].name:
        key, name, dot, entry = f"{only[0].name}.{name}", only[0].name, ".", name  # its entries are all there is to set
    field = setting(part, name)
    if not (takes_entries(field) and entry if dot else takes_value(field)):
        raise ProblemError(f"'{word}' in '{text}' is not a setting; write it like {spelling(field)}.")
    entries = keywords.setdefault(name, {}) if dot else keywords
    if not isinstance(entries, dict) or (entry or name) in entries:  # a value and entries would be two settings too
        raise ProblemError(f"'{key}' is set twice in '{text}'; set it once.")
    entries[entry or name] = value
