"""Running a project: solve, release, report, and say what came of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sfumato.cli.interruption import saying_what_is_written
from sfumato.cli.top_table import top_json, top_lines
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.project import Project
    from sfumato.solution import Solution


def run_project(project: Project, called: str, *, as_json: bool) -> int:
    """Run the project, which messages call so; the exit code."""
    if project.output is None:
        raise InputError(f"{called} does not say where the release goes; give output in [release], or -o OUT.")
    outputs = [project.output, *project.reports]
    with saying_what_is_written(*outputs):
        solution = project.run(progress=sys.stderr.isatty())
        _tell(solution, outputs, as_json, without_reference=project.without_reference)
    if solution.recoding is not None:
        return 0
    return 130 if solution.interrupted else 1


def _tell(solution: Solution, written: list[Path], as_json: bool, *, without_reference: bool) -> None:
    several = len(solution.top) > 1
    if as_json:
        stated = solution.to_json() | ({"top": top_json(solution.top)} if several else {})
        typer.echo(json.dumps({k: v for k, v in stated.items() if not (without_reference and k == "reference")}))
    elif solution.recoding is not None:
        from sfumato.cli.examples import examples  # which imports what only a release needs

        typer.echo("\n".join([str(solution), *(top_lines(solution.top) if several else ())]))
        typer.echo("\n".join(examples(solution, written[0])))
        typer.echo(f"{written[0]} written and checked")
        if written[1:]:
            typer.echo(f"report: {' and '.join(map(str, written[1:]))}")
    else:
        typer.echo(f"sfumato: {solution}; nothing was written", err=True)
