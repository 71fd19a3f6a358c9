"""Gap over time: what moved, as a table and as two lines; nothing where nothing moved."""

from __future__ import annotations

import re

import pytest

from sfumato.plots import Moment, draw, progress_info

TRACE = [(0.0, None, 50.0), (0.1, 200.0, 50.0), (0.5, 200.0, 50.0), (1.0, 150.0, 80.0), (4.0, 120.0, 120.0)]


def test_only_what_moved_is_shown() -> None:
    info = progress_info("lm", [*TRACE, (9.0, 120.0, 120.0)])
    assert info is not None
    assert [one.seconds for one in info.moments] == [0.0, 0.1, 1.0, 4.0, 9.0]
    assert info.rows()[0] == ("0.00 s", "–", "50", "–")
    assert info.rows()[2] == ("1.00 s", "150", "80", "87.50%")
    assert info.rows()[-1] == ("9.00 s", "120", "120", "0.00%")
    assert info.description == "After 0.10 s the gap was 300.0%, at the end 0.0%."


def test_a_long_search_has_a_short_table() -> None:
    info = progress_info("lm", [(i / 10, 1000.0 - i, float(i + 1)) for i in range(400)])
    assert info is not None
    assert len(info.rows()) <= 12
    assert info.rows()[-1][0] == "39.90 s"


@pytest.mark.parametrize("trace", [[], TRACE[:3], [(s, 5.0, None) for s in (1.0, 2.0, 3.0)], [(1.0, 2.0, 0.0)] * 4])
def test_nothing_to_show(trace: list[tuple[float, float | None, float | None]]) -> None:
    assert progress_info("lm", trace) is None


def test_two_lines_meet_at_the_optimum() -> None:
    info = progress_info("lm", TRACE)
    assert info is not None
    svg = draw(info)
    ends = [float(path.rpartition("V")[2].partition("H")[0]) for path in re.findall(r'd="(M[^"]*V[^"]*)"', svg)]
    assert len(ends) == 2
    assert ends[0] == ends[1]


def test_gaps() -> None:
    assert Moment(1, 3.0, 2.0).gap == 0.5
    assert Moment(1, 0.0, 0.0).gap == 0.0
    assert Moment(1, 3.0, 0.0).gap is None
    assert Moment(1, None, 1.0).gap is None
