"""Brute force over all hierarchical partitions of a small space, with exact fractions.

The oracle for searches of boxes. It splits boxes in every way (`box_space`), whether or not they hold records, and adds
costs up by the formulas of the papers; earth mover's distances come from flows. It shares nothing with what it checks
but the other models' definitions.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import prod

from sfumato.data import ClassSummary
from sfumato.loss import LM
from sfumato.privacy import TCloseness
from sfumato.recoding import Scheme
from sfumato.testing.box_space import Box, Partition, Space
from sfumato.testing.plain_engine import Row
from sfumato.testing.transport import earth_movers


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
    loss, n, every = problem.question.loss, len(group), len(space.rows)
    attributes = problem.data.frequencies.quasi_identifiers
    weights = [Fraction(((loss.weights or {}) if isinstance(loss, LM) else {}).get(q.name, 1)) for q in attributes]
    if not _holds(space, box, group):
        if problem.question.recoding.suppressing.scheme is Scheme.NONE:
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
    names = {model.reads for model in problem.question.constraints if model.reads is not None}
    histograms = {name: dict(Counter(row[name] or "" for row in group)) for name in names}
    summary = ClassSummary(len(group), histograms, units=units)
    for model in problem.question.constraints:
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
    partitions = space.partitions(most)
    costs = [cost for partition in partitions if (cost := cost_of(space, partition)) is not None]
    return min(costs, default=None), len(partitions)


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
