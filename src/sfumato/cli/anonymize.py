"""sfumato anonymize: from a CSV file, or a project file, to a checked release with the least possible loss."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.completion import names_of
from sfumato.cli.interruption import saying_what_is_written
from sfumato.cli.options import (
    AsJson,
    Decimal,
    Delimiter,
    Encoding,
    LossName,
    MemoryLimit,
    Qi,
    Quote,
    RecodingName,
    RequireOrProject,
    Sensitive,
    Separator,
    ShowValues,
    Strip,
    SuppressionLimit,
    SuppressionName,
    Target,
    Threads,
    Unit,
    dialect,
    names,
    sensitive_columns,
)
from sfumato.cli.projects import Overrides, is_project, project_of, require_options
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.solution import Solution


def anonymize(
    data: Annotated[
        Path,
        typer.Argument(help="CSV (also .csv.gz), Parquet or a DuckDB database; or a project file (sfumato.toml)."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="The release: .csv, .csv.gz, .parquet or .duckdb."),
    ] = None,
    require: RequireOrProject = None,
    qi: Qi = None,
    sensitive: Sensitive = None,
    target: Target = None,
    unit: Unit = None,
    weight: Annotated[
        str | None, typer.Option(metavar="NAME", help="A survey weight, a number from 0 up, published as it is.")
    ] = None,
    identifier: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A column that names people: dropped. Repeatable.")
    ] = None,
    insensitive: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A column published as it is. Repeatable.")
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=HIERARCHY",
            help="A column of sets of items, and how items may be blurred, such as `items=fanout:5`. Repeatable.",
        ),
    ] = None,
    separator: Separator = None,
    loss: LossName = None,
    recoding: RecodingName = None,
    suppression: SuppressionName = None,
    suppression_limit: SuppressionLimit = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The search, or `auto`, the default.", autocompletion=names_of("algorithms", "auto")
        ),
    ] = None,
    set_recoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Of columns of sets: `item-cut`, the default, or `local-items`.",
            autocompletion=names_of("recoding", transactions=True),
        ),
    ] = None,
    set_algorithm: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The search for columns of sets; `auto` by default.",
            autocompletion=names_of("algorithms", "auto", transactions=True),
        ),
    ] = None,
    time_limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop the search after 60s, 5m …, and take the best so far.")
    ] = None,
    threads: Threads = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Decides the order of the released rows, and all that is drawn by lot; 0 by default.",
        ),
    ] = None,
    strip: Strip = False,
    delimiter: Delimiter = None,
    quote: Quote = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    memory_limit: MemoryLimit = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write a report about the release, as a page and, beside it, as JSON."),
    ] = None,
    front: Annotated[
        bool, typer.Option("--front", help="With --report: show there what every other k (or l, t …) would cost.")
    ] = False,
    query: Annotated[
        list[str] | None,
        typer.Option(
            "--query",
            metavar="NAME=LOW..HIGH,NAME=A|B",
            help="With --report: how well the release lets one count the records that have this. Repeatable.",
        ),
    ] = None,
    spreadsheet_safe: Annotated[
        bool,
        typer.Option("--spreadsheet-safe", help="Texts that a spreadsheet takes for formulas get an apostrophe."),
    ] = False,
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Blur DATA until the requirements hold, with the least possible loss, and write it.

    DATA is a CSV file that starts with a line that names its columns (also .csv.gz), a Parquet file or a folder of
    them, or a table of a DuckDB database (`clinic.duckdb::visits`). It needs --qi, --require and -o; columns without a
    role are left out. Or DATA is a project file, which says all this itself (`sfumato init` drafts one); options
    override what it says.

    The release is checked independently before it gets its name. Nothing is written if the requirements cannot be met
    (exit code 1). Ctrl-C stops the search and takes the best so far.

    Examples:

        sfumato anonymize people.csv -o released.csv \\
            --qi age=intervals:5,10,20,40 --qi zipcode=zipcode.csv --qi sex=flat \\
            --sensitive disease --require k-anonymity:k=5 --suppression-limit 1%

        sfumato anonymize visits.csv -o released.csv --qi age=intervals:5,10,20 --set diagnoses=codes.csv \\
            --require k-anonymity:k=5 --require km-anonymity:k=5,m=2

        sfumato anonymize sfumato.toml --require k-anonymity:k=10 -o released-10.csv
    """
    options = Overrides(
        qi=qi or [],
        sensitive=sensitive_columns(sensitive),
        target=target,
        unit=unit,
        weight=weight,
        identifiers=names(identifier),
        insensitive=names(insensitive),
        sets=sets or [],
        separator=separator,
        strip=strip,
        require=require or [],
        loss=loss,
        recoding=recoding,
        suppression=suppression,
        suppression_limit=suppression_limit,
        algorithm=algorithm,
        set_recoding=set_recoding,
        set_algorithm=set_algorithm,
        time_limit=time_limit,
        threads=threads,
        seed=seed,
        memory_limit=memory_limit,
        output=output,
        report=report,
        front=front,
        queries=query or [],
        csv=dialect(delimiter, quote, encoding, decimal),
        spreadsheet_safe=spreadsheet_safe,
    )
    if not is_project(data):
        require_options("anonymize", data, {"--output": output, "--qi": qi, "--require": require})
    project = project_of(data, options)
    if project.output is None:
        raise InputError(f"{data.name} does not say where the release goes; give output in [release], or -o OUT.")
    with saying_what_is_written(project.output, *project.reports):
        solution = project.run(progress=sys.stderr.isatty())
        _tell(solution, [project.output, *project.reports], as_json)
    if solution.recoding is not None:
        return 0
    return 130 if solution.interrupted else 1


def _tell(solution: Solution, written: list[Path], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(solution.to_json()))
    elif solution.recoding is not None:
        typer.echo(f"{solution}\n{written[0]} written and checked")
        if written[1:]:
            typer.echo(f"report: {' and '.join(map(str, written[1:]))}")
    else:
        typer.echo(f"sfumato: {solution}; nothing was written", err=True)
