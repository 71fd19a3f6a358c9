"""sfumato anonymize: from a CSV file to a checked release with the least possible loss."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.options import AsJson, Require, Sensitive, ShowValues, names, seconds
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.hierarchies import HierarchySource
    from sfumato.problem import Problem
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
            help="A quasi-identifier and how it may be blurred: a file, `intervals:5,10,20`, `fanout:5` or `flat`. Repeatable.",
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
    threads: Annotated[int | None, typer.Option(metavar="N", help="Threads; all processors by default.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides the order of the released rows.")] = 0,
    strip: Annotated[bool, typer.Option("--strip", help="Trim spaces around values before they are looked up.")] = False,
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Blur a table until the requirements hold, with the least possible loss, and write it.

    The release is checked independently before it gets its name. Nothing is written if the requirements cannot be met
    (exit code 1). Ctrl-C stops the search and takes the best so far.

    Example:

        sfumato anonymize people.csv -o released.csv --qi age=intervals:5,10,20,40 --qi zipcode=zipcode.csv
        --qi sex=flat --sensitive disease --require k-anonymity:k=5 --suppression-limit 1%
    """
    from sfumato.data import Table  # noqa: PLC0415 - help and errors in the call come without the wait

    hierarchies = dict(_quasi_identifier(text) for text in qi)
    solver = _algorithm(algorithm)
    limit = seconds(time_limit)
    table = Table(
        data,
        quasi_identifiers=hierarchies,
        sensitive=names(sensitive),
        target=target,
        identifiers=names(identifier),
        insensitive=names(insensitive),
        strip=strip,
    )
    problem = _problem(table, require, loss, recoding, suppression, suppression_limit)
    solution = problem.solve(solver, time_limit=limit, threads=threads, seed=seed, progress=sys.stderr.isatty())  # type: ignore[arg-type]
    if solution.recoding is not None:
        solution.write(output)
    _tell(solution, output, as_json)
    if solution.recoding is not None:
        return 0
    return 130 if solution.interrupted else 1


def _quasi_identifier(text: str) -> tuple[str, HierarchySource]:
    from sfumato.hierarchies import parse_source  # noqa: PLC0415

    name, equals, hierarchy = text.partition("=")
    if not equals or not hierarchy:
        raise InputError(f"--qi {text} has no hierarchy; write it like {name}=flat, {name}=intervals:5,10 or {name}=file.csv.")
    return name, parse_source(hierarchy)


def _algorithm(text: str) -> object | None:
    from sfumato import algorithms  # noqa: PLC0415
    from sfumato.cli.parts import parse_part  # noqa: PLC0415

    return None if text == "auto" else parse_part(text, algorithms, "algorithm")


def _problem(
    table: object, require: list[str], loss: str, recoding: str, suppression: str | None, suppression_limit: str | None
) -> Problem:
    from sfumato import loss as losses  # noqa: PLC0415
    from sfumato import privacy, recoding as recodings  # noqa: PLC0415
    from sfumato.cli.parts import parse_part  # noqa: PLC0415
    from sfumato.data import Table  # noqa: PLC0415
    from sfumato.problem import Problem  # noqa: PLC0415

    assert isinstance(table, Table)
    settings = {"suppression": suppression, "suppression_limit": suppression_limit}
    extra = ",".join(f"{key}={value}" for key, value in settings.items() if value is not None)
    if extra:
        recoding += (":" if ":" not in recoding else ",") + extra
    return Problem(
        table,
        [parse_part(text, privacy, "privacy model", table.sensitive) for text in require],
        parse_part(loss, losses, "loss"),
        parse_part(recoding, recodings, "recoding"),
    )


def _tell(solution: Solution, output: Path, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(solution.to_json(), ensure_ascii=False))
        return
    typer.echo(str(solution))
    typer.echo(f"{output} written and checked" if solution.recoding is not None else "nothing was written")
