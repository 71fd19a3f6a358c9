"""The space of a problem of boxes, laid out from its rows, and every hierarchical partition of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TypeAlias

from sfumato.data import QuasiIdentifier
from sfumato.problem import Problem
from sfumato.recoding import Multidimensional
from sfumato.testing.plain_engine import Row

Values: TypeAlias = frozenset[str]  # of one attribute; the missing one is ""
Box: TypeAlias = tuple[Values, ...]
Partition: TypeAlias = frozenset[Box]


class TooMany(Exception):
    """The space has more partitions than brute force goes through."""


@dataclass(frozen=True)
class Dimension:
    """An attribute: the set of all its values, and the ways to split a set of them."""

    name: str
    whole: Values
    kind: str
    cells: tuple[Values, ...] = ()  # of an order, without the missing value
    paths: tuple[tuple[str, ...], ...] = ()  # of a taxonomy
    bounds: tuple[Fraction, ...] = ()  # of ranges

    def splits(self, values: Values) -> Iterator[tuple[Values, ...]]:
        """Every split of a set that is a block."""
        if self.kind == "unordered":
            if len(values) > 1:
                for value in sorted(values):
                    yield frozenset({value}), values - {value}
            return
        if self.kind == "taxonomy":
            level = max(range(len(self.paths[0])), key=lambda l: self._alike(values, l) * (l + 1))
            while level > 0:
                level -= 1
                groups: dict[str, set[str]] = {}
                for path in self.paths:
                    if path[0] in values:
                        groups.setdefault(path[level], set()).add(path[0])
                if len(groups) > 1:
                    yield tuple(frozenset(group) for group in groups.values())
                    return
            return
        if "" in values:
            if len(values) > 1:
                yield values - {""}, frozenset({""})
            return
        inside = [cell for cell in self.cells if cell <= values]
        for cut in range(1, len(inside)):
            yield frozenset[str]().union(*inside[:cut]), frozenset[str]().union(*inside[cut:])

    def length(self, values: Values, present: Values) -> int:
        """Unit cells of an interval, occurring leaves of a node, values of a group."""
        if self.kind == "ordered":
            return sum(cell <= values for cell in self.cells) + ("" in values)
        return len(values & present)

    def lost(self, values: Values, present: Values, leaves: int) -> Fraction:
        """LM's share of an attribute."""
        if self.kind == "taxonomy":
            return Fraction(len(values) - 1, leaves - 1) if leaves > 1 else Fraction(0)
        every = len(self.cells) + ("" in self.whole) if self.kind == "ordered" else len(self.whole)
        return Fraction(self.length(values, present) - 1, every - 1) if every > 1 else Fraction(0)

    def width(self, values: Values) -> Fraction | None:
        """In the attribute's unit; None is wide enough for anything."""
        if self.kind != "ordered":
            return Fraction(len(values))
        if "" in values:
            return None if len(values) > 1 else Fraction(0)
        inside = [i for i, cell in enumerate(self.cells) if cell <= values]
        if self.bounds:
            return self.bounds[inside[-1] + 1] - self.bounds[inside[0]]
        numbers = [Fraction(Decimal(value)) for i in inside for value in self.cells[i]]
        return max(numbers) - min(numbers)

    def _alike(self, values: Values, level: int) -> bool:
        """Whether the set is all leaves of one node of a level."""
        named = {path[level] for path in self.paths if path[0] in values}
        return len(named) == 1 and {path[0] for path in self.paths if path[level] in named} == set(values)


@dataclass(frozen=True)
class Space:
    """The space of a problem, laid out from its rows."""

    problem: Problem
    rows: list[Row]

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The attributes."""
        return tuple(self._dimension(q) for q in self.problem.data.frequencies.quasi_identifiers)

    @cached_property
    def costs(self) -> dict[Box, Fraction | None]:
        """The costs of boxes, kept because many partitions have the same box."""
        return {}

    @cached_property
    def present(self) -> tuple[Values, ...]:
        """The values of each attribute that occur."""
        return tuple(frozenset(row[d.name] or "" for row in self.rows) for d in self.dimensions)

    def members(self, box: Box) -> list[Row]:
        """The rows in a box."""
        return [
            row for row in self.rows if all((row[d.name] or "") in v for d, v in zip(self.dimensions, box, strict=True))
        ]

    def partitions(self, most: int, *, empty: bool = False) -> set[Partition]:
        """Every hierarchical partition; blocks without rows are left out of it unless asked for."""
        cached: dict[Box, set[Partition]] = {}

        def below(box: Box) -> set[Partition]:
            if box not in cached:
                if not empty and not self.members(box):
                    cached[box] = {frozenset()}
                    return cached[box]
                here = {frozenset({box})}
                for a, d in enumerate(self.dimensions):
                    for parts in d.splits(box[a]):
                        options = [below((*box[:a], part, *box[a + 1 :])) for part in parts]
                        if prod(map(len, options)) > 20 * most:
                            raise TooMany
                        here |= {frozenset[Box]().union(*chosen) for chosen in product(*options)}
                        if len(here) > most:
                            raise TooMany
                cached[box] = here
            return cached[box]

        return below(tuple(d.whole for d in self.dimensions))

    def _dimension(self, q: QuasiIdentifier) -> Dimension:
        recoding = self.problem.question.recoding
        if not isinstance(recoding, Multidimensional):
            raise TypeError("only multidimensional recoding has boxes")
        splits = (recoding.splits or {}).get(q.name)
        counts = Counter(row[q.name] or "" for row in self.rows)
        if splits is None and q.hierarchy.kind == "taxonomy":
            return Dimension(q.name, frozenset(q.hierarchy.leaves), "taxonomy", paths=tuple(q.hierarchy.rows))
        if q.hierarchy.kind == "unordered":
            return Dimension(q.name, frozenset(counts), "unordered")
        values = sorted((v for v in counts if v), key=Decimal)
        missing = frozenset({""}) if "" in counts else frozenset[str]()
        if not values:
            return Dimension(q.name, missing, "ordered", (missing,))
        bounds: tuple[Fraction, ...] = ()
        if splits is None or splits == "every":
            cells = [[v] for v in values]
        else:
            starts = _starts(splits, values, [counts[v] for v in values])
            bounds = (Fraction(values[0]), *starts, Fraction(values[-1]))
            cells = [[f"cell {q.name} {i}"] for i in range(len(starts) + 1)]  # a cell may hold no value
            for v in values:
                cells[sum(Fraction(v) >= start for start in starts)].append(v)
        blocks = tuple(frozenset(cell) for cell in cells)
        return Dimension(q.name, frozenset[str]().union(*blocks) | missing, "ordered", blocks, bounds=bounds)


def _starts(splits: object, values: Sequence[str], counts: Sequence[int]) -> list[Fraction]:
    """Where cells begin, but the first."""
    if isinstance(splits, tuple):
        cuts = sorted({Fraction(cut) for cut in splits})
        return [cut for cut in cuts if Fraction(values[0]) < cut <= Fraction(values[-1])]
    number = int(str(splits))
    used: set[int] = set()
    for j in range(1, number + 1):
        goal = Fraction(sum(counts) * j, number + 1)
        free = [i for i in range(1, len(values)) if i not in used]
        if free:
            used.add(min(free, key=lambda i: (abs(sum(counts[:i]) - goal), i)))
    return [Fraction(values[i]) for i in sorted(used)]
