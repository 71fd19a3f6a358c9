from __future__ import annotations

from fractions import Fraction

import pandas as pd

import sfumato as sf
from sfumato.loss import RetainedInformation

TREE = sf.Hierarchy.from_rows([("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*")], "tree")


def table(**keywords: object) -> sf.Table:
    rows = pd.DataFrame({"q": list("aabbc"), "s": list("xyxyx")})
    return sf.Table(rows, quasi_identifiers={"q": TREE}, sensitive=["s"], **keywords)  # type: ignore[arg-type]


def test_a_value_retains_one_over_its_leaves() -> None:
    frequencies = table().frequencies
    classes = [sf.ClassSummary(4, leaves=(2,)), sf.ClassSummary(1, leaves=(1,))]
    # 4/2 + 1 of the quasi-identifier, and all five sensitive values, of ten
    assert RetainedInformation().cost(frequencies, classes, 0) == 1 - Fraction(8, 10)
    assert RetainedInformation().cost(frequencies, classes[:1], 1) == 1 - Fraction(6, 10)
    general = [sf.ClassSummary(5, leaves=(3,), retained=Fraction(5, 2))]
    assert RetainedInformation().cost(frequencies, general, 0) == 1 - (Fraction(5, 3) + Fraction(5, 2)) / 10


def test_the_cheapest_node_and_its_utility() -> None:
    problem = sf.Problem(table(), [sf.KAnonymity(2)], sf.RetainedInformation(), sf.FullDomain(suppression_limit="20%"))
    solution = problem.solve()
    assert (solution.status, solution.levels, solution.suppressed) == ("optimal", {"q": 0}, 1)
    assert solution.exact_cost == Fraction(2, 10)
    assert solution.utility == 0.8
    assert solution.relative == solution.cost


def test_an_empty_table_loses_nothing() -> None:
    empty = sf.Table(pd.DataFrame({"q": [], "s": []}, dtype=str), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    assert RetainedInformation().cost(empty.frequencies, [], 0) == 0
