"""Populations in searches: the answer equals brute force over raw rows, and the check of the release agrees."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

import sfumato as sf
from sfumato import _core
from sfumato.data import ClassSummary
from sfumato.loss import Loss
from sfumato.privacy import ClassModel
from sfumato.testing.brute_force import NodeResult, best, evaluate
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_problems import random_problem
from sfumato.testing.random_rows import random_population

pytestmark = pytest.mark.filterwarnings("ignore::sfumato.errors.PopulationWarning")  # random populations lack people

LIMITS = ["0", "1/10", "1/4", "1/2", "1"]


def populated(random: Random, people: PlainEngine) -> list[ClassModel]:
    """k-map, delta-presence, or both."""
    k = sf.KMap(random.randint(1, 12), population=people)
    delta = sf.DeltaPresence(
        random.choice([0, 0, "1/10", "1/4"]), random.choice(["1/3", "1/2", "3/4", 1]), population=people
    )
    return random.choice([[k], [delta], [k, delta]])


def others(random: Random) -> list[ClassModel]:
    """Models of any monotonicity that do not know about the population."""
    some: list[ClassModel] = [sf.KAnonymity(random.randint(1, 4)), Few(random.randint(3, 10))]
    some += [sf.DistinctLDiversity("s", 2), sf.EntropyLDiversity("s", "3/2"), sf.TCloseness("s", "1/2")]
    some += [sf.AlphaKAnonymity("3/4", 2, "s"), sf.RecursiveLDiversity("s", 3, 2)]
    return random.sample(some, random.choice([0, 0, 1, 2]))


def loss_of(random: Random, usual: Loss) -> Loss:
    """Any loss, of values and of classes."""
    single: list[Loss] = [sf.Discernibility(), sf.AverageClassSize(), sf.Classification(), sf.NonUniformEntropy()]
    return random.choice([usual, usual, *single, sf.WeightedSum({"lm": 1, "discernibility": 2})])


class Few(sf.ClassModel):
    """At most so many records: a model of one's own, and merging breaks it."""

    name: ClassVar[str] = "few"
    monotonicity = sf.Monotonicity.NONE

    def __init__(self, most: int) -> None:
        self.most = most

    def holds(self, summary: ClassSummary) -> bool:
        assert summary.size > 0  # nobody asks about classes of the population alone
        return summary.size <= self.most


def case(random: Random, *, units: bool = False) -> tuple[sf.Problem, list[Row], list[Row]]:
    drawn = random_problem(random, units=units)
    given = drawn.problem.data
    table = sf.Table(
        PlainEngine(drawn.rows),
        quasi_identifiers=given.hierarchies,
        sensitive=["s"],
        target="s",
        unit=given.unit,
    )
    people = random_population(random, given.hierarchies, drawn.rows, strangers=random.random() < 0.3)
    models = populated(random, PlainEngine(people))
    if units:  # delta_min is for one record per person
        models = [model for model in models if not getattr(model, "least", 0)]
        models = models or [sf.KMap(2, population=PlainEngine(people))]
    models += others(random)
    random.shuffle(models)
    recoding = replace(drawn.problem.recoding, suppression_limit=random.choice(LIMITS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sf.PopulationWarning)
        problem = sf.Problem(table, models, loss_of(random, drawn.problem.loss), recoding)
    return problem, drawn.rows, people


def agrees(solution: sf.Solution, expected: NodeResult | None) -> bool:
    if expected is None or solution.recoding is None:
        return solution.status == "infeasible" and expected is None
    return (
        solution.status == "optimal"
        and solution.exact_cost == expected.cost
        and tuple(solution.levels.values()) == expected.levels
        and solution.suppressed == expected.suppressed
        and solution.classes == len(expected.released)
    )


@pytest.mark.parametrize("units", [False, True])
def test_equals_brute_force(units: bool, suite: Callable[[int], int]) -> None:
    random = Random(f"populations {units}")
    problems = suite(1_000 if units else 1_500)
    seen: Counter[str] = Counter()
    for _ in range(problems):
        problem, rows, people = case(random, units=units)
        solution = problem.solve(threads=1)
        assert agrees(solution, best(problem, rows, people)), problem
        seen[solution.status.value] += 1
        if solution.recoding is not None:
            seen["below the top"] += any(
                level < attribute.hierarchy.height
                for level, attribute in zip(
                    solution.levels.values(), problem.data.frequencies.quasi_identifiers, strict=True
                )
            )
            seen["some suppressed"] += 0 < solution.suppressed < problem.data.frequencies.records
            if random.random() < 0.2:
                solution.release()  # raises unless the check agrees
                seen["released"] += 1
    kinds = ("optimal", "infeasible", "below the top", "some suppressed", "released")
    assert min(seen[kind] for kind in kinds) > 10, seen


def test_attained_equals_what_the_check_finds(suite: Callable[[int], int]) -> None:
    random = Random("populations attained")
    for _ in range(suite(300)):
        problem, _, _ = case(random)
        solution = problem.solve(threads=1)
        if solution.recoding is None:
            continue
        audit = sf.check(
            solution.release(),
            quasi_identifiers=problem.data.hierarchies,
            constraints=[model for model in problem.constraints if model.populated],
            like=problem.data.engine,
        )
        for key, attained in audit.attained.items():
            assert attained == solution.attained[key]


@pytest.mark.parametrize("algorithm", [sf.Incognito(), sf.Samarati(), sf.Datafly()], ids=lambda one: one.name)
def test_other_searches_judge_nodes_alike(algorithm: Any, suite: Callable[[int], int]) -> None:
    """What they find is valid and costs what brute force says; Incognito, which sees all, finds the cheapest."""
    random = Random(f"populations {algorithm.name}")
    solved = 0
    for _ in range(suite(1_000)):
        problem, rows, people = case(random)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sf.PopulationWarning)
            problem = replace(problem, recoding=replace(problem.recoding, suppression_limit=0))
        if algorithm.accepts(problem.question) is not None:
            continue
        solution, expected = problem.solve(algorithm), best(problem, rows, people)
        assert (solution.recoding is None) == (expected is None) or algorithm.name == "datafly"
        if solution.recoding is None or expected is None:
            continue
        node = evaluate(problem, rows, tuple(solution.levels.values()), people)
        assert node.valid
        assert solution.exact_cost == node.cost >= expected.cost
        assert algorithm.name != "incognito" or node.cost == expected.cost
        solved += 1
    assert solved > suite(1_000) / 20


# --- the suite can fail


def disagreements(problems: int) -> int:
    random = Random("populations 2026")
    wrong = 0
    for _ in range(problems):
        problem, rows, people = case(random)
        wrong += not agrees(problem.solve(threads=1), best(problem, rows, people))
    return wrong


def test_without_fault_all_agree() -> None:
    assert disagreements(40) == 0


def test_a_class_of_the_population_alone_that_is_published_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    built = _core.Frequencies

    def counted(hierarchies: object, codes: object, read: object, counts: np.ndarray, *rest: object) -> object:  # type: ignore[type-arg]
        return built(hierarchies, codes, read, np.maximum(counts, 1), *rest)

    monkeypatch.setattr(_core, "Frequencies", counted)
    assert disagreements(40) > 0


def test_a_population_that_loses_people_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    built = _core.Frequencies

    def counted(*given: object) -> object:
        *rest, counts, units, population = given
        return built(*rest, counts, units, np.where(np.asarray(counts) > 0, population, 0))

    monkeypatch.setattr(_core, "Frequencies", counted)
    assert disagreements(40) > 0
