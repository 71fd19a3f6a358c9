"""Project: what is published, what must hold, what is minimised, how it is solved, and where the release goes.

The sections of its file are those of the Python interface; the keys of a part are the fields of its dataclass.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.algorithms import Algorithm, Progress
from sfumato.data import Table
from sfumato.data.inputs import Input, Output, data_inputs, require_apart
from sfumato.engines import Keeping
from sfumato.engines.workspace import placeable
from sfumato.errors import InputError
from sfumato.privacy import ClassModel, ItemsetModel
from sfumato.privacy.base import is_model, subject
from sfumato.problem import Problem
from sfumato.project.forms import Form, form
from sfumato.project.reading import fields_of
from sfumato.questions.given import given
from sfumato.release import model_inputs
from sfumato.settings.given import check_fields, checked
from sfumato.settings.json_file import read_json
from sfumato.settings.options import in_section
from sfumato.settings.toml import read_toml
from sfumato.settings.wording import Place, settings_given, wording
from sfumato.solution import Solution

if TYPE_CHECKING:
    from sfumato.front.front import ParetoFront


@dataclass(frozen=True, eq=False)
class Project:
    """What is published, what must hold, what is minimised, and where the release goes. Frozen; nothing is read yet.

    data: the source and the roles of its columns, as the keywords of `Table`; or transactions, as those of
    `Transactions`. loss, recoding: as ever for such data, if left out.
    set_loss, set_recoding, set_algorithm: the same for columns of sets, if there are any; as ever if left out.
    at: a recoding to evaluate in place of a search, as `Problem.evaluate` takes it, or the path of JSON that states it.
    search: how long and with what the search works, as the keywords of `solve`.
    """

    data: Mapping[str, Any]
    constraints: Sequence[Any]
    loss: Any = None
    recoding: Any = None
    algorithm: Algorithm | None = None
    search: Mapping[str, Any] = field(default_factory=dict)
    output: Path | None = None
    report: Path | None = None
    set_loss: Any = None
    set_recoding: Any = None
    set_algorithm: Algorithm | None = None
    remedies: Sequence[Any] = ()  # against minimality attacks, one after the other; see `sfumato.project.remedies`
    at: Any = None
    front: bool = False  # whether the report shows what other requirements would cost
    queries: Sequence[str] = ()  # what the report counts in the release, as "age=37..77,sex=Female"
    without_reference: bool = False  # whether the report leaves out the input's distributions
    spreadsheet_safe: bool = False
    file: Path | None = None  # that it was read from

    def __post_init__(self) -> None:
        check_fields(self, InputError)
        if self.loss is None:
            object.__setattr__(self, "loss", self.form.loss())
        if self.recoding is None:
            object.__setattr__(self, "recoding", self.form.recoding())

    @classmethod
    @checked
    def load(cls, path: str | os.PathLike[str]) -> Project:
        """The project of a TOML file; paths in it are relative to its folder."""
        project = cls.of(read_toml(Path(path)), Path(path).parent, where=Path(path).name)
        return replace(project, file=Path(path))

    @classmethod
    @checked
    def of(cls, sections: Mapping[str, Any], folder: Path, *, where: str) -> Project:
        """The project that sections state, as a project file and a report have them; `where` is named in messages."""
        return cls(**fields_of(sections, folder, where))

    @property
    def form(self) -> Form:
        """Whether the data are a table or transactions, and what follows from that."""
        return form(self.data)

    def problem(self, *, progress: bool = False) -> Problem:
        """The problem; this reads the data."""
        with self._worded():
            return self._problem(progress)

    def _problem(self, progress: bool) -> Problem:
        data = self.form.read(**self.data, memory_limit=self.search.get("memory_limit"), progress=progress)
        own = {"set_loss": self.set_loss, "set_recoding": self.set_recoding, "set_algorithm": self.set_algorithm}
        stated = {key: value for key, value in own.items() if value is not None}
        if stated and not self.data.get("sets"):
            raise InputError(f"{next(iter(stated))} is for columns of sets; name them in [data.sets], or leave it out.")
        stated.pop("set_algorithm", None)
        return Problem(data, self.constraints, self.loss, self.recoding, **stated)

    def solve(self, *, progress: bool | Callable[[Progress], object] = False) -> Solution:
        """The best recoding, with its bound, and then what the remedies make of it; see `sfumato.solve.solve`."""
        search: dict[str, Any] = {**self.search, "progress": progress}
        if self.set_algorithm is not None:
            search["set_algorithm"] = self.set_algorithm
        algorithm = self.algorithm if self.at is None else given(_stated(self.at), self.form.about)
        solution = self.problem(progress=progress is True).solve(algorithm, **search)
        for remedy in self.remedies if solution.recoding is not None else ():
            solution = remedy.applied(solution)
        return solution

    @checked
    def tradeoff(
        self, table: Table, *, progress: bool | Callable[[Progress], object] = False, **options: Any
    ) -> ParetoFront:
        """What other requirements would cost: all stay as they are but one, k-anonymity if it is there.

        options: keywords of `sfumato.front.tradeoff`, such as vary or spend_limit, in place of the project's.
        """
        from sfumato.front.tradeoff import tradeoff

        given = options.pop("vary", None) or [self.varied()]
        vary = given if isinstance(given, list) else [given]
        varied = {subject(model) for model, _ in vary}
        fixed = [model for model in self.constraints if subject(model) not in varied]
        limits = {key: value for key, value in self.search.items() if key != "seed"}
        given = {"loss": self.loss, "recoding": self.recoding, "constraints": fixed, "progress": progress}
        given |= {"set_loss": self.set_loss, "set_recoding": self.set_recoding}
        return tradeoff(table, vary, **{**given, **limits, **options})

    def varied(self) -> tuple[ClassModel | ItemsetModel, str]:
        """The constraint to vary and its parameter; one that asks nothing of sensitive values comes first."""
        vary = [model for model in self.constraints if getattr(model, "varies", None)]
        ordered = sorted(vary, key=lambda one: (not is_model(one), subject(one)[1] is not None))
        if not ordered:
            raise InputError("No requirement has a parameter that can be varied, such as k; ask for one that has.")
        return ordered[0], next(iter(ordered[0].varies))

    def run(self, *, progress: bool | Callable[[Progress], object] = False) -> Solution:
        """Solve, and write the release, checked, and its report, unless the requirements cannot be met.

        Both appear when both are whole: whatever goes wrong with the report leaves no release behind.
        """
        with self._worded():
            self._check_paths()
        solution = self.solve(progress=progress)
        if solution.recoding is not None and self.output is not None:
            front = self.tradeoff(solution.problem.data) if self.front else None
            safe, show = self.spreadsheet_safe, progress is True
            with solution.drafted(self.output, spreadsheet_safe=safe, progress=show) as draft:
                if self.reports:
                    solution.report(
                        *self.reports,
                        released=draft,
                        project=self,
                        front=front,
                        queries=self.queries,
                        without_reference=self.without_reference,
                    )
        if isinstance(engine := solution.problem.data.engine, Keeping):
            engine.forget()
        return solution

    @property
    def reports(self) -> tuple[Path, ...]:
        """The files that the report is written to: as HTML and as JSON, beside each other."""
        return report_files(self.report)

    def _worded(self) -> AbstractContextManager[None]:
        """Messages name settings as its file has them, if it was read from one."""
        return nullcontext() if self.file is None else settings_given(Place.PROJECT_FILE)

    def _check_queries(self) -> None:
        if not self.queries:
            return
        from sfumato.evaluate import CountQuery  # only who asks waits for it

        if self.report is None:
            what = wording("queries count", "--query counts", "queries count")
            raise InputError(f"{what} in the release for the report; {_report_too()}.")
        names = list(self.data["quasi_identifiers"])
        for query in map(CountQuery.parse, self.queries):
            if unknown := [name for name in query.where if name not in names]:
                raise InputError(
                    f"A query asks for '{unknown[0]}', which is not a quasi-identifier: {', '.join(names)}."
                )

    def _check_paths(self) -> None:
        """What is wrong with the files to be written is said before the data is read: a search may take long."""
        if self.output is None:
            raise InputError("The project does not say where the release goes; give output in [release].")
        self.form.require([o for o in in_section("release") if getattr(self, o.key) and self.form.name not in o.forms])
        if self.front and self.report is None:
            what = wording("front shows", "--front shows", "front shows")
            raise InputError(f"{what} the trade-off in the report; {_report_too()}.")
        if self.front:
            self.varied()
        self._check_queries()
        require_apart(
            [
                Output(self.form.writable(self.output, safe=self.spreadsheet_safe), "the release"),
                *self._report_outputs(),
            ],
            self.inputs,
        )

    def _report_outputs(self) -> tuple[Output, ...]:
        if self.report is not None and self.report.suffix.lower() not in {".html", ".json"}:
            raise InputError(f"'{self.report.name}' is not a name of a report; end it in .html or .json.")
        return tuple(Output(placeable(path), "the report") for path in self.reports)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What a run reads: the project file, the data, hierarchies, and what models name."""
        own = [Input(self.file, "the project file")]
        own += [Input(self.at, "the recoding that is given")] if isinstance(self.at, Path) else []
        return (
            *own,
            *data_inputs(self.data["source"], self.form.hierarchies(self.data)),
            *model_inputs(self.constraints),
        )


def _report_too() -> str:
    return wording("give report", "give --report", "give report in [release], or --report")


def _stated(at: Any) -> Any:
    """The recoding that is given: itself, or what a file states, which may be a report."""
    if not isinstance(at, Path):
        return at
    stated = read_json(at, "give a report, what --json prints, or a recoding as JSON")
    return stated["recoding"] if isinstance(stated, dict) and isinstance(stated.get("recoding"), dict) else stated


def report_files(report: Path | None) -> tuple[Path, ...]:
    """The files of a report: as HTML and as JSON, beside each other."""
    return () if report is None else (report.with_suffix(".html"), report.with_suffix(".json"))
