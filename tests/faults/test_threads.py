"""How many threads search changes how long it takes, and nothing that is said."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import sfumato as sf
from sfumato.algorithms import Algorithm
from sfumato.testing.plain_engine import PlainEngine, Row

LETTERS = [("a", "ab", "*"), ("b", "ab", "*"), ("c", "cd", "*"), ("d", "cd", "*"), ("e", "ef", "*"), ("f", "ef", "*")]


def table(seed: int, numbers: bool = False) -> sf.Table:
    random = Random(seed)
    rows: list[Row] = [
        {
            **{name: random.choice("abcdef") for name in "xyz"},
            "n": str(random.randrange(12)),
            "s": random.choice("uuvw"),
        }
        for _ in range(60)
    ]
    letters = sf.Hierarchy.from_rows(LETTERS, "letters")
    schemes = {**dict.fromkeys("xyz", letters), "n": sf.ordered() if numbers else sf.fanout(3)}
    return sf.Table(PlainEngine(rows), quasi_identifiers=schemes, sensitive=["s"])  # type: ignore[arg-type]


def of_classes(recoding: Any, loss: sf.LM | sf.Discernibility, numbers: bool = False) -> Callable[[int], sf.Problem]:
    models = [sf.KAnonymity(3), sf.DistinctLDiversity("s", 2)]
    return lambda seed: sf.Problem(table(seed, numbers), models, loss, recoding)


def of_shares(seed: int) -> sf.Problem:
    recoding = sf.FullSubtree(suppression="violating-records")
    return sf.Problem(table(seed), [sf.LPlusDiversity("s", "0.8")], sf.LM(), recoding)


def of_sets(seed: int) -> sf.Problem:
    random = Random(seed)
    sets = [random.sample("abcdefghij", random.randint(1, 4)) for _ in range(80)]
    return sf.Problem(sf.Transactions(sets, hierarchy=sf.fanout(3)), [sf.KmAnonymity(3, 2)])


def of_local_sets(seed: int) -> sf.Problem:
    return sf.Problem(of_sets(seed).data, [sf.KmAnonymity(3, 2)], sf.NCP(), sf.LocalItems())


# Each with whether the whole answer is the same, too: a search without proof may come to another one of the same cost.
CASES: list[tuple[Algorithm, Callable[[int], sf.Problem]]] = [
    (sf.LatticeSearch(), of_classes(sf.FullDomain("10%"), sf.LM())),
    (sf.LatticeSearch(), of_classes(sf.FullDomain("10%"), sf.Discernibility())),
    (sf.Incognito(), of_classes(sf.FullDomain(), sf.LM())),
    (sf.LPlusOptimize(), of_shares),
    (sf.LPlusOptimize(), of_classes(sf.FullSubtree(suppression="all-records"), sf.LM())),
    (sf.GenSearch(), of_classes(sf.Multidimensional(), sf.LM())),
    (sf.GenSearch(), of_classes(sf.Multidimensional(), sf.Discernibility(), True)),
    (sf.Mondrian(), of_classes(sf.Multidimensional(), sf.LM())),
    (sf.LocalSearch(steps=400, rounds=3), of_classes(sf.Local(), sf.LM())),
    (sf.HittingSet(), of_sets),
    (sf.AA(), of_sets),
    (sf.OA(), of_sets),
    (sf.LRA(parts=3), of_local_sets),
]


@pytest.mark.parametrize(("algorithm", "problem_of"), CASES, ids=lambda part: getattr(part, "name", ""))
def test_threads_change_no_cost(algorithm: Algorithm, problem_of: Callable[[int], sf.Problem]) -> None:
    for seed in range(4):
        answers = []
        for threads in (1, 2, 4):
            solution = problem_of(seed).solve(algorithm, threads=threads, seed=5)
            proved = solution.status == "optimal"
            published = solution.recoding.to_json() if proved else None
            answers.append((solution.status, solution.exact_cost, solution.exact_bound, solution.suppressed, published))
        assert answers[0][0] in {"optimal", "feasible"}
        assert answers.count(answers[0]) == 3
