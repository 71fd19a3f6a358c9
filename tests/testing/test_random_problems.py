"""Random problems are as nasty as they should be, and the same for the same seed."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

from sfumato.testing.random_parts import LOSSES, MODELS
from sfumato.testing.random_problems import RandomProblem, any_problem, random_problem


def cases() -> list[RandomProblem]:
    random = Random(1)
    return [random_problem(random) for _ in range(300)]


def test_same_seed_same_problem() -> None:
    one, two = random_problem(Random(4)), random_problem(Random(4))
    assert one.rows == two.rows
    assert one.problem.constraints == two.problem.constraints
    assert one.problem.loss == two.problem.loss
    assert one.problem.recoding == two.problem.recoding
    hierarchies = [[a.hierarchy.rows for a in case.problem.data.frequencies.quasi_identifiers] for case in (one, two)]
    assert hierarchies[0] == hierarchies[1]


def test_sizes() -> None:
    for case in cases():
        attributes = case.problem.data.frequencies.quasi_identifiers
        assert 5 <= len(case.rows) <= 40
        assert 2 <= len(attributes) <= 4
        assert all(2 <= attribute.hierarchy.height + 1 <= 4 for attribute in attributes)
        assert case.problem.data.frequencies.records == len(case.rows)


def test_everything_nasty_occurs() -> None:
    seen = dict.fromkeys(
        ["missing", "absent leaf", "chain", "uneven", "weights", "levels", "no limit", "all may go"], 0
    )
    for case in cases():
        f = case.problem.data.frequencies
        seen["missing"] += any(None in row.values() for row in case.rows)
        seen["weights"] += bool(case.problem.loss.weights)  # type: ignore[attr-defined]
        seen["levels"] += bool(case.problem.recoding.min_level or case.problem.recoding.max_level)
        seen["no limit"] += case.problem.recoding.suppression_limit == 0
        seen["all may go"] += case.problem.recoding.suppression_limit == 1
        for a, attribute in enumerate(f.quasi_identifiers):
            hierarchy = attribute.hierarchy
            seen["absent leaf"] += len(set(f.codes[:, a].tolist())) < len(hierarchy.leaves)
            seen["chain"] += any(low == high != "*" for row in hierarchy.rows if row[0] for low, high in pairwise(row))
            seen["uneven"] += any(len(set(sizes.tolist())) > 1 for sizes in hierarchy.sizes)
    assert min(seen.values()) > 10, seen


def test_persons_are_as_nasty_as_they_should_be() -> None:
    random = Random(2)
    seen = dict.fromkeys(["in several combinations", "all in one", "nobody's", "one each", "one for all"], 0)
    for _ in range(300):
        case = random_problem(random, units=True)
        records = Counter(row["person"] for row in case.rows)
        units = case.problem.data.frequencies.units
        seen["one each"] += units is None
        seen["nobody's"] += None in records
        seen["one for all"] += len(records) == 1
        if units is not None:
            seen["in several combinations"] += len(units.person) > 0
            seen["all in one"] += int(units.own.sum()) > 0 and max(records.values()) > 1
    assert min(seen.values()) > 5, seen


def test_many_records() -> None:
    assert len(random_problem(Random(3), (100, 120)).rows) >= 100


# --- any model, any loss


def test_any_problem_is_the_same_for_the_same_seed() -> None:
    one, two = any_problem(Random(4)), any_problem(Random(4))
    assert one.rows == two.rows
    assert str(one.problem.constraints) == str(two.problem.constraints)
    assert (one.problem.loss, one.problem.recoding) == (two.problem.loss, two.problem.recoding)


def test_everything_nasty_occurs_in_any_problem() -> None:
    random = Random(6)
    seen = dict.fromkeys(["missing s", "missing t", "r", "one value", "units", "two models", "hierarchy"], 0)
    kinds: Counter[str] = Counter()
    for _ in range(300):
        case = any_problem(random)
        data, models = case.problem.data, case.problem.constraints
        distributions = data.frequencies.distributions
        seen["missing s"] += "" in distributions["s"].counts
        seen["missing t"] += "" in distributions["t"].counts
        seen["r"] += "r" in data.sensitive
        seen["one value"] += len(distributions["s"].counts) == 1
        seen["units"] += data.frequencies.units is not None
        seen["two models"] += len(models) > 1
        seen["hierarchy"] += any(getattr(model, "distance", "") == "hierarchical" for model in models)
        kinds.update(model.name for model in models)
        kinds[case.problem.loss.name] += 1
    assert min(seen.values()) > 5, seen
    assert min(kinds[part.name] for part in [*MODELS, *LOSSES]) > 10, kinds
