"""Hierarchies in a project file: texts as on the command line, tables with the fields of the Python classes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any

from sfumato.errors import HierarchyError
from sfumato.hierarchies.cuts import Cuts
from sfumato.hierarchies.dates import Dates
from sfumato.hierarchies.fanout import Fanout
from sfumato.hierarchies.flat import Flat
from sfumato.hierarchies.from_file import HierarchyFile
from sfumato.hierarchies.groups import Groups
from sfumato.hierarchies.hierarchy import HierarchySource
from sfumato.hierarchies.intervals import Intervals
from sfumato.hierarchies.masking import Masking
from sfumato.hierarchies.numeric import exact, show
from sfumato.hierarchies.ordered import Ordered
from sfumato.hierarchies.spec import is_file_text, parse_source
from sfumato.hierarchies.unordered import Unordered
from sfumato.settings.given import brief

# The key of a table is the name of a source and holds its first field; the other fields are keys beside it.
_TABLES: dict[str, type[Any]] = {
    "intervals": Intervals,
    "cuts": Cuts,
    "masking": Masking,
    "dates": Dates,
    "fanout": Fanout,
    "groups": Groups,
    "ordered": Ordered,
    "file": HierarchyFile,
}
_TEXTS: dict[str, type[Any]] = {"flat": Flat, "unordered": Unordered}
_EXAMPLES = 'a text such as "flat" or "masking", or a table such as { intervals = [5, 10] } or { file = "f.csv" }'


def source_from_toml(value: object, folder: Path) -> HierarchySource:
    """The source that a value of a project file names; files are looked for in the folder of the project file."""
    if isinstance(value, str):
        if not value:
            raise HierarchyError(f"An empty text names no hierarchy; write {_EXAMPLES}.")
        return parse_source(value, folder)
    if not isinstance(value, Mapping):
        raise HierarchyError(f"{brief(value)} is not a hierarchy; write {_EXAMPLES}.")
    names = [key for key in value if key in _TABLES]
    if len(names) != 1:
        raise HierarchyError(_which(list(value), names))
    name = names[0]
    first, *options = (field.name for field in fields(_TABLES[name]))
    field_of = {name: first, **{option: option for option in options}}
    for key in value:
        if key not in field_of:
            raise HierarchyError(f"'{key}' is not a key of {name}{_did_you_mean(key, [*field_of])}")
    arguments = {field_of[key]: _read(field_of[key], key, item, folder) for key, item in value.items()}
    source: HierarchySource = _TABLES[name](**arguments)
    return source


def spelling(source: HierarchySource, folder: Path | None = None) -> str | dict[str, Any]:
    """What stands for the source in a project file of the folder: `source_from_toml` reads it back."""
    name = next((name for name, kind in (_TEXTS | _TABLES).items() if type(source) is kind), None)
    if name is None:
        raise HierarchyError(
            f"{type(source).__name__} has no spelling in a project file; write the hierarchy to a file with "
            "Hierarchy.write, and name that."
        )
    described = fields(source)  # type: ignore[arg-type]
    stated = {field.name: getattr(source, field.name) for field in described}
    changed = [field.name for field in described if stated[field.name] != field.default]
    if not changed:
        return name
    first = described[0].name
    table = {
        name if key == first else key: _plain(key, stated[key], folder) for key in dict.fromkeys([first, *changed])
    }
    return table[name] if changed == ["path"] and is_file_text(table[name]) else table


def _plain(key: str, value: object, folder: Path | None) -> Any:
    """A field's value in the types of a project file."""
    if key == "path":
        path = Path(str(value))
        return (path if folder is None else Path(os.path.relpath(path, folder))).as_posix()
    if isinstance(value, tuple):
        return [_plain(key, item, folder) for item in value]
    if not isinstance(value, Fraction):
        return value
    text = show(value)
    if value.denominator == 1:
        return int(value)
    # A float is read as its shortest decimal; where that is another number, a text is exact.
    return float(text) if "/" not in text and Fraction(str(float(text))) == value else text


def _read(field: str, key: str, value: Any, folder: Path) -> Any:
    """A field's value, from what stands behind a key."""
    if field == "path":
        return folder / _text(key, value)
    if field in ("balanced", "strip"):
        return _flag(key, value)
    if field == "points":
        levels = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
        return tuple(tuple(_number(key, point) for point in _listed(level)) for level in levels)
    many = {"widths": _number, "masked": _whole, "counts": _whole, "units": _text, "order": _text}
    if field in many:
        return tuple(many[field](key, item) for item in _listed(value))
    return {"origin": _number, "n": _whole, "length": _whole}.get(field, _text)(key, value)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _number(key: str, value: Any) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise HierarchyError(f"{key} = {brief(value)} is not a number; write numbers, as in {key} = [5, 10].")
    return exact(value, "number", f"{key} = [5, 10]")


def _whole(key: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise HierarchyError(f"{key} = {brief(value)} is not a whole number; write one such as {key} = 5.")
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise HierarchyError(f'{key} = {brief(value)} is not a text; write it in quotation marks, as in {key} = "…".')
    return value


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise HierarchyError(f"{key} = {brief(value)} is neither true nor false; write {key} = true.")
    return value


def _did_you_mean(key: str, spellings: list[str]) -> str:
    near = get_close_matches(key, spellings, n=1)
    return f"; did you mean '{near[0]}'?" if near else f"; choose from {', '.join(spellings)}."


def _which(keys: list[str], names: list[str]) -> str:
    """What to say about a table that names no hierarchy, or several."""
    if names:
        return f"A hierarchy cannot be {' and '.join(names)} at once; keep one of them."
    if len(keys) == 1 and keys[0] in _TEXTS:
        return f'{{ {keys[0]} = … }} needs no table; write "{keys[0]}".'
    for key in keys:
        if near := get_close_matches(key, [*_TABLES, *_TEXTS], n=1):
            return f"'{key}' is not a hierarchy; did you mean '{near[0]}'?"
    return f"The table ({', '.join(keys) or 'empty'}) names no hierarchy; write {_EXAMPLES}."
