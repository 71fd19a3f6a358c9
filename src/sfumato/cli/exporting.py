"""What a project or a report says to export, as a solution; and where the SQL goes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from sfumato.cli.projects import is_project
from sfumato.cli.texts import named_sources
from sfumato.data.inputs import Input, Output, require_apart
from sfumato.errors import InfeasibleError, InputError
from sfumato.export import require_dialect
from sfumato.project import Project
from sfumato.questions.given import given
from sfumato.release import appearing
from sfumato.report.hashes import file_sha256
from sfumato.report.stated import Stated, read_report
from sfumato.solution import Solution


def solution_of(stated: Path, dialect: str, original: Path | None, hierarchies: list[str]) -> Solution:
    """The solution that is to be exported; what is wrong with the dialect is said before a search."""
    require_dialect(dialect)
    if is_project(stated):
        if original is not None or hierarchies:
            raise InputError(f"{stated.name} says itself where its data and hierarchies are; change it there.")
        solution = Project.load(stated).solve(progress=sys.stderr.isatty())
        if solution.recoding is None:
            raise InfeasibleError(f"There is nothing to export: {solution.status.value}. {solution.reason}")
        return solution
    return _reported(stated, original, hierarchies)


def write_sql(text: str, output: Path | None, stated: Path, read: Sequence[Input]) -> None:
    """To the terminal, or to a file that appears whole, and is none of those that were read: the project among them."""
    if output is None:
        typer.echo(text, nl=False)
        return
    require_apart([Output(output, "the SQL")], [Input(stated, "what is exported"), *read])
    with appearing(output) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
    typer.echo(f"{output} written")


def _reported(path: Path, original: Path | None, hierarchies: list[str]) -> Solution:
    """The recoding that a report states, of the data that it is about."""
    report = read_report(path)
    stated = Stated.of(report, path, named_sources(hierarchies, "--hierarchy"))
    stated.require_hierarchies()
    named = report["project"]["data"].get("source")
    if original is None and not isinstance(named, str):
        raise InputError(f"{path.name} does not say where its data is; give --original DATA.")
    data = path.parent / str(named) if original is None else original
    there = file_sha256(data)
    if there is None:
        raise InputError(f"There is no file '{data}', which {path.name} is about; give --original DATA.")
    if report["hashes"]["input"]["sha256"] not in {None, there}:
        raise InputError(f"'{data}' is not the data that {path.name} is about; give that, or solve anew.")
    if stated.foreign:
        raise InputError(f"{stated.foreign[0]} is not a model that is known here; export in Python instead.")
    problem = stated.problem(data)
    return problem.solve(given(report["recoding"], stated.project.form.about), seed=report["seed"])
