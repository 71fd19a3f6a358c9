"""sfumato transactions: from sets of items to a checked release with the least possible loss."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sfumato.cli.options import DIALECT, AsJson, Declared, Given, ShowValues
from sfumato.cli.projects import project_of, require_form, require_options
from sfumato.cli.running import run_project
from sfumato.settings.given import place_of
from sfumato.settings.option import TRANSACTIONS


def transactions(
    data: Annotated[
        Any,
        typer.Argument(
            parser=place_of,
            metavar="DATA",
            help="Text with a transaction per line (also .gz); a table with columns, or its URI; or a project file.",
        ),
    ],
    options: Annotated[
        Given,
        Declared(
            *("output", "hierarchy", "require", "transaction", "item", "separator", "multiset", "loss", "recoding"),
            *("algorithm", "at", "time_limit", "threads", "seed", *DIALECT, "memory_limit", "report"),
            *("front", "spreadsheet_safe"),
        ),
    ],
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Blur the items of DATA until the requirements hold, with the least possible loss, and write it.

    DATA has a transaction per line, items separated by white space; or it is a table with a row per transaction and
    item, whose columns --transaction and --item name. It needs --hierarchy, --require and -o. Any item may identify
    somebody: a requirement such as km-anonymity protects from those who know some items of a transaction. Or DATA is a
    project file of transactions, which says all this itself (`sfumato init` drafts one); options override what it says.

    The release is checked independently before it gets its name. Nothing is written if the requirements cannot be met
    (exit code 1). Ctrl-C stops the search and takes the best so far.

    Example:

        sfumato transactions baskets.txt -o released.txt --hierarchy fanout:5 --require km-anonymity:k=5,m=2
    """
    require_options("transactions", data, options, "output", "hierarchy", "require")
    project = project_of(data, options, TRANSACTIONS)
    require_form(project, data, f"run it with sfumato anonymize {data}", TRANSACTIONS)
    return run_project(project, data.name, as_json=as_json)
