"""sfumato check: what a published file really attains."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.options import AsJson, Declared, Given, Published, ShowValues
from sfumato.cli.parts import parse_part
from sfumato.cli.texts import dialect, named_sources, names, sensitive_columns, with_dialect, with_engine
from sfumato.errors import InputError
from sfumato.settings.data_options import ENGINE
from sfumato.settings.given import place_of
from sfumato.settings.json_file import read_json
from sfumato.settings.uri import Uri

if TYPE_CHECKING:
    from sfumato.hierarchies import HierarchySource

_Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--qi",
        metavar="NAME,…",
        help="The quasi-identifiers. Repeatable. NAME=HIERARCHY where models compare with a population.",
    ),
]
_Reference = Annotated[
    Any,
    typer.Option(
        parser=place_of,
        metavar="FILE",
        help="The original data (CSV), or the JSON of the release: models such as t-closeness compare with it.",
    ),
]
_Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME,…", help="Columns of a table that hold sets of items. Repeatable."),
]


def check(
    released: Published,
    *,
    required: Annotated[Given, Declared("require", required=True)],
    qi: _Columns = None,
    options: Annotated[Given, Declared("sensitive", "unit", "delimiter", "quote", "encoding")],
    reference: _Reference = None,
    columns: Annotated[Given, Declared("transaction", "item")],
    sets: _Sets = None,
    divided: Annotated[Given, Declared("separator")],
    engine: Annotated[Given, Declared(*ENGINE)],
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Say whether the requirements hold in RELEASED, by counting who looks alike there (exit code 1 if they do not).

    It reads the published values only, and shares no code with the searches: files of other tools can be checked too.
    Published transactions have no --qi.

    Examples:

        sfumato check released.csv --qi age,zipcode,sex --require k-anonymity:k=5

        sfumato check released.txt --require km-anonymity:k=5,m=2
    """
    from sfumato import check as audit_of, privacy

    protected = sensitive_columns(options["sensitive"])
    models = [parse_part(text, privacy, "privacy model", list(protected)) for text in required["require"]]
    lines = bool(sets or columns["item"]) or released.name.lower().removesuffix(".gz").endswith((".txt", ".dat"))
    if not qi and not lines and not any(isinstance(model, privacy.ItemsetModel) for model in models):
        raise InputError("--qi is missing: name the columns that an attacker may know, as in --qi age,sex.")
    csv = dialect(options)
    audit = audit_of(
        with_engine(with_dialect(released, csv) if csv else released, engine),
        quasi_identifiers=_quasi_identifiers(qi or []) or ([] if sets else None),
        sensitive=protected,
        constraints=models,
        unit=options["unit"],
        reference=_reference(reference) if reference else None,
        **columns,
        **divided,
        sets=names(sets),
    )
    typer.echo(json.dumps({"holds": audit.holds, **asdict(audit)}) if as_json else str(audit))
    return 0 if audit.holds else 1


def _quasi_identifiers(texts: list[str]) -> Mapping[str, HierarchySource] | list[str] | None:
    """The columns, with their hierarchies if one has any."""
    if any("=" in text for text in texts):
        return named_sources(texts, "--qi")
    return names(texts) if texts else None


def _reference(path: Path | Uri) -> object:
    """What the input looked like: its own file, or the part of a report that tells."""
    if path.suffix.lower() != ".json":
        return path
    report = read_json(path, "give the JSON of the release, or the data")
    if not isinstance(report, dict) or not isinstance(report.get("reference"), dict):
        raise InputError(f"'{path}' has no reference; give the JSON of the release, or the data.")
    return report["reference"]
