"""Every registered model: its C++ twin equals its definition, and its declared monotonicity survives refutation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from sfumato import _core, privacy
from sfumato.data import ClassSummary, FrequencyTable
from sfumato.native.tables import twin_of
from sfumato.privacy import (
    ClassModel,
    DeltaDisclosure,
    EntropyLDiversity,
    LDiversity,
    LPlusDiversity,
    Monotonicity,
    RecursiveLDiversity,
    TauLDiversity,
    TCloseness,
)
from sfumato.settings.registry import about
from sfumato.testing.conformance import counterexample, of_boxes, random_class, refuted, union
from sfumato.testing.random_models import DRAWS, VALUES, draw, random_input


def histogram_of(summary: ClassSummary) -> np.ndarray[Any, Any]:
    return np.array([summary.histograms["s"].get(value, 0) for value in VALUES], dtype=np.int64)


def holds(twin: _core.ClassModel, summary: ClassSummary) -> bool:
    return twin.holds(summary.size, histogram_of(summary), summary.units, summary.population)


def same_shares(random: Random, table: FrequencyTable) -> ClassSummary:
    """A class with the input's shares, or a little off."""
    histogram = {value: count * 2 for value, count in table.distributions["s"].counts.items()}
    histogram[random.choice(VALUES)] += random.choice([0, 1])
    size = sum(histogram.values())
    return ClassSummary(size, {"s": histogram}, population=size * random.choice([1, 2, 3]))


def registered() -> list[type[Any]]:
    parts = [getattr(privacy, name) for name in privacy.__all__]
    return [
        part
        for part in parts
        if isinstance(part, type) and hasattr(part, "paper") and about(part) == "classes" and not of_boxes(part)
    ]


def test_every_model_is_drawn() -> None:
    assert set(DRAWS) == set(registered())


@pytest.mark.parametrize("model", registered())
def test_twin_equals_definition(model: type[Any], suite: Callable[[int], int]) -> None:
    random = Random(1)
    agreed = {True: 0, False: 0}
    for _ in range(suite(20_000)):
        table = random_input(random)
        drawn = draw(model, random, table)
        # The core never meets a suppressed value, and to t-closeness it would be more than a record without a value.
        summary = random_class(random, VALUES, unknown=model is not TCloseness)
        if random.random() < 0.3:
            summary = same_shares(random, table)
        twin = twin_of(drawn, table, ["s"])
        assert type(twin) is getattr(_core, model.__name__, _core.CalledBackModel)
        assert holds(twin, summary) == drawn.holds(summary)
        agreed[drawn.holds(summary)] += 1
        persons = replace(summary, units=random.randint(1, summary.size))
        assert holds(twin, persons) == drawn.holds(persons)
    assert min(agreed.values()) > 0


@pytest.mark.parametrize("model", registered())
def test_twin_equals_definition_on_large_counts(model: type[Any], suite: Callable[[int], int]) -> None:
    """Billions of records, thresholds with long denominators, and ties among them."""
    random = Random(4)
    for _ in range(suite(3_000)):
        table = random_input(random, 1 << random.choice([10, 28, 31]))
        scale = random.choice([1, 10**3, 10**8])
        small = random_class(random, VALUES, unknown=False)
        nudge = random.choice([0, 0, 1])
        histogram = {value: count * scale + nudge for value, count in small.histograms["s"].items()}
        size = sum(histogram.values())
        people = size * random.choice([1, 2, 3, 7]) + random.choice([-1, 0, 1])
        summary = ClassSummary(size, {"s": histogram}, population=people)
        for drawn in (draw(model, random, table), fine(draw(model, random, table), random)):
            twin = twin_of(drawn, table, ["s"])
            assert holds(twin, summary) == drawn.holds(summary), (drawn, summary)


def fine(drawn: ClassModel, random: Random) -> ClassModel:
    """The model with a threshold of many digits, if it has thresholds."""
    name = next(
        (name for name in ("alpha", "beta", "c", "delta", "delta_max", "t", "theta") if hasattr(drawn, name)), None
    )
    if name is None or not isinstance(getattr(drawn, name), Fraction):
        return drawn
    off = Fraction(random.choice([-1, 1]), random.choice([10**17, 10**26, 10**40]))
    value = max(Fraction(1, 10**6), getattr(drawn, name) + off)
    return changed(drawn, name, min(Fraction(1), value))


@pytest.mark.parametrize("model", registered())
def test_declared_monotonicity_cannot_be_refuted(model: type[Any], suite: Callable[[int], int]) -> None:
    random = Random(2)
    tried = 0
    for _ in range(suite(50_000)):
        table = random_input(random)
        drawn = draw(model, random, table)
        classes = [random_class(random, VALUES), random_class(random, VALUES)]
        if model is DeltaDisclosure:  # else hardly any class satisfies it
            classes = [same_shares(random, table), same_shares(random, table)]
        assert not refuted(drawn, classes, random.choice([0, 0, 1, 10])), (drawn, classes)
        tried += all(drawn.holds(summary) for summary in classes)
    assert tried > suite(50_000) / 100


@dataclass(frozen=True)
class AtMost(ClassModel):
    """At most k records: merging breaks it at once."""

    name: ClassVar[str] = "at-most"
    k: int
    monotonicity: Monotonicity = Monotonicity.UP

    def holds(self, summary: ClassSummary) -> bool:
        return summary.size <= self.k


class TooStrong(LDiversity):
    monotonicity = Monotonicity.STRONGLY_UP


def test_a_wrong_declaration_is_refuted() -> None:
    assert counterexample(AtMost(4), VALUES) is not None
    assert counterexample(AtMost(4, Monotonicity.NONE), VALUES) is None
    assert counterexample(TooStrong("s", 2), VALUES) is not None
    assert counterexample(LDiversity("s", 2), VALUES) is None


@pytest.mark.parametrize("model", [one for one in registered() if one.monotonicity is Monotonicity.UP])
def test_up_is_not_understated(model: type[Any]) -> None:
    """Every model that is declared UP fails to be STRONGLY_UP: the declarations are as strong as they can be."""
    random = Random(5)
    for _ in range(20_000):
        table = random_input(random)
        drawn = draw(model, random, table)
        one, other = same_shares(random, table), random_class(random, VALUES)
        if random.random() < 0.3:  # some models are hard to break by a few records more
            one = random_class(random, VALUES)
        if drawn.holds(one) and not drawn.holds(union(one, other)):
            return
    pytest.fail("no counterexample to STRONGLY_UP")


# --- attained

# How a parameter gets stronger; strict models hold for every weaker parameter than the one attained, not for it.
STRONGER = {
    "k": +1,
    "l": +1,
    "alpha": -1,
    "theta": -1,
    "beta": -1,
    "t": -1,
    "c": -1,
    "delta": -1,
    "tau": -1,
    "epsilon": -1,
}
STRONGER |= {"delta_min": +1, "delta_max": -1}
STRICT = {RecursiveLDiversity, DeltaDisclosure}


def changed(drawn: ClassModel, parameter: str, value: object) -> ClassModel:
    other = {"delta_min": {"delta_max": 1}, "delta_max": {"delta_min": 0}}.get(parameter, {})  # one at a time
    return replace(drawn, **{**other, parameter: value})  # type: ignore[type-var]


@pytest.mark.parametrize("model", registered())
def test_attained_is_the_strongest_that_holds(model: type[Any]) -> None:
    random = Random(3)
    checked = 0
    for _ in range(300):
        table = random_input(random)
        drawn = draw(model, random, table)
        if isinstance(drawn, LPlusDiversity):
            drawn = LPlusDiversity("s", Fraction(1, 2))
        classes = [
            same_shares(random, table) if random.random() < 0.5 else random_class(random, VALUES)
            for _ in range(random.randint(1, 4))
        ]
        attained = {{"max_confidence": "theta"}.get(key, key): value for key, value in drawn.attained(classes).items()}
        attained.pop("excess", None)  # a measure beside the parameters
        for key, value in attained.items():
            if value is not None:
                drawn = changed(drawn, key, value if model not in STRICT or key == "l" else value * (1 + 1e-9) + 1e-9)
        for parameter, value in attained.items():
            if value is None or (model in {RecursiveLDiversity, TauLDiversity} and parameter == "l"):
                continue
            checked += 1
            assert all(drawn.holds(summary) for summary in classes)
            weakest = {"alpha": 0, "theta": 0, "t": 0, "beta": 0, "delta": 0, "delta_min": 1}.get(parameter)
            if value == weakest:
                continue
            step = (
                1 if isinstance(value, int) and (parameter in {"k", "l"} or parameter not in STRONGER) else 1e-9 * value
            )
            stronger = value + STRONGER.get(parameter, 1) * step
            assert not all(changed(drawn, parameter, stronger).holds(summary) for summary in classes)
    assert checked > 50
    assert all(value is None for value in draw(model, random, random_input(random)).attained([]).values())


# --- definitions, written down once more


def entropy_holds(summary: ClassSummary, l: Fraction) -> bool:
    n, counts = summary.size, summary.histograms["s"].values()
    left: Fraction = prod((Fraction(n, count) ** count for count in counts), start=Fraction(1))
    return left >= l**n


def test_entropy_is_exact_at_ties() -> None:
    """Also where shares differ: ½, ⅛, ⅛, ⅛, ⅛ has the entropy of four equal values."""
    ties = [([1, 1], 2), ([3, 3, 3], 3), ([4, 1, 1, 1, 1], 4), ([2, 1, 1], None), ([1], 1)]
    for counts, l in ties:
        for scale in (1, 7, 10**6):
            for nudge in (0, 1):
                histogram = {value: count * scale for value, count in zip(VALUES, counts, strict=False)}
                histogram[VALUES[0]] += nudge
                summary = ClassSummary(sum(histogram.values()), {"s": histogram})
                for asked in (l or 2, Fraction(l or 2) + Fraction(1, 10**9)):
                    model = EntropyLDiversity("s", asked)
                    twin = twin_of(model, random_input(Random(1)), ["s"])
                    assert twin.holds(summary.size, histogram_of(summary)) == model.holds(summary)
                    if scale < 10**6:
                        assert model.holds(summary) == entropy_holds(summary, Fraction(asked))
                if l and not nudge:
                    assert EntropyLDiversity("s", l).holds(summary)


def test_entropy_equals_its_formula(suite: Callable[[int], int]) -> None:
    random = Random(6)
    for _ in range(suite(20_000)):
        summary, l = random_class(random, VALUES), random.choice([1, 2, 3, 4, Fraction(5, 2)])
        assert EntropyLDiversity("s", l).holds(summary) == entropy_holds(summary, Fraction(l))
