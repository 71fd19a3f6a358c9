"""The truth of a published file, beside the data that it was made from: neither plan nor recoding is asked.

Every published row must stand for an original one, which is covered in every column and is the same in those that are
kept; and no original may be stood for twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.check.assignment import unassigned
from sfumato.check.covering import ANYTHING, Covering, whole_number
from sfumato.check.published import Published, read_published
from sfumato.check.set_truth import SetCovering
from sfumato.check.truth import coverings_of
from sfumato.engines.formulas import unguarded

if TYPE_CHECKING:
    from sfumato.data import Table

MOST_CANDIDATES = 1 << 26  # pairs of a published row and an original that are compared

_OPENINGS = ("[", "{", ANYTHING)  # of labels that no row of a hierarchy need have


def untrue_records(table: Table, released: object) -> int | None:
    """How many published records no original one is left for, the best that can be assigned; 0 is a true release.

    released: what was published of the table, as a path or a frame. None: there is too much to compare.
    """
    counted = [*(column.name for column in table.frequencies.columns), *table.sets]
    columns = [name for name in table.published if name in {*counted, *table.insensitive}]
    sets = list(table.sets)
    original = read_published(table.engine, columns, sets=sets, separator=table.separator)
    published = read_published(released, columns, sets=sets, separator=table.separator, like=table.engine)
    ways = [_column(table, name, original, published) for name in columns]
    rows, codes = published.counted.combinations, original.counted.combinations
    index = [_Index(codes[:, place], original.counted.counts, len(original.labels[name]))
             for place, name in enumerate(columns)]  # fmt: skip
    candidates, room = [], MOST_CANDIDATES
    for row in rows.tolist():
        candidates.append(_candidates(row, ways, index, codes))
        room -= len(candidates[-1])
        if room < 0:
            return None
    return unassigned(published.counted.counts.tolist(), candidates, original.counted.counts)


class _Way(Protocol):
    def values(self, label: int) -> NDArray[np.bool_]:
        """Which values a label stands for, both by number."""
        ...


class _Index:
    """Where each value of a column is, and how many combinations have it."""

    def __init__(self, codes: NDArray[np.int32], counts: NDArray[np.int64], values: int) -> None:
        self.order = np.argsort(codes, kind="stable")
        self.begin = np.searchsorted(codes[self.order], np.arange(values + 1))
        self.sizes = np.diff(self.begin)

    def places(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The combinations that have one of these values."""
        parts = [self.order[self.begin[value] : self.begin[value + 1]] for value in np.flatnonzero(values).tolist()]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _candidates(
    row: Sequence[int], ways: Sequence[_Way], index: Sequence[_Index], codes: NDArray[np.int32]
) -> NDArray[np.int64]:
    """The combinations that a published row may stand for: by the column that leaves the fewest, then by the others."""
    masks = [way.values(label) for way, label in zip(ways, row, strict=True)]
    sizes = [int(one.sizes[mask].sum()) for one, mask in zip(index, masks, strict=True)]
    first = int(np.argmin(sizes))
    places = index[first].places(masks[first])
    for column, mask in enumerate(masks):
        if column != first and not mask.all():
            places = places[mask[codes[places, column]]]
    return places


class _Labels:
    """A column of single values."""

    def __init__(self, covering: Covering, values: Sequence[str | None], labels: Sequence[str | None]) -> None:
        self._covering, self._values, self._labels = covering, values, labels
        self._masks: dict[int, NDArray[np.bool_]] = {}
        self._having: dict[str, list[int]] = {}
        for number, value in enumerate(values):
            for label in covering.printed(value):
                self._having.setdefault(label, []).append(number)

    def values(self, label: int) -> NDArray[np.bool_]:
        mask = self._masks.get(label)
        if mask is None:
            mask = self._masks[label] = self._mask(self._labels[label] or "")
        return mask

    def _mask(self, label: str) -> NDArray[np.bool_]:
        mask = np.zeros(len(self._values), dtype=np.bool_)
        plain = unguarded(label)  # in front of what a spreadsheet would take for a formula
        mask[[*self._having.get(whole_number(label), ()), *self._having.get(whole_number(plain), ())]] = True
        if plain.startswith(_OPENINGS):
            mask |= np.array([self._covering.covers(value, plain) for value in self._values], dtype=np.bool_)
        return mask


def _column(table: Table, name: str, original: Published, published: Published) -> _Way:
    values, labels = original.labels[name], published.labels[name]
    if name in table.sets:
        column, mine, theirs = table.sets[name], name in original.listed, name in published.listed
        return SetCovering.of_texts(column.hierarchy, values, labels, table.separator, mine, theirs)
    covering = coverings_of(table).get(name) or Covering(None, hidden=False)
    return _Labels(covering, values, labels)
