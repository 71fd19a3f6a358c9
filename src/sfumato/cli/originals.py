"""The data that a release is compared with, and whether its records may belong to fewer people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.options import Given
from sfumato.cli.projects import is_project, project_of, require_form
from sfumato.cli.texts import names
from sfumato.errors import InputError
from sfumato.settings.options import NAMED
from sfumato.settings.uri import Uri
from sfumato.settings.wording import setting

if TYPE_CHECKING:
    from sfumato.data import Table

_PERSONS = 0.1  # values of a column per record: what has fewer hardly stands for people


def original_table(
    original: Path | Uri, report: Path | None, qi: list[str], said: Given, *, by_records: bool
) -> tuple[Table, list[str]]:
    """The data with its roles: as options say, as its project file does, or as a report of the release does; and notes.

    If options do not say whose a record is, and a column seems to, persons are counted, unless each record is a person.
    """
    given = {"qi": _with_hierarchies(qi, original), **said}
    if report is not None:
        return _reported(original, report, given), []
    table = _described(original, given)
    name = None if by_records or table.unit else _repeating(table)
    if name is None:
        return table, []
    if is_project(original):
        return table, [
            f"Values of '{name}' repeat. If they stand for people, say {setting('unit', name)}: here each record is "
            "taken for a person, and the risk of people with several records is higher."
        ]
    return _described(original, {**given, "unit": name}), [
        f"'{name}' seems to say whose a record is, so persons are counted, as with {setting('unit', name)}; if each "
        "record is about another person, say --records."
    ]


def _described(original: Path | Uri, given: Given) -> Table:
    """The data as options, or a project file, describe it."""
    from sfumato.data import Table

    project = project_of(original, given)
    require_form(project, original, "tables are compared here; sfumato check recounts published transactions")
    return Table(**project.data)


def _reported(original: Path | Uri, report: Path, given: Given) -> Table:
    """The data with the roles and hierarchies that a report states."""
    from sfumato.report.stated import Stated, read_report

    if is_project(original):
        raise InputError(
            f"{original.name} and --report both say what the columns are for; give the data with --report."
        )
    if said := next((name for name, value in given.items() if value), None):
        raise InputError(f"{NAMED[said].spelled[0]} and --report both say what the columns are for; leave one out.")
    stated = Stated.of(read_report(report), report, {})
    if stated.of_transactions:
        raise InputError(f"{report.name} is about transactions; tables are compared here. See sfumato check.")
    return stated.problem(original).data


def _repeating(table: Table) -> str | None:
    """A column without a role that seems to say whose a record is: then persons are at more risk than records."""
    from sfumato.profile.words import MAY_NAME_PEOPLE, NAMES_PEOPLE, hints

    for name in table.engine.columns:
        if name not in table.published and hints(name, {"person": NAMES_PEOPLE | MAY_NAME_PEOPLE}):
            values = [n for text, n in table.engine.distinct([name])[name].items() if text]
            if _PERSONS <= len(values) / max(sum(values), 1) < 1:
                return name
    return None


def _with_hierarchies(texts: list[str], original: Path | Uri) -> list[str]:
    """Each quasi-identifier as NAME=HIERARCHY; one without a hierarchy is published as it is, or not at all."""
    if is_project(original):
        return texts
    return [one for text in texts for one in ([text] if "=" in text else [f"{name}=flat" for name in names([text])])]
