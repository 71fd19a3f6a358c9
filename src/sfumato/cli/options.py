"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.completion import names_of
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.hierarchies import HierarchySource

_REQUIRE = typer.Option(
    "--require",
    metavar="MODEL:key=value,…",
    help="What must hold, such as `k-anonymity:k=5`. Repeatable.",
    autocompletion=names_of("privacy"),
)
Require = Annotated[list[str], _REQUIRE]
RequireOrProject = Annotated[list[str] | None, _REQUIRE]
Qi = Annotated[
    list[str] | None,
    typer.Option(
        "--qi",
        metavar="NAME=HIERARCHY",
        help="A column that an attacker may know, and how it may be blurred: a file, "
        "`intervals:5,10,20`, `masking`, `dates:month,year`, `fanout:5` or `flat`. Repeatable.",
    ),
]
Target = Annotated[str | None, typer.Option(metavar="NAME", help="A class attribute, published as it is.")]
LossName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What is minimised, such as `lm:weights.age=2`; `lm` by default.",
        autocompletion=names_of("loss"),
    ),
]
RecodingName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How values may be blurred, such as `full-domain:max_level.age=2` or `full-subtree`; `full-domain` by "
        "default.",
        autocompletion=names_of("recoding"),
    ),
]
SuppressionName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What happens to classes that violate: `all-records` or `none`; with `--recoding full-subtree` also "
        "`violating-values`, `all-values` or `violating-records`.",
    ),
]
SuppressionLimit = Annotated[
    str | None, typer.Option(metavar="SHARE", help="How many records may be suppressed, such as 1%.")
]
Threads = Annotated[int | None, typer.Option(metavar="N", min=1, help="Threads; all processors by default.")]
Strip = Annotated[bool, typer.Option("--strip", help="Trim spaces around values before they are looked up.")]
MemoryLimit = Annotated[
    str | None, typer.Option(metavar="SIZE", help="Of reading, searching and writing, each, such as 4GB.")
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitive",
        metavar="NAME[=HIERARCHY]",
        help="A column whose values must not be learnt, with a hierarchy where a model needs one. Repeatable.",
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The column that says whose record it is, if a person may have several: k counts persons."
    ),
]
Separator = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Between the items of a set in a text; white space by default.")
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


def sensitive_columns(texts: Iterable[str] | None) -> dict[str, HierarchySource | None]:
    """Sensitive columns, each with its hierarchy if it has one: `disease`, or `disease=disease.csv`."""
    found: dict[str, HierarchySource | None] = {}
    for text in names(texts):
        name, given, hierarchy = text.partition("=")
        if given and not (name and hierarchy):
            raise InputError(f"--sensitive {text} is no column with a hierarchy; write it like disease=disease.csv.")
        found[name] = _source(hierarchy) if given else None
    return found


def _source(text: str) -> HierarchySource:
    from sfumato.hierarchies import parse_source  # only who gives one waits for it

    return parse_source(text)
