"""sfumato list: every model, loss, recoding, algorithm and remedy, with its paper."""

from __future__ import annotations

import json

import typer

from sfumato.cli.options import AsJson
from sfumato.cli.parts import spelling
from sfumato.settings.registry import parts, settings


def list_parts(as_json: AsJson = False) -> int:
    """Print every privacy model, loss, recoding, algorithm and remedy, with its settings and its paper.

    Example:

        sfumato list
    """
    from sfumato import algorithms, loss, privacy, project, recoding

    families = {"privacy models": privacy, "losses": loss, "recodings": recoding, "algorithms": algorithms}
    families |= {"remedies against minimality attacks": project.remedies}
    catalogue = {
        title: [
            {
                "name": part.name,
                "settings": [spelling(field) for field in settings(part)],
                "what": (part.__doc__ or "").splitlines()[0],
                "paper": part.paper,
            }
            for part in parts(family).values()
        ]
        for title, family in families.items()
    }
    if as_json:
        typer.echo(json.dumps(catalogue))
        return 0
    for title, entries in catalogue.items():
        typer.echo(title)
        for entry in entries:
            with_settings = f":{','.join(entry['settings'])}" if entry["settings"] else ""
            typer.echo(f"  {entry['name']}{with_settings}\n      {entry['what']}\n      {entry['paper']}")
    return 0
