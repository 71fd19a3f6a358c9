"""What data entry leaves behind in a column: one value in several spellings, and numbers that mean 'unknown'.

Nothing is corrected, for nobody but the user can know; the hierarchy that is drafted puts together what belongs so.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from sfumato.hierarchies import Hierarchy, Suggestion, suggest
from sfumato.hierarchies.hierarchy import number
from sfumato.hierarchies.tree import ROOT
from sfumato.profile import words

UNKNOWN = "unknown"
_CODES = {Decimal(sign + "9" * digits) for digits in range(1, 7) for sign in ("", "-")} | {Decimal(-1)}
# What stands among numbers where there is none.
_WORDS = (
    "n/a na n.a nan null none nil unknown unkn unbekannt inconnu desconocido sconosciuto missing fehlt "
    "fehlend k.a ka n.d nd - -- – — ? ?? . .. ... #n/a #nv"
)
_NO_NUMBER = {*_WORDS.split(), "not known", "not available", "keine angabe", ""}
_FEMALE = "f female w weiblich frau femme feminin femenino mujer femmina donna woman"
_MALE = "m male mannlich mann homme masculin masculino hombre maschio uomo man"
_SEXES = {"female": frozenset(_FEMALE.split()), "male": frozenset(_MALE.split())}


@dataclass(frozen=True, eq=False)
class Cleaned:
    """A column's values as they were probably meant."""

    meant: Mapping[str, str]  # every value → its most frequent spelling; those that mean 'unknown' are left out
    unknown: frozenset[str]
    rows: Mapping[str, int]  # by the most frequent spelling

    @property
    def spellings(self) -> int:
        """How many values are other spellings of a value."""
        return len(self.meant) - len(self.rows)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to put together."""
        return bool(self.spellings or self.unknown)


def cleaned(name: str, rows: Mapping[str, int]) -> Cleaned:
    """The values of a column, by their rows."""
    numbers = {text: value for text in rows if (value := number(text)) is not None}
    strange = frozenset(text for text in rows if text not in numbers)
    if 2 * sum(rows[text] for text in numbers) > sum(rows.values()) and all(map(_says_nothing, strange)):
        unknown = _unknown(numbers) | strange
        kept = {text: n for text, n in rows.items() if text not in unknown}
        return Cleaned({text: text for text in kept}, unknown, kept)
    alike: dict[str, list[str]] = defaultdict(list)
    sexes = "sex" in words.hints(name, {"sex": words.SEX})
    for text in rows:
        alike[_folded(text, sexes)].append(text)
    meant = {text: max(group, key=lambda one: rows[one]) for group in alike.values() for text in group}
    together: dict[str, int] = {}
    for text, spelling in meant.items():
        together[spelling] = together.get(spelling, 0) + rows[text]
    return Cleaned(meant, frozenset(), together)


def suggestion(name: str, values: Cleaned) -> Suggestion:
    """A hierarchy for the values as they were meant."""
    return suggest(name, values.rows)


def tree(name: str, values: Cleaned, suggested: Suggestion) -> Hierarchy:
    """That hierarchy, for the values as they are: a level puts spellings together, and one node is 'unknown'."""
    built = suggested.source.build(name, values.rows)
    spelled: dict[str, list[str]] = {}
    for text, meant in sorted(values.meant.items()):
        spelled.setdefault(meant, []).append(text)
    rows = list(built.rows)
    if values.spellings:  # they stay apart on the lowest level only
        rows = [(text, *row) for row in built.rows for text in spelled[row[0]]]
    height = len(rows[0]) - 1
    label = UNKNOWN
    while any(label in row for row in rows):
        label += "'"
    rows += [(text, *[label] * (height - 1), ROOT) for text in sorted(values.unknown)]
    return replace(Hierarchy.from_rows(rows, built.source), listed=())


def _folded(text: str, sexes: bool) -> str:
    """What spellings of one value have in common: not capitals, accents, spaces or a point at the end."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    folded = " ".join(plain.casefold().split()).rstrip(".")
    if sexes:
        return next((sex for sex, spellings in _SEXES.items() if folded in spellings), folded)
    return folded


def _says_nothing(text: str) -> bool:
    """Whether a text says that a number is not known."""
    return " ".join(text.casefold().split()) in _NO_NUMBER or _folded(text, sexes=False) in _NO_NUMBER


def _unknown(numbers: Mapping[str, Decimal]) -> frozenset[str]:
    """Nines, or a negative number among others that are none, if they lie far from all others."""
    coded = {text for text, value in numbers.items() if value in _CODES}
    others = [value for text, value in numbers.items() if text not in coded]
    if not coded or len(others) < 2:
        return frozenset()
    low, high = min(others), max(others)
    far = high - low
    return frozenset(
        text for text in coded if numbers[text] > high + far or (numbers[text] < 0 <= low) or numbers[text] < low - far
    )
