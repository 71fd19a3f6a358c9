"""Count queries in a report: estimates and errors, no true count that could be worked out, and only when asked."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.errors import DataError
from sfumato.evaluate import CountQuery
from sfumato.evaluate.queries import QueryReport, QueryResult
from sfumato.report import report_of
from sfumato.report.blocks import Grid, Text
from sfumato.report.sections.queries import queries_section
from sfumato.solution import Solution

QUERY = CountQuery({"age": (20, 30)})


def section(*results: QueryResult) -> tuple[tuple[tuple[str, ...], ...], str]:
    """The rows and all that is said after them."""
    blocks = queries_section(QueryReport(results)).blocks
    (grid,) = (block for block in blocks if isinstance(block, Grid))
    return grid.rows, " ".join(block.text for block in blocks[2:] if isinstance(block, Text))


def test_estimates_and_errors() -> None:
    rows, said = section(QueryResult(QUERY, 400, Fraction(300)), QueryResult(QUERY, 1000, Fraction(1050)))
    assert rows == (("age 20..30", "300", "25%"), ("age 20..30", "1,050", "5%"))
    assert "mean error is 15%" in said
    assert "400" not in said


def test_no_error_is_stated_of_few_records() -> None:
    """With an error of 50% and an estimate of 3, everybody would know that there are two."""
    rows, said = section(QueryResult(QUERY, 2, Fraction(3)), QueryResult(QUERY, 0, Fraction(1, 2)))
    assert rows == (("age 20..30", "3", "few records"), ("age 20..30", "0", "few records"))
    assert "For 2 queries no error is shown" in said
    assert "mean" not in said


def test_only_when_asked(solution: Solution) -> None:
    keys = [section.key for section in report_of(solution, Path()).sections]
    assert "queries" not in keys
    asked = [section.key for section in report_of(solution, Path(), queries=["age=20..40,sex=f", QUERY]).sections]
    assert asked == [*keys[: keys.index("search")], "queries", *keys[keys.index("search") :]]


def test_a_query_of_another_column(solution: Solution) -> None:
    with pytest.raises(DataError, match="'code', which is not a quasi-identifier"):
        report_of(solution, Path(), queries=["code=1..2"])


def test_a_search_of_boxes_shows_its_gap_over_time(table: sf.Table) -> None:
    from sfumato.plots import Boxes, ProgressPlot
    from sfumato.report.blocks import Figures

    problem = sf.Problem(table, [sf.KAnonymity(3)], sf.LM(), sf.Multidimensional(splits={"age": "every"}))
    report = report_of(problem.solve(), Path())
    figures = {
        section.key: [figure for block in section.blocks if isinstance(block, Figures) for figure in block.figures]
        for section in report.sections
    }
    (progress,) = figures["search"]
    assert isinstance(progress, ProgressPlot)
    assert progress.moments[-1].gap == 0
    assert progress.moments[0].gap != 0
    drawn = figures["boxes"][0]
    assert isinstance(drawn, Boxes)
    labels = {tick.label for tick in drawn.ticks[0]} | {tick.label for tick in drawn.ticks[1]}
    assert labels <= {
        label or "(missing)"
        for column in report.findings.solution.recoding.labels(table.frequencies)
        for label in column
    }
    assert any(tick.label.startswith("[") for tick in drawn.ticks[0])
