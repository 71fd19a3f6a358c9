"""Compared: what a report says beside what is computed anew, and the first place where they differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import isclose

# What is compared with what.
ALONE = "the report, by itself"
RELEASE = "the report and the published file"
DATA = "the report and the data"
BOTH = "the published file and the data"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: it agrees, it differs, or it could not be computed."""

    what: str
    agrees: bool | None
    why: str = ""
    compared: str = ""  # one of the above

    def __str__(self) -> str:
        verdict = {True: "agrees  ", False: "DIFFERS ", None: "not done"}[self.agrees]
        return f"{verdict}  {self.what}{f': {self.why}' if self.why else ''}"


def between(compared: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, with what they compare where they do not say it themselves."""
    return (finding if finding.compared else replace(finding, compared=compared) for finding in findings)


def equal(what: str, stated: object, actual: object) -> Finding:
    """The same value."""
    return Finding(what, stated == actual, "" if stated == actual else _apart(_shown(stated), _shown(actual)))


def close(what: str, stated: float | None, actual: float) -> Finding:
    """Floating-point numbers agree to nine figures; what they stand for was compared exactly before."""
    agrees = stated is not None and isclose(stated, actual, rel_tol=1e-9, abs_tol=1e-9)
    return Finding(what, agrees, "" if agrees else _apart(stated, actual))


def alike(what: str, stated: object, actual: object) -> Finding:
    """The same structure, its numbers to nine figures; if not, only the first place that differs is named."""
    place = _difference(stated, json.loads(json.dumps(actual)))
    return Finding(what, place is None, "" if place is None else f"differs, at {place or 'the top'}")


def _difference(stated: object, actual: object) -> str | None:
    parts: Iterable[tuple[str, object, object]]
    if isinstance(stated, dict) and isinstance(actual, dict) and set(stated) == set(actual):
        parts = ((str(key), stated[key], actual[key]) for key in stated)
    elif isinstance(stated, list) and isinstance(actual, list) and len(stated) == len(actual):
        parts = ((str(i), *pair) for i, pair in enumerate(zip(stated, actual, strict=True)))
    elif isinstance(stated, float) and isinstance(actual, float):
        return None if isclose(stated, actual, rel_tol=1e-9, abs_tol=1e-9) else ""
    else:
        return None if stated == actual else ""
    for key, one, other in parts:
        if (there := _difference(one, other)) is not None:
            return f"{key}.{there}".rstrip(".")
    return None


def _apart(stated: object, actual: object) -> str:
    return f"{stated} in the report, {actual} computed"


def _shown(value: object) -> str:
    """Hashes are shown by their first digits, what is attained as it is required."""
    if isinstance(value, dict):
        return ", ".join(f"{name} = {_shown(part)}" for name, part in value.items())
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return f"{text[:12]}…" if isinstance(value, str) and len(text) == 64 else text
