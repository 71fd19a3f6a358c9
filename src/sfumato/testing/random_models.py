"""Random models: a way to draw the parameters of each, over a small input in which values tie and one is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from sfumato import privacy
from sfumato.data import Column, FrequencyTable
from sfumato.hierarchies import Hierarchy
from sfumato.privacy import (
    AlphaKAnonymity,
    BetaLikeness,
    ClassModel,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    EntropyLDiversity,
    EpsilonPrivacy,
    KAnonymity,
    KMap,
    LDiversity,
    LPlusDiversity,
    RecursiveLDiversity,
    TauLDiversity,
    TCloseness,
)
from sfumato.settings.exact import Number
from sfumato.testing.random_fields import also_drawn, random_part

VALUES = ["10", "9", "8.5", "200", ""]
# Leaves at two depths, a chain, two nodes of one name, an absent leaf, and the missing value below the root.
TREE = Hierarchy.from_rows(
    [
        ("200", "high", "high", "*"),
        ("10", "ten", "low", "*"),
        ("7", "small", "low", "*"),
        ("8.5", "small", "low", "*"),
        ("9", "9", "9", "*"),
    ],
    "tree",
).with_missing()
THRESHOLDS = [Fraction(a, b) for b in (2, 3, 4, 5, 7) for a in range(1, b)]


def _number(random: Random, *numbers: Number) -> Number:
    return random.choice(numbers)


# Ways to draw parameters at which small classes tie.
_DRAWS: Mapping[type[Any], Callable[[Random], ClassModel]] = {
    KAnonymity: lambda random: KAnonymity(random.randint(1, 8)),
    DistinctLDiversity: lambda random: DistinctLDiversity("s", random.randint(1, 4)),
    LDiversity: lambda random: LDiversity("s", _number(random, 1, 2, 3, "3/2", 2.5, "7/3")),
    EntropyLDiversity: lambda random: EntropyLDiversity("s", _number(random, 1, 2, 3, 4, "3/2", 2.5, "7/3")),
    RecursiveLDiversity: lambda random: RecursiveLDiversity(
        "s", _number(random, 1, 2, 3, *THRESHOLDS), random.randint(1, 4)
    ),
    AlphaKAnonymity: lambda random: AlphaKAnonymity(_number(random, *THRESHOLDS), random.randint(1, 5), "s"),
    LPlusDiversity: lambda random: random.choice(
        [
            LPlusDiversity("s", _number(random, *THRESHOLDS)),
            LPlusDiversity("s", {"10": _number(random, *THRESHOLDS), "": 0}, default=_number(random, 1, "1/2", "2/3")),
            LPlusDiversity.by_frequency("s", _number(random, *THRESHOLDS)),
        ]
    ),
    TCloseness: lambda random: TCloseness(
        "s", _number(random, 0, *THRESHOLDS), random.choice(["equal", "ordered", "hierarchical"])
    ),
    BetaLikeness: lambda random: BetaLikeness(
        "s", _number(random, 0, 1, 2, 5, *THRESHOLDS), enhanced=random.random() < 0.5
    ),
    DeltaDisclosure: lambda random: DeltaDisclosure("s", _number(random, 1, 2, 3, *THRESHOLDS)),
    TauLDiversity: lambda random: TauLDiversity(
        "s",
        _number(random, 1, *THRESHOLDS),
        random.randint(2, 5),
        weights={"10": _number(random, 1, 2, "1/2")} if random.random() < 0.3 else None,
    ),
    EpsilonPrivacy: lambda random: EpsilonPrivacy(
        "s",
        _number(random, "6/5", "6/5", "3/2", 2, 3, 10),
        _number(random, 2, 5, "7/2", 10),
        random.choice([0, 0, 1, 2]),
    ),
    KMap: lambda random: KMap(random.randint(1, 20), population="people.csv"),
    DeltaPresence: lambda random: DeltaPresence(
        *sorted([random.choice([Fraction(0), *THRESHOLDS]), random.choice([*THRESHOLDS, Fraction(1)])]),
        population="people.csv",
    ),
}

# A way for each registered model: one of those above, or by its fields.
DRAWS: Mapping[type[Any], Callable[[Random], ClassModel]] = also_drawn(
    privacy, _DRAWS, lambda part: lambda random: random_part(part, random, "s")
)


def random_input(random: Random, largest: int = 6) -> FrequencyTable:
    """A table in which every value occurs."""
    counts = np.array([random.randint(1, largest) for _ in VALUES], dtype=np.int64)
    codes = np.arange(len(VALUES), dtype=np.int32).reshape(-1, 1)
    return FrequencyTable((), (Column("s", (*VALUES[:-1], None), TREE),), codes, counts)


def draw(model: type[Any], random: Random, table: FrequencyTable) -> ClassModel:
    """A model of that class, bound to the table."""
    drawn = DRAWS[model](random)
    drawn.check(table)
    return drawn.bound_to(table.distributions)
