"""sfumato init: a first look at the data, and a project file that runs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.interruption import saying_what_is_written
from sfumato.cli.options import DIALECT, AsJson, Declared, Given, ShowValues
from sfumato.cli.projects import is_project
from sfumato.cli.texts import dialect, with_dialect, with_engine
from sfumato.errors import InputError
from sfumato.settings.data_options import ENGINE
from sfumato.settings.given import place_of

if TYPE_CHECKING:
    from sfumato.evaluate import SinglingOut
    from sfumato.profile import ColumnProfile, Draft

_Data = Annotated[
    Any,
    typer.Argument(parser=place_of, metavar="DATA", help="CSV (also .csv.gz), Parquet, a database, or a URI of such."),
]


def init(
    data: _Data,
    *,
    directory: Annotated[
        Path, typer.Option(metavar="DIR", help="Where sfumato.toml and the folder hierarchies go.")
    ] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
    options: Annotated[Given, Declared(*DIALECT)],
    engine: Annotated[Given, Declared(*ENGINE)],
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Look at DATA, guess what its columns are for and say why, and write a project file that runs as it is.

    Prints for every column its role, the reason, and how much it singles people out; then which pairs and triples of
    columns do so most. Writes sfumato.toml, and hierarchies as files to be edited.

    Columns of lists, or of texts such as E11|I10, are drafted as sets of items. A text file with a transaction per
    line, or a table with a column of transactions and one of items, is drafted as transactions.

    Neither what is printed nor the project file shows a value of the data. Hierarchy files hold the values of their
    column: keep them with the data.

    Example:

        sfumato init people.csv --directory project

        sfumato anonymize project/sfumato.toml
    """
    from sfumato import profile as drafts
    from sfumato.cli.init_transactions import init_transactions
    from sfumato.engines import ReadBy

    if is_project(data):
        raise InputError(f"'{data}' is a project file; give the data, and init writes a project file for it.")
    csv = dialect(options)
    if directory.exists() and not directory.is_dir():
        raise InputError(f"'{directory}' is a file; choose another directory.")
    drafts.require_free(directory / drafts.PROJECT, force=force)  # before the data is read
    source = with_engine(with_dialect(data, csv) if csv else data, engine)
    with saying_what_is_written(directory / drafts.PROJECT):
        said = drafts.transactions_in(data, source)
        if said is not None:
            return init_transactions(data, source, said, csv, directory, force=force, as_json=as_json)
        proposal = drafts.draft(drafts.profile(source))
        written = drafts.write_project(
            proposal, source if isinstance(source, ReadBy) else data, directory, csv=csv, force=force
        )
        typer.echo(json.dumps(_as_json(proposal, written)) if as_json else _text(proposal, written))
    return 0


def _text(draft: Draft, written: list[Path]) -> str:
    from sfumato.profile import draft_lines

    project, *files = written
    lines = [
        *draft_lines(draft),
        *_files(project, files),
        "Every role is a guess. Read the project file, correct it, and run it:",
        "",
        f"  sfumato anonymize {project}",
    ]
    return "\n".join(lines)


def _files(project: Path, files: list[Path]) -> list[str]:
    if not files:
        return [f"{project} written."]
    folder = files[0].parent
    return [
        f"{project} written, and {len(files)} hierarchies in {folder}{os.sep}. "
        "The hierarchies hold values of the data: keep them with it.",
    ]


def _as_json(draft: Draft, written: list[Path]) -> dict[str, Any]:
    project, *files = written
    return {
        "source": draft.profile.engine.name,
        "records": draft.profile.records,
        "columns": [_column_as_json(draft, column) for column in draft.profile.columns.values()],
        "unit": draft.unit,
        "remarks": [{"column": one.column, "text": one.text} for one in draft.remarks],
        "rare": {name: list(rare) for name, rare in draft.rare.items()},
        "singling_out": {str(size): [_set_as_json(s) for s in r.sets] for size, r in draft.rankings.items()},
        "project": str(project),
        "hierarchies": [str(path) for path in files],
    }


def _column_as_json(draft: Draft, column: ColumnProfile) -> dict[str, Any]:
    guess, single = draft.guesses[column.name], column.singling_out
    return {
        "name": column.name,
        "kind": column.kind,
        "values": column.distinct,
        "missing": column.missing,
        "alone": single and single.alone,
        "small": single and single.small,
        "role": guess.role.value,
        "sensitive": column.name in draft.diversity,
        "why": guess.why,
    }


def _set_as_json(one: SinglingOut) -> dict[str, Any]:
    return {"columns": list(one.columns), "classes": one.classes, "alone": one.alone, "small": one.small}
