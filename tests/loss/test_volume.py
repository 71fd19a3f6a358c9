from __future__ import annotations

from fractions import Fraction

import pytest

import sfumato as sf
from sfumato.testing.plain_engine import PlainEngine, Row

ROWS: list[Row] = [{"x": str(x), "y": y} for x, y in [(1, "a"), (1, "a"), (2, "b"), (4, "c"), (4, "c")]]
TREE = sf.Hierarchy.from_rows([("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*"), ("d", "d", "*")], "y")


def problem(**options: str) -> sf.Problem:
    table = sf.Table(PlainEngine(ROWS), quasi_identifiers={"x": sf.ordered(), "y": TREE})
    return sf.Problem(table, [sf.KAnonymity(2)], sf.Volume(), sf.Multidimensional(**options))  # type: ignore[arg-type]


def test_boxes_cost_their_cells() -> None:
    """{1, 2} × ab has 2 · 2 cells and three records, {4} × c one cell and two: d does not occur."""
    solution = problem().solve()
    assert (solution.cost, solution.classes) == (3 * 4 + 2, 2)
    assert solution.relative == pytest.approx(14 / (5 * 9))


def test_a_suppressed_record_costs_all_cells() -> None:
    assert problem(suppression="all-records").solve().cost == min(14, 2 + 9 + 2)
    loss = sf.Volume().in_space(9)
    frequencies = problem().data.frequencies
    assert loss.cost(frequencies, [sf.ClassSummary(3, lengths=(2, 2))], 2) == Fraction(12 + 18)


def test_other_recodings_have_no_boxes() -> None:
    table = problem().data
    with pytest.raises(sf.ProblemError, match=r"volume measures boxes; use recoding=sf.Multidimensional\(\)"):
        sf.Problem(table, [sf.KAnonymity(2)], sf.Volume())
    with pytest.raises(sf.ProblemError, match="no space is known here"):
        sf.Volume().cost(table.frequencies, [], 1)
    with pytest.raises(sf.ProblemError, match="this search has none"):
        sf.Volume().core(table.frequencies)
