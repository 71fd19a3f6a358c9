"""Random small problems, nasty on purpose: uneven hierarchies, absent leaves, chains, missing values, exact ties."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sfumato.data import Table
from sfumato.problem import Problem
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_parts import LOSSES, MODELS, random_loss, random_models, random_recoding
from sfumato.testing.random_rows import SENSITIVE, random_hierarchy, random_rows, with_labels, with_persons


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
