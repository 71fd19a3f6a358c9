"""Every registered model: its C++ twin equals its definition, and its declared monotonicity survives refutation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from sfumato import _core, privacy
from sfumato.data import ClassSummary
from sfumato.privacy import ClassModel, DistinctLDiversity, KAnonymity, Monotonicity

VALUES = [f"s{i}" for i in range(5)]

# One way to draw parameters for each model; a model without an entry fails the first test.
DRAWS: dict[type[Any], Callable[[Random], ClassModel]] = {
    KAnonymity: lambda random: KAnonymity(random.randint(1, 8)),
    DistinctLDiversity: lambda random: DistinctLDiversity("s", random.randint(1, 4)),
}


def registered() -> list[type[Any]]:
    parts = [getattr(privacy, name) for name in privacy.__all__]
    return [part for part in parts if isinstance(part, type) and hasattr(part, "paper")]


def random_class(random: Random) -> ClassSummary:
    histogram = {value: random.choice([0, 0, 1, 1, 2, 5]) for value in VALUES}
    histogram = {value: count for value, count in histogram.items() if count} or {VALUES[0]: 1}
    return ClassSummary(sum(histogram.values()), {"s": histogram})


def union(*classes: ClassSummary) -> ClassSummary:
    histogram: dict[str, int] = {}
    for summary in classes:
        for value, count in summary.histograms["s"].items():
            histogram[value] = histogram.get(value, 0) + count
    return ClassSummary(sum(summary.size for summary in classes), {"s": histogram})


def test_every_model_is_drawn() -> None:
    assert set(DRAWS) == set(registered())


@pytest.mark.parametrize("model", registered())
def test_twin_equals_definition(model: type[Any], suite: Callable[[int], int]) -> None:
    random = Random(1)
    agreed = {True: 0, False: 0}
    for _ in range(suite(20_000)):
        drawn, summary = DRAWS[model](random), random_class(random)
        twin = getattr(_core, model.__name__)(*drawn.twin(None, ["s"]))  # type: ignore[arg-type]
        histogram = np.array([summary.histograms["s"].get(value, 0) for value in VALUES], dtype=np.int64)
        assert twin.holds(summary.size, histogram) == drawn.holds(summary)
        agreed[drawn.holds(summary)] += 1
        persons = replace(summary, units=random.randint(1, summary.size))
        assert twin.holds(summary.size, histogram, persons.units) == drawn.holds(persons)
    assert min(agreed.values()) > 0


@pytest.mark.parametrize("model", registered())
def test_declared_monotonicity_cannot_be_refuted(model: type[Any], suite: Callable[[int], int]) -> None:
    random = Random(2)
    for _ in range(suite(50_000)):
        drawn, one, other = DRAWS[model](random), random_class(random), random_class(random)
        if model.monotonicity is Monotonicity.UP and drawn.holds(one) and drawn.holds(other):
            assert drawn.holds(union(one, other))
        if model.monotonicity is Monotonicity.STRONGLY_UP and drawn.holds(one):
            assert drawn.holds(union(one, other))


@pytest.mark.parametrize("model", registered())
def test_attained_is_the_strongest_that_holds(model: type[Any]) -> None:
    random = Random(3)
    for _ in range(200):
        drawn = DRAWS[model](random)
        classes = [random_class(random) for _ in range(random.randint(1, 5))]
        for parameter, value in drawn.attained(classes).items():
            assert isinstance(value, int)
            others = {"sensitive": "s"} if drawn.reads else {}
            assert all(model(**others, **{parameter: value}).holds(summary) for summary in classes)
            assert not all(model(**others, **{parameter: value + 1}).holds(summary) for summary in classes)
    assert all(value is None for value in DRAWS[model](random).attained([]).values())
