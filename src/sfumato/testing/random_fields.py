"""Random parts by the fields of their dataclasses: a part of usual fields is drawn as soon as it is registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field
from fractions import Fraction
from random import Random
from types import ModuleType
from typing import Any

from sfumato.errors import ProblemError
from sfumato.settings.registry import OPEN, settings, table_parts
from sfumato.testing.conformance import of_boxes

_NUMBERS = (Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), 1, 2, 3)
_TRIALS = 100


def random_part(part: type[Any], random: Random, sensitive: str) -> Any:
    """A part with random settings; what has a default is left as it is now and then.

    Raises a TypeError if a field is of a kind that is not drawn here: then the part needs a way of its own.
    """
    for _ in range(_TRIALS):
        given = {
            field.name: _value(part, field, random, sensitive) for field in settings(part) if _drawn(field, random)
        }
        try:
            return part(**given)
        except ProblemError:  # the numbers do not go together
            continue
    raise TypeError(f"{part.name} takes no random settings; give it a way to be drawn.")


def also_drawn(
    family: ModuleType, by_hand: Mapping[type[Any], Any], made: Callable[[type[Any]], Any]
) -> dict[Any, Any]:
    """Ways to draw all parts of a family that are about classes of any shape: those by hand, and one for each other."""
    others = [part for part in table_parts(family).values() if part not in by_hand and not of_boxes(part)]
    return {**by_hand, **{part: made(part) for part in others}}


def _drawn(field: Field[Any], random: Random) -> bool:
    required = field.default is OPEN or (field.default is MISSING and field.default_factory is MISSING)
    return required or (str(field.type) in {"int", "bool", "Number"} and random.random() < 0.5)


def _value(part: type[Any], field: Field[Any], random: Random, sensitive: str) -> object:
    if field.name == "sensitive":
        return sensitive
    ways: dict[str, Callable[[], object]] = {
        "int": lambda: random.randint(1, 4),
        "bool": lambda: random.random() < 0.5,
        "Number": lambda: random.choice(_NUMBERS),
    }
    if str(field.type) not in ways:
        raise TypeError(f"{part.name} has '{field.name}' of type {field.type}; give it a way to be drawn.")
    return ways[str(field.type)]()
