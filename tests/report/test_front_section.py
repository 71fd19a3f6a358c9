"""The trade-off in the report: where the release lies, and the same words and figures as in the plot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato as sf
from sfumato import ParetoFront
from sfumato.report import report_of, verify
from sfumato.report.html import html

from .test_html import Page


def test_the_release_is_marked(table: sf.Table, tmp_path: Path) -> None:
    solution = sf.Problem(table, [sf.KAnonymity(4)], recoding=sf.FullDomain("20%")).solve()
    front = sf.tradeoff(table, recoding=sf.FullDomain("20%"))
    report = report_of(solution, tmp_path, front=front)
    section = next(one for one in report.sections if one.key == "tradeoff")
    keys = [one.key for one in report.sections]
    assert keys.index("tradeoff") == keys.index("search") - 1
    info = section.blocks[-1].figures[0]  # type: ignore[union-attr]
    assert front[info.chosen] is front.at(k=4)  # type: ignore[union-attr]
    page = " ".join(Page(html(report)).texts)
    assert f"The release: k = {front.at(k=4).k} costs" in page
    assert "which is proved" in page
    written = json.loads(json.dumps(report.to_json(), allow_nan=False))
    figure = next(one for one in written["sections"] if one["key"] == "tradeoff")["blocks"][-1]["figures"][0]
    assert [spot["x"] for spot in figure["spots"]] == [point.k for point in front]


def test_a_release_that_is_not_on_the_curve(table: sf.Table, tmp_path: Path) -> None:
    """It comes from another search, and its node costs more than need be."""
    recoding = sf.FullDomain("20%", min_level={"sex": 1, "town": 1})
    solution = sf.Problem(table, [sf.KAnonymity(4)], recoding=recoding).solve()
    front = sf.tradeoff(table, recoding=sf.FullDomain("20%"))
    assert solution.exact_cost not in {point.exact_cost for point in front}
    page = " ".join(Page(html(report_of(solution, tmp_path, front=front))).texts)
    assert "The release is not on this curve" in page


def test_a_front_that_may_miss_points_says_so(table: sf.Table, tmp_path: Path) -> None:
    front = sf.tradeoff(table, algorithm=sf.POkA())
    page = " ".join(Page(html(report_of(front[-1].solution, tmp_path, front=front))).texts)
    assert "a search that may miss some" in page


BASKETS = [["milk", "bread"], ["brie", "bread"], ["milk", "wine"], ["brie", "wine"], ["milk"]] * 3


def page_of(solution: sf.Solution, front: ParetoFront, tmp_path: Path) -> str:
    return " ".join(Page(html(report_of(solution, tmp_path, front=front))).texts)


def test_sets(tmp_path: Path) -> None:
    baskets = sf.Transactions(BASKETS, hierarchy=sf.fanout(2))
    posed = sf.Problem(baskets, [sf.KmAnonymity(2, 2)])
    vary = (sf.KmAnonymity(m=2), "k")
    front = sf.tradeoff(baskets, vary=vary)
    solution = posed.solve()
    sections = {section.key: section for section in report_of(solution, tmp_path, front=front).sections}
    info = sections["tradeoff"].blocks[-1].figures[0]  # type: ignore[union-attr]
    assert front[info.chosen] is front.at(k=2)  # type: ignore[union-attr]
    assert f"The release: k = {front.at(k=2).k} costs" in page_of(solution, front, tmp_path)
    assert "The release: k = 15 costs" in page_of(posed.evaluate(["*"]), front, tmp_path)
    ended = sf.tradeoff(baskets, vary=vary, time_limit=0)
    assert len(ended) == 0
    assert "stopped before its first point" in page_of(solution, ended, tmp_path)
    other = sf.Problem(sf.Transactions(BASKETS[:-1], hierarchy=sf.fanout(2)), [sf.KmAnonymity(2, 2)]).solve()
    with pytest.raises(sf.ProblemError, match="about other data, or another loss"):
        page_of(other, front, tmp_path)


def stopped(table: sf.Table, solution: sf.Solution, tmp_path: Path) -> str:
    """What the report says beside a front that was stopped before it met any node but the most general one."""
    front = sf.tradeoff(table, recoding=sf.FullDomain("20%"), time_limit=0)
    assert not front.complete
    return " ".join(Page(html(report_of(solution, tmp_path, front=front))).texts)


def test_a_front_that_was_stopped_has_the_release(table: sf.Table, tmp_path: Path) -> None:
    solution = sf.Problem(table, [sf.KAnonymity(4)], recoding=sf.FullDomain("20%")).solve()
    page = stopped(table, solution, tmp_path)
    whole = sf.tradeoff(table, recoding=sf.FullDomain("20%"))
    assert f"The release: k = {whole.at(k=4).k} costs" in page
    assert "not on this curve" not in page
    assert "The search for this curve was stopped after" in page
    assert "The release itself is proved to be the least loss for what it asks." in page


def test_what_was_not_proved_is_not_proved_by_a_front_that_was_stopped(table: sf.Table, tmp_path: Path) -> None:
    recoding = sf.FullDomain("20%", min_level={"sex": 1, "town": 1})
    solution = sf.Problem(table, [sf.KAnonymity(4)], recoding=recoding).solve()
    assert solution.status == "optimal"  # of other levels than those of the front
    page = stopped(table, solution, tmp_path)
    assert "The release: k =" in page
    assert "proved" not in page[page.index("What other requirements would cost") :].split("What lies between")[0]


def test_levels_that_are_optimal_at_another_price(table: sf.Table, tmp_path: Path) -> None:
    """A release of other levels than the front's point, that costs as much and gives less, is not said to be worse."""
    front = sf.tradeoff(table, recoding=sf.FullDomain("20%"))
    for asked in range(2, front[-1].k + 1):
        solution = sf.Problem(table, [sf.KAnonymity(asked)], recoding=sf.FullDomain("20%")).solve()
        page = " ".join(Page(html(report_of(solution, tmp_path, front=front))).texts)
        assert solution.exact_cost == front.at(k=asked).exact_cost
        assert "not on this curve" not in page


def test_other_data_is_refused(table: sf.Table, people: Path, tmp_path: Path) -> None:
    other = sf.Table(people, quasi_identifiers={"sex": sf.flat()})
    front = sf.tradeoff(other)
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    with pytest.raises(sf.ProblemError, match="about other data"):
        solution.report(tmp_path / "report.html", front=front)
    assert not (tmp_path / "report.html").exists()


def test_it_can_be_verified(table: sf.Table, people: Path, tmp_path: Path) -> None:
    solution = sf.Problem(table, [sf.KAnonymity(4)], recoding=sf.FullDomain("20%")).solve()
    released = tmp_path / "released.csv"
    solution.write(released)
    front = sf.tradeoff(table, recoding=sf.FullDomain("20%"), keep_nodes=True)
    solution.report(tmp_path / "report.json", released=released, front=front)
    assert verify(tmp_path / "report.json", released, people).holds
