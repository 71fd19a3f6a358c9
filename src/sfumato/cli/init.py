"""sfumato init: a first look at the data, and a project file that runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
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
    from sfumato.evaluate import Ranking, SinglingOut
    from sfumato.profile import ColumnProfile, Draft

_NUMBERS = {2: "two", 3: "three"}
_SETS = ("single items", "pairs of items")

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
    from sfumato.cli.init_transactions import init_transactions
    from sfumato.engines import ReadBy
    from sfumato.profile import PROJECT, draft, profile, require_free, transactions_in, write_project

    if is_project(data):
        raise InputError(f"'{data}' is a project file; give the data, and init writes a project file for it.")
    csv = dialect(options)
    if directory.exists() and not directory.is_dir():
        raise InputError(f"'{directory}' is a file; choose another directory.")
    require_free(directory / PROJECT, force=force)  # before the data is read
    source = with_engine(with_dialect(data, csv) if csv else data, engine)
    with saying_what_is_written(directory / PROJECT):
        said = transactions_in(data, source)
        if said is not None:
            return init_transactions(data, source, said, csv, directory, force=force, as_json=as_json)
        proposal = draft(profile(source))
        written = write_project(
            proposal, source if isinstance(source, ReadBy) else data, directory, csv=csv, force=force
        )
        typer.echo(json.dumps(_as_json(proposal, written)) if as_json else "\n".join(_sentences(proposal, written)))
    return 0


def _sentences(draft: Draft, written: list[Path]) -> list[str]:
    records = draft.profile.records
    project, *files = written
    return [
        f"{draft.profile.engine.name}: {records:,} records, {len(draft.profile.columns)} columns. "
        "No value of the data is shown.",
        "",
        *_table(draft),
        "",
        *_together(draft),
        *_rare(draft),
        *_remarked(draft),
        *_files(project, files),
        "Every role is a guess. Read the project file, correct it, and run it:",
        "",
        f"  sfumato anonymize {project}",
    ]


def _table(draft: Draft) -> list[str]:
    """The columns, one line each, aligned."""
    rows = [("column", "kind", "values", "missing", "alone", "role", "why")]
    for name, column in draft.profile.columns.items():
        guess, single = draft.guesses[name], column.singling_out
        values = f"{column.many - 1:,}+" if column.distinct is None else f"{column.distinct:,}"
        missing = f"{column.missing / column.records:.1%}" if column.missing else "–"
        role = f"{guess.role} + sensitive" if guess.role == "target" and name in draft.diversity else str(guess.role)
        alone = "?" if single is None else _percent(single.alone_share)
        rows.append((_shown(name), column.kind, values, missing, alone, role, guess.why))
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    aligned = ("<", "<", ">", ">", ">", "<")
    return [
        "  ".join([*(f"{cell:{side}{width}}" for cell, side, width in zip(row, aligned, widths)), row[-1]])  # noqa: B905
        for row in rows
    ]


def _together(draft: Draft) -> Iterator[str]:
    """How much several quasi-identifiers give away."""
    if several := {size: ranking for size, ranking in draft.rankings.items() if size > 1}:
        what = "What columns that others may know give away together"
        yield f"{what} (the only record with its values; one of fewer than 5):"
        yield from (line for size, ranking in several.items() for line in _ranked(size, ranking))
        yield ""


def _rare(draft: Draft) -> Iterator[str]:
    """How much the items of sets give away."""
    for name, rare in draft.rare.items():
        yield f"What items of {_shown(name)} give away (no item is shown):"
        yield from (f"  {n:,} {sets} are in fewer than 5 records" for sets, n in zip(_SETS, rare, strict=False))
        yield ""


def _ranked(size: int, ranking: Ranking) -> list[str]:
    """The sets of so many columns that single out most people."""
    if not any(one.small for one in ranking.sets):
        return [f"  no {_NUMBERS[size]} columns: all groups have {ranking.sets[0].k} or more"]
    note = "" if ranking.complete else f" (of {ranking.examined:,} sets that were counted; there are many more)"
    return [f"  {_NUMBERS[size]} columns{note}"] + [
        f"  {_percent(one.alone_share):>7} {_percent(one.small_share):>7}  {' + '.join(map(_shown, one.columns))}"
        for one in ranking.sets
        if one.small
    ]


def _remarked(draft: Draft) -> list[str]:
    """What to look at before anything is published."""
    if not (listed := draft.remarks):
        return []
    lines = (
        wrap(f"{_shown(one.column)}: {one.text}", 100, initial_indent="  ", subsequent_indent="    ") for one in listed
    )
    return ["To look at before anything is published:", *(line for block in lines for line in block), ""]


def _shown(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def _percent(share: float) -> str:
    return "0" if share == 0 else "<0.1%" if share < 0.001 else f"{share:.1%}"


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
