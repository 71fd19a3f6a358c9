"""Reading: a project from the sections of its file; the keys and what they may be set to are those of the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from sfumato import privacy
from sfumato.engines import CsvFile, ReadBy, SparkSettings, engine_settings, is_name
from sfumato.errors import InputError
from sfumato.hierarchies import HierarchySource, source_from_toml
from sfumato.project.forms import Form, form, strange_to
from sfumato.settings.exact import whole
from sfumato.settings.given import located, path_of, place_of
from sfumato.settings.option import Option
from sfumato.settings.options import SECTIONS, in_section, kinds
from sfumato.settings.quantities import memory, seconds
from sfumato.settings.registry import find_part, make_part, parts, setting, settings
from sfumato.settings.shapes import Shape
from sfumato.settings.toml import TABLE, TEXT, check_keys, check_kind, kind_of, said_of
from sfumato.settings.uri import Uri

Sections = Mapping[str, Any]


def fields_of(sections: Sections, folder: Path, where: str) -> dict[str, Any]:
    """The fields of the project that sections state; `where` is named in messages."""
    for key, value in sections.items():
        if key == "engine" and isinstance(value, str):
            raise InputError(f"{where}: engine stands above all sections; put it into [data].")
        if key not in SECTIONS and not isinstance(value, dict | list):
            raise InputError(f"{where}: '{key}' stands above all sections; put it into one, such as [data].")
    check_keys(where, sections, SECTIONS, required=("data", "constraints"))
    kept = form(sections["data"])
    engine = _engine(where, kept, sections)
    data = _data_of(f"{where}, [data]", kept, sections["data"], folder, engine)
    kept.require([option for option in in_section("") if option.key in sections], where)
    return {
        "data": data,
        **_parts(where, sections, folder, list(data.get("sensitive", ()))),
        **_search(f"{where}, [solve]", kept, sections.get("solve", {}), folder),
        **_release(f"{where}, [release]", kept, sections.get("release", {}), folder),
    }


def _section(where: str, form: Form, section: Sections, name: str) -> tuple[Option, ...]:
    """The options that a section states, once its keys are known to be right."""
    options = in_section(name, form.name)
    form.require(strange_to(form, name, section), where)
    required = tuple(option.key for option in options if option.required and option.unless not in section)
    check_keys(where, section, kinds(options), required=required)
    return tuple(option for option in options if option.key in section)


def _engine(where: str, form: Form, sections: Sections) -> SparkSettings | None:
    """What opens the engine that reads the data; None of the one in this process."""
    stated = sections.get("engine", {})
    for name, section in stated.items():
        check_keys(f"{where}, [engine]", {name: section}, {"spark": TABLE})
        _section(f"{where}, [engine.{name}]", form, section, f"engine.{name}")
    chosen = sections["data"].get("engine", "duckdb")
    check_kind(f"{where}, [data]: engine", chosen, TEXT)
    for name in stated:
        if name != chosen:
            raise InputError(
                f'{where}: [engine.{name}] has settings, but [data] does not say engine = "{name}"; say it, or leave '
                "them out."
            )
    with said_of(f"{where}, [engine.{chosen}]" if chosen in stated else f"{where}, [data]"):
        return engine_settings(chosen, stated.get(chosen, {}))


def _data_of(
    where: str, form: Form, section: Sections, folder: Path, engine: SparkSettings | None = None
) -> dict[str, Any]:
    """The section as keywords of Table, or of Transactions."""
    keywords: dict[str, Any] = {}
    csv: dict[str, str] = {}
    stated = {option.key: option for option in _section(where, form, section, "data")}
    for key, value in section.items():
        shape = stated[key].shape
        if shape is Shape.DIALECT:
            csv[key] = value
        elif shape is Shape.ENGINE:  # which the source comes with
            continue
        elif shape is Shape.PATH:
            keywords[key] = value if engine is not None and is_name(value) else _place(where, folder, value)
        elif shape is Shape.HIERARCHY:
            with said_of(f"{where}, {key}"):
                keywords[key] = source_from_toml(value, folder)
        elif shape in {Shape.HIERARCHIES, Shape.PROTECTED} and isinstance(value, dict):
            keywords[key] = _hierarchies(f"{where[:-1]}.{key}]", value, folder)
        else:
            keywords[key] = value
    if csv:
        with said_of(where):
            keywords["source"] = CsvFile(keywords["source"], **csv)
    if engine is not None:
        with said_of(where):
            keywords["source"] = ReadBy(keywords["source"], engine)
    return keywords


def _path(where: str, folder: Path, value: str) -> Path:
    """A path of the file, which is relative to its folder."""
    with said_of(where):
        path_of(value)
    return folder / value


def _place(where: str, folder: Path, value: str) -> Path | Uri:
    """Where data is: a path, relative to the folder of the file, or a URI."""
    with said_of(where):
        place = place_of(value, "source")
    return place if isinstance(place, Uri) else folder / value


def _hierarchies(where: str, table: Sections, folder: Path) -> dict[str, HierarchySource]:
    sources = {}
    for column, value in table.items():
        with said_of(f"{where}, {column}"):
            sources[column] = source_from_toml(value, folder)
    return sources


def _parts(where: str, sections: Sections, folder: Path, sensitive: Sequence[str]) -> dict[str, Any]:
    """The constraints, loss and recoding, and those of columns of sets."""
    parts: dict[str, Any] = {}
    for option in in_section(""):
        if option.key not in sections:
            continue
        family = import_module(f"sfumato.{option.family}")
        if option.shape is Shape.PARTS:
            parts[option.key] = tuple(
                _part(f"{where}, [[{option.key}]] {number}", _placed(table, folder), family, option.kind, sensitive)
                for number, table in enumerate(sections[option.key], start=1)
            )
        else:
            # What messages call it is the section, which says whose loss or recoding it is.
            parts[option.key] = _part(f"{where}, [{option.key}]", sections[option.key], family, option.key)
    return parts


def _part(where: str, table: Sections, family: ModuleType, kind: str, sensitive: Sequence[str] = ()) -> Any:
    """The part that a table names by `model`; all other keys are its settings."""
    if "model" not in table:
        raise InputError(f"{where} does not say model; sfumato list names every {kind}.")
    check_kind(f"{where}: model", table["model"], TEXT)
    given = {key: value for key, value in table.items() if key != "model"}
    with said_of(where):
        part = find_part(table["model"], family, kind)
        for key, value in given.items():
            check_kind(key, value, kind_of(setting(part, key)))
        return make_part(part, given, sensitive, called=f"'{part.name}'", like="NAME = …")


def _placed(table: Sections, folder: Path) -> dict[str, Any]:
    """The table with the paths among its settings, which are relative to the folder of the project file."""
    part = parts(privacy).get(str(table.get("model")))
    paths = {field.name for field in settings(part) if field.metadata.get("path")} if part else set()
    placed = dict(table)
    for key in paths & table.keys():
        if isinstance(value := located(table[key]), str):
            placed[key] = folder / value
    return placed


def _check_of(option: Option) -> Callable[[Any, str], object] | None:
    """What else a value must be, besides its kind."""
    if option.shape is Shape.WHOLE:
        return partial(whole, least=option.least or 0)
    return {Shape.TIME: seconds, Shape.MEMORY: memory}.get(option.shape)


def _search(where: str, form: Form, section: Sections, folder: Path) -> dict[str, Any]:
    """The algorithms, None for whichever is best, or the recoding in their place, and the keywords of solve."""
    search: dict[str, Any] = {"search": {}}
    stated = _section(where, form, section, "solve")
    with said_of(where):  # before the data is read
        for option in stated:
            if check := _check_of(option):
                check(section[option.key], option.key)
    for option in stated:
        value = section[option.key]
        if option.shape is Shape.RECODING:
            search[option.key] = _path(where, folder, value) if isinstance(value, str) else value
        elif option.shape is not Shape.SEARCH:
            search["search"][option.key] = value
        elif value != "auto":
            table = {"model": value} if isinstance(value, str) else value
            family = import_module(f"sfumato.{option.family}")
            search[option.key] = _part(f"{where[:-1]}.{option.key}]", table, family, option.kind)
    if "at" in search and search.get("algorithm") is not None:
        raise InputError(f"{where}: at gives the recoding that algorithm would search for; leave one of them out.")
    return search


def _release(where: str, form: Form, section: Sections, folder: Path) -> dict[str, Any]:
    release = {}
    for option in _section(where, form, section, "release"):
        value = section[option.key]
        release[option.key] = _path(where, folder, value) if option.shape is Shape.PATH else value
        if option.shape is Shape.QUERIES:
            release[option.key] = tuple(value)
    return release
