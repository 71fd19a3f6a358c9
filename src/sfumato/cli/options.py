"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Annotated

import typer

from sfumato.errors import InputError

Require = Annotated[
    list[str],
    typer.Option(
        "--require", metavar="MODEL:key=value,…", help="What must hold, such as `k-anonymity:k=5`. Repeatable."
    ),
]
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


def seconds(text: str | None) -> float | None:
    """A time such as 60, 60s, 5m or 1h."""
    if text is None:
        return None
    number, unit = (text[:-1], text[-1]) if text.endswith(("s", "m", "h")) else (text, "s")
    try:
        return float(number) * {"s": 1, "m": 60, "h": 3600}[unit]
    except (KeyError, ValueError):
        raise InputError(f"--time-limit {text} is no time; write 60s, 5m or 1h.") from None
