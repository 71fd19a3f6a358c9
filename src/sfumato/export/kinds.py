"""Kinds: the types that the columns of a source may have, and the texts of their values as values again.

sfumato knows values by their texts (see `engines.protocol.Codes`): whole numbers without decimals, ISO dates, true and
false; the empty text is missing. A column that is looked up by its own type finds the values that these texts are,
however its database prints them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from math import isfinite

import numpy as np

from sfumato.engines import Engine, Typed
from sfumato.errors import ProblemError
from sfumato.settings.given import brief
from sfumato.settings.registry import nearest
from sfumato.settings.wording import wording

_MOST_DIGITS = 38
_DECIMAL = re.compile(r"decimal\((\d+), ?(\d+)\)")


@dataclass(frozen=True)
class Kind:
    """A type; `digits` and `scale` of decimals."""

    name: str = "text"
    digits: int = 0
    scale: int = 0

    @classmethod
    def of(cls, text: object, column: str) -> Kind:
        """The kind of that name; decimal(10,2) has digits."""
        given = str(text).strip().lower()
        if match := _DECIMAL.fullmatch(given):
            return cls("decimal", min(int(match[1]), _MOST_DIGITS), int(match[2]))
        if given not in _READ:
            names = ["decimal(10,2)" if name == "decimal" else name for name in _READ]
            raise ProblemError(f"{brief(text)} is not a type for '{column}'; {nearest(given, names)}")
        return cls(given)

    def key(self, text: str) -> str | None:
        """The value of a text, one spelling each; None if it is none of this type."""
        try:
            return _READ[self.name](text)
        except (ValueError, ArithmeticError):
            return None

    def require_keys(self, column: str, texts: Iterable[str]) -> dict[str, str]:
        """The values of these texts; a ProblemError if one has none."""
        keys = {text: self.key(text) for text in texts}
        if strange := [text for text, key in keys.items() if key is None]:
            raise ProblemError(
                f"{len(strange):,} values of '{column}' are not of type {self.name}; say what the source has: "
                f"{wording(f'types={{{column!r}: {chr(39)}text{chr(39)}}}', f'--type {column}=text')}.",
                hidden_values=strange,
            )
        return {text: key for text, key in keys.items() if key is not None}


def kinds_of(engine: Engine, columns: Iterable[str], types: Mapping[str, str]) -> dict[str, Kind]:
    """The kind of each column: as it is given, or as the data has it; text where nobody knows."""
    names = list(columns)
    for name in types:
        if name not in engine.columns:
            what = wording("types names", "--type names")
            raise ProblemError(f"{what} '{name}', which is not a column; {nearest(name, engine.columns)}")
    known = engine.types(names) if isinstance(engine, Typed) else {}
    return {name: Kind.of({**known, **types}.get(name, "text"), name) for name in names}


def _text(text: str) -> str:
    if "\0" in text:
        raise ValueError
    return text


def _integer(text: str) -> str:
    number = Fraction(text)
    if number.denominator != 1 or abs(number) >= 10**_MOST_DIGITS:
        raise ValueError
    return str(number.numerator)


def _decimal(text: str) -> str:
    number = Decimal(text)
    if not number.is_finite() or len(number.as_tuple().digits) > _MOST_DIGITS:
        raise ValueError
    plain = f"{number:f}"
    return (plain.rstrip("0").rstrip(".") if "." in plain else plain) or "0"


def _double(text: str) -> str:
    number = float(text)
    if not isfinite(number):
        raise ValueError
    return repr(number + 0.0)  # no negative zero


def _real(text: str) -> str:
    """The number of four bytes as one of eight: that is how the two compare."""
    return _double(repr(float(np.float32(text))))


def _boolean(text: str) -> str:
    known = {"true": "true", "1": "true", "false": "false", "0": "false"}
    if text.lower() not in known:
        raise ValueError
    return known[text.lower()]


def _date(text: str) -> str:
    return date.fromisoformat(text.removesuffix(" 00:00:00")).isoformat()


def _timestamp(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None:
        raise ValueError
    return moment.isoformat(sep=" ")


def _timestamptz(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError
    return moment.isoformat(sep=" ")


_READ: dict[str, Callable[[str], str]] = {
    "text": _text,
    "integer": _integer,
    "decimal": _decimal,
    "double": _double,
    "real": _real,
    "boolean": _boolean,
    "date": _date,
    "timestamp": _timestamp,
    "timestamptz": _timestamptz,
}
