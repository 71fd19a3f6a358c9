"""Roles: what each column is probably for, and why. Guesses, to be read by somebody who knows the data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sfumato.profile import words
from sfumato.profile.columns import MOST_VALUES, ColumnProfile
from sfumato.profile.sets import one_separator

_LEXICON = {
    "names": words.NAMES_PEOPLE,
    "may name": words.MAY_NAME_PEOPLE,
    "well known": words.WELL_KNOWN,
    "known": words.KNOWN,
    "sensitive": words.SENSITIVE,
    "rather sensitive": words.RATHER_SENSITIVE,
    "outcome": words.OUTCOME,
    "weight": words.SURVEY_WEIGHT,
    "amount": words.AMOUNTS,
    "text": words.TEXTS,
}
_UNIT = {"number": words.MAY_NAME_PEOPLE - words.NAMES_ONLY | words.PERSONAL_NUMBERS, "person": words.PERSONS}
_DIAGNOSIS = re.compile(r"[A-TV-Z]\d[0-9AB](\.[0-9A-Z]{1,4})?[+*!]?", re.ASCII)  # ICD-10
_FREE = 4  # words of a text that is free
_FREE_TEXT = "it is free text, which may say anything about anybody"
_NO_TEXT = "Left out, as free text may name people; to publish what it says, code it into a few categories first."
_NO_AMOUNTS = (
    "Left out, as nearly every record has an amount of its own; to publish it, round it first, or name it as a "
    "quasi-identifier with intervals."
)
_NO_ITEMS = "Left out, as sets cannot have a missing item; to publish them, leave such items out of the data first."
_FEW_CODES = 4
_NEARLY_UNIQUE = 0.9  # different values per record
_NAMES_MANY = 0.2  # the same, for a column that is called like an identifier
_FEW_RECORDS = 20  # too few to call anything nearly unique
_MANY_TEXTS = 1_000
_LARGEST_OUTCOME = 20  # values


class Role(StrEnum):
    """What a column is for; a column without a role is left out of the release."""

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi-identifier"
    SENSITIVE = "sensitive"
    TARGET = "target"
    INSENSITIVE = "insensitive"
    SETS = "sets of items"
    NONE = "left out"


@dataclass(frozen=True)
class Guess:
    """A role, and why, in a few words without data. Lower ranks come first where not all can have the role."""

    role: Role
    why: str
    rank: int = 0
    sensitive: bool = False  # it sounds sensitive, whatever its role
    advice: str = ""  # what to do about a column that is left out, in a sentence


def guess_roles(columns: Sequence[ColumnProfile]) -> dict[str, Guess]:
    """A role for each column by its name and by the look of its values; at most one is the target."""
    guesses = {column.name: _guess(column, last=column is columns[-1]) for column in columns}
    targets = [name for name, guess in guesses.items() if guess.role is Role.TARGET]
    for name in targets[:-1]:
        why = f"it could be an outcome, but so could {targets[-1]}, which comes later"
        guesses[name] = Guess(Role.QUASI_IDENTIFIER, why, rank=2)
    between = one_separator(column.sets for column in columns if column.sets is not None)
    for column in columns:
        if guesses[column.name].role is Role.SETS and column.sets and not column.sets.divided_by(between):
            why = f"{column.sets.why}, but in another column something else stands between them"
            guesses[column.name] = Guess(Role.NONE, why)
    return guesses


def _guess(column: ColumnProfile, *, last: bool) -> Guess:
    hints = words.hints(column.name, _LEXICON)
    return (
        _sets(column, hints)
        or _constant(column)
        or _by_telling_name(column, hints)
        or _outcome(column, hints, last)
        or _by_name(column, hints)
        or _by_look(column, hints)
    )


def _constant(column: ColumnProfile) -> Guess | None:
    if column.distinct == 0:
        return Guess(Role.NONE, "it is empty")
    if column.distinct == 1 and not column.missing:
        return Guess(Role.INSENSITIVE, "all records have the same value, so it distinguishes nobody")
    return None


def _by_telling_name(column: ColumnProfile, hints: Mapping[str, str]) -> Guess | None:
    if "weight" in hints:
        return Guess(Role.NONE, "it seems to be a survey weight, which can give a record away")
    if "names" in hints:
        return Guess(Role.IDENTIFIER, f"its name says '{hints['names']}'")
    if _is_called_name(column.name) and column.kind not in ("numbers", "dates") and column.many > _LARGEST_OUTCOME:
        return Guess(Role.IDENTIFIER, "it is called by the word for names")
    if "may name" in hints and not {"well known", "known"} & hints.keys() and column.uniqueness >= _NAMES_MANY:
        if _are_diagnoses(column):
            return _diagnoses(column)
        return Guess(Role.IDENTIFIER, f"its name says '{hints['may name']}', and {_how_many(column)}")
    return None


def _sets(column: ColumnProfile, hints: Mapping[str, str]) -> Guess | None:
    if column.sets is None or not column.rows or "names" in hints:
        return None
    if column.sets.lacking:
        lacking = f"in {column.sets.lacking:,} records an item is missing or empty"
        return Guess(Role.NONE, f"{column.sets.why}, but {lacking}", advice=_NO_ITEMS)
    return Guess(Role.SETS, column.sets.why)


def _outcome(column: ColumnProfile, hints: Mapping[str, str], last: bool) -> Guess | None:
    """A class that models are to be trained for: few values, and called so, or sensitive and the last column."""
    sensitive = hints.get("sensitive", hints.get("rather sensitive"))
    if not 2 <= column.many <= _LARGEST_OUTCOME or {"well known", "known"} & hints.keys():
        return None
    if "outcome" in hints:
        return Guess(Role.TARGET, f"its name says '{hints['outcome']}'", sensitive=sensitive is not None)
    if sensitive and last:
        return Guess(Role.TARGET, f"it comes last, as an outcome does, and says '{sensitive}'", sensitive=True)
    return None


def _by_name(column: ColumnProfile, hints: Mapping[str, str]) -> Guess | None:
    if column.rows is None:
        return _too_many(hints)
    for tier, kind in enumerate(("sensitive", "rather sensitive")):
        if kind in hints:  # the more even, the more there is to protect
            rank = 100 * tier + round(100 * max(column.shares))
            return Guess(Role.SENSITIVE, f"its name says '{hints[kind]}'", rank, sensitive=True)
    for rank, kind in enumerate(("well known", "known")):
        if kind in hints:
            return Guess(Role.QUASI_IDENTIFIER, f"its name says '{hints[kind]}', which others may know", rank)
    return None


def _too_many(hints: Mapping[str, str]) -> Guess:
    """A column whose values were not looked into."""
    many = f"it has more than {MOST_VALUES:,} different values"
    if "text" in hints:
        return Guess(Role.NONE, f"its name says '{hints['text']}', and {many}", advice=_NO_TEXT)
    if "amount" in hints:
        return Guess(Role.NONE, f"its name says '{hints['amount']}', and {many}", advice=_NO_AMOUNTS)
    return Guess(Role.NONE, many)


def _by_look(column: ColumnProfile, hints: Mapping[str, str]) -> Guess:
    enough = column.records - column.missing >= _FEW_RECORDS
    nearly_unique = column.uniqueness >= _NEARLY_UNIQUE and enough
    if _are_free_texts(column) and (nearly_unique or column.many > _MANY_TEXTS or "text" in hints):
        return Guess(Role.NONE, _FREE_TEXT, advice=_NO_TEXT)
    if column.kind == "numbers" and nearly_unique and ("amount" in hints or _have_decimals(column)):
        return Guess(Role.NONE, "nearly every record has an amount of its own", advice=_NO_AMOUNTS)
    if _are_diagnoses(column):
        return _diagnoses(column)
    if column.uniqueness >= _NEARLY_UNIQUE and enough and column.kind != "dates":
        return Guess(Role.IDENTIFIER, _how_many(column))
    if column.kind == "categories" and column.many > _MANY_TEXTS:
        advice = _NO_AMOUNTS if "amount" in hints else ""
        return Guess(Role.NONE, "it has too many different texts to be blurred by meaning", advice=advice)
    return Guess(Role.QUASI_IDENTIFIER, "nothing says that others cannot know it", rank=2)


def _is_called_name(name: str) -> bool:
    """Whether the word for names is all that a column is called."""
    said = words.words(name)
    return len(said) == 1 and said[0] in words.FULL_NAMES


def numbers_persons(name: str) -> bool:
    """Whether a column is called like a number that persons have."""
    return bool(words.hints(name, _UNIT))


def names_person(name: str) -> bool:
    """Whether a column is called by a word for persons."""
    return "person" in words.hints(name, _UNIT)


def _are_free_texts(column: ColumnProfile) -> bool:
    """Whether most values have several words."""
    texts = column.rows or {}
    several = sum(len(text.split()) >= _FREE for text in texts)
    return column.kind == "categories" and 2 * several > len(texts)


def _have_decimals(column: ColumnProfile) -> bool:
    values = column.rows or {}
    return 2 * sum("." in text for text in values) > len(values)


def _diagnoses(column: ColumnProfile) -> Guess:
    rank = round(100 * max(column.shares))
    return Guess(Role.SENSITIVE, "its values look like diagnoses (ICD-10)", rank, sensitive=True)


def _are_diagnoses(column: ColumnProfile) -> bool:
    """Whether nearly all values are codes of ICD-10, and most of them in its finer form, which no postcode has."""
    values = column.rows or {}
    fitting = [text for text in values if _DIAGNOSIS.fullmatch(text.upper())]
    return (
        len(values) > _FEW_CODES
        and 10 * len(fitting) >= 9 * len(values)
        and 2 * sum("." in t for t in fitting) > len(fitting)
    )


def _how_many(column: ColumnProfile) -> str:
    if column.rows is None:
        return f"it has more than {MOST_VALUES:,} different values"
    if column.uniqueness >= _NEARLY_UNIQUE:
        return "nearly every record has a value of its own"
    return f"there are {column.uniqueness:.0%} as many values as records"
