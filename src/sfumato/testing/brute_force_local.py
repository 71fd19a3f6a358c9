"""Brute force over all local recodings of a few records: every partition, each class at the lowest common labels.

The oracle for LocalSearch. It counts leaves in the hierarchies' rows, or values between the least and the largest, and
asks the models' and the loss's definitions; it shares nothing else with what it checks. A recoding whose classes could
be published lower costs no less, and two classes that print alike are one, which the models must not object to: so
these are all that matter.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

from sfumato.data import ClassSummary, QuasiIdentifier
from sfumato.hierarchies import Hierarchy
from sfumato.problem import Problem
from sfumato.testing.plain_engine import Row


def least_local(problem: Problem, rows: list[Row]) -> Fraction | None:
    """The least loss of a local recoding that satisfies the constraints; None if there is none."""

    @cache
    def cost(members: tuple[int, ...]) -> Fraction | None:
        group = [rows[i] for i in members]
        histograms = {name: dict(Counter(row[name] or "" for row in group)) for name in problem.data.sensitive}
        leaves, levels = zip(*(blurred(a, [row[a.name] or "" for row in group]) for a in attributes), strict=True)
        summary = ClassSummary(len(group), histograms, leaves, levels=levels)
        if not all(model.holds(summary) for model in problem.question.constraints):
            return None
        exact: Fraction = problem.question.loss.cost(problem.data.frequencies, [summary], 0)
        return exact

    @cache
    def least(left: tuple[int, ...]) -> Fraction | None:
        if not left:
            return Fraction(0)
        first, *others = left
        totals: list[Fraction] = []
        for chosen in range(1 << len(others)):
            members = (first, *(other for i, other in enumerate(others) if chosen >> i & 1))
            own = cost(members)
            rest = None if own is None else least(tuple(other for other in left if other not in members))
            if own is not None and rest is not None:
                totals.append(own + rest)
        return min(totals, default=None)

    def blurred(attribute: QuasiIdentifier, values: list[str]) -> tuple[int | Fraction, int]:
        if attribute.name not in orders:
            return lowest(attribute.hierarchy, values)
        return around(attribute.hierarchy, orders[attribute.name], values)

    attributes = problem.data.frequencies.quasi_identifiers
    space = problem.question.recoding.local_space
    splits = None if space is None else space.splits
    orders = {
        a.name: in_order({row[a.name] or "" for row in rows})
        for a in attributes
        if a.name in (splits or {}) or a.hierarchy.kind == "ordered"
    }
    return least(tuple(range(len(rows))))


def in_order(values: set[str]) -> list[str]:
    """The numbers that occur, each a cell of its own, and last the missing value."""
    return sorted(values, key=lambda value: (value == "", Fraction(value or 0)))


def around(hierarchy: Hierarchy, order: list[str], values: list[str]) -> tuple[Fraction, int]:
    """What the smallest interval around values counts in leaves, and its level; a missing value needs everything."""
    places = [order.index(value) for value in values]
    cells = max(places) - min(places) + 1
    if cells > 1 and "" in values:
        cells = len(order)
    leaves = 1 + Fraction((cells - 1) * (len(hierarchy.rows) - 1), max(len(order) - 1, 1))
    return leaves, hierarchy.height if cells > 1 else 0


def is_namesake(hierarchy: Hierarchy, above: tuple[str, ...]) -> bool:
    """Whether a node, given by its labels up to the root, is called like the root or a smaller node.

    Of two that have as many leaves the lower one is the smaller; a node may stand on several levels, one above the
    other.
    """
    rows = hierarchy.rows

    def size(node: tuple[str, ...]) -> tuple[int, int]:
        leaves = [row for row in rows if row[len(row) - len(node) :] == node]
        level = len(rows[0]) - len(node)
        while level > 0 and len({row[level - 1] for row in leaves}) == 1 and leaves[0][level - 1] == node[0]:
            level -= 1
        return len(leaves), level

    def is_root(node: tuple[str, ...]) -> bool:
        return set(node) == {rows[0][-1]} and size(node)[0] == len(rows)

    called_alike = {row[level:] for row in rows for level in range(len(row)) if row[level] == above[0]}
    if is_root(above):
        return False
    return any(is_root(node) or size(node) < size(above) for node in called_alike)


def lowest(hierarchy: Hierarchy, values: list[str]) -> tuple[int, int]:
    """The leaves below the lowest label above all values, and its level."""
    paths = [next(row for row in hierarchy.rows if row[0] == value) for value in values]
    for level in range(len(paths[0])):
        above = paths[0][level:]
        if all(path[level:] == above for path in paths) and not is_namesake(hierarchy, above):
            return sum(row[level:] == above for row in hierarchy.rows), level
    raise ValueError("a hierarchy has one root")
