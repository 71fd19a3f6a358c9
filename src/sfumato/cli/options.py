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
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
ShowValues = Annotated[
    bool, typer.Option("--show-values", help="If values of the data are the problem, print them to the terminal.")
]


def names(texts: Iterable[str] | None) -> list[str]:
    """Column names, given one by one or separated by commas; a name with a comma stands in quotation marks."""
    rows = csv.reader(texts or [], skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]
