"""Every registered model in a search: without suppression the answer equals brute force, and the release is checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

import sfumato as sf
from sfumato.hierarchies import Hierarchy
from sfumato.privacy import ClassModel
from sfumato.testing.brute_force import best
from sfumato.testing.conformance import of_boxes
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_models import DRAWS as EVERY
from sfumato.testing.random_problems import random_problem

SENSITIVE = Hierarchy.from_rows(
    [("s0", "even", "*"), ("s2", "even", "*"), ("s1", "odd", "*"), ("s3", "odd", "*"), ("s5", "odd", "*")], "sensitive"
)
DRAWS: dict[str, Callable[[Random], ClassModel]] = {
    "l-diversity": lambda random: sf.LDiversity("s", random.choice(["3/2", "4/3", 2])),
    "entropy-l-diversity": lambda random: sf.EntropyLDiversity("s", random.choice(["3/2", 2, "5/2"])),
    "recursive-l-diversity": lambda random: sf.RecursiveLDiversity(
        "s", random.choice([1, 2, 3]), random.choice([2, 3])
    ),
    "l-plus-diversity": lambda random: random.choice(
        [sf.LPlusDiversity("s", "2/3"), sf.LPlusDiversity.by_frequency("s", random.choice(["1/2", "2/3"]))]
    ),
    "alpha-k-anonymity": lambda random: sf.AlphaKAnonymity(random.choice(["2/3", "4/5"]), random.randint(1, 4), "s"),
    "t-closeness": lambda random: sf.TCloseness(
        "s", random.choice(["1/10", "1/5", "1/3"]), random.choice(["equal", "ordered", "hierarchical"])
    ),
    "beta-likeness": lambda random: sf.BetaLikeness("s", random.choice(["1/2", 1, 2]), enhanced=random.random() < 0.5),
    "delta-disclosure": lambda random: sf.DeltaDisclosure("s", random.choice([1, 2, 3])),
    "epsilon-privacy": lambda random: sf.EpsilonPrivacy("s", random.choice([3, 4, 10]), random.choice([2, 5])),
    "tau-l-diversity": lambda random: sf.TauLDiversity(
        "s", random.choice(["1/2", "2/3", "4/5"]), random.choice([2, 3])
    ),
}

# The others are drawn by their fields.
OTHERS: dict[str, Callable[[Random], ClassModel]] = {
    part.name: draw
    for part, draw in EVERY.items()
    if part.name not in DRAWS and getattr(part, "monotonicity", None) is sf.Monotonicity.UP
}


def posed(random: Random, models: Sequence[ClassModel]) -> tuple[sf.Problem, list[Row]]:
    """A random problem with these models in place of its own, and without suppression."""
    case = random_problem(random)
    given = case.problem.data.frequencies.quasi_identifiers
    table = sf.Table(
        PlainEngine(case.rows),
        quasi_identifiers={attribute.name: attribute.hierarchy for attribute in given},
        sensitive={"s": SENSITIVE},
    )
    recoding = replace(case.problem.recoding, suppression_limit=0)
    return sf.Problem(table, models, case.problem.loss, recoding), case.rows


@pytest.mark.parametrize("name", [*DRAWS, *OTHERS])
def test_equals_brute_force_without_suppression(name: str, suite: Callable[[int], int]) -> None:
    random = Random(f"models in searches: {name}")
    seen: Counter[str] = Counter()
    for _ in range(suite(600)):
        models = [{**DRAWS, **OTHERS}[name](random)]
        if random.random() < 0.3:
            models.append(sf.KAnonymity(random.randint(2, 4)))
        problem, rows = posed(random, models)
        solution, expected = problem.solve(), best(problem, rows)
        if expected is None:
            assert solution.status == "infeasible"
            seen["infeasible"] += 1
            continue
        assert solution.status == "optimal"
        assert solution.exact_cost == expected.cost
        assert tuple(solution.levels.values()) == expected.levels
        top = tuple(highest for _, highest in problem.recoding.ranges(problem.data.frequencies))
        seen["top" if expected.levels == top else "below the top"] += 1
        if random.random() < 0.2:
            solution.release()  # raises unless the check agrees
    assert seen["below the top"] > suite(600) / 20, seen


def test_every_model_that_is_not_strongly_monotone_is_drawn() -> None:
    from sfumato import privacy

    parts = [getattr(privacy, name) for name in privacy.__all__]
    up = {
        part.name for part in parts if getattr(part, "monotonicity", None) is sf.Monotonicity.UP and not of_boxes(part)
    }
    assert up == {*DRAWS, *OTHERS}
