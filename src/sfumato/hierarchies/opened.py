"""Open hierarchy: one that has a place for values it does not know, such as those of other data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from sfumato.hierarchies.hierarchy import Hierarchy


class OpenHierarchy(Hierarchy):
    """A hierarchy with one more leaf, spelled like the root: the place of every value that it does not know."""

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> OpenHierarchy:
        """The hierarchy, opened."""
        unknown = (hierarchy.rows[0][-1],) * (hierarchy.height + 1)
        return cls((*hierarchy.rows, unknown), hierarchy.source, hierarchy.kind)

    @cached_property
    def codes(self) -> dict[str, int]:
        """The code of each leaf label; that of the root for all others."""
        codes = super().codes
        return _Open(codes, unknown=codes[self.rows[0][-1]])

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy itself, whatever occurs."""
        return self


class _Open(dict[str, int]):
    def __init__(self, codes: dict[str, int], unknown: int) -> None:
        super().__init__(codes)
        self._unknown = unknown

    def __missing__(self, value: str) -> int:
        return self._unknown
