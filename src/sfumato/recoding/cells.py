"""Cells: how a quasi-identifier of multidimensional recoding is laid out as an axis."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable, QuasiIdentifier
from sfumato.errors import ProblemError
from sfumato.hierarchies import MISSING
from sfumato.hierarchies.hierarchy import number
from sfumato.recoding.axes import Axis, OrderedAxis, SetAxis, TreeAxis
from sfumato.settings.exact import exact, whole
from sfumato.settings.given import brief

# Where an ordered attribute is cut: so many times, at these values, or between any two.
Splits: TypeAlias = int | tuple[str | Fraction, ...] | None

# The same as users tell it, by attribute: a number, "every", or the values that begin a part.
GivenSplits: TypeAlias = Mapping[str, int | str | Sequence[int | float | str]]


def given_splits(given: object) -> GivenSplits:
    """A recoding's field `splits`, checked."""
    if given is not None and not isinstance(given, Mapping):
        raise ProblemError(f"splits = {brief(given)} does not say whose; give a dictionary such as {{'age': 20}}.")
    by_name = given if isinstance(given, Mapping) else {}
    return MappingProxyType({name: _given(name, splits) for name, splits in by_name.items()})


def require_order(splits: Mapping[str, object], frequencies: FrequencyTable) -> None:
    """Raises a ProblemError if splits names what is not a quasi-identifier, or has no order."""
    kinds = {attribute.name: attribute.hierarchy.kind for attribute in frequencies.quasi_identifiers}
    for name in splits:
        if name not in kinds:
            raise ProblemError(f"splits has '{name}', which is not a quasi-identifier; choose from {', '.join(kinds)}.")
        if kinds[name] == "unordered":
            raise ProblemError(f"'{name}' is unordered, and splits cut an order; leave it out of splits.")


def as_splits(given: object) -> Splits:
    """Where to cut, as the user said."""
    if given is None or given == "every":
        return None
    if isinstance(given, tuple):
        try:
            return tuple(exact(value, "splits") for value in given)
        except ProblemError:
            return tuple(str(value) for value in given)
    return int(str(given))


def _given(name: str, given: object) -> int | str | tuple[str, ...]:
    """A number of cuts, "every", or the values that begin a part."""
    if given == "every":
        return "every"
    if isinstance(given, str) and ";" in given:
        given = given.split(";")
    if isinstance(given, Sequence) and not isinstance(given, str):
        return tuple(str(value).strip() for value in given)
    return whole(given, f"splits['{name}']", least=0)  # type: ignore[arg-type]


def axis_of(frequencies: FrequencyTable, a: int, *, split: bool, splits: Splits, every_leaf: bool) -> Axis:
    """The axis of a quasi-identifier; split: it is cut as an order; every_leaf: also leaves that do not occur."""
    attribute = frequencies.quasi_identifiers[a]
    records = np.zeros(len(attribute.hierarchy.rows), dtype=np.int64)
    np.add.at(records, frequencies.codes[:, a], frequencies.counts)
    if split or attribute.hierarchy.kind == "ordered":
        return _ordered(attribute, records, splits)
    if attribute.hierarchy.kind == "unordered":
        cell_of = np.full(len(records), -1, dtype=np.int32)
        there = np.flatnonzero(records)
        cell_of[there] = np.arange(len(there))
        return SetAxis(attribute, max(len(there), 1), cell_of)
    return _tree(attribute, records > 0, every_leaf)


def _ordered(attribute: QuasiIdentifier, records: NDArray[np.int64], splits: Splits) -> OrderedAxis:
    leaves = attribute.hierarchy.leaves
    numbers = tuple(None if (value := number(leaf)) is None else Fraction(value) for leaf in leaves)
    valued = [leaf for leaf in range(len(leaves)) if leaves[leaf] != MISSING]
    numeric = all(numbers[leaf] is not None for leaf in valued)
    if attribute.hierarchy.kind != "ordered" and not numeric:
        raise ProblemError(
            f"'{attribute.name}' has texts without an order, and splits cut an order; give it ordered([…]) with the "
            "values from low to high, or leave it out of splits."
        )
    if numeric:
        valued.sort(key=lambda leaf: numbers[leaf] or 0)
    rank = np.full(len(leaves), len(leaves), dtype=np.int64)
    rank[valued] = np.arange(len(valued))
    there = [leaf for leaf in valued if records[leaf]]
    starts = _starts(attribute, there, records, splits, numbers if numeric else None)
    bounds = None
    if not there:
        first, last = valued[:1], valued[-1:]
    elif splits is None:
        first, last = there, there
    else:
        first = [there[0], *starts]
        last = [valued[int(rank[leaf]) - 1] for leaf in first[1:]] + [there[-1]]
        if numeric:
            given = _bounds(splits, numbers, there)
            bounds = given if given is not None else tuple(numbers[leaf] or Fraction(0) for leaf in [*first, there[-1]])
            first, last = _ranges(bounds, valued, numbers)
    missing = bool(records[[leaf for leaf in range(len(leaves)) if leaves[leaf] == MISSING]].sum())
    cells = max(len(first), 0) + missing
    cell_of = np.full(len(leaves), -1, dtype=np.int32)
    if bounds is None:
        cell_of[valued] = _cells_of_ranks(rank[valued], rank[first], rank[last])
    else:
        cell_of[valued] = [_cell(numbers[leaf] or Fraction(0), bounds) for leaf in valued]
    if missing:
        cell_of[leaves.index(MISSING)] = cells - 1
    return OrderedAxis(
        attribute,
        max(cells, 1),
        cell_of,
        rank,
        np.array(first, dtype=np.int64),
        np.array(last, dtype=np.int64),
        bounds,
        numbers,
    )


def _cell(value: Fraction, bounds: tuple[Fraction, ...]) -> int:
    """The range of a number, -1 if it lies in none; the last range has its upper bound too."""
    if not bounds[0] <= value <= bounds[-1]:
        return -1
    return min(bisect_right(bounds, value, lo=1) - 1, len(bounds) - 2)


def _cells_of_ranks(rank: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cell of each rank, by the lowest and the highest rank of each cell in their order; -1 if it lies in none."""
    cell = np.searchsorted(first, rank, side="right") - 1
    return np.where((cell >= 0) & (rank <= last[cell]) if len(first) else False, cell, -1)


def _starts(
    attribute: QuasiIdentifier,
    there: Sequence[int],
    records: NDArray[np.int64],
    splits: Splits,
    numbers: Sequence[Fraction | None] | None,
) -> list[int]:
    """The occurring values that begin a cell, but the first."""
    if splits is None or not there:
        return []
    if isinstance(splits, int):
        upto: list[int] = np.cumsum(records[list(there)]).tolist()
        return [there[i + 1] for i in _even_cuts(upto, splits)]
    if numbers is not None:
        return []  # as numbers they are bounds themselves
    leaves = {leaf: place for place, leaf in enumerate(attribute.hierarchy.leaves)}
    for text in splits:
        if text not in leaves:
            raise ProblemError(
                f"splits['{attribute.name}'] cuts before a value that '{attribute.name}' does not have; "
                "name the first value of each part.",
                hidden_values=[str(text)],
            )
    wanted = sorted({leaves[str(text)] for text in splits})
    return [leaf for leaf in wanted if leaf > there[0] and leaf <= there[-1]]


def _even_cuts(upto: Sequence[int], splits: int) -> list[int]:
    """The boundaries nearest to equal shares, each taken once; of two that are as near, the lower one.

    upto: by value, the records up to it; a boundary is after each value but the last.
    """
    count, shares = len(upto) - 1, [records * (splits + 1) for records in upto]
    following = list(range(count + 1))  # the first free boundary from each on; `count` if there is none
    preceding = list(range(count + 1))  # the last free one before each, counted from 1; 0 if there is none
    chosen = []
    for j in range(1, min(splits, count) + 1):
        share = upto[-1] * j
        place = bisect_left(shares, share, hi=count)
        right, left = _end(following, place), _end(preceding, place) - 1
        nearer = right < count and (left < 0 or shares[right] - share < share - shares[left])
        best = right if nearer else left
        chosen.append(best)
        following[best], preceding[best + 1] = best + 1, best
    return sorted(chosen)


def _end(chain: list[int], place: int) -> int:
    """Where a chain of places ends; it is shortened on the way."""
    while chain[place] != place:
        chain[place] = chain[chain[place]]
        place = chain[place]
    return place


def _bounds(splits: Splits, numbers: Sequence[Fraction | None], there: Sequence[int]) -> tuple[Fraction, ...] | None:
    """The bounds of ranges that are cut at given numbers; those that cut nothing off are left out."""
    if not isinstance(splits, tuple):
        return None
    least, most = numbers[there[0]] or Fraction(0), numbers[there[-1]] or Fraction(0)
    cuts = {Fraction(cut) for cut in splits}
    return (least, *sorted(cut for cut in cuts if least < cut <= most), most)


def _ranges(
    bounds: tuple[Fraction, ...], valued: Sequence[int], numbers: Sequence[Fraction | None]
) -> tuple[list[int], list[int]]:
    """For each range the first and the last leaf in it; of one without leaves, those around it."""
    values = [numbers[leaf] or Fraction(0) for leaf in valued]  # in order, as `valued` is
    first, last = [], []
    for i, (low, high) in enumerate(pairwise(bounds)):
        closed = i == len(bounds) - 2
        first.append(valued[bisect_left(values, low)])
        last.append(valued[(bisect_right if closed else bisect_left)(values, high) - 1])
    return first, last


def _tree(attribute: QuasiIdentifier, occurring: NDArray[np.bool_], every_leaf: bool) -> TreeAxis:
    hierarchy = attribute.hierarchy
    there = np.ones(len(occurring), dtype=np.bool_) if every_leaf or not occurring.any() else occurring
    before = np.r_[0, np.cumsum(there)]
    starts = [np.r_[np.flatnonzero(np.diff(level, prepend=-1)), len(level)] for level in hierarchy.groups]
    nodes: list[tuple[int, int, int]] = []  # begin, end, level
    children: list[list[int]] = []
    waiting = [(hierarchy.height, 0, len(occurring), -1)]
    while waiting:
        level, begin, end, parent = waiting.pop()
        parts = [(begin, end)]
        while level > 0:
            bounds = starts[level - 1]
            inner = bounds[np.searchsorted(bounds, begin) : np.searchsorted(bounds, end) + 1].tolist()
            parts = [(left, right) for left, right in pairwise(inner) if before[right] > before[left]]
            level -= 1
            if len(parts) > 1:
                level += 1
                break
            begin, end = parts[0]
        node = len(nodes)
        nodes.append((begin, end, level))
        children.append([])
        if parent >= 0:
            children[parent].append(node)
        if level > 0:
            waiting += [(level - 1, left, right, node) for left, right in reversed(parts)]
    cell_of = np.where(there, before[:-1], -1).astype(np.int32)
    begins, ends, levels = np.array(nodes, dtype=np.int64).T
    return TreeAxis(
        attribute,
        int(there.sum()),
        cell_of,
        before[begins],
        before[ends] - 1,
        begins,
        ends,
        levels,
        tuple(tuple(below) for below in children),
        occurring,
    )
