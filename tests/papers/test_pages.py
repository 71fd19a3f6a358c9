"""The pages of the experiments state what the results files state: no number of theirs is left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import pytest

from papers.draw import DOCS, PAPERS
from papers.results import Result, read_all

RESULTS = read_all()
COST = re.compile(r"\d{1,3}(,\d{3}){2,}|\d\d\.\d\d%")


def cells(result: Result) -> Iterator[str]:
    yield from chain.from_iterable(row for table in result.tables for row in table.rows)


def points(result: Result) -> Iterator[float]:
    lines = (line for chart in result.charts for line in chart.series)
    yield from (float(y) for line in lines for _, y in line.points if y is not None)


def stated(result: Result) -> list[str]:
    """What the page of a result's paper must say: costs, losses, shares of nodes, as that page writes them."""
    if result.paper == "gensearch":
        return [cell for cell in cells(result) if COST.fullmatch(cell)]
    if result.paper == "lplus" and result.figure in ("figure-5", "figure-6"):
        return [f"{y:,.0f}" if y > 1 else f"{y:.2%}" for y in points(result)]
    if result.paper == "tau_l" and result.figure in ("figure-5", "figure-6", "figure-7"):
        return [f"{y:.3f}".removeprefix("0") for y in points(result) if y]
    if result.paper == "poka" and result.figure in ("figure-6", "table-3"):
        return [cell for cell in cells(result) if re.match(r"[\d,]+ \(", cell)]
    if result.paper == "km":
        losses = [(table.columns.index("NCP"), table.rows) for table in result.tables if "NCP" in table.columns]
        return [row[at].removeprefix("0") for at, rows in losses for row in rows if row[at] not in ("–", "1.0000")]
    return []


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.name)
def test_the_page_has_the_numbers_of_the_results(result: Result) -> None:
    page = (DOCS / PAPERS[result.paper][1]).read_text(encoding="utf-8")
    assert [number for number in stated(result) if number not in page] == []


def test_there_are_numbers_to_look_for() -> None:
    by_paper = {paper: [number for one in RESULTS if one.paper == paper for number in stated(one)] for paper in PAPERS}
    assert all(len(numbers) > 20 for numbers in by_paper.values()), {k: len(v) for k, v in by_paper.items()}
