"""Random small problems, nasty on purpose: uneven hierarchies, absent leaves, chains, missing values, exact ties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from sfumato.data import ClassSummary, Distribution, Table
from sfumato.hierarchies import Hierarchy
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
from sfumato.problem import Problem
from sfumato.recoding import FullDomain, FullSubtree, Scheme
from sfumato.settings.exact import Number
from sfumato.testing.plain_engine import PlainEngine, Row

LIMITS = (Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1))
# The values of the sensitive attribute `s`: an absent leaf, a chain, and the missing value below the root.
SENSITIVE = Hierarchy.from_rows(
    [("s2", "even", "*"), ("s0", "even", "*"), ("s1", "s1", "*"), ("s3", "odd", "*"), ("s5", "odd", "*")], "sensitive"
)


@dataclass(frozen=True)
class RandomProblem:
    """A problem with the rows it is about."""

    problem: Problem
    rows: list[Row]


def random_problem(random: Random, records: tuple[int, int] = (5, 40), *, units: bool = False) -> RandomProblem:
    """5–40 records or as many as said, 2–4 quasi-identifiers with 2–4 levels, one sensitive attribute.

    units: people have several records, and some records are nobody's.
    """
    names = [f"q{a}" for a in range(random.randint(2, 4))]
    hierarchies = {name: random_hierarchy(random, name) for name in names}
    rows = random_rows(random, hierarchies, records)
    unit = "person" if units else None
    if units:
        rows = with_persons(random, rows)
    table = Table(PlainEngine(rows), quasi_identifiers=hierarchies, sensitive=["s"], unit=unit)
    return RandomProblem(
        Problem(table, random_models(random), random_loss(random, names), random_recoding(random, table)), rows
    )


def random_hierarchy(random: Random, name: str) -> Hierarchy:
    """2–7 leaves under 1–3 further levels; a node with one child may keep its child's name."""
    labels = [f"{name}.{leaf}" for leaf in range(random.randint(2, 7))]
    paths = [[label] for label in labels]
    groups = [[i] for i in range(len(labels))]  # leaves of each node of the level
    for level in range(1, random.randint(1, 3)):
        merged: list[list[int]] = []
        while groups:
            take = min(len(groups), random.choice([1, 1, 2, 2, 3]))
            merged.append([leaf for group in groups[:take] for leaf in group])
            keeps_name = take == 1 and random.random() < 0.5
            for leaf in merged[-1]:
                paths[leaf].append(paths[leaf][-1] if keeps_name else f"{name}/{level}/{len(merged)}")
            groups = groups[take:]
        groups = merged
    random.shuffle(paths)  # children come in order of first appearance, whatever the file's order
    return Hierarchy.from_rows([(*path, "*") for path in paths], name)


def random_rows(random: Random, hierarchies: dict[str, Hierarchy], records: tuple[int, int]) -> list[Row]:
    """Skewed rows that leave some leaves out and repeat themselves."""
    values: dict[str, list[str | None]] = {}
    for name, hierarchy in hierarchies.items():
        leaves: list[str | None] = list(hierarchy.leaves)
        random.shuffle(leaves)
        values[name] = leaves[: random.randint(1, len(leaves))] + ([None] if random.random() < 0.3 else [])
    values["s"] = [f"s{i}" for i in range(random.randint(1, 4))]
    skew = random.choice([0.5, 1.0, 2.0])

    def draw(choices: list[str | None]) -> str | None:
        return random.choices(choices, [1 / (i + 1) ** skew for i in range(len(choices))])[0]

    return [{name: draw(choices) for name, choices in values.items()} for _ in range(random.randint(*records))]


def random_population(
    random: Random, hierarchies: Mapping[str, Hierarchy], rows: list[Row], *, strangers: bool = False
) -> list[Row]:
    """The people of the rows, some of them several times, and others, of whom some have values that no row has.

    strangers: some rows are about nobody of the population.
    """
    people: list[Row] = [{name: row[name] for name in hierarchies} for row in rows]
    people += random.choices(people, k=random.choice([0, len(rows), 3 * len(rows)]))
    values: dict[str, list[str | None]] = {
        name: [leaf or None for leaf in hierarchy.leaves] + [None] * (random.random() < 0.3)
        for name, hierarchy in hierarchies.items()
    }
    others = random.choice([0, 5, 2 * len(rows)])
    people += [{name: random.choice(leaves) for name, leaves in values.items()} for _ in range(others)]
    random.shuffle(people)
    return people[: random.randint(1, len(people))] if strangers else people


def with_persons(random: Random, rows: list[Row]) -> list[Row]:
    """The rows, dealt out to persons: a few or many of them, some rows nobody's, some persons' rows all alike."""
    if random.random() < 0.05:
        return [{**row, "person": f"p{i}"} for i, row in enumerate(rows)]
    persons: list[str | None] = [f"p{i}" for i in range(random.randint(1, len(rows)))]
    persons += [None] * random.choice([0, 0, 1, 3])
    alike = {tuple(row.values()): random.choice(persons) for row in rows} if random.random() < 0.3 else {}
    return [{**row, "person": alike.get(tuple(row.values()), random.choice(persons))} for row in rows]


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


# --- any model, any loss


def _number(random: Random, *numbers: Number) -> Number:
    return random.choice(numbers)


def _random_l_plus(random: Random, s: Distribution) -> LPlusDiversity:
    """The same threshold for all values, another for one, or by frequency."""
    value, name = random.choice(list(s.counts)), s.name
    return random.choice(
        [
            LPlusDiversity(name, _number(random, "1/2", "2/3")),
            LPlusDiversity(name, {value: _number(random, 0, "1/3", "1/2")}, default=_number(random, 1, "2/3")),
            LPlusDiversity.by_frequency(name, _number(random, "1/2", "2/3")),
        ]
    )


def _random_sum(random: Random) -> WeightedSum:
    """Two or three losses, now and then one of no weight."""
    known = ["lm", "discernibility", "classification", "precision", "non-uniform-entropy"]
    first, *others = random.sample(known, random.randint(2, 3))
    return WeightedSum({first: 1} | {name: _number(random, 1, 1, 2, "1/3", 0) for name in others})


# A way to draw each model for a sensitive attribute, with thresholds at which small classes tie.
MODELS: Mapping[type[ClassModel], Callable[[Random, Distribution], ClassModel]] = {
    KAnonymity: lambda random, _: KAnonymity(random.randint(2, 5)),
    DistinctLDiversity: lambda random, s: DistinctLDiversity(s.name, random.randint(2, 3)),
    LDiversity: lambda random, s: LDiversity(s.name, _number(random, "4/3", "3/2", 2, 3)),
    EntropyLDiversity: lambda random, s: EntropyLDiversity(s.name, _number(random, "3/2", 2, "5/2")),
    RecursiveLDiversity: lambda random, s: RecursiveLDiversity(
        s.name, _number(random, 1, 2, 3, "3/2"), random.choice([1, 2, 2, 3])
    ),
    LPlusDiversity: _random_l_plus,
    AlphaKAnonymity: lambda random, s: AlphaKAnonymity(
        _number(random, "1/2", "2/3", "4/5"), random.randint(1, 4), s.name
    ),
    TCloseness: lambda random, s: TCloseness(
        s.name,
        _number(random, "1/10", "1/5", "1/3", "1/2"),
        random.choice(["equal", "ordered", "hierarchical"] if s.hierarchy else ["equal", "ordered"]),
    ),
    BetaLikeness: lambda random, s: BetaLikeness(s.name, _number(random, "1/2", 1, 2), enhanced=random.random() < 0.5),
    DeltaDisclosure: lambda random, s: DeltaDisclosure(s.name, _number(random, 1, 2, 3)),
    EpsilonPrivacy: lambda random, s: EpsilonPrivacy(
        s.name, _number(random, 2, 3, "5/2", 10), _number(random, 2, 3, 5), random.choice([0, 0, 1])
    ),
    TauLDiversity: lambda random, s: TauLDiversity(
        s.name, _number(random, "1/2", "2/3", "4/5", 1), random.choice([2, 2, 3, 4])
    ),
}

# A way to draw each loss.
LOSSES: Mapping[type[Loss], Callable[[Random, list[str]], Loss]] = {
    LM: random_loss,
    Discernibility: lambda random, names: Discernibility(),
    Classification: lambda random, names: Classification(random.choice([None, None, "t", "s"])),
    Precision: lambda random, names: Precision(),
    AverageClassSize: lambda random, names: AverageClassSize(random.choice([1, 2, 5])),
    NonUniformEntropy: lambda random, names: NonUniformEntropy(),
    RetainedInformation: lambda random, names: RetainedInformation(),
    WeightedSum: lambda random, names: _random_sum(random),
}


def any_problem(random: Random, records: tuple[int, int] = (5, 40)) -> RandomProblem:
    """One or two models of any kind and any loss: `s` and now and then `r` are sensitive, `t` is the target.

    Every fifth table has units. `s` has a hierarchy, `r` has numbers.
    """
    names = [f"q{a}" for a in range(random.randint(2, 4))]
    hierarchies = {name: random_hierarchy(random, name) for name in names}
    rows = with_labels(random, random_rows(random, hierarchies, records))
    units = random.random() < 0.2
    if units:
        rows = with_persons(random, rows)
    sensitive = {"s": SENSITIVE} | ({"r": None} if random.random() < 0.3 else {})
    table = Table(
        PlainEngine(rows),
        quasi_identifiers=hierarchies,
        sensitive=sensitive,
        target="t",
        unit="person" if units else None,
    )
    kinds = random.sample(list(MODELS), random.choice([1, 1, 1, 2]))
    distributions = [table.frequencies.distributions[name] for name in sensitive]
    models = [MODELS[kind](random, random.choice(distributions)) for kind in kinds]
    loss = LOSSES[random.choice(list(LOSSES))](random, names)
    return RandomProblem(Problem(table, models, loss, random_recoding(random, table)), rows)


def with_labels(random: Random, rows: list[Row]) -> list[Row]:
    """The rows with a second sensitive attribute and a target that has to do with the first, all with missing cells."""
    missing = random.choice([0, 0, 0.1])

    def cell(value: str | None) -> str | None:
        return None if random.random() < missing else value

    return [
        {
            **row,
            "s": cell(row["s"]),
            "r": cell(str(random.choice([1, 1, 2, 10]))),
            "t": cell("yes" if random.random() < (0.8 if row["s"] == "s0" else 0.3) else "no"),
        }
        for row in rows
    ]


# --- cuts

CUTS_SPACE = 3000  # the most cuts of a random problem: brute force looks at them all


def cut_problem(
    random: Random,
    records: tuple[int, int] = (5, 40),
    *,
    loss: type[Loss] | None = None,
    scheme: Scheme | None = None,
    any_model: bool = False,
) -> RandomProblem:
    """A problem of full-subtree cuts: l+-diversity or l-diversity of `s` under LM, DM or CM, with ties.

    loss, scheme: draw this one. any_model: one or two models of any kind, under `none` or `all-records`.
    """
    while True:
        names = [f"q{a}" for a in range(random.randint(2, 4))]
        hierarchies = {name: random_hierarchy(random, name) for name in names}
        rows = with_labels(random, random_rows(random, hierarchies, records))
        table = Table(PlainEngine(rows), quasi_identifiers=hierarchies, sensitive={"s": SENSITIVE}, target="t")
        recoding = _random_cuts(random, table, scheme, any_model)
        # Where all records share a value, or nearly all, little is left to choose.
        diverse = len(table.frequencies.distributions["s"].counts) > 2 or random.random() < 0.1
        if diverse and recoding.space(table.frequencies) <= CUTS_SPACE:
            break
    kinds: list[type[Loss]] = [LM] if recoding.suppressing.scheme.of_values else [LM, Discernibility, Classification]
    chosen = loss or random.choice(kinds)
    priced = LM(_some_weights(random, names), *random.choice([(None, None)] * 4 + [(1, 2), (Fraction(1, 2), 0)]))
    s = table.frequencies.distributions["s"]
    models: list[ClassModel] = [_random_thresholds(random, s)]
    whole, hopeful = ClassSummary(table.frequencies.records, {"s": s.counts}), random.random() < 0.9
    while hopeful and not models[0].bound_to(table.frequencies.distributions).holds(whole):
        models = [_random_thresholds(random, s)]
    if any_model:
        models = [MODELS[kind](random, s) for kind in random.sample(list(MODELS), random.choice([1, 1, 2]))]
    return RandomProblem(
        Problem(table, models, priced if chosen is LM else LOSSES[chosen](random, names), recoding), rows
    )


def _some_weights(random: Random, names: list[str]) -> dict[str, Number] | None:
    return {name: _number(random, 0, 1, 2, "1/3") for name in names} if random.random() < 0.3 else None


def _random_cuts(random: Random, table: Table, scheme: Scheme | None, any_model: bool) -> FullSubtree:
    """A scheme, and now and then bounds on the levels; or, for any scheme but `none`, a limit."""
    schemes = [Scheme.NONE, Scheme.ALL_RECORDS] if any_model else list(Scheme)
    chosen = scheme or random.choice(schemes)
    bounds = random_recoding(random, table)
    bounded = random.random() < 0.3
    return FullSubtree(
        chosen.value,
        min_level=bounds.min_level if bounded else None,
        max_level=bounds.max_level if bounded else None,
    )


def _random_thresholds(random: Random, s: Distribution) -> ClassModel:
    """Thresholds per value at which small classes tie, some of them 0 or 1."""
    theta = {value: _number(random, 0, "1/4", "1/3", "1/2", "2/3", 1) for value in s.counts if random.random() < 0.5}
    return random.choice(
        [
            LPlusDiversity(s.name, _number(random, "1/4", "1/3", "1/2", "2/3", "3/4", "4/5")),
            LPlusDiversity(s.name, theta, default=_number(random, "1/3", "1/2", "2/3", 1)),
            LPlusDiversity.by_frequency(s.name, _number(random, "1/3", "1/2", "2/3")),
            LDiversity(s.name, _number(random, "4/3", "3/2", 2, 3)),
        ]
    )
