"""Local recoding and models that are not monotone: checked by the definitions, and against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

import sfumato as sf
from sfumato.hierarchies import Hierarchy
from sfumato.privacy import ItemsetModel
from sfumato.testing.brute_force_items import ItemCase, all_cuts, published, random_items

from .test_itemsets import draws, published_by


def leaves_of(case: ItemCase) -> dict[str, frozenset[str]]:
    """The leaves below each label."""
    below: dict[str, set[str]] = {}
    for row in case.rows:
        for label in row:
            below.setdefault(label, set()).add(row[0])
    return {label: frozenset(leaves) for label, leaves in below.items()}


@pytest.mark.parametrize("parts", [2, 3])
def test_parts_are_anonymous_together(parts: int, suite: Callable[[int], int]) -> None:
    random, answered = Random(parts), 0
    for case, model in draws(f"parts {parts}", suite(400)):
        data = case.transactions
        whole = sf.Problem(data, [model]).solve(sf.VPA(parts=parts, level=random.randint(0, 1)))
        local = sf.Problem(data, [model], recoding=sf.LocalItems()).solve(sf.LRA(parts=parts, flexibility=2))
        if data.total < model.k:
            assert (whole.status, local.status) == ("infeasible", "infeasible")
            continue
        for solution in (whole, local):
            assert solution.status == "feasible"
            assert model.holds(published_by(solution))
        # An attacker knows original items: whatever covers them all, in whatever part, is k transactions, or none.
        covers = leaves_of(case)
        records = published_by(local)
        for _ in range(30):
            known = random.sample([row[0] for row in case.rows], min(random.randint(1, model.m), len(case.rows)))
            fit = [n for items, n in records.items() if all(any(i in covers[u] for u in items) for i in known)]
            assert not fit or sum(fit) >= model.k
            answered += bool(fit)
    assert answered > suite(400)


def test_partition_publishes_everything_k_times(suite: Callable[[int], int]) -> None:
    drilled = 0
    for case, model in draws("partition", suite(400)):
        data = case.transactions
        problem = sf.Problem(data, [sf.KAnonymity(model.k)], recoding=sf.LocalItems())
        solution = problem.solve(sf.Partition())
        if data.total < model.k:
            assert solution.status == "infeasible"
            continue
        records = published_by(solution)
        assert min(records.values()) >= model.k
        assert sum(records.values()) == len(case.records)
        drilled += 0 < solution.exact_cost < 1
        # Each part's transactions are covered by what is published of them, node by node.
        for part, image in solution.recoding.parts:
            for items, _ in part.sets():
                assert all(image[v] <= v for v in items)
    assert drilled > suite(400) / 4


def cost_of(case: ItemCase, cut: tuple[str, ...], kept: tuple[str, ...]) -> Fraction:
    covered, leaves = Counter(cut), Hierarchy.from_rows(case.rows, "").leaves
    image = dict(zip(leaves, cut, strict=True))
    occurrences = [item for record in case.records for item in record]
    lost = sum(covered[image[item]] for item in occurrences if item not in kept and covered[image[item]] > 1)
    return Fraction(lost, len(leaves) * len(occurrences))


def least(case: ItemCase, model: ItemsetModel) -> tuple[Fraction | None, bool]:
    """The least loss of a valid cut, and whether some cut is valid below one that is not: what monotone models deny."""
    valid = [cut for cut in all_cuts(case.rows) if model.holds(published(case, cut, model.sensitive_items))]
    costs = [cost_of(case, cut, model.sensitive_items) for cut in valid]
    odd = bool(valid) and not model.holds(published(case, ("*",) * len(case.rows), model.sensitive_items))
    return min(costs, default=None), odd


@pytest.mark.parametrize("kind", ["lm-diversity", "negative"])
def test_models_that_are_not_monotone(kind: str, suite: Callable[[int], int]) -> None:
    random, seen = Random(kind), Counter[str]()
    for _ in range(suite(400)):
        case = random_items(random, most_items=8)
        items = sorted(frozenset().union(*case.records))
        m = random.choice([1, 2, 2, 3])
        model: ItemsetModel = sf.KmAnonymity(random.choice([2, 2, 3]), m, negative=True)
        if kind == "lm-diversity":
            model = sf.LmDiversity(random.choice([2, 2, 3]), m, random.sample(items, 1))
        expected, odd = least(case, model)
        solution = sf.Problem(case.transactions, [model]).solve()
        assert solution.algorithm == "best-first-cuts"
        assert solution.status == ("infeasible" if expected is None else "optimal")
        assert solution.exact_cost == expected
        seen["infeasible" if expected is None else "free" if expected == 0 else "costly"] += 1
        seen["odd"] += odd
        if expected is not None:
            assert model.holds(published_by(solution, released=seen.total() % 8 == 0))
    assert seen["costly"] >= suite(400) / 10, seen


def test_l_m_diversity_is_not_monotone() -> None:
    """SPEC: it holds at the leaves, and no longer one step above."""
    records = ["a1 a2", "a1 a2", "a1 s", "a1 s", "a2 s", "a2 s", "b", "b"]
    rows = (("a1", "A", "*"), ("a2", "A", "*"), ("b", "b", "*"), ("s", "s", "*"))
    case = ItemCase(tuple(frozenset(text.split()) for text in records), rows)
    model = sf.LmDiversity(2, 2, ["s"])
    assert model.holds(published(case, ("a1", "a2", "b", "s"), ["s"]))
    assert not model.holds(published(case, ("A", "A", "b", "s"), ["s"]))
    assert sf.Problem(case.transactions, [model]).solve().cost == 0


def test_a_limit_is_an_honest_status() -> None:
    case = random_items(Random(3))
    problem = sf.Problem(case.transactions, [sf.KmAnonymity(2, 2, negative=True)])
    stopped = problem.solve(time_limit=0)
    assert stopped.status in ("feasible", "no_solution_found")
    assert stopped.status == "no_solution_found" or sf.KmAnonymity(2, 2, negative=True).holds(published_by(stopped))
