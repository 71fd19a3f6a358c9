"""Conformance: random classes, and the search for a counterexample to what a class model declares about itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from sfumato.data import ClassSummary
from sfumato.privacy import ClassModel, Monotonicity

COUNTS = (0, 0, 1, 1, 2, 3, 5)


def of_boxes(part: type[Any]) -> bool:
    """Whether a part looks at boxes, which only multidimensional recoding has: other tests draw it."""
    measures = getattr(part, "measures", ClassModel.measures) is not ClassModel.measures
    return measures or bool(getattr(part, "boxes", False))


def random_class(random: Random, values: Sequence[str], name: str = "s", *, unknown: bool = True) -> ClassSummary:
    """A small class with these sensitive values, some of them absent and, now and then, some of them suppressed."""
    histogram = {value: random.choice(COUNTS) for value in values}
    histogram = {value: count for value, count in histogram.items() if count} or {random.choice(values): 1}
    hidden = random.randint(1, 3) if unknown and random.random() < 0.1 else 0
    size = sum(histogram.values()) + hidden
    population = size * random.choice([1, 1, 2, 3]) + random.choice([-1, 0, 0, 1, 2, 5])
    return ClassSummary(size, {name: histogram}, population=population)


def union(*classes: ClassSummary) -> ClassSummary:
    """All records of some classes as one class."""
    histograms: dict[str, dict[str, int]] = {}
    for summary in classes:
        for name, histogram in summary.histograms.items():
            merged = histograms.setdefault(name, {})
            for value, count in histogram.items():
                merged[value] = merged.get(value, 0) + count
    people = [summary.population for summary in classes]
    counted = [number for number in people if number is not None]
    return ClassSummary(
        sum(summary.size for summary in classes),
        histograms,
        population=sum(counted) if len(counted) == len(people) else None,
    )


def refuted(model: ClassModel, classes: Sequence[ClassSummary], others: int = 0) -> bool:
    """Whether the union of these classes contradicts the monotonicity that the model declares.

    others: people of the population who are in none of the classes, and join the union.
    """
    if model.monotonicity is Monotonicity.NONE:
        return False
    enough = any if model.monotonicity is Monotonicity.STRONGLY_UP else all
    whole = union(*classes)
    if whole.population is not None:
        whole = replace(whole, population=whole.population + others)
    return enough(model.holds(summary) for summary in classes) and not model.holds(whole)


def counterexample(
    model: ClassModel, values: Sequence[str], trials: int = 10_000, seed: int = 0
) -> tuple[ClassSummary, ...] | None:
    """Classes whose union contradicts what the model declares, if random ones do; for tests of models of your own.

    values: those of the sensitive attribute; a model that compares must be bound to a distribution of them.
    """
    random = Random(seed)  # noqa: S311 - a trial, not a secret
    for _ in range(trials):
        name = model.reads or "s"
        classes = tuple(random_class(random, values, name) for _ in range(random.randint(2, 3)))
        if refuted(model, classes, random.choice([0, 0, 1, 10])):
            return classes
    return None
