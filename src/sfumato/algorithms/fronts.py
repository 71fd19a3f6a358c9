"""The front of a whole lattice: every node evaluated."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from sfumato.algorithms.base import Limits
from sfumato.algorithms.lattice import may_suppress
from sfumato.data import ClassSummary
from sfumato.front import Found, ParetoFront, Question, Value, exactly, undominated
from sfumato.privacy.base import census_among
from sfumato.recoding import FullDomainRecoding


def complete_front(question: Question, limits: Limits, keep_nodes: bool) -> ParetoFront:
    """Every node, one after the other."""
    start, problem = time.perf_counter(), question.problem
    ranges = problem.recoding.ranges(problem.data.frequencies)
    found: list[Found] = []
    evaluated = 0
    complete = True
    for levels in product(*(range(lowest, highest + 1) for lowest, highest in ranges)):
        if time.perf_counter() - start > limits.seconds:
            complete = False
            break
        found += points_of(question, levels)
        evaluated += 1
    return ParetoFront.of(
        question,
        undominated(found, question),
        evaluated=evaluated,
        seconds=time.perf_counter() - start,
        algorithm="complete-evaluation",
        complete=complete,
        cloud=found if keep_nodes else None,
    )


def points_of(question: Question, levels: Sequence[int]) -> list[Found]:
    """What a node attains within the suppression limit, and at what cost."""
    problem, varied = question.problem, question.varied
    frequencies, fixed = problem.data.frequencies, problem.constraints[: -len(varied)]
    reads = {model.reads for model in problem.constraints} | {problem.loss.reads(frequencies)}
    everything = FullDomainRecoding(
        dict(zip(question.names, levels, strict=True)), np.zeros(len(frequencies.counts), dtype=np.bool_)
    )
    classes = everything.summaries(
        frequencies, [name for name in reads if name is not None], census_among(problem.constraints)
    )
    rated: list[tuple[ClassSummary, tuple[Value, ...]]] = []
    for summary in classes:
        strengths = [one.model.strongest(one.parameter, summary) for one in varied]
        if all(model.holds(summary) for model in fixed) and None not in strengths:
            rated.append((summary, tuple(exactly(s) for s in strengths if s is not None)))
    choices = product(*(sorted({values[i] for _, values in rated}) for i in range(len(varied))))
    allowed, found = may_suppress(problem), {}
    for asked in choices:
        kept = [
            (summary, values)
            for summary, values in rated
            if all(one.enough(v, a) for one, v, a in zip(varied, values, asked, strict=True))
        ]
        suppressed = frequencies.records - sum(summary.size for summary, _ in kept)
        if suppressed > allowed or not kept:
            continue
        attained = tuple((min if one.larger else max)(values[i] for _, values in kept) for i, one in enumerate(varied))
        if attained not in found:
            cost = Fraction(problem.loss.cost(frequencies, [summary for summary, _ in kept], suppressed))
            found[attained] = Found(attained, cost, (tuple(levels),), suppressed)
    points = list(found.values())
    return _strictest(points, question) if question.spend_limit else points


def _strictest(points: list[Found], question: Question) -> list[Found]:
    """Those that attain most, whatever they cost."""
    free = [Found(point.values, Fraction(0), point.nodes, point.suppressed) for point in points]
    best = {point.values for point in undominated(free, question)}
    return [point for point in points if point.values in best]
