"""Covering: whether a published label stands for a value, read off the label and the rows of the value's hierarchy.

Nothing here knows of codes, cells or nodes that a search has worked with: texts alone decide.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.hierarchies import MISSING
from sfumato.hierarchies.hierarchy import number

if TYPE_CHECKING:
    from sfumato.hierarchies import Hierarchy

ANYTHING = "*"  # what a value is printed as that may be any
_MISSING_MEMBER = "missing"  # what a set lists for the missing value
_DECIMALS = re.compile(r"(-?\d+)\.0+")


@dataclass(frozen=True, eq=False)
class Covering:
    """What the labels of one column stand for.

    hierarchy: how its values may be blurred, None if they are published as they are. hidden: a value may be printed
    as `*`. trimmed: spaces around values say nothing.
    """

    hierarchy: Hierarchy | None
    hidden: bool = True
    trimmed: bool = False
    _answers: dict[tuple[str, str], bool] = field(default_factory=dict, repr=False)

    def covers(self, value: str | None, label: str | None) -> bool:
        """Whether the label may be published in place of the value; None is the missing value, or an empty cell."""
        text, printed = self._plain(value), label or MISSING
        answer = self._answers.get((text, printed))
        if answer is None:
            answer = self._answers[text, printed] = self._covers(text, printed)
        return answer

    def printed(self, value: str | None) -> set[str]:
        """What may be printed for the value, but for intervals, sets and `*`; 38.0 as 38."""
        text = self._plain(value)
        row = self._rows.get(text, self._rows.get(whole_number(text), (text,)))
        return {whole_number(label) for label in (text, *row)}

    def _covers(self, value: str, label: str) -> bool:
        if label == value or (value and whole_number(label) == whole_number(value)):
            return True
        if label == ANYTHING and self.hidden:
            return True
        if self.hierarchy is None or not label:
            return False
        row = self._rows.get(value, self._rows.get(whole_number(value)))
        if row is not None and label in row:
            return True
        if row is None and label == self.hierarchy.rows[0][-1]:  # a value that the hierarchy does not have, at the root
            return True
        return self._listed(value, label) if label[0] + label[-1] == "{}" else self._within(value, label)

    def _plain(self, value: str | None) -> str:
        return MISSING if value is None else value.strip() if self.trimmed else value

    @cached_property
    def _rows(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of each leaf, up to the root."""
        return {} if self.hierarchy is None else {row[0]: row for row in self.hierarchy.rows}

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """The place of each leaf in an order that the hierarchy states."""
        ordered = self.hierarchy is not None and self.hierarchy.kind == "ordered"
        return {row[0]: place for place, row in enumerate(self.hierarchy.rows)} if ordered and self.hierarchy else {}

    def _within(self, value: str, label: str) -> bool:
        """Whether an interval such as [15, 20) or [low, high] has the value in it."""
        if label[0] != "[" or label[-1] not in ")]" or not value:
            return False
        inner = label[1:-1]
        for comma in re.finditer(", ", inner):
            low, high = inner[: comma.start()], inner[comma.end() :]
            if self._between(value, low, high, closed=label[-1] == "]"):
                return True
        return False

    def _between(self, value: str, low: str, high: str, *, closed: bool) -> bool:
        at, least, most = number(value), number(low), number(high)
        if at is not None and least is not None and most is not None:
            return least <= at <= most if closed else least <= at < most
        places = [self._places.get(text, self._places.get(whole_number(text))) for text in (low, value, high)]
        first, place, last = places
        return first is not None and place is not None and last is not None and first <= place <= last

    @staticmethod
    def _listed(value: str, label: str) -> bool:
        """Whether a set such as {a, b} lists the value."""
        listed = f", {label[1:-1]}, "
        return any(f", {text}, " in listed for text in {value or _MISSING_MEMBER, whole_number(value)} - {MISSING})


def whole_number(text: str) -> str:
    """The text, but 38.0 is 38."""
    match = _DECIMALS.fullmatch(text)
    return match[1] if match else text
