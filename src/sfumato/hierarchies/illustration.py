"""Illustrations: a value that a published label could stand for, made of what may be shown and never of the data.

A hierarchy file lists its values itself; of a generator's label a value is made up, from the label alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sfumato.hierarchies.from_file import HierarchyFile
from sfumato.hierarchies.hierarchy import Hierarchy, HierarchySource
from sfumato.hierarchies.masking import Masking
from sfumato.hierarchies.numeric import show
from sfumato.hierarchies.tree import MISSING, ROOT

_BETWEEN = re.compile(r"\[(-?[\d.]+), (-?[\d.]+)\)")
_OPEN = re.compile(r"(<|>=)(-?\d+)")
_UNIT_OF_TIME = {
    r"(\d{4})": "{}-05-17",
    r"(\d{4}-\d\d)": "{}-17",
    r"(\d{4}-\d\d-\d\d)": "{} 10:30",
    r"(\d{3})0s": "{}4-05-17",
}
_DIGITS = "2357468190"  # in place of hidden ones, so that it looks made up


def illustration(source: HierarchySource, hierarchy: Hierarchy, label: str) -> str:
    """A value that is published as this label, which is not one itself: an ellipsis where none may be shown."""
    if isinstance(source, HierarchyFile):
        return _listed(hierarchy, label)
    if label == ROOT:
        return "any value"
    if isinstance(source, Masking):
        return _unmasked(source, label)
    return _number(label) or _moment(label) or "…"


def _listed(hierarchy: Hierarchy, label: str) -> str:
    """A value that the file lists below the label, from their middle."""
    below: Sequence[str] = [row[0] for row in hierarchy.rows if label in row[1:] and row[0] not in (label, MISSING)]
    return below[len(below) // 2] if below else "…"


def _unmasked(source: Masking, label: str) -> str:
    """The label with digits in place of the mask, where it is of digits; else what is left of the code."""
    left = label.rstrip("'").rstrip(source.char)
    hidden = len(label.rstrip("'")) - len(left)
    if left.isdecimal() and hidden <= len(_DIGITS):
        return left + _DIGITS[:hidden]
    return f"{left.strip('_')}…"


def _number(label: str) -> str | None:
    """A number in an interval."""
    if match := _BETWEEN.fullmatch(label):
        low, high = Fraction(match[1]), Fraction(match[2])
        return show(low + 1 if high - low > 1 else (low + high) / 2 if high - low < 1 else low)
    if match := _OPEN.fullmatch(label):
        return str(int(match[2]) + (-1 if match[1] == "<" else 1))
    return None


def _moment(label: str) -> str | None:
    """A day, or a minute, in a unit of time."""
    if match := re.fullmatch(r"(\d{4})-Q(\d)", label):
        return f"{match[1]}-{3 * int(match[2]) - 1:02}-17"
    for pattern, day in _UNIT_OF_TIME.items():
        if match := re.fullmatch(pattern, label):
            return day.format(match[1])
    return None
