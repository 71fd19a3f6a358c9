"""Random small problems of boxes: orders with gaps, taxonomies, values without order, missing ones; widths."""

from __future__ import annotations

from random import Random

from sfumato.data import Table
from sfumato.data.table import HierarchyLike
from sfumato.hierarchies import ordered, unordered
from sfumato.loss import LM, Classification, Discernibility, Loss, Volume
from sfumato.privacy import ClassModel, EpsilonPrivacy, MinimumWidth
from sfumato.problem import Problem
from sfumato.recoding import Multidimensional
from sfumato.settings.exact import Number
from sfumato.testing.box_space import Space, TooMany
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_parts import MODELS
from sfumato.testing.random_rows import SENSITIVE, random_hierarchy, with_labels, with_persons

MOST = 800  # partitions of a random space


def box_problem(
    random: Random,
    *,
    loss: type[Loss] | None = None,
    model: str | None = None,
    suppression: str | None = None,
    plain: bool = False,
) -> Space:
    """A problem whose partitions can all be gone through. model: draw this one too; plain: records are only counted."""
    while True:
        space = _drawn(random, loss, model, suppression, plain)
        try:
            if len(space.partitions(MOST)) > 1 or random.random() < 0.05:
                return space
        except TooMany:
            continue


def _drawn(random: Random, loss: type[Loss] | None, model: str | None, suppression: str | None, plain: bool) -> Space:
    names = [f"q{a}" for a in range(random.choice([2, 2, 3, 3, 4]))]
    hierarchies: dict[str, HierarchyLike] = {}
    splits: dict[str, object] = {}
    values: dict[str, list[str | None]] = {}
    for name in names:
        kind = random.choice(["order", "order", "number", "explicit", "taxonomy", "taxonomy", "unordered"])
        if kind == "taxonomy":
            tree = random_hierarchy(random, name)
            hierarchies[name] = tree
            values[name] = random.sample(list(tree.leaves), random.randint(1, len(tree.leaves)))
        elif kind == "unordered":
            hierarchies[name] = unordered()
            values[name] = [f"{name}{i}" for i in range(random.randint(1, 4))]
        else:
            hierarchies[name] = ordered()
            values[name] = [str(random.choice([1, 2, 3, 5]) * i) for i in range(random.randint(1, 4))]
            if kind == "number":
                splits[name] = random.randint(0, 4)
            if kind == "explicit":
                splits[name] = [random.choice([1, 2, 3, 4, 6, "5/2", 9]) for _ in range(random.randint(0, 4))]
        if random.random() < 0.1:
            values[name].append(None)
    skew = random.choice([0.5, 1, 2])

    def draw(some: list[str | None]) -> str | None:
        return random.choices(some, [1 / (i + 1) ** skew for i in range(len(some))])[0]

    rows: list[Row] = [
        {**{name: draw(some) for name, some in values.items()}, "s": random.choice(["s0", "s0", "s0", "s1", "s2"])}
        for _ in range(random.randint(5, 40 if random.random() < 0.5 else 15))
    ]
    rows = with_labels(random, rows)
    units = not plain and random.random() < 0.1
    if units:
        rows = with_persons(random, rows)
    table = Table(
        PlainEngine(rows),
        quasi_identifiers=hierarchies,
        sensitive={"s": SENSITIVE},
        target="t",
        unit="person" if units else None,
    )
    drawn = loss or random.choice([LM, Discernibility, Classification, Volume])
    weights = {name: _one(random, 0, 1, 2, "1/3") for name in names} if random.random() < 0.3 else None
    chosen = LM(weights, _one(random, 1, 1, 2, "1/2")) if drawn is LM else drawn()
    recoding = Multidimensional(splits, suppression or random.choice(["none", "none", "all-records"]))  # type: ignore[arg-type]
    return Space(Problem(table, _models(random, table, names, hierarchies, model, plain), chosen, recoding), rows)


def _models(
    random: Random,
    table: Table,
    names: list[str],
    hierarchies: dict[str, HierarchyLike],
    model: str | None,
    plain: bool,
) -> list[ClassModel]:
    kinds = list(MODELS)
    s = table.frequencies.distributions["s"]
    if plain or model == "minimum-width":
        models: list[ClassModel] = [MODELS[kinds[0]](random, s)]
    else:
        models = [MODELS[kind](random, s) for kind in random.sample(kinds, random.choice([1, 1, 2]))]
    if model == "epsilon-privacy" or (not plain and random.random() < 0.15):
        models.append(EpsilonPrivacy("s", _one(random, 2, 3, "5/2"), _one(random, 2, 3, 5), random.choice([0, 0, 1])))
        models = models[-1:] if random.random() < 0.5 else models
    if model == "minimum-width" or (not plain and random.random() < 0.15):
        some = random.sample(names, random.randint(1, len(names)))
        models.append(MinimumWidth({name: _one(random, 1, 2, 3, 4, "5/2") for name in some}))
    return models


def _one(random: Random, *numbers: Number) -> Number:
    return random.choice(numbers)
