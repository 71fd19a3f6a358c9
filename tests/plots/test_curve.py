"""The curve of a trade-off: every point where it belongs, steps between them, the cloud as few elements."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from sfumato.plots import Curve, Spot, draw, draw_curve

SPOTS = tuple(Spot(x, y, f"k = {x}", (f"{y:.0%}", "0", "a 1")) for x, y in ((1, 0.1), (10, 0.3), (100, 1.0)))
INFO = Curve("What k costs", "words", ("lost", "left out", "levels"), SPOTS, 1, "the knee", "k", "lost")


def spots(svg: str) -> list[tuple[float, float]]:
    return [(float(g["x"]), float(g["y"])) for g in re.finditer(r'data-x="(?P<x>[\d.]+)" data-y="(?P<y>[\d.]+)"', svg)]


def test_points_lie_in_order() -> None:
    places = spots(draw_curve(INFO, 700, 400))
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert [y for _, y in places] == sorted((y for _, y in places), reverse=True)
    falling = spots(draw_curve(replace(INFO, rising=False), 700, 400))
    assert [x for x, _ in falling] == sorted((x for x, _ in falling), reverse=True)


@pytest.mark.parametrize("size", [(360, 320), (760, 500)])
def test_a_picture_of_any_size_is_whole(size: tuple[int, int]) -> None:
    root = ET.fromstring(draw_curve(INFO, *size))
    assert root.get("viewBox") == f"0 0 {size[0]} {size[1]}"
    assert all(0 <= x <= size[0] and 0 <= y <= size[1] for x, y in spots(draw_curve(INFO, *size)))
    assert root.get("role") == "img"


def test_two_sizes_on_one_page_have_names_of_their_own() -> None:
    first, second = (ET.fromstring(draw_curve(INFO, wide, 300))[0].get("id") for wide in (360, 760))
    assert first != second
    assert draw(INFO) == draw_curve(INFO)


def test_steps_go_up_before_they_go_on() -> None:
    svg = draw_curve(INFO)
    path = re.search(r'd="(M[^"]*)" class="curve"', svg)
    assert path is not None
    (x0, y0), (x1, y1), _ = spots(svg)
    assert path[1].startswith(f"M{x0:.1f} {y0:.1f}V{y1:.1f}H{x1:.1f}V")
    assert 'class="curve"' not in draw_curve(replace(INFO, stepped=False))


def test_thousands_of_choices_are_a_few_paths() -> None:
    cloud = tuple((1 + i % 99, 0.1 + (i % 89) / 100) for i in range(20_000))
    svg = draw_curve(replace(INFO, cloud=cloud))
    assert 1 <= svg.count('class="cloud"') <= 3
    assert len(svg) < 100_000
    outside = ((1000.0, 0.5), (5.0, 0.001))  # nothing of the axes is given up for what nobody would choose
    assert 'class="cloud"' not in draw_curve(replace(INFO, cloud=outside))


def test_the_chosen_point_is_marked_and_named() -> None:
    svg = draw_curve(INFO)
    mark = svg[svg.index('class="chosen"') - 600 :]
    assert "k = 10" in mark
    assert 'class="ring"' in mark
    last = draw_curve(replace(INFO, chosen=2))  # at the right end, its name stands to the left
    assert re.search(r'text-anchor="end"[^>]*>k = 100<', last)


def test_a_point_names_its_numbers() -> None:
    assert "<title>k = 10. lost: 30%; left out: 0; levels: a 1</title>" in draw_curve(INFO)


def test_zero_is_shown_apart() -> None:
    free = replace(SPOTS[0], y=0.0)
    svg = draw_curve(replace(INFO, spots=(free, *SPOTS[1:])))
    assert ">0%<" in svg
    assert spots(svg)[0][1] > spots(svg)[1][1] + 18


def test_words_are_escaped() -> None:
    odd = replace(SPOTS[0], name="<b> & k")
    ET.fromstring(draw_curve(replace(INFO, spots=(odd, *SPOTS[1:]), chosen=0)))
