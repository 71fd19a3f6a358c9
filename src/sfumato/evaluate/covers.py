"""Covers: the leaves of a hierarchy that a published label stands for."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from sfumato.data import QuasiIdentifier
from sfumato.errors import DataError
from sfumato.hierarchies import MISSING
from sfumato.hierarchies.hierarchy import number

_INTERVAL = re.compile(r"\[(?P<low>[^,\]]+), (?P<high>[^,\])]+)(?P<end>[\])])")


def covered(attribute: QuasiIdentifier, label: str | None) -> NDArray[np.bool_]:
    """The leaves that a published label stands for: a node's, an interval's, those of a set; all of `*`."""
    hierarchy = attribute.hierarchy
    text = label or MISSING
    leaves = np.zeros(len(hierarchy.leaves), dtype=np.bool_)
    spelled = [leaf for leaf, own in enumerate(attribute.labels) if (own or MISSING) == text]
    if spelled:
        leaves[spelled] = True
        return leaves
    for level, labels in enumerate(hierarchy.labels):
        if text in labels:
            leaves[hierarchy.groups[level] == labels.index(text)] = True
            return leaves
    if text == "*":
        return ~leaves
    interval = _INTERVAL.fullmatch(text)
    if interval is not None:
        low, high = number(interval["low"]), number(interval["high"])
        numbers = [number(leaf) for leaf in hierarchy.leaves]
        if low is not None and high is not None:
            closed = interval["end"] == "]"
            return np.array(
                [n is not None and (low <= n < high or (closed and n == high)) for n in numbers], dtype=np.bool_
            )
        ends = [interval["low"], interval["high"]]
        if all(end in hierarchy.codes for end in ends):
            leaves[hierarchy.codes[ends[0]] : hierarchy.codes[ends[1]] + 1] = True
            return leaves
    if text.startswith("{") and text.endswith("}"):
        inside = {MISSING if value == "missing" else value for value in text[1:-1].split(", ")}
        return np.array([leaf in inside for leaf in hierarchy.leaves], dtype=np.bool_)
    raise DataError(
        f"A published label of '{attribute.name}' is none of its hierarchy, no interval and no set; give the hierarchy "
        "that the release was made with.",
        hidden_values=[text],
    )
