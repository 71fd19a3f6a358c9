"""Flat: a value is published as it is, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy, value_order
from sfumato.hierarchies.tree import ROOT


@dataclass(frozen=True)
class Flat:
    """Value, then `*`."""

    @classmethod
    def parse(cls, arguments: str) -> Flat:
        """The generator of a command line's `flat`, which takes no arguments."""
        if arguments:
            raise HierarchyError(f"flat takes no arguments, but '{arguments}' is given; write flat.")
        return cls()

    def __str__(self) -> str:
        return "flat()"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values, in value order."""
        return Hierarchy(tuple((value, ROOT) for value in value_order(occurring) or [ROOT]), str(self))


def flat() -> Flat:
    """A hierarchy of two levels: the value, then `*`."""
    return Flat()
