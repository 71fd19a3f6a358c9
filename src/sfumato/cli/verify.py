"""sfumato verify: a report, recomputed from the published file and from the data."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from sfumato.cli.options import AsJson, Declared, Given, ShowValues
from sfumato.cli.texts import named_sources, with_engine
from sfumato.settings.data_options import ENGINE
from sfumato.settings.given import place_of


def verify(
    report: Annotated[Path, typer.Argument(metavar="REPORT.json", help="The report, as JSON.")],
    released: Annotated[Path, typer.Argument(metavar="RELEASED", help="The published file.")],
    *,
    original: Annotated[
        Any,
        typer.Option(
            parser=place_of,
            metavar="DATA",
            help="The data that the release was made from; then the cost is recomputed too.",
        ),
    ] = None,
    hierarchy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=HIERARCHY", help="In place of the hierarchy that the report names, if it is elsewhere."
        ),
    ] = None,
    engine: Annotated[Given, Declared(*ENGINE)],
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Recompute what REPORT.json claims about RELEASED, and name every difference (exit code 1 if there is one).

    The verdict comes first; then each line says what was compared with what. Without the data: hashes, what the
    published values attain, and that the bound is no larger than the cost. With --original also the cost, the
    hierarchies, that the published records are this data at the stated levels, and that each stands for a record of
    the data, and no record for two. It does not search: that no other choice loses less is proved again by running the
    project that the report states.

    Example:

        sfumato verify report.json released.csv --original people.csv
    """
    from sfumato.report import verify as verification_of

    data = None if original is None else with_engine(original, engine)
    verification = verification_of(report, released, data, named_sources(hierarchy or [], "--hierarchy"))
    if as_json:
        answer = {
            "holds": verification.holds,
            "verdict": verification.verdict,
            "findings": [asdict(finding) for finding in verification.findings],
        }
        typer.echo(json.dumps(answer, ensure_ascii=False))
    else:
        typer.echo(str(verification))
    return 0 if verification.holds else 1
