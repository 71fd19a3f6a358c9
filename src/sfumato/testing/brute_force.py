"""Brute force over the full-domain lattice: every node, published label by label, with exact fractions.

The oracle for exact searches. It groups rows by what they would print, counts leaves in the hierarchy's rows, and asks
the models' and the loss's definitions; it shares nothing else with what it checks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from sfumato.data import ClassSummary
from sfumato.problem import Problem
from sfumato.testing.plain_engine import Row


@dataclass(frozen=True)
class NodeResult:
    """One node of the lattice, evaluated."""

    levels: tuple[int, ...]
    valid: bool
    cost: Fraction
    suppressed: int
    released: Counter[tuple[str, ...]]  # published quasi-identifiers of the records that stay


def best(problem: Problem, rows: list[Row], population: list[Row] | None = None) -> NodeResult | None:
    """The cheapest valid node, the lexicographically first of equals; None if there is none."""
    valid = [node for node in nodes(problem, rows, population) if node.valid]
    return min(valid, key=lambda node: (node.cost, node.levels), default=None)


def nodes(problem: Problem, rows: list[Row], population: list[Row] | None = None) -> Iterator[NodeResult]:
    """Every node that the recoding allows."""
    lattice = problem.question.recoding.lattice
    if lattice is None:
        raise TypeError(f"{problem.question.recoding.name} recoding has no nodes")
    ranges = lattice.ranges(problem.data.frequencies)
    for levels in product(*(range(lowest, highest + 1) for lowest, highest in ranges)):
        yield evaluate(problem, rows, levels, population)


def evaluate(
    problem: Problem, rows: list[Row], levels: tuple[int, ...], population: list[Row] | None = None
) -> NodeResult:
    """What a node publishes, suppresses and costs."""
    kept: dict[tuple[str, ...], ClassSummary] = {}
    suppressed = 0
    for labels, summary in classes(problem, rows, levels, population).items():
        if all(model.holds(summary) for model in problem.question.constraints):
            kept[labels] = summary
        else:
            suppressed += summary.size
    allowed = problem.question.recoding.suppressing.limit * len(rows)
    cost = problem.question.loss.cost(problem.data.frequencies, kept.values(), suppressed)
    released = Counter({labels: summary.size for labels, summary in kept.items()})
    return NodeResult(levels, suppressed <= allowed, cost, suppressed, released)


def classes(
    problem: Problem, rows: list[Row], levels: tuple[int, ...], population: list[Row] | None = None
) -> dict[tuple[str, ...], ClassSummary]:
    """The equivalence classes at a node, by what they would print, with all that models and losses may ask."""
    attributes = problem.data.frequencies.quasi_identifiers
    # The population may have missing values where the data has none: below the root, they are a label of their own.
    path_of = [
        {"": ("",) * attribute.hierarchy.height + (attribute.hierarchy.rows[0][-1],)}
        | {row[0]: row for row in attribute.hierarchy.rows}
        for attribute in attributes
    ]

    def published(row: Row) -> tuple[str, ...]:
        values = [row[attribute.name] or "" for attribute in attributes]
        return tuple(paths[value][level] for paths, value, level in zip(path_of, values, levels, strict=True))

    people = None if population is None else Counter(map(published, population))
    members: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        members[published(row)].append(row)
    records: list[Counter[str]] = [Counter() for _ in attributes]  # of each published value
    for labels, group in members.items():
        for counter, label in zip(records, labels, strict=True):
            counter[label] += len(group)
    widths = [Counter(row[level] for row in q.hierarchy.rows) for q, level in zip(attributes, levels, strict=True)]
    read = {*problem.data.sensitive, *([problem.data.target] if problem.data.target else [])}
    summaries = {}
    for labels, group in members.items():
        leaves = tuple(width[label] for width, label in zip(widths, labels, strict=True))
        histograms = {name: dict(Counter(row[name] or "" for row in group)) for name in read}
        covered = tuple(counter[label] for counter, label in zip(records, labels, strict=True))
        summaries[labels] = ClassSummary(
            len(group),
            histograms,
            leaves,
            _persons(group, problem.data.unit),
            levels=levels,
            covered=covered,
            population=None if people is None else people[labels],
        )
    return summaries


def _persons(group: list[Row], unit: str | None) -> int | None:
    """The different persons of a class. A record without a unit may be anybody's, but somebody's it is."""
    return None if unit is None else max(1, len({row[unit] for row in group} - {None, ""}))
