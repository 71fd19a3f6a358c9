"""Brute force over all cuts: every full-subtree recoding, published label by label, with exact fractions.

The oracle for searches of cuts. It enumerates cuts on the hierarchies' rows, groups rows by what they would print,
withholds by the schemes' definitions, and adds costs up by the formulas of the papers; losses without a formula here
are computed by their definition. It shares nothing else with what it checks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from sfumato.loss import LM
from sfumato.problem import Problem
from sfumato.recoding import FullSubtree, Scheme
from sfumato.testing.brute_force_withholding import Outcome, withhold
from sfumato.testing.plain_engine import Row

Leaf: TypeAlias = str
# What each leaf of a hierarchy prints, with the level of that: one cut.
CutMap: TypeAlias = dict[Leaf, tuple[str, int]]


@dataclass(frozen=True)
class CutResult:
    """One cut, evaluated."""

    cut: tuple[tuple[str, ...], ...]  # the labels of each attribute's nodes, in the hierarchy's order
    valid: bool
    cost: Fraction
    suppressed: int  # records
    hidden: int  # values
    released: Counter[tuple[str, ...]]  # published quasi-identifiers and sensitive values of the records that stay


def best(problem: Problem, rows: list[Row]) -> CutResult | None:
    """The cheapest valid cut, the first of equals; None if there is none."""
    return min((cut for cut in cuts(problem, rows) if cut.valid), key=lambda cut: cut.cost, default=None)


def cheapest(problem: Problem, rows: list[Row], number: int) -> list[CutResult]:
    """The cheapest valid cuts, so many of them if there are."""
    return sorted((cut for cut in cuts(problem, rows) if cut.valid), key=lambda cut: cut.cost)[:number]


def cuts(problem: Problem, rows: list[Row]) -> Iterator[CutResult]:
    """Every cut that the recoding allows and that publishes another table than the others."""
    cached: Cache = {}
    for maps in product(*cut_maps(problem, rows)):
        yield evaluate(problem, rows, maps, cached)


def cut_maps(problem: Problem, rows: list[Row]) -> list[list[CutMap]]:
    """For each quasi-identifier, all its cuts."""
    recoding, maps = problem.question.recoding, []
    if not isinstance(recoding, FullSubtree):
        raise TypeError("only full-subtree recoding has cuts")
    for attribute, (lowest, highest) in zip(
        problem.data.frequencies.quasi_identifiers, recoding.ranges(problem.data.frequencies), strict=True
    ):
        present = {row[attribute.name] or "" for row in rows}
        tops: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for path in attribute.hierarchy.rows:
            tops[path[highest]].append(path)
        below = [_cuts_of(paths, highest, lowest, present) for paths in tops.values()]
        maps.append([{leaf: node for part in parts for leaf, node in part.items()} for parts in product(*below)])
    return maps


def space(problem: Problem, rows: list[Row]) -> int:
    """How many cuts there are, without making them."""
    return prod(map(len, cut_maps(problem, rows)))


def _cuts_of(paths: list[tuple[str, ...]], level: int, lowest: int, present: set[str]) -> list[CutMap]:
    """The cuts of the node of a level over these leaves, the node itself first."""
    parts: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    while level > lowest:
        parts.clear()
        for path in paths:
            parts[path[level - 1]].append(path)
        if len(parts) > 1:
            break
        level -= 1  # a node with one child is one node with it
    own: CutMap = {path[0]: (path[level], level) for path in paths}
    if level == lowest or not any(path[0] in present for path in paths):
        return [own]
    below = [_cuts_of(part, level - 1, lowest, present) for part in parts.values()]
    return [own, *({leaf: node for part in chosen for leaf, node in part.items()} for chosen in product(*below))]


def evaluate(problem: Problem, rows: list[Row], maps: Sequence[CutMap], cached: Cache) -> CutResult:
    """What a cut publishes, withholds and costs; `cached` holds the outcomes of classes of other cuts."""
    attributes = problem.data.frequencies.quasi_identifiers
    members: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        members[tuple(cut[row[q.name] or ""][0] for q, cut in zip(attributes, maps, strict=True))].append(i)
    covered = [Counter(cut[row[q.name] or ""][0] for row in rows) for q, cut in zip(attributes, maps, strict=True)]
    widths = [_widths(cut) for q, cut in zip(attributes, maps, strict=True)]
    valid, suppressed, hidden = True, 0, 0
    cost, classes = Fraction(0), []
    released: Counter[tuple[str, ...]] = Counter()
    for labels, places in members.items():
        values = zip(widths, covered, labels, strict=True)
        shape = tuple((*widths_of[label], records[label]) for widths_of, records, label in values)
        if (own := (tuple(places), shape)) not in cached:
            group = [rows[i] for i in places]
            outcome = withhold(problem, group, tuple(zip(*shape, strict=True)))
            cached[own] = outcome, _cost(problem, len(rows), group, outcome, [leaves for leaves, _, _ in shape])
        outcome, price = cached[own]
        valid &= outcome.valid
        suppressed += len(places) - len(outcome.kept)
        hidden += outcome.hidden
        cost += price
        released.update((*labels, *row) for row in outcome.kept)
        if outcome.kept:
            classes.append(outcome.summary)
    if not _has_formula(problem):
        cost = problem.question.loss.cost(problem.data.frequencies, classes, suppressed)
    scheme, limit = problem.question.recoding.suppressing.scheme, problem.question.recoding.suppressing.limit
    touched = hidden if scheme.of_values else suppressed
    everything = len(rows) * (len({m.reads for m in problem.question.constraints}) if scheme.of_values else 1)
    within = scheme is Scheme.NONE or touched <= limit * everything
    named = tuple(tuple(dict.fromkeys(label for label, _ in cut.values())) for cut in maps)
    return CutResult(named, valid and within, cost, suppressed, hidden, released)


# Classes by their records, and by the leaves, the level and the covered records of each of their values.
Cache: TypeAlias = dict[tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]], tuple[Outcome, Fraction]]


def _has_formula(problem: Problem) -> bool:
    return isinstance(problem.question.loss, LM) or problem.question.loss.name in {"discernibility", "classification"}


def _cost(problem: Problem, records: int, group: list[Row], outcome: Outcome, leaves: list[int]) -> Fraction:
    """The cost of a class, by the formulas of the paper."""
    loss, stay = problem.question.loss, len(outcome.kept)
    gone = len(group) - stay
    if loss.name == "discernibility":
        return Fraction(stay**2 + gone * records)
    if loss.name == "classification":
        return Fraction(outcome.wrong + gone)
    if not isinstance(loss, LM):
        return Fraction(0)
    attributes, weights = problem.data.frequencies.quasi_identifiers, loss.weights or {}
    every = [Fraction(weights.get(attribute.name, 1)) for attribute in attributes]
    of_record = sum(
        (
            weight * Fraction(n - 1, len(attribute.hierarchy.rows) - 1)
            for weight, attribute, n in zip(every, attributes, leaves, strict=True)
            if len(attribute.hierarchy.rows) > 1
        ),
        Fraction(0),
    )
    record, value = (Fraction(1 if price is None else price) for price in (loss.record, loss.value))
    prices = gone * record + outcome.hidden * value
    return stay * of_record + prices * sum(every, Fraction(0))


def _widths(cut: CutMap) -> dict[str, tuple[int, int]]:
    """The number of leaves and the level of each label of a cut."""
    counts = Counter(label for label, _ in cut.values())
    return {label: (counts[label], level) for label, level in cut.values()}
