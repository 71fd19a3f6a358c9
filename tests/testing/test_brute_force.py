"""The oracle, against costs worked out by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import sfumato as sf
from sfumato.testing.brute_force import best, classes, evaluate, nodes
from sfumato.testing.plain_engine import PlainEngine, Row

AGES = sf.Hierarchy.from_rows([("30", "30s", "*"), ("31", "30s", "*"), ("40", "40s", "*")], "ages")
ROWS: list[Row] = [
    {"age": "30", "sex": "f", "s": "x"},
    {"age": "31", "sex": "f", "s": "y"},
    {"age": "30", "sex": "m", "s": "x"},
    {"age": "40", "sex": "m", "s": "x"},
]


def problem(limit: str, *models: sf.KAnonymity | sf.DistinctLDiversity) -> sf.Problem:
    table = sf.Table(PlainEngine(ROWS), quasi_identifiers={"age": AGES, "sex": sf.flat()}, sensitive=["s"])
    return sf.Problem(table, models, recoding=sf.FullDomain(limit))


def test_node() -> None:
    """(30s, f) twice; 30s and 40s with m once each: two suppressed at 2 · 1, two published at 1/2 + 0."""
    node = evaluate(problem("50%", sf.KAnonymity(2)), ROWS, (1, 0))
    assert node.released == Counter({("30s", "f"): 2})
    assert (node.valid, node.suppressed, node.cost) == (True, 2, 2 * 2 + 2 * Fraction(1, 2))
    assert not evaluate(problem("25%", sf.KAnonymity(2)), ROWS, (1, 0)).valid


def test_classes() -> None:
    """Two women in their thirties, of two of the three ages; of the four records, three are in their thirties."""
    by_labels = classes(problem("0%", sf.KAnonymity(2)), ROWS, (1, 0))
    assert set(by_labels) == {("30s", "f"), ("30s", "m"), ("40s", "m")}
    women = by_labels["30s", "f"]
    assert (women.size, women.leaves, women.levels, women.covered) == (2, (2, 1), (1, 0), (3, 2))
    assert women.histograms == {"s": {"x": 1, "y": 1}}
    assert women.units is None


def test_all_nodes_and_the_best() -> None:
    costs = {node.levels: node.cost for node in nodes(problem("0%", sf.KAnonymity(2)), ROWS) if node.valid}
    assert costs == {(2, 0): 4, (2, 1): 8}
    cheapest = best(problem("0%", sf.KAnonymity(2)), ROWS)
    assert cheapest is not None
    assert cheapest.levels == (2, 0)
    assert best(problem("0%", sf.KAnonymity(5)), ROWS) is None
    assert len(list(nodes(problem("0%", sf.KAnonymity(2)), ROWS))) == 6


def test_sensitive_values() -> None:
    node = evaluate(problem("100%", sf.DistinctLDiversity("s", 2)), ROWS, (2, 0))
    assert node.released == Counter({("*", "f"): 2})


def test_persons() -> None:
    """Both women are one person; of the men one is nobody's, so they may be one and the same."""
    rows: list[Row] = [{**row, "who": who} for row, who in zip(ROWS, ["1", "1", "2", None], strict=True)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"age": AGES, "sex": sf.flat()}, sensitive=["s"], unit="who")
    costs = [
        evaluate(sf.Problem(table, [sf.KAnonymity(k)], recoding=sf.FullDomain("100%")), rows, levels).suppressed
        for k, levels in ((1, (2, 0)), (2, (2, 0)), (2, (2, 1)), (3, (2, 1)))
    ]
    assert costs == [0, 4, 0, 4]
