"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.hierarchies import HierarchySource

Require = Annotated[
    list[str],
    typer.Option(
        "--require", metavar="MODEL:key=value,…", help="What must hold, such as `k-anonymity:k=5`. Repeatable."
    ),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitive",
        metavar="NAME[=HIERARCHY]",
        help="A column whose values must not be learnt, with a hierarchy where a model needs one. Repeatable.",
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


def sensitive_columns(texts: Iterable[str] | None) -> dict[str, HierarchySource | None]:
    """Sensitive columns, each with its hierarchy if it has one: `disease`, or `disease=disease.csv`."""
    from sfumato.hierarchies import parse_source

    found: dict[str, HierarchySource | None] = {}
    for text in names(texts):
        name, given, hierarchy = text.partition("=")
        if given and not (name and hierarchy):
            raise InputError(f"--sensitive {text} is no column with a hierarchy; write it like disease=disease.csv.")
        found[name] = parse_source(hierarchy) if given else None
    return found


def seconds(text: str | None) -> float | None:
    """A time such as 60, 60s, 5m or 1h."""
    if text is None:
        return None
    number, unit = (text[:-1], text[-1]) if text.endswith(("s", "m", "h")) else (text, "s")
    try:
        return float(number) * {"s": 1, "m": 60, "h": 3600}[unit]
    except (KeyError, ValueError):
        raise InputError(f"--time-limit {text} is no time; write 60s, 5m or 1h.") from None
