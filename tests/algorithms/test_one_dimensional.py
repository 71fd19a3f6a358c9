"""OneDimensional: every group is l-diverse, every record is published; and the curve is a curve."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.algorithms.one_dimensional import groups_of
from sfumato.algorithms.steps.hilbert import hilbert_order
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_rows import SENSITIVE, random_hierarchy, random_rows


def test_neighbours_on_the_curve_are_neighbours_in_space() -> None:
    for side, dimensions in ((2, 1), (4, 2), (8, 2), (4, 3), (2, 5)):
        points = np.array(list(product(range(side), repeat=dimensions)))
        walked = points[hilbert_order(points)]
        assert len({tuple(point) for point in walked.tolist()}) == side**dimensions
        assert (np.abs(np.diff(walked, axis=0)).sum(axis=1) == 1).all()


def test_equal_points_stay_in_order() -> None:
    points = np.array([[1, 1], [0, 0], [1, 1], [0, 0]])
    assert hilbert_order(points).tolist() == [1, 3, 0, 2]
    assert hilbert_order(np.zeros((3, 0), dtype=int)).tolist() == [0, 1, 2]


def test_groups_are_diverse_whatever_the_order() -> None:
    random = Random("groups")
    tight = 0
    for _ in range(400):
        l = random.randint(1, 5)
        records = random.randint(l, 40)
        values = random.choices(range(random.randint(l, 9)), k=records, weights=None)
        most = max(Counter(values).values())
        if most * l > records:
            continue
        tight += (most + 1) * l > records
        groups = groups_of(np.array(values), l)
        assert set(groups.tolist()) == set(range(max(groups) + 1))
        for group in range(max(groups) + 1):
            own = Counter(value for value, number in zip(values, groups.tolist(), strict=True) if number == group)
            assert max(own.values()) * l <= own.total()
    assert tight > 20


def test_classes_are_diverse_and_every_record_is_published() -> None:
    random = Random("one-dimensional")
    split = feasible = 0
    for _ in range(40):
        hierarchies = {f"q{a}": random_hierarchy(random, f"q{a}") for a in range(random.randint(1, 4))}
        rows = [
            {**row, "s": random.choice(["s0", "s0", "s1", "s2", "s3", row["s"]])}
            for row in random_rows(random, hierarchies, (5, 60))
        ]
        table = sf.Table(PlainEngine(rows), quasi_identifiers=hierarchies, sensitive={"s": SENSITIVE})
        l = random.choice(["3/2", 2, 2, 3])
        models = [sf.LDiversity("s", l), *([sf.KAnonymity(2)] if random.random() < 0.3 else [])]
        solution = sf.Problem(table, models, sf.LM(), sf.Local()).solve(sf.OneDimensional())
        if solution.status == "infeasible":
            assert "The whole table as one class" in solution.reason
            continue
        feasible += 1
        assert (solution.bound, solution.suppressed) == (None, 0)
        assert int(solution.plan().copies.sum()) == len(rows)
        audit = sf.check(solution.release(), quasi_identifiers=list(hierarchies), constraints=models)
        assert audit.holds
        assert audit.records == len(rows)
        best = sf.Problem(table, models, sf.LM(), sf.Local()).solve(sf.LocalSearch(steps=200, rounds=0))
        assert best.exact_bound is not None
        assert solution.exact_cost is not None
        assert best.exact_bound <= solution.exact_cost
        split += not solution.plan().whole
    assert feasible > 10
    assert split > 3


def small(values: str = "abababab") -> sf.Table:
    frame = pd.DataFrame({"q": list("wwxxyyzz"), "s": list(values)})
    return sf.Table(frame, quasi_identifiers={"q": sf.flat()}, sensitive=["s"])


def test_groups_follow_the_curve() -> None:
    solution = sf.Problem(small(), [sf.LDiversity("s", 2)], sf.LM(), sf.Local()).solve(sf.OneDimensional())
    assert (solution.cost, solution.classes, solution.status) == (0, 4, "feasible")


def test_what_it_refuses_and_what_cannot_be_met() -> None:
    def solved(*models: sf.ClassModel, recoding: sf.recoding.Recoding | None = None) -> sf.Solution:
        return sf.Problem(small(), models, sf.LM(), recoding or sf.Local()).solve(sf.OneDimensional())

    with pytest.raises(sf.ProblemError, match="recodes locally, not full-domain"):
        solved(sf.LDiversity("s", 2), recoding=sf.FullDomain())
    with pytest.raises(sf.ProblemError, match="is for l-diversity of one sensitive attribute"):
        solved(sf.KAnonymity(2))
    with pytest.raises(sf.ProblemError, match="t-closeness asks for something else"):
        solved(sf.TCloseness("s", "1/2"))
    with pytest.raises(sf.ProblemError, match="other constraints find too small"):
        solved(sf.LDiversity("s", 2), sf.KAnonymity(3))
    assert solved(sf.LDiversity("s", 3)).status == "infeasible"
