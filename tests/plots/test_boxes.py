"""Pictures of boxes: labels beside the axes, counts that do not touch, the same as a table."""

from __future__ import annotations

import re
from itertools import pairwise

from sfumato.plots import Boxes, DrawnBox, Tick, draw, draw_boxes

HALVES = (DrawnBox("low × all", (0, 0.5), (0, 1), 12), DrawnBox("high × all", (0.5, 1), (0, 1), 1_500))


def of(boxes: tuple[DrawnBox, ...], across: tuple[Tick, ...] = (), up: tuple[Tick, ...] = ()) -> Boxes:
    return Boxes("Boxes", "Some boxes.", "age", "job", boxes, (across, up))


def test_counts_and_rows() -> None:
    info = of(HALVES)
    assert info.rows() == [("high × all", "1,500"), ("low × all", "12")]
    assert re.findall(r">([\d,]+)</text>", draw(info)) == ["12", "1,500"]


def test_counts_do_not_stand_on_each_other() -> None:
    """Two boxes with one middle: the larger one is labelled with its records."""
    svg = draw_boxes(of((DrawnBox("in", (0.25, 0.75), (0.25, 0.75), 7), DrawnBox("out", (0, 1), (0, 1), 93))))
    assert re.findall(r">(\d+)</text>", svg) == ["93"]
    assert svg.index("93</text>") > svg.rindex('class="after"')


def test_labels_of_the_narrowest_blocks_are_written() -> None:
    ticks = (Tick("all", (0, 1)), Tick("Private", (0, 0.5)), Tick("State & local", (0.5, 1)))
    svg = draw_boxes(of(HALVES, ticks, ticks))
    assert svg.count(">Private<") == svg.count(">State &amp; local<") == 2
    assert ">all<" not in svg


def test_labels_without_room_are_left_out() -> None:
    ticks = tuple(Tick(f"v{i}", (i / 100, (i + 1) / 100)) for i in range(100))
    written = [int(label) for label in re.findall(r">v(\d+)<", draw_boxes(of(HALVES, ticks)))]
    assert 10 < len(written) < 35
    assert all(later - one > 2 for one, later in pairwise(written))


def test_long_labels_are_cut() -> None:
    svg = draw_boxes(of(HALVES, (Tick("x" * 80, (0, 1)),)))
    assert "…" in svg
    assert "x" * 30 not in svg
