"""Statement: the project that a solution came from, in the sections of a project file, and as its text.

It is written from the problem itself, so it is true whatever options overrode a file. Paths are relative to the folder
of the report, and what a project file cannot say (a frame, a hierarchy made in Python) is null, with a
comment that says what it was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from sfumato.data import Table
from sfumato.engines import CsvFile, ReadBy, plain_source
from sfumato.errors import HierarchyError
from sfumato.hierarchies import HierarchySource, spelling
from sfumato.project import Project
from sfumato.report.transactions import source_of, stated_data
from sfumato.settings.exact import plain
from sfumato.settings.given import place_of, stated_place
from sfumato.settings.registry import settings
from sfumato.settings.uri import Uri
from sfumato.solution import Solution

Sections = dict[str, Any]


def sections_of(solution: Solution, folder: Path, released: Path | None, project: Project | None) -> Sections:
    """All that the release depends on."""
    solve: Sections = {"algorithm": _algorithm(solution, project), "seed": solution.seed}
    if solution.is_given:
        solve = {"at": _stated(solution), "seed": solution.seed}
    release: Sections = {"output": _relative(released, folder)} if released is not None else {}
    if project is not None:
        solve |= {} if project.set_algorithm is None else {"set_algorithm": part_json(project.set_algorithm)}
        solve |= {key: value for key, value in project.search.items() if key != "seed"}
        release |= {"without_reference": True} if project.without_reference else {}
        release |= {"spreadsheet_safe": True} if project.spreadsheet_safe else {}
    return (
        {
            **_question(solution, folder),
            "solve": solve,
        }
        | ({"release": release} if release else {})
        | _remedies(project)
    )


def _remedies(project: Project | None) -> Sections:
    """Without their seeds: whoever has these can work out again what was done by them."""
    remedies = () if project is None else project.remedies
    stated = [{key: value for key, value in part_json(one).items() if key != "seed"} for one in remedies]
    return {"remedies": stated} if stated else {}


def _question(solution: Solution, folder: Path) -> Sections:
    """The data and what is asked of it; transactions are data with one column of sets and no quasi-identifiers."""
    problem, question = solution.problem, solution.question
    constraints = [part_json(model, folder) for model in problem.constraints]
    table: Any = problem.data
    return {
        "data": _data(table, folder) if question.column is None else _transactions(table, folder),
        "constraints": constraints,
        "loss": part_json(question.loss),
        "recoding": part_json(question.recoding),
        **{key: part_json(getattr(problem, key)) for key in ("set_loss", "set_recoding") if solution.answers[1:]},
    }


def part_json(part: Any, folder: Path | None = None) -> dict[str, Any]:
    """A model, loss, recoding or algorithm by its name, with the settings that are not as ever.

    Paths among them are relative to the folder; without one, the file's name is given. A table in memory is null.
    """
    statement: Sections = {"model": part.name}
    if not is_dataclass(part):
        return statement
    shown = {field.name for field in settings(type(part))}
    for field in fields(part):
        value = getattr(part, field.name)
        value = _path(value, folder) if field.metadata.get("path") else plain_value(value)
        if field.name in shown and value != plain_value(field.default) and value != {}:
            statement[field.name] = value
    return statement


def plain_value(value: object) -> Any:
    """A setting in the types of JSON and TOML; a fraction without a short decimal is a text."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return int(value)
        text = plain(value)
        return text if "/" in text else float(text)
    if isinstance(value, Mapping):
        return {str(key): plain_value(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [plain_value(entry) for entry in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _path(value: object, folder: Path | None) -> str | None:
    if isinstance(value, CsvFile):
        value = value.path
    if not isinstance(value, str | os.PathLike):
        return None
    place = place_of(value)
    return place.name if folder is None else _relative(place, folder)


def source_path(table: Table) -> Path | Uri | None:
    """The file, folder or URI that the data came from; None if it came from memory."""
    if isinstance(table.source, ReadBy):
        return table.source.place
    source = plain_source(table.source)
    return place_of(source) if isinstance(source, str | os.PathLike) else None


def _algorithm(solution: Solution, project: Project | None) -> Any:
    """By its name, with its settings where they are known."""
    statement = {"model": solution.algorithm}
    if project is not None and project.algorithm is not None and project.algorithm.name == solution.algorithm:
        statement = part_json(project.algorithm)
    return statement if len(statement) > 1 else solution.algorithm


def _stated(solution: Solution) -> Any:
    """The recoding that was given, as a project gives it again: it tells no value that is not published."""
    node = solution.answer.recoding and getattr(solution.answer.recoding, "as_node", None)
    return dict(node) if node is not None else solution.chosen.to_json()


def _data(table: Table, folder: Path) -> Sections:
    path, f, source = source_path(table), table.frequencies, table.source
    statement: Sections = {"source": None if path is None else _relative(path, folder)}
    if isinstance(source, ReadBy):  # what opens its session says where a cluster is, and stays out
        source = source.source
        statement = {"source": source if path is None else statement["source"], "engine": "spark"}
    if isinstance(source, CsvFile):
        statement |= {
            field.name: getattr(source, field.name)
            for field in fields(source)
            if field.name != "path" and getattr(source, field.name) != field.default
        }
    statement |= {"identifiers": list(table.identifiers)} if table.identifiers else {}
    if any(name in table.sources for name in table.sensitive):
        statement["sensitive"] = {name: _spelled(table.sources.get(name), folder) for name in table.sensitive}
    elif table.sensitive:
        statement["sensitive"] = list(table.sensitive)
    kept = [name for name in table.insensitive if name != table.weight]
    statement |= {"insensitive": kept} if kept else {}
    statement |= {key: value for key in ("target", "unit", "weight") if (value := getattr(table, key)) is not None}
    statement |= {"strip": True} if table.strip else {}
    statement |= {"pre_generalise": dict(table.pre_generalised)} if table.pre_generalised else {}
    if table.sets:
        statement["sets"] = {name: _spelled(column.source, folder) for name, column in table.sets.items()}
        statement |= {} if table.separator is None else {"separator": table.separator}
    names = [attribute.name for attribute in f.quasi_identifiers]
    return statement | {"quasi_identifiers": {name: _spelled(table.sources[name], folder) for name in names}}


def _transactions(data: Any, folder: Path) -> Sections:
    path, stated = source_of(data), stated_data(data)
    source = None if path is None else _relative(path, folder)
    spelled = None if data.source is None else _spelled(data.column.source, folder)
    return {"source": source, "hierarchy": spelled, **stated}


def _spelled(source: HierarchySource | None, folder: Path) -> Any:
    if source is None:
        return "flat"  # of a sensitive column among others with hierarchies: every value is its own
    try:
        return spelling(source, folder)
    except HierarchyError:
        return None


def _relative(place: Path | Uri, folder: Path) -> str:
    """A path from the folder; a URI without who logs in, which is nobody else's to know."""
    return str(place) if isinstance(place, Uri) else stated_place(place, folder)
