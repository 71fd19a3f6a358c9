"""Stated: a report's JSON, read again, and the project that it states."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato import privacy
from sfumato.engines import CsvFile, ReadBy, plain_source
from sfumato.errors import InputError
from sfumato.hierarchies import HierarchySource
from sfumato.problem import Problem
from sfumato.project import Project
from sfumato.report.findings import FORMAT
from sfumato.report.transactions import called
from sfumato.settings.json_file import read_json
from sfumato.settings.option import TRANSACTIONS
from sfumato.settings.options import form_of
from sfumato.settings.registry import parts
from sfumato.settings.wording import typed, wording

# What a reader relies on; a report that lacks it is damaged.
_SHAPE: dict[str, type | tuple[type, ...]] = {
    "status": str,
    "loss.value": (int, float),
    "loss.relative": (int, float),
    "bound": (int, float, type(None)),
    "gap": (int, float, type(None)),
    "records.in": int,
    "records.out": int,
    "records.suppressed": int,
    "records.values_suppressed": int,
    "classes": int,
    "seed": int,
    "attained": dict,
    "checked.attained": dict,
    "project.constraints": list,
    "hashes.input.sha256": (str, type(None)),
    "hashes.input.content": str,
    "hashes.release.sha256": (str, type(None)),
    "hashes.release.content": str,
    "hashes.hierarchies": dict,
}
_OF_TABLES: dict[str, type] = {"recoding.levels": dict, "project.data.quasi_identifiers": dict}
_OF_TRANSACTIONS: dict[str, type] = {"recoding": dict}
_PARTS = ("loss", "recoding", "set_loss", "set_recoding")


def read_report(path: Path) -> dict[str, Any]:
    """The JSON of a report, whole."""
    report = read_json(path, "give report.json, not the page")
    if not isinstance(report, dict) or not isinstance(report.get("report"), int):
        raise InputError(f"'{path}' is not a report; give the JSON that solution.report or anonymize --report wrote.")
    if report["report"] > FORMAT:
        raise InputError(f"'{path}' was written by a newer version of sfumato; use that to verify it.")
    further = _OF_TRANSACTIONS if _about_transactions(report) else _OF_TABLES
    for key, kind in {**_SHAPE, **further}.items():
        value: Any = report
        for name in key.split("."):
            value = value[name] if isinstance(value, dict) and name in value else ...
        if not isinstance(value, kind):
            raise InputError(f"'{path}' is damaged: {key} is not as a report has it; give the file as it was written.")
    return report


def _about_transactions(report: Mapping[str, Any]) -> bool:
    """Whether the report's data are transactions, and no table."""
    project: Any = report.get("project")
    data = project.get("data") if isinstance(project, dict) else None
    return isinstance(data, dict) and form_of(data) == TRANSACTIONS


@dataclass(frozen=True, eq=False)
class Stated:
    """What a report says, and its project, about data that is still to be named."""

    report: Mapping[str, Any]
    project: Project
    foreign: tuple[str, ...]  # constraints that nobody here can ask: no models of sfumato's own, populations in memory
    unknown: tuple[str, ...]  # columns whose hierarchies the report does not have

    @classmethod
    def of(cls, report: Mapping[str, Any], path: Path, hierarchies: Mapping[str, HierarchySource]) -> Stated:
        """The project of a report; hierarchies that are given take the place of those that it names."""
        data, names = dict(report["project"]["data"]), parts(privacy)
        stated = _hierarchies(data)
        unknown = tuple(name for name, spec in stated.items() if spec is None and name not in hierarchies)
        strangers = sorted(set(hierarchies) - set(stated))
        if strangers:
            raise InputError(f"'{strangers[0]}' has no hierarchy in the report; name a column that has one.")
        data.pop("engine", None)  # other engines count the same
        constraints = report["project"]["constraints"]
        strange = [one for one in constraints if one["model"] not in names or None in one.values()]
        sections = {
            **{key: report["project"][key] for key in _PARTS if key in report["project"]},
            "data": {**_with(data, {name: "flat" for name, spec in stated.items() if spec is None}), "source": "data"},
            "constraints": [constraint for constraint in constraints if constraint not in strange],
        }
        project = Project.of(sections, path.parent, where=path.name)
        foreign = tuple(constraint["model"] for constraint in strange)
        return cls(report, replace(project, data=_with(project.data, hierarchies)), foreign, unknown)

    @property
    def of_transactions(self) -> bool:
        """Whether it is about transactions, and no table."""
        return _about_transactions(self.report)

    @property
    def columns(self) -> list[str]:
        """The columns that were counted: quasi-identifiers, sensitive attributes, target."""
        data = self.project.data
        target = [data["target"]] if data.get("target") else []
        return list(dict.fromkeys([*data["quasi_identifiers"], *data.get("sensitive", ()), *target]))

    def require_hierarchies(self) -> None:
        """Raises an InputError if a hierarchy is missing."""
        if self.unknown:
            name = self.unknown[0]
            how = wording(f"hierarchies={{'{name}': …}}", f"--hierarchy {typed(f'{name}=FILE')}")
            raise InputError(
                f"The report does not have the hierarchy of '{name}', which was made in Python; write it to a file "
                f"with Hierarchy.write, and give {how}."
            )

    def problem(self, original: str | os.PathLike[str] | ReadBy) -> Problem:
        """The problem about this data, in the dialect that the report states."""
        stated, place = self.project.data["source"], plain_source(original)
        source = replace(stated, path=place) if isinstance(stated, CsvFile) else place
        source = replace(original, source=source) if isinstance(original, ReadBy) else source
        constraints = self.project.constraints or (privacy.KAnonymity(1),)  # holds always: nobody can ask the others
        return replace(self.project, data={**self.project.data, "source": source}, constraints=constraints).problem()


_ROLES = ("quasi_identifiers", "sensitive", "sets")


def _hierarchies(data: Mapping[str, Any]) -> dict[str, Any]:
    """The hierarchies of a data section, by column; that of transactions by what their items are called."""
    by_column = {
        name: spec for role in _ROLES if isinstance(data.get(role), Mapping) for name, spec in data[role].items()
    }
    return by_column | ({called(data): data["hierarchy"]} if "hierarchy" in data else {})


def _with(data: Mapping[str, Any], hierarchies: Mapping[str, Any]) -> dict[str, Any]:
    """The data section with these hierarchies in place of its own."""
    changed = dict(data)
    for role in _ROLES:
        if isinstance(data.get(role), Mapping):
            changed[role] = {name: hierarchies.get(name, spec) for name, spec in data[role].items()}
    if "hierarchy" in data:
        changed["hierarchy"] = hierarchies.get(called(data), data["hierarchy"])
    return changed
