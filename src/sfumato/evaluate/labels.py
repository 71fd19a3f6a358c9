"""Labels: which values a published label stands for, by the hierarchies, or by what it says itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import numpy as np

from sfumato.data import QuasiIdentifier
from sfumato.errors import DataError
from sfumato.evaluate.covers import covered
from sfumato.hierarchies import MISSING

LabelOf = Mapping[str | None, str | None]

_MOST_PAIRS = 2_000_000  # of a label and a value: more would take long


def labels_of(
    attribute: QuasiIdentifier, original: Mapping[str | None, int], released: Mapping[str | None, int]
) -> LabelOf | None:
    """For each value as the data prints it, the label that is published in its place; None if it is not known.

    original, released: records by value and by label. If all labels are of one level, that level is it (the lowest, if
    several have them, and no label may have more records than its values had). Else each value has the one label on its
    way up that is published; with several such labels it is not known. Labels that the hierarchy does not have are read
    as intervals, sets or prefixes. A value of which nothing is published has none.
    """
    nodes = [None if label == MISSING else label for row in attribute.hierarchy.rows for label in row[1:]]
    printed = same_labels({*attribute.labels, *nodes}, released)
    rows = {
        value: [printed[label] for label in (value, *(None if node == MISSING else node for node in row[1:]))]
        for value, row in zip(attribute.labels, attribute.hierarchy.rows, strict=True)
    }
    for level in range(attribute.hierarchy.height + 1):
        at_level = {value: row[level] for value, row in rows.items()}
        if _possible(at_level, original, released):
            return at_level
    on_the_way = {value: {label for label in row if label in released} for value, row in rows.items()}
    cut = {value: label for value, labels in on_the_way.items() for label in labels}
    if all(len(labels) < 2 for labels in on_the_way.values()) and _possible(cut, original, released):
        return cut
    return _read(attribute, original, released)


def same_labels(values: Collection[str | None], released: Mapping[str | None, int]) -> LabelOf:
    """Each value as the release spells it, if it has it: 76.0 may be 76 there."""
    respelled = {_number(label): label for label in released}
    return {value: value if value in released else respelled.get(_number(value), value) for value in values}


def _read(
    attribute: QuasiIdentifier, original: Mapping[str | None, int], released: Mapping[str | None, int]
) -> LabelOf | None:
    """By what the labels say: `[30, 40)`, `30-39`, `{a, b}`, `920**`; None if one says nothing, or two the same."""
    if len(released) * len(attribute.labels) > _MOST_PAIRS:
        return None
    try:
        covers = {label: covered(attribute, label) for label in released}
    except DataError:
        return None
    if len(covers) > 1 and (np.sum(list(covers.values()), axis=0) > 1).any():
        return None
    mapped = {attribute.labels[leaf]: label for label, leaves in covers.items() for leaf in np.flatnonzero(leaves)}
    return mapped if _possible(mapped, original, released) else None


def _number(label: str | None) -> str | None:
    """76.0, 76.00 and 76 are one number."""
    return label if label is None else re.sub(r"^(-?\d+)\.0+$", r"\1", label)


def _possible(label_of: LabelOf, original: Mapping[str | None, int], released: Mapping[str | None, int]) -> bool:
    """Whether no label has more records than the values that it stands for: a release only leaves records out."""
    had: dict[str | None, int] = {}
    for value, records in original.items():
        if value in label_of:
            had[label_of[value]] = had.get(label_of[value], 0) + records
    return all(records <= had.get(label, 0) for label, records in released.items())
