"""sfumato check: what a published file really attains."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import (
    AsJson,
    Delimiter,
    Encoding,
    Quote,
    Require,
    Sensitive,
    Separator,
    ShowValues,
    Unit,
    dialect,
    names,
    sensitive_columns,
)
from sfumato.cli.projects import named_sources, with_dialect
from sfumato.errors import InputError


def check(
    released: Annotated[Path, typer.Argument(help="The published file: CSV, Parquet or a DuckDB database.")],
    require: Require,
    qi: Annotated[
        list[str] | None,
        typer.Option(
            "--qi",
            metavar="NAME,…",
            help="The quasi-identifiers. Repeatable. NAME=HIERARCHY where models compare with a population.",
        ),
    ] = None,
    sensitive: Sensitive = None,
    unit: Unit = None,
    delimiter: Delimiter = None,
    quote: Quote = None,
    encoding: Encoding = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The original data (CSV), or the JSON of the release: models such as t-closeness compare with it.",
        ),
    ] = None,
    transaction: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of published transactions in rows: the column of transactions.")
    ] = None,
    item: Annotated[str | None, typer.Option(metavar="NAME", help="The column of items of such a file.")] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME,…", help="Columns of a table that hold sets of items. Repeatable."),
    ] = None,
    separator: Separator = None,
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Count the classes of RELEASED and say whether the requirements hold (exit code 1 if not).

    It reads the published values only, and shares no code with the searches: files of other tools can be checked too.
    Published transactions have no --qi.

    Examples:

        sfumato check released.csv --qi age,zipcode,sex --require k-anonymity:k=5

        sfumato check released.txt --require km-anonymity:k=5,m=2
    """
    from sfumato import check as audit_of, privacy
    from sfumato.cli.parts import parse_part

    protected = sensitive_columns(sensitive)
    models = [parse_part(text, privacy, "privacy model", list(protected)) for text in require]
    lines = bool(sets) or released.name.lower().removesuffix(".gz").endswith((".txt", ".dat")) or item is not None
    if not qi and not lines and not any(isinstance(model, privacy.ItemsetModel) for model in models):
        raise InputError("--qi is missing: name the columns that an attacker may know, as in --qi age,sex.")
    csv = dialect(delimiter, quote, encoding, None)
    audit = audit_of(
        with_dialect(released, csv) if csv else released,
        quasi_identifiers=(
            None if not qi else named_sources(qi, "--qi") if any("=" in text for text in qi) else names(qi)
        ),
        sensitive=protected,
        constraints=models,
        unit=unit,
        reference=_reference(reference) if reference else None,
        transaction=transaction,
        item=item,
        separator=separator,
        sets=names(sets),
    )
    typer.echo(json.dumps({"holds": audit.holds, **asdict(audit)}) if as_json else str(audit))
    return 0 if audit.holds else 1


def _reference(path: Path) -> object:
    """What the input looked like: its own file, or the part of a report that tells."""
    if path.suffix.lower() != ".json":
        return path
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise InputError(f"'{path}' is no JSON that can be read; give the JSON of the release, or the data.") from None
    if not isinstance(told, dict) or not isinstance(told.get("reference"), dict):
        raise InputError(f"'{path}' tells no reference; give the JSON of the release, or the data.")
    return told["reference"]
