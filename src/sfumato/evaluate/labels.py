"""Labels: which values a published label stands for, by the hierarchies."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.data import QuasiIdentifier
from sfumato.hierarchies import MISSING

LabelOf = Mapping[str | None, str | None]


def labels_of(
    attribute: QuasiIdentifier, original: Mapping[str | None, int], released: Mapping[str | None, int]
) -> LabelOf | None:
    """For each value of a hierarchy, the label that is published in its place; None if it is not known.

    original, released: records by value and by label. If all labels are of one level, that level is it (the lowest, if
    several have them, and no label may have more records than its values had). Else each value has the one label on its
    way up that is published; with several such labels it is not known. A value of which nothing is published has none.
    """
    rows = [[None if label == MISSING else label for label in row] for row in attribute.hierarchy.rows]
    for level in range(attribute.hierarchy.height + 1):
        at_level = {row[0]: row[level] for row in rows}
        if _possible(at_level, original, released):
            return at_level
    on_the_way = {row[0]: {label for label in row if label in released} for row in rows}
    if any(len(labels) > 1 for labels in on_the_way.values()):
        return None
    cut = {value: label for value, labels in on_the_way.items() for label in labels}
    return cut if _possible(cut, original, released) else None


def _possible(label_of: LabelOf, original: Mapping[str | None, int], released: Mapping[str | None, int]) -> bool:
    """Whether no label has more records than the values that it stands for: a release only leaves records out."""
    had: dict[str | None, int] = {}
    for value, records in original.items():
        if value in label_of:
            had[label_of[value]] = had.get(label_of[value], 0) + records
    return all(records <= had.get(label, 0) for label, records in released.items())
