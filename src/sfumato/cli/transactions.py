"""sfumato transactions: from sets of items to a checked release with the least possible loss."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.completion import names_of
from sfumato.cli.interruption import saying_what_is_written
from sfumato.cli.options import AsJson, MemoryLimit, ShowValues, Threads


def transactions(
    data: Annotated[
        Path, typer.Argument(help="Text with a transaction per line (also .gz); or a CSV or Parquet file with columns.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="OUT", help="The release: .txt, .txt.gz, .csv or .parquet."),
    ],
    hierarchy: Annotated[
        str,
        typer.Option(metavar="H", help="How items may be blurred: a file, or `fanout:5`, `groups:20,5`, `flat` …"),
    ],
    require: Annotated[
        list[str],
        typer.Option(
            "--require",
            metavar="MODEL:key=value,…",
            help="What must hold, such as `km-anonymity:k=5,m=2`. Repeatable.",
            autocompletion=names_of("privacy", "k-anonymity", transactions=True),
        ),
    ],
    transaction: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of a table with a row per item: the column of transactions.")
    ] = None,
    item: Annotated[str | None, typer.Option(metavar="NAME", help="The column of items, or of lists of them.")] = None,
    separator: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Between the items of a line; white space by default.")
    ] = None,
    multiset: Annotated[
        str, typer.Option(metavar="NAME", help="An item twice in a transaction: `remove` one, or `count` it.")
    ] = "remove",
    loss: Annotated[
        str, typer.Option(metavar="NAME", help="What is minimised.", autocompletion=names_of("loss", transactions=True))
    ] = "ncp",
    recoding: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How items may be blurred: all alike (`item-cut`) or by parts (`local-items`).",
            autocompletion=names_of("recoding", transactions=True),
        ),
    ] = "item-cut",
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The search, such as `aa` or `vpa:parts=5`; `auto` by default.",
            autocompletion=names_of("algorithms", "auto", transactions=True),
        ),
    ] = "auto",
    time_limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop the search after 60s, 5m …, and take the best so far.")
    ] = None,
    threads: Threads = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Decides the order of the release.")] = 0,
    memory_limit: MemoryLimit = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a report: a page and, beside it, JSON.")
    ] = None,
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Blur the items of DATA until the requirements hold, with the least possible loss, and write it.

    DATA has a transaction per line, items separated by white space; or it is a table with a row per transaction and
    item, whose columns --transaction and --item name. Any item may identify: a requirement such as km-anonymity is
    about whoever knows some items of a transaction.

    The release is checked independently before it gets its name. Nothing is written if the requirements cannot be met
    (exit code 1). Ctrl-C stops the search and takes the best so far.

    Example:

        sfumato transactions baskets.txt -o released.txt --hierarchy fanout:5 --require km-anonymity:k=5,m=2
    """
    import sfumato as sf
    from sfumato import algorithms, loss as losses, privacy, recoding as recodings
    from sfumato.cli.parts import parse_part
    from sfumato.data.inputs import Output, data_inputs, require_apart
    from sfumato.hierarchies import parse_source
    from sfumato.itemset_release import drafted, writable
    from sfumato.project import report_files, report_outputs
    from sfumato.release import model_inputs

    models = [parse_part(text, privacy, "privacy model") for text in require]
    search = None if algorithm == "auto" else parse_part(algorithm, algorithms, "algorithm")
    items = parse_source(hierarchy)
    outputs = [Output(writable(output)[0], "the release"), *report_outputs(report)]
    require_apart(outputs, [*data_inputs(data, {item or "item": items}), *model_inputs(models)])
    with saying_what_is_written(*(one.path for one in outputs)):
        baskets = sf.Transactions(
            data,
            hierarchy=items,
            transaction=transaction,
            item=item,
            separator=separator,
            multiset=multiset,
            memory_limit=memory_limit,
            progress=sys.stderr.isatty(),
        )
        problem = sf.Problem(
            baskets,  # type: ignore[arg-type]
            models,
            parse_part(loss, losses, "loss"),
            parse_part(recoding, recodings, "recoding"),
        )
        solution = problem.solve(
            search,
            time_limit=time_limit,
            threads=threads,
            seed=seed,
            memory_limit=memory_limit,
            progress=sys.stderr.isatty(),
        )
        if solution.recoding is not None:
            with drafted(solution, output) as draft:  # type: ignore[arg-type]
                if report is not None:
                    solution.report(*report_files(report), released=draft)
        if as_json:
            typer.echo(json.dumps(solution.to_json()))
        elif solution.recoding is not None:
            typer.echo(f"{solution}\n{output} written and checked")
        else:
            typer.echo(f"sfumato: {solution}; nothing was written", err=True)
    if solution.recoding is not None:
        return 0
    return 130 if solution.interrupted else 1
