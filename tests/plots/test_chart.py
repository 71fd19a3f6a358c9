"""Charts: points where they belong, series that differ without colours, gaps where there is no answer."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from sfumato.plots import Chart, Scale, Series, draw, draw_chart
from sfumato.plots.axes import EvenAxis

LINE = Series("ours", ((2, 1.0), (10, 2.0), (100, 4.0)))
INFO = Chart("Costs", Scale("k", "log"), Scale("cost"), (LINE, Series("theirs", ((2, 2.0), (100, 5.0)), "points")))
BARS = Chart(
    "Costs",
    Scale("constraint", "names"),
    Scale("cost", "log"),
    (Series("ours", (("a", 1.0), ("b", 100.0)), "bars"), Series("theirs", (("a", 2.0), ("b", None)), "bars")),
)


def places(svg: str, series: int) -> list[tuple[float, float]]:
    marks = re.findall(rf'translate\(([\d.]+) ([\d.]+)\)" class="mark s{series}"', svg)
    return [(float(x), float(y)) for x, y in marks][1:]  # the first is the legend's


def test_points_lie_where_they_belong() -> None:
    svg = draw_chart(INFO)
    (x2, y1), (x10, y2), (x100, y4) = places(svg, 0)
    assert (x10 - x2) * 1.43 == pytest.approx(x100 - x10, rel=0.01)
    assert y1 - y2 == pytest.approx((y2 - y4) / 2, abs=0.2)
    assert len(places(svg, 1)) == 2
    assert draw(INFO) == svg


@pytest.mark.parametrize("info", [INFO, BARS])
@pytest.mark.parametrize("size", [(360, 270), (760, 400)])
def test_a_picture_is_whole_and_says_what_it_shows(info: Chart, size: tuple[int, int]) -> None:
    root = ET.fromstring(draw_chart(info, *size))
    assert root.get("viewBox") == f"0 0 {size[0]} {size[1]}"
    assert root[0].text == "Costs"
    assert "ours: from 1 at" in (root[1].text or "")
    for _, x, y in re.findall(r'(x|cx)="([\d.]+)" [ c]?y="([\d.]+)"', draw_chart(info, *size)):
        assert 0 <= float(x) <= size[0]
        assert 0 <= float(y) <= size[1]


def test_series_differ_without_colours() -> None:
    eight = Chart("x", Scale("x"), Scale("y"), tuple(Series(str(i), ((1, i + 1), (2, i + 2))) for i in range(8)))
    lines = re.findall(r'<path d="M[\d. ]+L[^"]*" class="line s\d"[^>]*>', draw_chart(eight))
    dashes = [re.search(r'dasharray="([^"]*)"', line) for line in lines]
    assert len({dash[1] if dash else "" for dash in dashes}) == len(lines) == 8
    assert len(set(re.findall(r'<path d="([^"]*)" transform', draw_chart(eight)))) == 8


def test_a_gap_is_not_joined() -> None:
    gap = replace(INFO, series=(Series("ours", ((1, 1.0), (2, 2.0), (3, None), (4, 4.0), (5, 5.0))),))
    path = re.search(r'<path d="(M[\d. ]+L[^"]*)"', draw_chart(gap))
    assert path is not None
    assert path[1].count("M") == path[1].count("L") == 2
    assert gap.rows()[2] == ("3", "–")


def test_bars_stand_beside_each_other_on_the_base() -> None:
    root = ET.fromstring(draw_chart(BARS))
    bars = [e for e in root.iter() if (e.get("class") or "").startswith("bar s") and e.tag.endswith("rect")]
    ends = [(float(bar.get("x", 0)), float(bar.get("y", 0)) + float(bar.get("height", 0))) for bar in bars]
    assert len(bars) == 3
    assert len({round(end, 1) for _, end in ends}) == 1
    assert ends[2][0] > ends[0][0]
    assert "–" in [e.text for e in root.iter()]
    assert len({bar.get("fill") for bar in bars}) == 2


def test_steps_and_clouds() -> None:
    cloud = Series("all", tuple((1 + i % 99, 1 + (i % 89) / 10) for i in range(20_000)), "cloud")
    svg = draw_chart(replace(INFO, series=(cloud, replace(LINE, style="steps"))))
    assert re.search(r'd="M[\d. ]+V[\d.]+H[\d.]+V[\d.]+H[\d.]+" class="line s0"', svg)
    assert len(svg) < 100_000
    assert svg.index('class="cloud"') < svg.index('class="line s0"')


def test_long_names_are_broken_and_cut() -> None:
    name = "k = 5,000, l = 2, t = 0.05, an-extraordinarily-long-word"
    svg = draw_chart(replace(BARS, series=(Series("ours", ((name, 1.0), ("b", 2.0), ("c", 2.0)), "bars"),)))
    assert "…</text>" in svg
    assert ">k = 5,000, l = 2, t =</text>" in svg


def test_the_same_as_a_table() -> None:
    assert INFO.rows() == [("2", "1", "2"), ("10", "2", "–"), ("100", "4", "5")]
    assert BARS.rows() == [("a", "1", "2"), ("b", "100", "–")]


def test_several_points_at_one_place_are_several_rows() -> None:
    twice = replace(INFO, series=(Series("dominated", ((2, 3.0), (2, 5.0)), "points"), LINE))
    assert twice.rows()[:2] == [("2", "3", "1"), ("2", "5", "–")]


def test_zero_has_a_place_on_a_logarithmic_axis() -> None:
    zero = replace(INFO, y=Scale("cost", "log"), series=(Series("ours", ((2, 0.0), (10, 1.0), (100, 10.0))),))
    (_, y0), (_, y1), _ = places(draw_chart(zero), 0)
    assert y0 > y1 + 15


def test_charts_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="make two charts"):
        replace(INFO, series=(LINE,) * 9)
    with pytest.raises(ValueError, match="bars stand over names"):
        replace(INFO, series=(replace(LINE, style="bars"),))
    with pytest.raises(ValueError, match="names are needed across"):
        replace(BARS, series=(LINE,))
    with pytest.raises(ValueError, match="no negative values"):
        replace(INFO, y=Scale("cost", "log"), series=(Series("ours", ((1, -1.0),)),))
    with pytest.raises(ValueError, match="use even, log or names"):
        Scale("k", "linear")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a style"):
        Series("ours", (), "dots")  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [[0, 1], [0.97, 1], [5, 5], [-3, 8], [1e-6, 2e-6], [0, 0], [1e9, 2e9]])
def test_even_axes_have_room_and_few_round_ticks(values: list[float]) -> None:
    axis = EvenAxis.over(values, 300, 0)
    assert all(0 <= axis.at(value) <= 300 for value in values)
    assert 1 <= len(axis.ticks(6)) <= 6
    assert EvenAxis.over([3, 4], 0, 1, zero="always").at(0) == 0


@pytest.mark.parametrize("values", [[2, 3, 4, 5, 6], [1, 4], [7], [1000, 15_000]])
def test_whole_numbers_have_none_between_them(values: list[float]) -> None:
    ticks = EvenAxis.over(values, 0, 300, zero="never").ticks(9)
    assert ticks
    assert all(float(tick).is_integer() for tick in ticks)
    assert EvenAxis.over([0.5, 2], 0, 300).ticks(9) != EvenAxis.over([0, 2], 0, 300).ticks(9)
