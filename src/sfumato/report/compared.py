"""Compared: what a report says beside what is computed anew, and the first place where they differ."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from math import isclose


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: it agrees, it differs, or it could not be computed."""

    what: str
    agrees: bool | None
    why: str = ""

    def __str__(self) -> str:
        verdict = {True: "agrees  ", False: "DIFFERS ", None: "not done"}[self.agrees]
        return f"{verdict}  {self.what}{f': {self.why}' if self.why else ''}"


def equal(what: str, told: object, found: object) -> Finding:
    """The same value."""
    return Finding(what, told == found, "" if told == found else f"{_shown(told)} in the report, {_shown(found)} found")


def close(what: str, told: float | None, found: float) -> Finding:
    """Floating-point numbers agree to nine figures; what they stand for was compared exactly when it was found."""
    agrees = told is not None and isclose(told, found, rel_tol=1e-9, abs_tol=1e-9)
    return Finding(what, agrees, "" if agrees else f"{told} in the report, {found} found")


def alike(what: str, told: object, found: object) -> Finding:
    """The same structure, its numbers to nine figures; if not, the first place that differs is told, no more."""
    place = _difference(told, json.loads(json.dumps(found)))
    return Finding(what, place is None, "" if place is None else f"not what is found, at {place or 'the top'}")


def _difference(told: object, found: object) -> str | None:
    parts: Iterable[tuple[str, object, object]]
    if isinstance(told, dict) and isinstance(found, dict) and set(told) == set(found):
        parts = ((str(key), told[key], found[key]) for key in told)
    elif isinstance(told, list) and isinstance(found, list) and len(told) == len(found):
        parts = ((str(i), *pair) for i, pair in enumerate(zip(told, found, strict=True)))
    elif isinstance(told, float) and isinstance(found, float):
        return None if isclose(told, found, rel_tol=1e-9, abs_tol=1e-9) else ""
    else:
        return None if told == found else ""
    for key, one, other in parts:
        if (there := _difference(one, other)) is not None:
            return f"{key}.{there}".rstrip(".")
    return None


def _shown(value: object) -> str:
    """Hashes are told by their beginning."""
    text = str(value)
    return f"{text[:12]}…" if isinstance(value, str) and len(text) == 64 else text
