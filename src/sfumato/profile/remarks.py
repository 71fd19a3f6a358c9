"""Remarks: what somebody who knows the data should look at before anything is published, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.profile.columns import ColumnProfile
from sfumato.profile.roles import Guess, Role

_TELLING = 0.5  # different values per record of a sensitive column that tell records apart


@dataclass(frozen=True)
class Remark:
    """A column, and a sentence or two about it, without a value of the data."""

    column: str
    text: str


def remarks_on(column: ColumnProfile, guess: Guess, repeats: int, unit: str | None) -> Iterator[Remark]:
    """All that is remarkable about a column: its role as guessed, and rows that repeat a value of it."""
    yield from (Remark(column.name, text) for text in _about(column, guess, repeats, unit))


def _about(column: ColumnProfile, guess: Guess, repeats: int, unit: str | None) -> Iterator[str]:
    role = guess.role
    if repeats and unit in (None, column.name):
        yield _repeated(column, repeats, unit)
    if role is Role.NONE and guess.advice:
        yield guess.advice
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


def _repeated(column: ColumnProfile, repeats: int, unit: str | None) -> str:
    """People with several records are counted several times: k-anonymity would promise too much."""
    rows = column.records - column.missing
    values = f"{rows - repeats:,} values in {column.records:,} records"
    if unit == column.name:
        return (
            f"{values}: persons have several records, so k counts persons, not records (unit in the project file). "
            "If it does not stand for persons, take unit out."
        )
    return f"{values}. If they stand for persons, name it as unit in the project file, so that k counts persons."
