"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Annotated

import typer

from sfumato.cli.completion import names_of

_REQUIRE = typer.Option(
    "--require",
    metavar="MODEL:key=value,…",
    help="What must hold, such as `k-anonymity:k=5`. Repeatable.",
    autocompletion=names_of("privacy"),
)
Require = Annotated[list[str], _REQUIRE]
RequireOrProject = Annotated[list[str] | None, _REQUIRE]
Sensitive = Annotated[
    list[str] | None,
    typer.Option("--sensitive", metavar="NAME", help="A column whose values must not be learnt. Repeatable."),
]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The column that says whose record it is, if a person may have several: k counts persons."
    ),
]
Delimiter = Annotated[
    str | None, typer.Option(metavar="C", help="Between the cells of a CSV file; told from its header by default.")
]
Quote = Annotated[str | None, typer.Option(metavar="C", help="Around cells of a CSV file that hold a delimiter.")]
Encoding = Annotated[str | None, typer.Option(metavar="NAME", help="Of a CSV file, if it is not UTF-8.")]
Decimal = Annotated[str | None, typer.Option(metavar="C", help="`,` if a CSV file has numbers like 1,5.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
ShowValues = Annotated[
    bool, typer.Option("--show-values", help="If values of the data are the problem, print them to the terminal.")
]


def dialect(delimiter: str | None, quote: str | None, encoding: str | None, decimal: str | None) -> dict[str, str]:
    """What options say about a CSV file, as keywords of `CsvFile`."""
    tab = {"\\t": "\t", "tab": "\t"}  # hard to type in a shell
    given = {
        "delimiter": tab.get(delimiter or "", delimiter),
        "quote": quote,
        "encoding": encoding,
        "decimal": decimal,
    }
    return {key: value for key, value in given.items() if value is not None}


def names(texts: Iterable[str] | None) -> list[str]:
    """Column names, given one by one or separated by commas; a name with a comma stands in quotation marks."""
    rows = csv.reader(texts or [], skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]
