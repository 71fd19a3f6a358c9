"""Remarks: what somebody who knows the data should look at before anything is published, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.profile.columns import ColumnProfile
from sfumato.profile.roles import Role

if TYPE_CHECKING:
    from sfumato.profile.draft import Draft


_TELLING = 0.5  # different values per record of a sensitive column that tell records apart


@dataclass(frozen=True)
class Remark:
    """A column, and a sentence or two about it, without a value of the data."""

    column: str
    text: str


def remarks(draft: Draft) -> list[Remark]:
    """All that is remarkable, in the order of the columns."""
    return [Remark(name, text) for name, column in draft.profile.columns.items() for text in _about(draft, column)]


def _about(draft: Draft, column: ColumnProfile) -> Iterator[str]:
    role = draft.guesses[column.name].role
    if draft.repeats.get(column.name) and draft.unit in (None, column.name):
        yield _repeated(draft, column)
    if role is Role.NONE and draft.guesses[column.name].advice:
        yield draft.guesses[column.name].advice
    if role is Role.SENSITIVE and column.uniqueness >= _TELLING:
        yield (
            f"it is published as it is, and has {column.uniqueness:.0%} as many values as records: whoever knows "
            "somebody's value finds the record. Round it, or code it into bands, before you publish it."
        )
    if column.cleaned is None or role in (Role.IDENTIFIER, Role.NONE):
        return
    blurred = role is Role.QUASI_IDENTIFIER
    if column.cleaned.spellings:
        number = f"{len(column.cleaned.meant):,} values seem to be {len(column.cleaned.rows):,} in several spellings"
        if blurred:
            yield f"{number}; they are put together (min_level in [recoding]). Better, correct them in the data."
        else:
            yield f"{number}, which count as different values, also for l-diversity: correct them in the data."
    if column.cleaned.unknown:
        rows = sum((column.rows or {}).get(text, 0) for text in column.cleaned.unknown)
        coded = f"{rows:,} records have no number, or one that usually means 'unknown' (like n/a, 999 or -1)"
        here = "its hierarchy sets them apart. " if blurred else ""
        yield f"{coded}; {here}Better, leave these cells empty."


def _repeated(draft: Draft, column: ColumnProfile) -> str:
    """People with several records are counted several times: k-anonymity would promise too much."""
    rows = column.records - column.missing
    values = f"{rows - draft.repeats[column.name]:,} values in {column.records:,} records"
    if draft.unit == column.name:
        return (
            f"{values}: persons have several records, so k counts persons, not records (unit in the project file). "
            "If it does not stand for persons, take unit out."
        )
    return f"{values}. If they stand for persons, name it as unit in the project file, so that k counts persons."
