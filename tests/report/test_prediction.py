"""The section about prediction: the error before and after, or why there is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.report import report_of
from sfumato.report.blocks import Block, Grid, Text
from sfumato.report.sections import prediction
from sfumato.solution import Solution


def blocks(solution: Solution) -> tuple[Block, ...] | None:
    report = report_of(solution, Path())
    return next((section.blocks for section in report.sections if section.key == "prediction"), None)


def test_the_error_is_shown_before_and_after(solution: Solution) -> None:
    section = blocks(solution)
    assert section is not None
    (grid,) = (block for block in section if isinstance(block, Grid))
    assert grid.rows[1] == ("records trained on", "40", str(40 - solution.suppressed + _tested_less(grid)))
    assert grid.rows[0][1].endswith("%")


def _tested_less(grid: Grid) -> int:
    """Of the suppressed records, those that would have been tested on."""
    return int(grid.rows[2][1]) - int(grid.rows[2][2])


def test_without_a_target_there_is_no_section(people: Path, towns: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"age": sf.intervals(10, 20), "town": towns})
    assert blocks(sf.Problem(table, [sf.KAnonymity(4)]).solve()) is None


@pytest.mark.parametrize(
    ("what", "value", "said"),
    [("find_spec", lambda _: None, "install sfumato[ml]"), ("_MOST", 10, "take long for a report")],
)
def test_why_it_is_not_shown(
    solution: Solution, monkeypatch: pytest.MonkeyPatch, what: str, value: object, said: str
) -> None:
    monkeypatch.setattr(prediction, what, value)
    section = blocks(replace(solution))
    assert section is not None
    (text,) = section
    assert isinstance(text, Text)
    assert said in text.text
