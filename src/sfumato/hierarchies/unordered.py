"""Unordered: an attribute without a hierarchy whose values have no order either."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy, value_order
from sfumato.hierarchies.tree import ROOT

MOST_UNORDERED = 12  # values, any of which may form a group


@dataclass(frozen=True)
class Unordered:
    """Value, then `*`, where any values may form a group: for recodings that draw their own groups.

    n values form 2^n - 1 groups, so at most 12 are taken.
    """

    @classmethod
    def parse(cls, arguments: str) -> Unordered:
        """The source of a command line's `unordered`, which takes no arguments."""
        if arguments:
            raise HierarchyError(f"unordered takes no arguments, but '{arguments}' is given; write unordered.")
        return cls()

    def __str__(self) -> str:
        return "unordered()"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The occurring values, 12 at most, below `*`."""
        if len(occurring) > MOST_UNORDERED:
            raise HierarchyError(
                f"unordered(): '{attribute}' has {len(occurring)} values, and any groups of more than "
                f"{MOST_UNORDERED} are too many to look at; use ordered(), flat() or a hierarchy file."
            )
        return Hierarchy(tuple((value, ROOT) for value in value_order(occurring) or [ROOT]), str(self), "unordered")


def unordered() -> Unordered:
    """An attribute without a hierarchy or an order, of at most 12 values: any of them may form a group."""
    return Unordered()
