"""The truth of releases: plans of all recodings are true, and a change that makes one untrue is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.check.covering import Covering
from sfumato.check.truth import require_true_plan
from sfumato.engines import ReleasePlan
from sfumato.errors import PrivacyViolation
from sfumato.hierarchies import MISSING
from sfumato.testing.random_boxes import box_problem
from sfumato.testing.random_cuts import cut_problem
from sfumato.testing.random_problems import any_problem

TREE = sf.Hierarchy.from_rows([("38", "[35, 40)", "old", "*"), ("4", "[0, 5)", "young", "*")], "ages").with_missing()


def holds(plan: ReleasePlan, table: Any, suppressed: int) -> bool:
    try:
        require_true_plan(plan, table, suppressed)
    except PrivacyViolation as violation:
        return "would not be true" not in str(violation) or bool(violation.hidden_values)
    return True


@pytest.mark.parametrize(
    ("value", "label", "true"),
    [
        ("38", "38", True),
        ("38.0", "38", True),
        ("38", "38.0", True),
        ("38", "[35, 40)", True),
        ("38", "old", True),
        ("38", "*", True),
        ("38", "young", False),
        ("38", "4", False),
        ("38", None, False),
        (None, None, True),
        ("", None, True),
        (None, "*", True),
        (None, "old", False),
        ("38", "[38, 39)", True),  # intervals of numbers speak for themselves
        ("38", "[30, 38)", False),
        ("38", "[30, 38]", True),
        ("38", "[30, 38", False),
        ("38", "[a, b]", False),
        ("38", "{4, 38}", True),
        ("38", "{4, 3}", False),
        ("38", "{138, 4}", False),
        (None, "{4, missing}", True),
        ("38", "{4, missing}", False),
        ("", "{}", False),
    ],
)
def test_what_labels_stand_for(value: str | None, label: str | None, true: bool) -> None:
    assert Covering(TREE).covers(value, label) is true


def test_orders_of_texts() -> None:
    order = sf.ordered(["low", "mid, so to say", "high", "top"]).build("q", {"low": 1, "mid, so to say": 1, "high": 1})
    covering = Covering(order)
    assert covering.covers("mid, so to say", "[low, high]")
    assert covering.covers("mid, so to say", "[mid, so to say, high]")
    assert not covering.covers("low", "[mid, so to say, high]")
    assert not covering.covers("top", "[low, high]")
    assert not Covering(sf.flat().build("q", {"a": 1, "b": 1, "c": 1})).covers("b", "[a, c]")  # there is no order


def test_what_is_published_as_it_is() -> None:
    assert not Covering(None, hidden=False).covers("flu", "*")
    assert Covering(None).covers("flu", "*")
    assert not Covering(None).covers("flu", "cold")
    assert Covering(None, trimmed=True).covers(" flu ", "flu")
    assert not Covering(None).covers(" flu ", "flu")


def test_values_that_an_open_hierarchy_does_not_have() -> None:
    assert Covering(sf.Hierarchy.from_rows([("a", "any"), ("b", "any")], "h")).covers("c", "any")
    assert not Covering(sf.Hierarchy.from_rows([("a", "x", "any"), ("b", "y", "any")], "h")).covers("c", "x")


def test_a_wide_column_is_not_cut_off_at_16_bits() -> None:
    """What once was published of 70,000 values: nodes of values whose codes are alike in 16 bits."""
    values = [f"v{i}" for i in range(70_000)]
    tree = sf.Hierarchy.from_rows([(v, f"a{i // 10}", f"b{i // 1000}", "*") for i, v in enumerate(values)], "tree")
    table = sf.Table(pd.DataFrame({"q": values}), quasi_identifiers={"q": tree})
    solution = sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.FullDomain()).solve()
    plan = solution.plan()
    assert holds(plan, table, 0)
    wrapped = plan.published.copy()
    wrapped[:, 0] = plan.published[plan.entry % (1 << 16), 0]
    assert not holds(replace(plan, published=wrapped), table, 0)


# A random problem of each recoding, and what is chosen for it.


def full_domain(random: Random) -> sf.Solution:
    return any_problem(random).problem.solve()


def full_subtree(random: Random) -> sf.Solution:
    return cut_problem(random, any_model=random.random() < 0.5).problem.solve()


def multidimensional(random: Random) -> sf.Solution:
    algorithm = random.choice([None, sf.Mondrian(), sf.Mondrian("median"), sf.Mondrian("median", relaxed=True)])
    problem = box_problem(random, plain=True).problem
    if algorithm is not None and problem.solve().recoding is not None:
        try:
            return problem.solve(algorithm)
        except sf.errors.ProblemError:
            pass
    return problem.solve()


def local(random: Random) -> sf.Solution:
    rows = pd.DataFrame(
        {
            "age": [str(random.randint(20, 60)) for _ in range(30)],
            "zip": [f"{random.randint(0, 99):03d}" for _ in range(30)],
            "s": [random.choice("abcd") for _ in range(30)],
        }
    )
    tree = sf.Hierarchy.from_pairs({"a": "ab", "b": "ab", "ab": "*", "c": "cd", "d": "cd", "cd": "*"})
    quasi: dict[str, Any] = {"age": sf.ordered(), "zip": sf.masking()}
    if random.random() < 0.5:
        table = sf.Table(rows, quasi_identifiers=quasi, sensitive=["s"])
        splits: dict[str, Any] = {"age": "every"}
        return sf.Problem(table, [sf.KAnonymity(3)], recoding=sf.Local(splits=splits)).solve(time_limit=0.2)
    quasi["age"] = sf.intervals(5, 10, 20)
    table = sf.Table(rows, quasi_identifiers=quasi, sensitive={"s": tree})
    return sf.Problem(
        table, [sf.TauLDiversity("s", tau="1/3", l=3)], loss=sf.RetainedInformation(), recoding=sf.Local()
    ).solve(sf.SequentialSweep())


def with_sets(random: Random) -> sf.Solution:
    rows = pd.DataFrame(
        {
            "age": [str(random.randint(20, 40)) for _ in range(20)],
            "items": [random.sample("abcdefgh", random.randint(0, 3)) for _ in range(20)],
        }
    )
    table = sf.Table(rows, quasi_identifiers={"age": sf.intervals(5, 10, 20)}, sets={"items": sf.fanout(2)})
    return sf.Problem(table, [sf.KAnonymity(2), sf.KmAnonymity(2, 2)]).solve()


def transactions(random: Random) -> sf.Solution:
    rows = [random.sample("abcdefgh", random.randint(1, 4)) for _ in range(20)]
    recoding: Any = random.choice([sf.ItemCut(), sf.LocalItems()])
    return sf.Problem(sf.Transactions(rows, hierarchy=sf.fanout(2)), [sf.KmAnonymity(2, 2)], recoding=recoding).solve()


RECODINGS = [full_domain, full_subtree, multidimensional, local, with_sets, transactions]


def oracle(  # noqa: PLR0911 - a reading each
    table: Any, name: str, value: str | None, label: str | None
) -> bool:
    """Whether a label stands for a value, by another reading: of the hierarchy's rows, and of numbers."""
    f = table.frequencies
    column = next(column for column in f.columns if column.name == name)
    if (value or "") == (label or ""):
        return True
    if label == "*":
        return name in table.sensitive or name in {q.name for q in f.quasi_identifiers}
    if column.hierarchy is None or label is None:
        return False
    path = [row for row in column.hierarchy.rows if row[0] == (value or MISSING)]
    if path and label in path[0]:
        return True
    if label.startswith("{"):
        return (value or "missing") in label.strip("{}").split(", ")
    if label.startswith("[") and value:
        low, high = label[1:-1].split(", ")
        return Fraction(low) <= Fraction(value) < Fraction(high) or (label.endswith("]") and value == high)
    return False


@pytest.mark.parametrize("recoding", RECODINGS[:4])
def test_another_label_is_noticed(recoding: Callable[[Random], sf.Solution], suite: Callable[[int], int]) -> None:
    """A cell of a plan prints another of its column's labels: it is refused if, and only if, that is not true."""
    refused = kept = 0
    for seed in range(suite(300)):
        random = Random(f"truth/{recoding.__name__}/{seed}")
        solution = recoding(random)
        if solution.recoding is None or not len(solution.plan().entry):
            continue
        plan, table = solution.plan(), solution.problem.data
        assert holds(plan, table, solution.suppressed)
        for _ in range(5):
            row, place = random.randrange(len(plan.entry)), random.randrange(len(plan.columns))
            name = plan.columns[place]
            other = random.randrange(len(plan.labels[name]))
            published = plan.published.copy()
            published[row, place] = other
            code = plan.combinations[plan.entry[row], place]
            values = [text for text, number in plan.codes[name].items() if number == code]
            expected = all(oracle(table, name, value, plan.labels[name][other]) for value in values)
            assert holds(replace(plan, published=published), table, solution.suppressed) is expected
            refused, kept = refused + (not expected), kept + expected
    assert min(refused, kept) >= suite(300) / 4


@pytest.mark.parametrize("recoding", RECODINGS)
def test_a_record_more_or_less_is_noticed(
    recoding: Callable[[Random], sf.Solution], suite: Callable[[int], int]
) -> None:
    looked_at = 0
    for seed in range(suite(100)):
        random = Random(f"records/{recoding.__name__}/{seed}")
        solution = recoding(random)
        if solution.recoding is None or not len(solution.plan().entry):
            continue
        plan, table = solution.plan(), solution.problem.data
        assert holds(plan, table, solution.suppressed)
        place, by = random.randrange(len(plan.entry)), random.choice([-1, 1])
        copies = plan.copies.copy()
        copies[place] += by
        assert not holds(replace(plan, copies=copies), table, solution.suppressed)
        twice = np.r_[np.arange(len(plan.entry)), place]
        again = replace(plan, entry=plan.entry[twice], published=plan.published[twice], copies=plan.copies[twice])
        assert not holds(again, table, solution.suppressed)
        assert not holds(plan, table, solution.suppressed + 1)
        looked_at += 1
    assert looked_at >= suite(100) / 3


@pytest.mark.parametrize("recoding", [with_sets, transactions])
def test_another_set_is_noticed(recoding: Callable[[Random], sf.Solution], suite: Callable[[int], int]) -> None:
    """A set is printed as another: refused if an item of either has none of the other."""
    refused = kept = 0
    for seed in range(suite(200)):
        random = Random(f"sets/{recoding.__name__}/{seed}")
        solution = recoding(random)
        if solution.recoding is None:
            continue
        plan, table = solution.plan(), solution.problem.data
        (column,) = table.sets.values()
        place = plan.columns.index(column.name)
        labels, path = plan.labels[column.name], {row[0]: row for row in column.hierarchy.rows}
        for _ in range(5):
            row, other = random.randrange(len(plan.entry)), random.randrange(len(labels))
            published = plan.published.copy()
            published[row, place] = other
            number = plan.combinations[plan.entry[row], place]
            begin, end = column.leaves.begin[number : number + 2].astype(int)
            items = [column.hierarchy.leaves[leaf] for leaf in column.leaves.items[begin:end]]
            printed = (labels[other] or "").split("\x1f") if labels[other] else []
            expected = all(any(label in path[item] for label in printed) for item in items) and all(
                any(label in path[item] for item in items) for label in printed
            )
            assert holds(replace(plan, published=published), table, solution.suppressed) is expected
            refused, kept = refused + (not expected), kept + expected
    assert min(refused, kept) >= suite(200) / 4
