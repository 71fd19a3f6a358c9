"""Views: what a recoding offers to searches, and what a chosen one offers to reports. Each offers what it has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable
from sfumato.hierarchies import Hierarchy, Nodes, Taxonomy
from sfumato.recoding.axes import Axis
from sfumato.recoding.cells import GivenSplits
from sfumato.recoding.intervals import Intervals
from sfumato.recoding.suppression import Scheme, Suppression
from sfumato.recoding.withholding import Withheld

Block: TypeAlias = tuple[int, int]  # of an axis

# For each quasi-identifier, the nodes of its taxonomy that make up the cut, in order.
Cut: TypeAlias = tuple[tuple[int, ...], ...]


class Lattice(Protocol):
    """Candidates are nodes of a lattice: a level per quasi-identifier."""

    def ranges(self, frequencies: FrequencyTable) -> list[tuple[int, int]]:
        """The lowest and the highest level allowed, by quasi-identifier."""
        ...


class CutSpace(Protocol):
    """Candidates are cuts: some nodes of each quasi-identifier's taxonomy."""

    @property
    def suppressing(self) -> Suppression:
        """The scheme and its limit."""
        ...

    def ranges(self, frequencies: FrequencyTable) -> list[tuple[int, int]]:
        """The lowest and the highest level allowed, by quasi-identifier."""
        ...

    def space(self, frequencies: FrequencyTable) -> int:
        """How many there are."""
        ...

    def taxonomies(self, frequencies: FrequencyTable) -> list[Taxonomy]:
        """The nodes that cuts are made of, by quasi-identifier."""
        ...


class BoxSpace(Protocol):
    """Candidates are partitions of space into boxes."""

    @property
    def suppressing(self) -> Suppression:
        """The scheme and its limit."""
        ...

    @property
    def splits(self) -> GivenSplits | None:
        """The attributes that are cut as an order, and where."""
        ...

    @property
    def tight(self) -> bool:
        """Whether the extent of the records in a box is published, rather than the box."""
        ...

    def axes(self, frequencies: FrequencyTable, limited: Collection[str] = ()) -> tuple[Axis, ...]:
        """The attributes as cells; where widths are limited, leaves that do not occur count as well."""
        ...

    def trees(self, frequencies: FrequencyTable) -> dict[str, Hierarchy]:
        """The hierarchies of the attributes that are not cut as an order: their nodes are measured by leaves."""
        ...


class LocalSpace(Protocol):
    """Candidates have a generalization per record."""

    @property
    def splits(self) -> GivenSplits | None:
        """The attributes that are cut as an order, and where."""
        ...

    def axes(self, frequencies: FrequencyTable) -> list[Axis | None]:
        """By quasi-identifier, its cells if it is published as intervals; None if as nodes of its hierarchy."""
        ...


class Spaces(Protocol):
    """What searches ask a recoding for: one that needs a lattice asks for it, and refuses recodings without one."""

    @property
    def lattice(self) -> Lattice | None:
        """Its candidates as nodes of a lattice."""
        return None

    @property
    def cut_space(self) -> CutSpace | None:
        """Its candidates as cuts."""
        return None

    @property
    def box_space(self) -> BoxSpace | None:
        """Its candidates as boxes, which have widths and volumes."""
        return None

    @property
    def local_space(self) -> LocalSpace | None:
        """Its candidates as generalizations of single records."""
        return None

    def candidate(self, *, bounded: bool) -> str:
        """What searches choose from, in a few words; bounded: of a search that proves a bound."""
        return "a way to blur all columns"


class ChosenCut(Protocol):
    """A cut through each hierarchy, and what is withheld."""

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        ...

    @property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """By quasi-identifier."""
        ...

    @property
    def levels_of(self) -> tuple[NDArray[np.int32], ...]:
        """By quasi-identifier: the level of each leaf."""
        ...

    @property
    def cuts(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of each quasi-identifier's cut, in the hierarchy's order; leaves may be values of the data."""
        ...

    @property
    def published_cuts(self) -> Mapping[str, Mapping[str, int]]:
        """For each quasi-identifier, the labels of its cut that are published, with their records."""
        ...

    @property
    def withheld(self) -> Withheld:
        """What is published of each combination."""
        ...

    @property
    def scheme(self) -> Scheme:
        """What happens to a class that violates."""
        ...

    @property
    def further(self) -> bool:
        """Whether classes that violate nothing are suppressed as well."""
        ...

    def without(self, f: FrequencyTable, classes: NDArray[np.bool_], columns: Iterable[str]) -> ChosenCut:
        """The same cut with these of its published classes suppressed as well."""
        ...

    def trees(self) -> Mapping[str, str]:
        """Each quasi-identifier's cut as a tree, with the records of every published label."""
        ...


class ChosenBoxes(Protocol):
    """Boxes, and which of them the records of each combination are published in."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The quasi-identifiers as cells."""
        ...

    @property
    def boxes(self) -> tuple[tuple[Block, ...], ...]:
        """By box and attribute."""
        ...

    @property
    def records(self) -> NDArray[np.int64]:
        """The published records of each box."""
        ...

    def labels(self, frequencies: FrequencyTable) -> Sequence[Sequence[str | None]]:
        """What is printed for each box, by attribute."""
        ...


class ChosenEntries(Protocol):
    """A generalization per record: entries of so many copies, at nodes of their own."""

    @property
    def nodes(self) -> NDArray[np.int32]:
        """By entry and quasi-identifier: the published node."""
        ...

    @property
    def copies(self) -> NDArray[np.int64]:
        """The records of each entry."""
        ...

    @property
    def trees(self) -> Mapping[str, Nodes | Intervals]:
        """What the nodes mean, by column."""
        ...

    @property
    def raised(self) -> Mapping[str, NDArray[np.int32]]:
        """Sensitive attribute → by entry: what its value was generalised to, -1 where it is as it was."""
        ...

    @property
    def generalised(self) -> Mapping[str, Mapping[str, int]]:
        """Sensitive attribute → what its values were generalised to → records, the most frequent first."""
        ...

    def by_level(self, frequencies: FrequencyTable) -> Mapping[str, Mapping[int, int]]:
        """Quasi-identifier → level of its hierarchy, 0 as it is → records published at it."""
        ...

    def published(self, frequencies: FrequencyTable) -> FrequencyTable:
        """The published entries: quasi-identifiers in original codes, sensitive values as they are printed."""
        ...


class PrintedBox(Mapping[str, str]):
    """What is printed for one box, by attribute, seen in the lists of all: boxes may be very many."""

    __slots__ = ("_at", "_labels")

    def __init__(self, labels: Mapping[str, Sequence[str | None]], at: int) -> None:
        self._labels, self._at = labels, at

    def __getitem__(self, name: str) -> str:
        return self._labels[name][self._at] or ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)
