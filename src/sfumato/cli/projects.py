"""The project that a command works on: a project file, or a data file with all else in options.

Options override the file: a column named in an option gets that role in place of the one it has in the file,
`--require` replaces all constraints, `--recoding` keeps the limits of the file's recoding, and everything else replaces
its setting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from sfumato.cli.recodings import front_stays, other_recoding, settled
from sfumato.cli.texts import (
    dialect,
    levels_or_file,
    named_sources,
    names,
    sensitive_columns,
    source,
    with_dialect,
    with_engine,
)
from sfumato.errors import InputError
from sfumato.settings.option import TABLES, Option
from sfumato.settings.options import NAMED
from sfumato.settings.quantities import seconds
from sfumato.settings.registry import setting
from sfumato.settings.shapes import Shape
from sfumato.settings.uri import Uri

if TYPE_CHECKING:
    from sfumato.project import Project

Said = Mapping[Option, Any]
_ROLES = (Shape.HIERARCHIES, Shape.PROTECTED, Shape.COLUMNS)


def is_project(data: Path | Uri) -> TypeGuard[Path]:
    """Whether the argument of a command is a project file."""
    return isinstance(data, Path) and data.suffix.lower() == ".toml"


def require_options(command: str, data: Path | Uri, given: Mapping[str, Any], *names: str) -> None:
    """A data file says nothing about itself: these options are needed with it."""
    for name in () if is_project(data) else names:
        if not given.get(name):
            option = NAMED[name].spelled[0]
            raise InputError(
                f"Missing option '{option}'. See sfumato {command} --help, or draft a project: sfumato init {data}."
            )


def require_form(project: Project, data: Path | Uri, otherwise: str, form: str = TABLES) -> None:
    """Raises an InputError, which says what else to do, unless the data are of the form."""
    if project.form.name != form:
        raise InputError(f"The data of {data.name} are {project.form.name}; {otherwise}.")


def project_of(data: Path | Uri, given: Mapping[str, Any], form: str = TABLES) -> Project:
    """The project of a file of either kind, with what options say; a data file is of the form."""
    from sfumato.project import FORMS, Project

    project = Project.load(data) if is_project(data) else Project({"source": data, **FORMS[form].blank}, ())
    said = {NAMED[name]: value for name, value in given.items() if not (value is None or value is False or value == [])}
    project.form.require(tuple(said))
    columns = _data(project.data, {option: value for option, value in said.items() if option.section == "data"})
    columns["source"] = with_engine(columns["source"], given)
    project = replace(project, data=columns)
    fields = _parts(said, list(columns.get("sensitive", ())))
    if is_project(data) and (recoding := said.get(NAMED["recoding"])):
        single = {option.key for option in said if option.shape is Shape.OF_PART}
        fields["recoding"] = other_recoding(recoding, project.recoding, single, data.name)
        if project.front and NAMED["front"] not in said:
            fields["front"] = front_stays(fields["recoding"], data.name)
    fields |= _of_parts(said, {"recoding": project.recoding} | fields)
    fields |= _in_place_of_search(given.get("at"), given.get("algorithm"))
    others = {Shape.SEARCH, Shape.RECODING}
    search = {o.key: value for o, value in said.items() if o.section == "solve" and o.shape not in others}
    if "time_limit" in search:
        seconds(search["time_limit"], "--time-limit")
    release = {option.key: value for option, value in said.items() if option.section == "release"}
    return replace(project, **fields, **release, search={**project.search, **search})


def _in_place_of_search(at: str | None, algorithm: str | None) -> dict[str, Any]:
    """A recoding to evaluate in place of a search, or the other way round; an option overrides the file in either."""
    if at is None:
        return {} if algorithm is None else {"at": None}
    if algorithm is not None:
        raise InputError("--at gives the recoding that --algorithm would search for; leave one of them out.")
    return {"at": levels_or_file(at), "algorithm": None}


def _data(data: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """The keywords of the data, with the roles that options give, and all else that they say."""
    merged = _with_roles(data, said)
    for option, value in said.items():
        if option.shape is Shape.HIERARCHY:
            merged[option.key] = source(value)
        elif option.shape not in _ROLES and option.shape not in {Shape.DIALECT, Shape.ENGINE}:
            merged[option.key] = value
    if csv := dialect({option.key: value for option, value in said.items()}):
        merged["source"] = with_dialect(data["source"], csv)
    return merged


def _with_roles(data: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """The data with columns in the roles that options give them, in place of those they had."""
    roles = {option.key: option for option in NAMED.values() if option.section == "data" and option.shape in _ROLES}
    given = {role: _columns(option, said.get(option, ())) for role, option in roles.items()}
    target = said.get(NAMED["target"])
    merged = dict(data)
    for role, columns in given.items():
        plain = roles[role].shape is Shape.COLUMNS
        moved = {name for other in given if other != role for name in given[other]}
        if target and plain and target not in columns:  # a target may be a quasi-identifier, or sensitive
            moved.add(target)
        before = data.get(role, ())
        before_by_name = before if isinstance(before, Mapping) else dict.fromkeys(before)
        kept = {name: hierarchy for name, hierarchy in before_by_name.items() if name not in moved}
        both = kept | {name: own for name, own in columns.items() if own is not None or name not in kept}
        if before or columns:
            merged[role] = both if isinstance(before, Mapping) or any(both.values()) else list(both)
            if not both and role == "sets":
                del merged[role]
    if merged.get("target") in {**given["identifiers"], **given["insensitive"]}:
        del merged["target"]
    return merged


def _columns(option: Option, texts: Sequence[str]) -> dict[str, Any]:
    """The columns that an option names, each with its hierarchy if it has one."""
    if option.shape is Shape.HIERARCHIES:
        return dict(named_sources(texts, option.spelled[0]))
    return dict(sensitive_columns(texts)) if option.shape is Shape.PROTECTED else dict.fromkeys(names(texts))


def _parts(said: Said, sensitive: Sequence[str]) -> dict[str, Any]:
    """The constraints, loss, recoding and algorithms that options name."""
    from sfumato.cli.parts import parse_part

    parts: dict[str, Any] = {}
    for option, value in said.items():
        if not option.family:
            continue
        family = import_module(f"sfumato.{option.family}")
        if option.shape is Shape.PARTS:
            parts[option.key] = [parse_part(text, family, option.kind, sensitive) for text in value]
        elif option.shape is Shape.SEARCH and value == "auto":
            parts[option.key] = None
        else:
            parts[option.key] = parse_part(value, family, option.kind)
    return parts


def _of_parts(said: Said, parts: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of which options give single settings, with these."""
    changed: dict[str, dict[str, Any]] = {}
    for option, value in said.items():
        if option.shape is Shape.OF_PART:
            setting(type(parts[option.section]), option.key)
            changed.setdefault(option.section, {})[option.key] = value
    return {section: replace(parts[section], **settled(parts[section], new)) for section, new in changed.items()}
