"""sfumato anonymize: from a CSV file to a checked release with the least possible loss."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.options import AsJson, Require, Sensitive, ShowValues, names, seconds, sensitive_columns
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.hierarchies import HierarchySource
    from sfumato.solution import Solution


def anonymize(
    data: Annotated[Path, typer.Argument(help="A CSV file (also .csv.gz) with a header line.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="OUT", help="The release, a CSV file.")],
    require: Require,
    qi: Annotated[
        list[str],
        typer.Option(
            "--qi",
            metavar="NAME=HIERARCHY",
            help="A column that an attacker may know, and how it may be blurred: a file, "
            "`intervals:5,10,20`, `fanout:5` or `flat`. Repeatable.",
        ),
    ],
    sensitive: Sensitive = None,
    target: Annotated[str | None, typer.Option(metavar="NAME", help="A class attribute, published as it is.")] = None,
    identifier: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A column that names people: dropped. Repeatable.")
    ] = None,
    insensitive: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A column published as it is. Repeatable.")
    ] = None,
    loss: Annotated[str, typer.Option(metavar="NAME", help="What is minimised, such as `lm:weights.age=2`.")] = "lm",
    recoding: Annotated[
        str, typer.Option(metavar="NAME", help="How values may be blurred, such as `full-domain:max_level.age=2`.")
    ] = "full-domain",
    suppression: Annotated[
        str | None, typer.Option(metavar="NAME", help="What happens to classes that violate: all-records or none.")
    ] = None,
    suppression_limit: Annotated[
        str | None, typer.Option(metavar="SHARE", help="How many records may be suppressed, such as 1%.")
    ] = None,
    algorithm: Annotated[str, typer.Option(metavar="NAME", help="The search, or auto.")] = "auto",
    time_limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop the search after 60s, 5m …, and take the best so far.")
    ] = None,
    threads: Annotated[int | None, typer.Option(metavar="N", min=1, help="Threads; all processors by default.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Decides the order of the released rows.")] = 0,
    strip: Annotated[
        bool, typer.Option("--strip", help="Trim spaces around values before they are looked up.")
    ] = False,
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Blur DATA, a CSV file, until the requirements hold, with the least possible loss, and write it.

    DATA starts with a line that names its columns; it may be compressed (.csv.gz). Columns without a role are left out.
    The release is checked independently before it gets its name. Nothing is written if the requirements cannot be met
    (exit code 1). Ctrl-C stops the search and takes the best so far.

    Example:

        sfumato anonymize people.csv -o released.csv \\
            --qi age=intervals:5,10,20,40 --qi zipcode=zipcode.csv --qi sex=flat \\
            --sensitive disease --require k-anonymity:k=5 --suppression-limit 1%
    """
    from sfumato.data import Table
    from sfumato.problem import Problem
    from sfumato.release import writable

    # Whatever can be wrong with the call is said before the data is read.
    if writable(output).resolve() == data.resolve():
        raise InputError(f"'{output}' is the data itself; write the release to another file.")
    hierarchies = _quasi_identifiers(qi)
    protected = sensitive_columns(sensitive)
    constraints, minimised, blurring, solver = _parts(
        require, list(protected), loss, _with_suppression(recoding, suppression, suppression_limit), algorithm
    )
    limit = seconds(time_limit)
    table = Table(
        data,
        quasi_identifiers=hierarchies,
        sensitive=protected,
        target=target,
        identifiers=names(identifier),
        insensitive=names(insensitive),
        strip=strip,
    )
    problem = Problem(table, constraints, minimised, blurring)
    solution = problem.solve(solver, time_limit=limit, threads=threads, seed=seed, progress=sys.stderr.isatty())
    if solution.recoding is not None:
        solution.write(output)
    _tell(solution, output, as_json)
    if solution.recoding is not None:
        return 0
    return 130 if solution.interrupted else 1


def _quasi_identifiers(texts: list[str]) -> dict[str, HierarchySource]:
    from sfumato.hierarchies import parse_source

    sources: dict[str, HierarchySource] = {}
    for text in texts:
        name, _, hierarchy = text.partition("=")
        if not name or not hierarchy:
            like = name or "age"
            raise InputError(
                f"--qi {text} has no hierarchy; write {like}=flat, {like}=intervals:5,10 or {like}=file.csv."
            )
        if name in sources:
            raise InputError(f"--qi names '{name}' twice; give it one hierarchy.")
        sources[name] = parse_source(hierarchy)
    return sources


def _with_suppression(recoding: str, suppression: str | None, suppression_limit: str | None) -> str:
    """The recoding with the settings that have options of their own."""
    settings = {"suppression": suppression, "suppression_limit": suppression_limit}
    extra = [f"{key}={value}" for key, value in settings.items() if value is not None]
    return recoding + (("," if ":" in recoding else ":") + ",".join(extra) if extra else "")


def _parts(
    require: list[str], sensitive: list[str], loss: str, recoding: str, algorithm: str
) -> tuple[Any, Any, Any, Any]:
    """The constraints, loss, recoding and algorithm that the texts name."""
    from sfumato import algorithms, privacy
    from sfumato import loss as losses
    from sfumato import recoding as recodings
    from sfumato.cli.parts import parse_part

    return (
        [parse_part(text, privacy, "privacy model", sensitive) for text in require],
        parse_part(loss, losses, "loss"),
        parse_part(recoding, recodings, "recoding"),
        None if algorithm == "auto" else parse_part(algorithm, algorithms, "algorithm"),
    )


def _tell(solution: Solution, output: Path, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(solution.to_json()))
    elif solution.recoding is not None:
        typer.echo(f"{solution}\n{output} written and checked")
    else:
        typer.echo(f"sfumato: {solution}; nothing was written", err=True)
