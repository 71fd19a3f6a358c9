"""Random small problems of full-subtree cuts, with few enough cuts for brute force."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from sfumato.data import ClassSummary, Distribution, Table
from sfumato.loss import LM, Classification, Discernibility, Loss
from sfumato.privacy import ClassModel, LDiversity, LPlusDiversity
from sfumato.problem import Problem
from sfumato.recoding import FullSubtree, Scheme
from sfumato.settings.exact import Number
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_parts import LOSSES, MODELS, number, random_recoding
from sfumato.testing.random_problems import RandomProblem
from sfumato.testing.random_rows import SENSITIVE, random_hierarchy, random_rows, with_labels

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
    return {name: number(random, 0, 1, 2, "1/3") for name in names} if random.random() < 0.3 else None


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
    theta = {value: number(random, 0, "1/4", "1/3", "1/2", "2/3", 1) for value in s.counts if random.random() < 0.5}
    return random.choice(
        [
            LPlusDiversity(s.name, number(random, "1/4", "1/3", "1/2", "2/3", "3/4", "4/5")),
            LPlusDiversity(s.name, theta, default=number(random, "1/3", "1/2", "2/3", 1)),
            LPlusDiversity.by_frequency(s.name, number(random, "1/3", "1/2", "2/3")),
            LDiversity(s.name, number(random, "4/3", "3/2", 2, 3)),
        ]
    )
