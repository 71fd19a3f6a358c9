"""Brute force over all hierarchical partitions of a small space, with exact fractions.

The oracle for searches of boxes. It lays the space out from the rows, splits boxes in every way, whether or not they
hold records, and adds costs up by the formulas of the papers; earth mover's distances come from flows. It shares
nothing with what it checks but the other models' definitions.
"""

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

from sfumato.data import ClassSummary, QuasiIdentifier
from sfumato.loss import LM
from sfumato.privacy import TCloseness
from sfumato.problem import Problem
from sfumato.recoding import Scheme
from sfumato.testing.plain_engine import Row
from sfumato.testing.transport import earth_movers

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
        """What boxes cost, of those that were asked for: many partitions have them."""
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
        known: dict[Box, set[Partition]] = {}

        def below(box: Box) -> set[Partition]:
            if box not in known:
                if not empty and not self.members(box):
                    known[box] = {frozenset()}
                    return known[box]
                found = {frozenset({box})}
                for a, d in enumerate(self.dimensions):
                    for parts in d.splits(box[a]):
                        options = [below((*box[:a], part, *box[a + 1 :])) for part in parts]
                        if prod(map(len, options)) > 20 * most:
                            raise TooMany
                        found |= {frozenset[Box]().union(*chosen) for chosen in product(*options)}
                        if len(found) > most:
                            raise TooMany
                known[box] = found
            return known[box]

        return below(tuple(d.whole for d in self.dimensions))

    def _dimension(self, q: QuasiIdentifier) -> Dimension:
        space = self.problem.recoding.box_space
        if space is None:
            raise TypeError(f"{self.problem.recoding.name} recoding has no boxes")
        splits = (space.splits or {}).get(q.name)
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


def cost_of(space: Space, partition: Partition) -> Fraction | None:
    """What a partition costs; None if a block violates and may not be suppressed."""
    total = Fraction(0)
    for box in partition:
        if box not in space.costs:
            space.costs[box] = _box_cost(space, box)
        cost = space.costs[box]
        if cost is None:
            return None
        total += cost
    return total


def _box_cost(space: Space, box: Box) -> Fraction | None:  # noqa: PLR0911 - a formula each
    problem, group = space.problem, space.members(box)
    loss, n, every = problem.loss, len(group), len(space.rows)
    attributes = problem.data.frequencies.quasi_identifiers
    weights = [Fraction(((loss.weights or {}) if isinstance(loss, LM) else {}).get(q.name, 1)) for q in attributes]
    if not _holds(space, box, group):
        if problem.recoding.suppressing.scheme is Scheme.NONE:
            return None
        if isinstance(loss, LM):
            return n * Fraction(1 if loss.record is None else loss.record) * sum(weights)
        total = prod(d.length(d.whole, there) for d, there in zip(space.dimensions, space.present, strict=True))
        return Fraction({"discernibility": n * every, "classification": n, "volume": n * total}[loss.name])
    if loss.name == "discernibility":
        return Fraction(n * n)
    if loss.name == "classification":
        labels = Counter(row[str(loss.reads(problem.data.frequencies))] for row in group)
        return Fraction(n - max(labels.values()))
    parts = zip(space.dimensions, box, space.present, strict=True)
    if loss.name == "volume":
        return Fraction(n * prod(d.length(values, there) for d, values, there in parts))
    lost = [
        w * d.lost(values, there, len(q.hierarchy.leaves))
        for (d, values, there), w, q in zip(parts, weights, attributes, strict=True)
    ]
    return n * sum(lost, Fraction(0))


def _holds(space: Space, box: Box, group: list[Row]) -> bool:
    problem = space.problem
    unit = problem.data.unit
    units = None if unit is None else max(1, len({row[unit] for row in group} - {None, ""}))
    names = {model.reads for model in problem.constraints if model.reads is not None}
    histograms = {name: dict(Counter(row[name] or "" for row in group)) for name in names}
    summary = ClassSummary(len(group), histograms, units=units)
    for model in problem.constraints:
        if not model.measures:
            if not (_close(model, summary) if isinstance(model, TCloseness) else model.holds(summary)):
                return False
            continue
        for d, values in zip(space.dimensions, box, strict=True):
            limit = dict(getattr(model, "widths", {})).get(d.name)
            width = d.width(values)
            if limit is not None and width is not None and width < limit:
                return False
    return True


def _close(model: TCloseness, summary: ClassSummary) -> bool:
    """t-closeness by moving earth, not by its formulas."""
    return earth_movers(model.input, summary.histograms[model.sensitive], model.distance) <= Fraction(model.t)


def best(space: Space, most: int) -> tuple[Fraction | None, int]:
    """The least cost, None if there is no valid partition, and the number of partitions."""
    found = space.partitions(most)
    costs = [cost for partition in found if (cost := cost_of(space, partition)) is not None]
    return min(costs, default=None), len(found)


def optima(space: Space, most: int) -> int:
    """How many different groupings of the rows cost least."""
    valid = [(cost_of(space, p), p) for p in space.partitions(most)]
    least = min(cost for cost, _ in valid if cost is not None)
    return len(
        {
            frozenset(tuple(id(row) for row in space.members(box)) for box in partition)
            for cost, partition in valid
            if cost == least
        }
    )
