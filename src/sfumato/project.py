"""Project: a problem in a file, with how it is solved and where the release goes.

The sections are those of the Python interface; the keys of a part are the fields of its dataclass.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from sfumato import algorithms, loss as losses, privacy, recoding as recodings
from sfumato.algorithms import Algorithm, Progress
from sfumato.data import Table
from sfumato.data.inputs import Input, Output, data_inputs, require_apart
from sfumato.engines import CsvFile
from sfumato.errors import InputError
from sfumato.front.front import ParetoFront
from sfumato.hierarchies import HierarchySource, source_from_toml
from sfumato.loss import LM, Loss
from sfumato.privacy import ClassModel
from sfumato.privacy.base import is_model
from sfumato.problem import Problem
from sfumato.recoding import FullDomain, Recoding
from sfumato.release import drafted, model_inputs, placeable, writable
from sfumato.settings.exact import whole
from sfumato.settings.quantities import byte_count, seconds
from sfumato.settings.registry import find_part, make_part, parts, setting, settings
from sfumato.settings.toml import (
    MEMORY,
    SWITCH,
    TABLE,
    TABLES,
    TEXT,
    TEXTS,
    TIME,
    WHOLE,
    check_keys,
    check_kind,
    either,
    kind_of,
    read_toml,
    said_of,
)
from sfumato.solution import Solution

_SECTIONS = {
    "data": TABLE,
    "constraints": TABLES,
    "loss": TABLE,
    "recoding": TABLE,
    "set_loss": TABLE,
    "set_recoding": TABLE,
    "solve": TABLE,
    "release": TABLE,
}
_DATA = {
    "source": TEXT,
    "quasi_identifiers": TABLE,
    "sensitive": either(TEXTS, TABLE),
    "target": TEXT,
    "unit": TEXT,
    "identifiers": TEXTS,
    "insensitive": TEXTS,
    "sets": TABLE,
    "separator": TEXT,
    "weight": TEXT,
    "strip": SWITCH,
    "delimiter": TEXT,
    "quote": TEXT,
    "encoding": TEXT,
    "decimal": TEXT,
}
_PARTS = {"loss": losses, "recoding": recodings, "set_loss": losses, "set_recoding": recodings}
_CSV = ("delimiter", "quote", "encoding", "decimal")
_SOLVE = {
    "algorithm": either(TEXT, TABLE),
    "set_algorithm": either(TEXT, TABLE),
    "time_limit": TIME,
    "threads": WHOLE,
    "seed": WHOLE,
    "memory_limit": MEMORY,
}
_QUANTITIES: dict[str, Callable[[Any, str], object]] = {
    "time_limit": seconds,
    "memory_limit": byte_count,
    "threads": partial(whole, least=1),
    "seed": partial(whole, least=0),
}
_RELEASE = {"output": TEXT, "report": TEXT, "front": SWITCH, "queries": TEXTS, "spreadsheet_safe": SWITCH}


@dataclass(frozen=True, eq=False)
class Project:
    """What is published, what must hold, what is minimised, and where the release goes. Frozen; nothing is read yet.

    data: the source and the roles of its columns, as the keywords of `Table`.
    set_loss, set_recoding, set_algorithm: the same for columns of sets, if there are any; as ever if left out.
    search: how long and with what the search works, as the keywords of `solve`.
    """

    data: Mapping[str, Any]
    constraints: Sequence[ClassModel]
    loss: Loss = field(default_factory=LM)
    recoding: Recoding = field(default_factory=FullDomain)
    algorithm: Algorithm | None = None
    search: Mapping[str, Any] = field(default_factory=dict)
    output: Path | None = None
    report: Path | None = None
    set_loss: Any = None
    set_recoding: Any = None
    set_algorithm: Algorithm | None = None
    front: bool = False  # whether the report shows what other requirements would cost
    queries: Sequence[str] = ()  # what the report counts in the release, as "age=37..77,sex=Female"
    spreadsheet_safe: bool = False
    file: Path | None = None  # that it was read from

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Project:
        """The project of a TOML file; paths in it are relative to its folder."""
        found = cls.of(read_toml(Path(path)), Path(path).parent, where=Path(path).name)
        return replace(found, file=Path(path))

    @classmethod
    def of(cls, sections: Mapping[str, Any], folder: Path, *, where: str) -> Project:
        """The project that sections state, as a project file and a report have them; `where` is named in messages."""
        return _of(sections, folder, where)

    def problem(self, *, progress: bool = False) -> Problem:
        """The problem; this reads the data."""
        table = Table(**self.data, memory_limit=self.search.get("memory_limit"), progress=progress)
        own = {"set_loss": self.set_loss, "set_recoding": self.set_recoding, "set_algorithm": self.set_algorithm}
        given = {key: value for key, value in own.items() if value is not None}
        if given and not table.sets:
            raise InputError(f"{next(iter(given))} is for columns of sets; name them in [data.sets], or leave it out.")
        given.pop("set_algorithm", None)
        return Problem(table, self.constraints, self.loss, self.recoding, **given)

    def solve(self, *, progress: bool | Callable[[Progress], object] = False) -> Solution:
        """The best recoding, with its bound; see `sfumato.solve.solve`."""
        search: dict[str, Any] = {**self.search, "progress": progress}
        if self.set_algorithm is not None:
            search["set_algorithm"] = self.set_algorithm
        return self.problem(progress=progress is True).solve(self.algorithm, **search)

    def tradeoff(
        self, table: Table, *, progress: bool | Callable[[Progress], object] = False, **options: Any
    ) -> ParetoFront:
        """What other requirements would cost: all stay as they are but one, k-anonymity if it is there.

        options: keywords of `sfumato.front.tradeoff`, such as vary or spend_limit, in place of the project's.
        """
        from sfumato.front.tradeoff import tradeoff

        asked = options.pop("vary", None) or [self.varied()]
        vary = asked if isinstance(asked, list) else [asked]
        varied = {(model.name, model.reads) for model, _ in vary}
        fixed = [model for model in self.constraints if (model.name, model.reads) not in varied]
        limits = {key: value for key, value in self.search.items() if key != "seed"}
        given = {"loss": self.loss, "recoding": self.recoding, "constraints": fixed, "progress": progress}
        return tradeoff(table, vary, **{**given, **limits, **options})

    def varied(self) -> tuple[ClassModel, str]:
        """The constraint to vary and its parameter; one that asks nothing of sensitive values comes first."""
        vary = [model for model in self.constraints if is_model(model) and model.varies]
        known = sorted(vary, key=lambda one: one.reads is not None)
        if not known:
            raise InputError("No requirement has a parameter that can be varied, such as k; ask for one that has.")
        return known[0], next(iter(known[0].varies))

    def run(self, *, progress: bool | Callable[[Progress], object] = False) -> Solution:
        """Solve, and write the release, checked, and its report, unless the requirements cannot be met.

        Both appear when both are whole: whatever goes wrong with the report leaves no release behind.
        """
        self._check_paths()
        solution = self.solve(progress=progress)
        if solution.recoding is not None and self.output is not None:
            front = self.tradeoff(solution.problem.data) if self.front else None
            safe, show = self.spreadsheet_safe, progress is True
            with drafted(solution, self.output, spreadsheet_safe=safe, progress=show) as draft:
                if self.reports:
                    solution.report(*self.reports, released=draft, project=self, front=front, queries=self.queries)
        return solution

    @property
    def reports(self) -> tuple[Path, ...]:
        """The files that the report is written to: as HTML and as JSON, beside each other."""
        return report_files(self.report)

    def _check_queries(self) -> None:
        if not self.queries:
            return
        from sfumato.evaluate import CountQuery  # only who asks waits for it

        if self.report is None:
            raise InputError("--query counts in the release for the report; give --report, or report in [release].")
        known = list(self.data["quasi_identifiers"])
        for query in map(CountQuery.parse, self.queries):
            if unknown := [name for name in query.where if name not in known]:
                raise InputError(f"A query asks for '{unknown[0]}', which is no quasi-identifier: {', '.join(known)}.")

    def _check_paths(self) -> None:
        """What is wrong with the files to be written is said before the data is read: a search may take long."""
        if self.output is None:
            raise InputError("The project does not say where the release goes; give output in [release].")
        if self.front and self.report is None:
            raise InputError("--front shows the trade-off in the report; give --report, or report in [release].")
        if self.front:
            self.varied()
        self._check_queries()
        require_apart([Output(writable(self.output), "the release"), *report_outputs(self.report)], self.inputs)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What a run reads: the project file, the data, hierarchies, and what models name."""
        columns: dict[str, Any] = {}
        for role in ("quasi_identifiers", "sensitive", "sets"):
            columns |= self.data[role] if isinstance(self.data.get(role), Mapping) else {}
        own = (Input(self.file, "the project file"),)
        return (*own, *data_inputs(self.data["source"], columns), *model_inputs(self.constraints))


def report_files(report: Path | None) -> tuple[Path, ...]:
    """The files of a report: as HTML and as JSON, beside each other."""
    return () if report is None else (report.with_suffix(".html"), report.with_suffix(".json"))


def report_outputs(report: Path | None) -> tuple[Output, ...]:
    """The same as outputs, if they can be written."""
    if report is not None and report.suffix.lower() not in {".html", ".json"}:
        raise InputError(f"'{report.name}' is no name of a report; end it in .html or .json.")
    return tuple(Output(placeable(path), "the report") for path in report_files(report))


def _of(sections: Mapping[str, Any], folder: Path, where: str) -> Project:
    for key, value in sections.items():
        if key not in _SECTIONS and not isinstance(value, dict | list):
            raise InputError(f"{where}: '{key}' stands above all sections; put it into one, such as [data].")
    check_keys(where, sections, _SECTIONS, required=("data", "constraints"))
    data = _data(f"{where}, [data]", sections["data"], folder)
    protected = list(data.get("sensitive", ()))
    constraints = [
        _part(f"{where}, [[constraints]] {number}", _placed(table, folder), privacy, "privacy model", protected)
        for number, table in enumerate(sections["constraints"], start=1)
    ]
    chosen: dict[str, Any] = {
        name: _part(f"{where}, [{name}]", sections[name], family, name)
        for name, family in _PARTS.items()
        if name in sections
    }
    algorithm, set_algorithm, search = _search(f"{where}, [solve]", sections.get("solve", {}))
    release = sections.get("release", {})
    check_keys(f"{where}, [release]", release, _RELEASE)
    paths = {key: folder / release[key] for key in ("output", "report") if key in release}
    return Project(
        data,
        tuple(constraints),
        **chosen,
        algorithm=algorithm,
        set_algorithm=set_algorithm,
        search=search,
        **paths,
        front=release.get("front", False),
        queries=tuple(release.get("queries", ())),
        spreadsheet_safe=release.get("spreadsheet_safe", False),
    )


def _data(where: str, section: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The section as keywords of Table."""
    check_keys(where, section, _DATA, required=("source", "quasi_identifiers"))
    keywords = {key: value for key, value in section.items() if key not in _CSV}
    keywords["source"] = folder / section["source"]
    if csv := {key: section[key] for key in _CSV if key in section}:
        with said_of(where):
            keywords["source"] = CsvFile(keywords["source"], **csv)
    for role in ("quasi_identifiers", "sensitive", "sets"):
        if isinstance(section.get(role), dict):
            keywords[role] = _hierarchies(f"{where[:-1]}.{role}]", section[role], folder)
    return keywords


def _hierarchies(where: str, table: Mapping[str, Any], folder: Path) -> dict[str, HierarchySource]:
    sources = {}
    for column, value in table.items():
        with said_of(f"{where}, {column}"):
            sources[column] = source_from_toml(value, folder)
    return sources


def _part(where: str, table: Mapping[str, Any], family: ModuleType, kind: str, sensitive: Sequence[str] = ()) -> Any:
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


def _placed(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The table with the paths among its settings, which are relative to the folder of the project file."""
    part = parts(privacy).get(str(table.get("model")))
    paths = {field.name for field in settings(part) if field.metadata.get("path")} if part else set()
    return {key: folder / value if key in paths and isinstance(value, str) else value for key, value in table.items()}


def _search(where: str, section: Mapping[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """The algorithms, None for whichever is best: of the table, of columns of sets; and the keywords of solve."""
    check_keys(where, section, _SOLVE)
    with said_of(where):  # before the data is read
        for key, check in _QUANTITIES.items():
            if key in section:
                check(section[key], key)
    search = {key: value for key, value in section.items() if key not in {"algorithm", "set_algorithm"}}
    found = []
    for key in ("algorithm", "set_algorithm"):
        named = section.get(key, "auto")
        table = {"model": named} if isinstance(named, str) else named
        found.append(None if named == "auto" else _part(f"{where[:-1]}.{key}]", table, algorithms, "algorithm"))
    return found[0], found[1], search
