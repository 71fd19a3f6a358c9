"""Text: sections as a project file, whose keys stand in the order in which the options are declared."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sfumato.settings.options import OPTIONS, form_of, in_section
from sfumato.settings.shapes import Shape
from sfumato.settings.toml import key_text, value_text

_COLUMNS = (Shape.HIERARCHIES, Shape.PROTECTED)  # tables of their own, with a line for each column


def project_text(sections: Mapping[str, Any], comments: Mapping[str, Collection[str]] | None = None) -> str:
    """The sections as a project file; what it cannot say is null in them, and a comment says what it was.

    comments: lines to stand above a section, by its name, or above a key of it, as in `data.hierarchy`.
    """
    said = comments or {}
    lines = [*_remarks(said.get("")), *_data(sections["data"], said)]
    for name in dict.fromkeys(option.section or option.key for option in OPTIONS if option.section != "data"):
        tables = sections.get(name, [])
        for number, table in enumerate(tables if isinstance(tables, list) else [tables]):
            title = f"[[{name}]]" if isinstance(tables, list) else f"[{name}]"
            lines += ["", *(_remarks(said.get(name)) if not number else ()), title, *_keys(table)]
    return "\n".join(lines) + "\n"


def _data(data: Mapping[str, Any], said: Mapping[str, Collection[str]]) -> Iterator[str]:
    options = in_section("data", form_of(data))
    tables = [o.key for o in options if o.shape in _COLUMNS and isinstance(data.get(o.key), Mapping)]
    yield from _remarks(said.get("data"))
    yield "[data]"
    for key, value in data.items():
        if key not in tables:
            yield from _remarks(said.get(f"data.{key}"))
            yield from _keys({key: value})
    for key in tables:
        yield from (*_remarks(said.get(f"data.{key}")), f"[data.{key}]", *_keys(data[key]))


def _remarks(lines: Collection[str] | None) -> Iterator[str]:
    yield from (f"# {line}" if line else "" for line in lines or ())


def _keys(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if value is None:
            missing = "the data was in memory: name a file" if key == "source" else "made in Python: name a file"
            yield f"# {key_text(key)} = …  # {missing}"
        else:
            yield f"{key_text(key)} = {value_text(_listed(value))}"


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
