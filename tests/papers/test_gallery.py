"""The gallery is what its results files say: nothing is stale, nothing is left over."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from papers.draw import DOCS, PAPERS, gallery, pages
from papers.results import Chart, Result, Scale, Series, Table, read, read_all, thinned, write

RESULTS = read_all()
CHART = Chart("Cost", Scale("k", "log"), Scale("cost"), (Series("ours", ((2, 1.0), (10, None), (100, 3.5))),))
RESULT = Result("poka", "figure-6", "Figure 6: <cost>", "Rises.", "So it is here.", "python x.py", (CHART,))


def test_the_gallery_is_drawn_from_the_results() -> None:
    """`python benchmarks/papers/draw.py` mends it."""
    drawn = pages(RESULTS)
    stale = [path for path, content in drawn.items() if _text(DOCS / path) != content]
    assert not stale, "stale; run python benchmarks/papers/draw.py"
    assert {f"figures/{path.name}" for path in (DOCS / "figures").iterdir()} == drawn.keys() - {"gallery.md"}


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def test_changed_results_would_be_noticed() -> None:
    changed = replace(RESULTS[0], agreement="Something else.")
    assert pages([changed, *RESULTS[1:]])["gallery.md"] != pages(RESULTS)["gallery.md"]


def test_every_paper_has_results_and_a_page() -> None:
    assert {result.paper for result in RESULTS} == set(PAPERS)
    assert all((DOCS / page).is_file() for _, page, _ in PAPERS.values())


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.name)
def test_a_result_says_what_it_is(result: Result) -> None:
    assert all([result.title, result.claim, result.agreement, result.command, result.date])
    assert not result.copied  # the command wrote the file, and says by which version and where
    assert result.version
    assert result.machine
    script = Path(__file__).resolve().parents[2] / result.command.split()[1]
    assert script.is_file(), result.command
    for chart in result.charts:
        assert chart.words()
    for path, svg in pages([result]).items():
        if path.endswith(".svg"):
            assert ET.fromstring(svg).get("role") == "img"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    table = Table(("k", "cost"), (("2", "[1]"), ("100", "3.5 {x}")), "as printed")
    path = write(replace(RESULT, tables=(table,)), tmp_path)
    again = read(path)
    assert (again.charts, again.tables, again.claim) == (RESULT.charts, (table,), RESULT.claim)
    assert again.version
    assert again.machine
    assert not write(replace(RESULT, copied=True), tmp_path).read_text(encoding="utf-8").count("cores")


def test_a_result_in_the_wrong_place_is_refused(tmp_path: Path) -> None:
    path = write(RESULT, tmp_path)
    with pytest.raises(ValueError, match="figure-6"):
        read(path.rename(path.with_name("figure-7.json")))


def test_faulty_results_are_refused() -> None:
    for wrong in ({"figure": "Figure 6"}, {"command": "python x.py --data /srv/data"}, {"charts": ()}):
        with pytest.raises(ValueError, match=r"figure|Figure"):
            replace(RESULT, **wrong)
    with pytest.raises(TypeError, match="something else"):
        replace(RESULT, tables=(CHART,))
    assert replace(RESULT, command="python benchmarks/x.py --data ../shared/data")
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        Table(("a",), (("1", "2"),))


def test_words_of_a_result_are_escaped() -> None:
    table = Table(("k",), (("<b>",),))
    page = gallery([replace(RESULT, tables=(table,))])
    assert "<td>&lt;b&gt;</td>" in page
    assert "![Cost: cost over k. ours: from 1 at 2 to 3.5 at 100.](figures/poka-figure-6.svg)" in page


def test_a_cloud_is_thinned_where_nobody_sees_it() -> None:
    points = [(1 + i % 30_000, 0.1 + (i * 7919 % 10_007) / 10_007) for i in range(20_000)]
    few = thinned(points, Scale("k", "log"), Scale("loss"), fine=100)
    assert 100 < len(few) < 10_000
    assert min(x for x, _ in few) == 1
    assert max(x for x, _ in few) == pytest.approx(20_000, rel=0.05)
    assert thinned([(0.0, 1.0)], Scale("k", "log"), Scale("loss")) == ((0.0, 1.0),)


def test_results_are_readable_as_differences(tmp_path: Path) -> None:
    text = write(RESULT, tmp_path).read_text(encoding="utf-8")
    assert json.loads(text)["charts"][0]["series"][0]["points"] == [[2, 1.0], [10, None], [100, 3.5]]
    assert "[ 10, null ]" in text
