"""Covers: the leaves of a hierarchy that a published label stands for."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from sfumato.data import QuasiIdentifier
from sfumato.errors import DataError
from sfumato.hierarchies import MISSING, Hierarchy
from sfumato.hierarchies.hierarchy import number

_INTERVAL = re.compile(r"\[(?P<low>[^,\]]+), (?P<high>[^,\])]+)(?P<end>[\])])")
_NUMBER = r"-?\d+(?:\.\d+)?"
_FROM_TO = re.compile(rf"(?P<low>{_NUMBER}) ?(?:-|–|to|\.\.) ?(?P<high>{_NUMBER})")  # 30-39, both within
_BEYOND = re.compile(rf"(?P<sign><|<=|≤|>|>=|≥) ?(?P<bound>{_NUMBER})")  # <20, ≥ 80
_AND_MORE = re.compile(rf"(?P<bound>{_NUMBER}) ?\+")  # 80+
_DATE_PART = re.compile(r"\d{4}(-\d{2})?")  # the year or the month of a date


def covered(attribute: QuasiIdentifier, label: str | None) -> NDArray[np.bool_]:
    """The leaves that a published label stands for: a node's, an interval's, those of a set; all of `*`.

    Labels of other tools are read too, where they mean something: 30-39, <20, 80+, 920**, the year of a date.
    """
    text = label or MISSING
    leaves = _node(attribute, text)
    if leaves is None:
        leaves = _interval(text, attribute.hierarchy)
    if leaves is None and text.startswith("{") and text.endswith("}"):
        inside = {MISSING if value == "missing" else value for value in text[1:-1].split(", ")}
        leaves = np.array([leaf in inside for leaf in attribute.hierarchy.leaves], dtype=np.bool_)
    if leaves is None:
        foreign = _foreign(text, attribute.hierarchy.leaves)
        leaves = foreign if foreign is not None and foreign.any() else None
    if leaves is None:
        raise DataError(
            f"A published label of '{attribute.name}' is not in its hierarchy, and no interval, set or prefix; give "
            "the hierarchy that the release was made with.",
            hidden_values=[text],
        )
    return leaves


def _node(attribute: QuasiIdentifier, text: str) -> NDArray[np.bool_] | None:
    """The leaves below a node of the hierarchy, or those that are spelled so."""
    hierarchy = attribute.hierarchy
    leaves = np.zeros(len(hierarchy.leaves), dtype=np.bool_)
    spelled = [leaf for leaf, own in enumerate(attribute.labels) if (own or MISSING) == text]
    if spelled:
        leaves[spelled] = True
        return leaves
    for level, labels in enumerate(hierarchy.labels):
        if text in labels:
            leaves[hierarchy.groups[level] == labels.index(text)] = True
            return leaves
    return ~leaves if text == "*" else None


def _interval(text: str, hierarchy: Hierarchy) -> NDArray[np.bool_] | None:
    """The leaves of `[low, high)` or `[low, high]`: of numbers, or of an order of values."""
    interval = _INTERVAL.fullmatch(text)
    if interval is None:
        return None
    low, high, closed = number(interval["low"]), number(interval["high"]), interval["end"] == "]"
    if low is not None and high is not None:
        return _numbers(hierarchy.leaves, lambda value: low <= value < high or (closed and value == high))
    ends = [interval["low"], interval["high"]]
    if not all(end in hierarchy.codes for end in ends):
        return None
    leaves = np.zeros(len(hierarchy.leaves), dtype=np.bool_)
    leaves[hierarchy.codes[ends[0]] : hierarchy.codes[ends[1]] + 1] = True
    return leaves


def _foreign(text: str, leaves: Sequence[str]) -> NDArray[np.bool_] | None:
    """The leaves of a label as other tools write it; None if it says nothing."""
    if _DATE_PART.fullmatch(text):
        return np.array([leaf.startswith(f"{text}-") for leaf in leaves], dtype=np.bool_)
    if numbered := _FROM_TO.fullmatch(text):
        low, high = Decimal(numbered["low"]), Decimal(numbered["high"])
        return _numbers(leaves, lambda value: low <= value <= high)
    if numbered := _BEYOND.fullmatch(text) or _AND_MORE.fullmatch(text):
        bound, sign = Decimal(numbered["bound"]), numbered.groupdict().get("sign", ">=")
        return _numbers(leaves, lambda value: _COMPARED[sign](value, bound))
    if "*" in text:
        shape = re.compile("".join("." if char == "*" else re.escape(char) for char in text), re.DOTALL)
        return np.array([bool(shape.fullmatch(leaf.rjust(len(text), "_"))) for leaf in leaves], dtype=np.bool_)
    return None


def _numbers(leaves: Sequence[str], inside: Callable[[Decimal], bool]) -> NDArray[np.bool_]:
    values = (number(leaf) for leaf in leaves)
    return np.array([value is not None and inside(value) for value in values], dtype=np.bool_)


_COMPARED: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "≤": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "≥": operator.ge,
}
