"""The project that a command works on: a project file, or a data file with all else in options.

Options override the file: a column named in an option gets that role in place of the one it has in the file,
`--require` replaces all constraints, and everything else replaces its setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.settings.quantities import seconds
from sfumato.settings.registry import setting

if TYPE_CHECKING:
    from sfumato.hierarchies import HierarchySource
    from sfumato.project import Project


@dataclass(frozen=True)
class Overrides:
    """What options say; None, or an empty list, is what they do not say."""

    qi: list[str] = field(default_factory=list)  # NAME=HIERARCHY
    sensitive: Mapping[str, Any] = field(default_factory=dict)  # with hierarchies, where they have one
    target: str | None = None
    unit: str | None = None
    weight: str | None = None
    identifiers: list[str] = field(default_factory=list)
    insensitive: list[str] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)  # NAME=HIERARCHY
    separator: str | None = None
    strip: bool = False
    require: list[str] = field(default_factory=list)
    loss: str | None = None
    recoding: str | None = None
    suppression: str | None = None
    suppression_limit: str | None = None
    algorithm: str | None = None
    set_recoding: str | None = None
    set_algorithm: str | None = None
    time_limit: str | None = None
    threads: int | None = None
    seed: int | None = None
    memory_limit: str | None = None
    output: Path | None = None
    report: Path | None = None
    front: bool = False
    queries: list[str] = field(default_factory=list)
    csv: Mapping[str, str] = field(default_factory=dict)  # keywords of CsvFile
    spreadsheet_safe: bool = False


def is_project(data: Path) -> bool:
    """Whether the argument of a command is a project file."""
    return data.suffix.lower() == ".toml"


def require_options(command: str, data: Path, given: Mapping[str, object]) -> None:
    """A data file says nothing about itself: these options are needed with it."""
    for option, value in given.items():
        if not value:
            raise InputError(
                f"Missing option '{option}'. See sfumato {command} --help, or draft a project: sfumato init {data}."
            )


def project_of(data: Path, options: Overrides) -> Project:
    """The project of a file of either kind, with what the options say."""
    from sfumato.project import Project

    project = Project.load(data) if is_project(data) else Project({"source": data, "quasi_identifiers": {}}, ())
    roles = _roles(project.data, options)
    return replace(
        project,
        data=roles,
        **_parts(project, options, list(roles.get("sensitive", ()))),
        search={**project.search, **_search(options)},
        output=options.output or project.output,
        report=options.report or project.report,
        front=options.front or project.front,
        queries=options.queries or project.queries,
        spreadsheet_safe=options.spreadsheet_safe or project.spreadsheet_safe,
    )


def _roles(data: Mapping[str, Any], options: Overrides) -> dict[str, Any]:
    """The keywords of Table, with the roles that options give."""
    given: dict[str, dict[str, Any]] = {
        "quasi_identifiers": dict(named_sources(options.qi, "--qi")),
        "sensitive": dict(options.sensitive),
        "identifiers": dict.fromkeys(options.identifiers),
        "insensitive": dict.fromkeys(options.insensitive),
        "sets": dict(named_sources(options.sets, "--set")),
    }
    merged = dict(data)
    for role, columns in given.items():
        moved = {name for other in given if other != role for name in given[other]}
        if options.target and role in {"identifiers", "insensitive"} and options.target not in columns:
            moved.add(options.target)
        before = data.get(role, ())
        known = before if isinstance(before, Mapping) else dict.fromkeys(before)
        kept = {name: source for name, source in known.items() if name not in moved}
        both = kept | {name: source for name, source in columns.items() if source is not None or name not in kept}
        if before or columns:
            merged[role] = both if isinstance(before, Mapping) or any(both.values()) else list(both)
            if not both and role == "sets":
                del merged[role]
    if options.target is not None:
        merged["target"] = options.target
    elif merged.get("target") in {**given["identifiers"], **given["insensitive"]}:
        del merged["target"]
    said: dict[str, Any] = {"unit": options.unit, "weight": options.weight, "strip": options.strip or None}
    said["separator"] = options.separator
    if options.csv:
        said["source"] = with_dialect(data["source"], options.csv)
    return merged | {key: value for key, value in said.items() if value is not None}


def with_dialect(source: Any, csv: Mapping[str, str]) -> Any:
    """A CSV file with what options say about it."""
    from sfumato.engines import CsvFile

    known = source if isinstance(source, CsvFile) else CsvFile(source)
    return replace(known, **csv)


def named_sources(texts: list[str], option: str) -> dict[str, HierarchySource]:
    """The hierarchies that an option gives, as NAME=HIERARCHY."""
    from sfumato.hierarchies import parse_source

    found: dict[str, HierarchySource] = {}
    for text in texts:
        name, _, hierarchy = text.partition("=")
        if not name or not hierarchy:
            like = name or "age"
            raise InputError(
                f"{option} {text} has no hierarchy; write {like}=flat, {like}=intervals:5,10 or {like}=file.csv."
            )
        if name in found:
            raise InputError(f"{option} names '{name}' twice; give it one hierarchy.")
        found[name] = parse_source(hierarchy)
    return found


def _parts(project: Project, options: Overrides, sensitive: list[str]) -> dict[str, Any]:
    """The constraints, loss, recoding and algorithm that options name, and the project's where they do not."""
    from sfumato import algorithms, loss as losses, privacy, recoding as recodings
    from sfumato.cli.parts import parse_part

    chosen: dict[str, Any] = {}
    if options.require:
        chosen["constraints"] = [parse_part(text, privacy, "privacy model", sensitive) for text in options.require]
    if options.loss is not None:
        chosen["loss"] = parse_part(options.loss, losses, "loss")
    for key, named in (("algorithm", options.algorithm), ("set_algorithm", options.set_algorithm)):
        if named is not None:
            chosen[key] = None if named == "auto" else parse_part(named, algorithms, "algorithm")
    if options.set_recoding is not None:
        chosen["set_recoding"] = parse_part(options.set_recoding, recodings, "recoding")
    blurring: Any = project.recoding
    if options.recoding is not None:
        blurring = parse_part(options.recoding, recodings, "recoding")
    own = {"suppression": options.suppression, "suppression_limit": options.suppression_limit}
    settings = {name: value for name, value in own.items() if value is not None}
    for name in settings:
        setting(type(blurring), name)
    return chosen | {"recoding": replace(blurring, **settings)}


def _search(options: Overrides) -> dict[str, Any]:
    """The keywords of solve that options give."""
    if options.time_limit is not None:
        seconds(options.time_limit, "--time-limit")
    given = {
        "time_limit": options.time_limit,
        "threads": options.threads,
        "seed": options.seed,
        "memory_limit": options.memory_limit,
    }
    return {name: value for name, value in given.items() if value is not None}
