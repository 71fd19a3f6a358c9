"""Random models, losses and recodings for random tables, with parameters at which small classes tie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random

from sfumato import loss, privacy
from sfumato.data import Distribution, Table
from sfumato.loss import (
    LM,
    AverageClassSize,
    Classification,
    Discernibility,
    Loss,
    NonUniformEntropy,
    Precision,
    RetainedInformation,
    WeightedSum,
)
from sfumato.privacy import (
    AlphaKAnonymity,
    BetaLikeness,
    ClassModel,
    DeltaDisclosure,
    DistinctLDiversity,
    EntropyLDiversity,
    EpsilonPrivacy,
    KAnonymity,
    LDiversity,
    LPlusDiversity,
    RecursiveLDiversity,
    TauLDiversity,
    TCloseness,
)
from sfumato.privacy.populations import PopulationModel
from sfumato.recoding import FullDomain
from sfumato.settings.exact import Number
from sfumato.testing.random_fields import also_drawn, random_part

LIMITS = (Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1))


def random_models(random: Random) -> list[ClassModel]:
    """k-anonymity, distinct l-diversity, or both."""
    k, l = KAnonymity(random.randint(1, 6)), DistinctLDiversity("s", random.randint(1, 3))
    return random.choice([[k], [k], [l], [k, l]])


def random_loss(random: Random, names: list[str]) -> LM:
    """LM, often weighted, with dear and with cheap suppression."""
    some: list[Number] = [0, 1, 2, Fraction(1, 3)]
    prices: list[Number] = [1, 1, 1, 2, Fraction(1, 2), 0]
    weights = {name: random.choice(some) for name in names} if random.random() < 0.3 else None
    return LM(weights, random.choice(prices))


def random_recoding(random: Random, table: Table) -> FullDomain:
    """A limit, and now and then bounds on the levels."""
    least, most = {}, {}
    for attribute in table.frequencies.quasi_identifiers:
        if random.random() < 0.1:
            least[attribute.name] = random.randint(0, attribute.hierarchy.height)
        if random.random() < 0.1:
            most[attribute.name] = random.randint(least.get(attribute.name, 0), attribute.hierarchy.height)
    return FullDomain(random.choice(LIMITS), least, most)


def number(random: Random, *numbers: Number) -> Number:
    """One of these numbers."""
    return random.choice(numbers)


def _random_l_plus(random: Random, s: Distribution) -> LPlusDiversity:
    """The same threshold for all values, another for one, or by frequency."""
    value, name = random.choice(list(s.counts)), s.name
    return random.choice(
        [
            LPlusDiversity(name, number(random, "1/2", "2/3")),
            LPlusDiversity(name, {value: number(random, 0, "1/3", "1/2")}, default=number(random, 1, "2/3")),
            LPlusDiversity.by_frequency(name, number(random, "1/2", "2/3")),
        ]
    )


def _random_sum(random: Random) -> WeightedSum:
    """Two or three losses, now and then one of no weight."""
    usual = ["lm", "discernibility", "classification", "precision", "non-uniform-entropy"]
    first, *others = random.sample(usual, random.randint(2, 3))
    return WeightedSum({first: 1} | {name: number(random, 1, 1, 2, "1/3", 0) for name in others})


# Ways to draw models for a sensitive attribute, with thresholds at which small classes tie.
_MODELS: Mapping[type[ClassModel], Callable[[Random, Distribution], ClassModel]] = {
    KAnonymity: lambda random, _: KAnonymity(random.randint(2, 5)),
    DistinctLDiversity: lambda random, s: DistinctLDiversity(s.name, random.randint(2, 3)),
    LDiversity: lambda random, s: LDiversity(s.name, number(random, "4/3", "3/2", 2, 3)),
    EntropyLDiversity: lambda random, s: EntropyLDiversity(s.name, number(random, "3/2", 2, "5/2")),
    RecursiveLDiversity: lambda random, s: RecursiveLDiversity(
        s.name, number(random, 1, 2, 3, "3/2"), random.choice([1, 2, 2, 3])
    ),
    LPlusDiversity: _random_l_plus,
    AlphaKAnonymity: lambda random, s: AlphaKAnonymity(
        number(random, "1/2", "2/3", "4/5"), random.randint(1, 4), s.name
    ),
    TCloseness: lambda random, s: TCloseness(
        s.name,
        number(random, "1/10", "1/5", "1/3", "1/2"),
        random.choice(["equal", "ordered", "hierarchical"] if s.hierarchy else ["equal", "ordered"]),
    ),
    BetaLikeness: lambda random, s: BetaLikeness(s.name, number(random, "1/2", 1, 2), enhanced=random.random() < 0.5),
    DeltaDisclosure: lambda random, s: DeltaDisclosure(s.name, number(random, 1, 2, 3)),
    EpsilonPrivacy: lambda random, s: EpsilonPrivacy(
        s.name, number(random, 2, 3, "5/2", 10), number(random, 2, 3, 5), random.choice([0, 0, 1])
    ),
    TauLDiversity: lambda random, s: TauLDiversity(
        s.name, number(random, "1/2", "2/3", "4/5", 1), random.choice([2, 2, 3, 4])
    ),
}

# Ways to draw losses.
_LOSSES: Mapping[type[Loss], Callable[[Random, list[str]], Loss]] = {
    LM: random_loss,
    Discernibility: lambda random, names: Discernibility(),
    Classification: lambda random, names: Classification(random.choice([None, None, "t", "s"])),
    Precision: lambda random, names: Precision(),
    AverageClassSize: lambda random, names: AverageClassSize(random.choice([1, 2, 5])),
    NonUniformEntropy: lambda random, names: NonUniformEntropy(),
    RetainedInformation: lambda random, names: RetainedInformation(),
    WeightedSum: lambda random, names: _random_sum(random),
}


def _model(part: type[ClassModel]) -> Callable[[Random, Distribution], ClassModel] | None:
    return None if issubclass(part, PopulationModel) else lambda random, s: random_part(part, random, s.name)


# A way to draw each registered part: one of those above, or by its fields. Models of a population have their own.
MODELS: Mapping[type[ClassModel], Callable[[Random, Distribution], ClassModel]] = {
    part: way for part, way in also_drawn(privacy, _MODELS, _model).items() if way is not None
}
LOSSES: Mapping[type[Loss], Callable[[Random, list[str]], Loss]] = also_drawn(
    loss, _LOSSES, lambda part: lambda random, names: random_part(part, random, names[0])
)
