"""sfumato check: what a published file really attains."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import AsJson, Delimiter, Encoding, Quote, Require, Sensitive, ShowValues, Unit, dialect, names
from sfumato.cli.projects import with_dialect


def check(
    released: Annotated[Path, typer.Argument(help="The published file: CSV, Parquet or a DuckDB database.")],
    qi: Annotated[list[str], typer.Option("--qi", metavar="NAME,…", help="The quasi-identifiers. Repeatable.")],
    require: Require,
    sensitive: Sensitive = None,
    unit: Unit = None,
    delimiter: Delimiter = None,
    quote: Quote = None,
    encoding: Encoding = None,
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Count the classes of RELEASED and say whether the requirements hold (exit code 1 if not).

    It reads the published values only, and shares no code with the searches: files of other tools can be checked too.

    Example:

        sfumato check released.csv --qi age,zipcode,sex --require k-anonymity:k=5
    """
    from sfumato import check as audit_of
    from sfumato import privacy
    from sfumato.cli.parts import parse_part

    protected = names(sensitive)
    models = [parse_part(text, privacy, "privacy model", protected) for text in require]
    csv = dialect(delimiter, quote, encoding, None)
    source = with_dialect(released, csv) if csv else released
    audit = audit_of(source, quasi_identifiers=names(qi), sensitive=protected, constraints=models, unit=unit)
    typer.echo(json.dumps({"holds": audit.holds, **asdict(audit)}) if as_json else str(audit))
    return 0 if audit.holds else 1
