"""What the plot of a trade-off says: the same as the front, in words that somebody can act on."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.front.front import ParetoFront
from sfumato.loss import Loss
from sfumato.native.front_question import FrontAnswer
from sfumato.plots import front_info, requirement_words, without_cloud
from sfumato.plots.front import percent
from sfumato.testing.plain_engine import PlainEngine, Row


def table(records: int = 400) -> sf.Table:
    rows: list[Row] = [
        {"age": str(20 + i * i % 50), "zip": f"7{i % 3}{i * i % 7}", "s": f"s{i % 5}"} for i in range(records)
    ]
    return sf.Table(
        PlainEngine(rows), quasi_identifiers={"age": sf.intervals(5, 10, 20), "zip": sf.masking()}, sensitive=["s"]
    )


@pytest.fixture(scope="module")
def front() -> ParetoFront:
    return sf.tradeoff(table(), recoding=sf.FullDomain("5%"), keep_nodes=True)


def test_spots_are_the_points(front: ParetoFront) -> None:
    info = front_info(front)
    assert [(spot.x, spot.y) for spot in info.spots] == [(float(point.k), point.relative) for point in front]
    assert front[info.chosen] is front.at(k=5)
    assert info.mark == "the cheapest with k ≥ 5, which is often asked for"
    assert dict(info.shortcuts)["The knee, where the curve bends most"][0][1] == front.points.index(front.knee())
    assert info.rising
    assert info.stepped
    assert info.spots[0].name == f"k = {front[0].k:,}"
    assert len(info.rows()) == len(front)
    assert {len(row) for row in info.rows()} == {len(info.series) + 1}
    assert len(info.cloud) == len(front.cloud or ())
    assert without_cloud(info).cloud == ()


def test_what_a_step_costs_is_what_the_front_says(front: ParetoFront) -> None:
    """What doubling k costs is the cost of at(2k)."""
    steps = 0
    for point, spot in zip(front, front_info(front).spots, strict=True):
        doubling = [words for words in spot.words if words.startswith("Doubling")]
        if 2 * point.k > front[-1].k:
            assert not doubling
            continue
        there = front.at(k=2 * point.k)
        assert f"Doubling k to {2 * point.k:,} costs" in doubling[0]
        assert f"({percent(there.relative)})" in doubling[0]
        assert (f"gives k = {there.k:,}" in doubling[0]) == (there.k != 2 * point.k)
        steps += 1
    assert steps > 3
    assert "Nothing stronger can be had." in front_info(front).spots[-1].words


def test_halving_says_the_cost_of_half(front: ParetoFront) -> None:
    for i, (point, spot) in enumerate(zip(front, front_info(front).spots, strict=True)):
        there = front.at(k=-(-point.k // 2))
        halving = [words for words in spot.words if words.startswith("Halving")]
        assert bool(halving) == (front.points.index(there) < i)
        assert all(f"({percent(there.relative)})" in words for words in halving)


def test_every_spot_says_what_it_costs_and_how_columns_are_blurred(front: ParetoFront) -> None:
    for point, spot in zip(front, front_info(front).spots, strict=True):
        assert spot.words[0] == f"k = {point.k:,} costs {percent(point.relative)} of all detail"
        assert any("left out" in words for words in spot.words)
        assert spot.words[1].startswith("Everybody looks like at least")
        assert [name for name, _ in spot.details] == list(point.levels)
        hidden = {"age": 4, "zip": 3}
        for (name, blur), level in zip(spot.details, point.levels.values(), strict=True):
            assert (blur == "as it is") == (level == 0)
            assert (blur == "hidden") == (level == hidden[name])


def test_a_choice_takes_the_place_of_the_knee(front: ParetoFront) -> None:
    info = front_info(front, front.at(k=10), requirement_words(front, {"k": 10}))
    assert front[info.chosen] is front.at(k=10)
    assert info.mark == "the cheapest with k ≥ 10"


def test_shortcuts_lead_to_what_they_name(front: ParetoFront) -> None:
    shortcuts = dict(front_info(front).shortcuts)
    for name, spot in shortcuts["Often asked for"]:
        assert front[spot] is front.at(k=int(name.removeprefix("k ≥ ")))
    assert len(shortcuts["Often asked for"]) > 3


def test_bargains_are_much_stronger_for_little(front: ParetoFront) -> None:
    for i in front.landmarks.bargains():
        nearest = [point for point in front.points[:i] if 3 * point.k <= 2 * front[i].k][-1]
        assert front[i].relative - nearest.relative < (front[-1].relative - front[0].relative) / 2
    assert len(front.landmarks.bargains()) <= 4
    assert len(front) - 1 not in front.landmarks.bargains()
    alone = ParetoFront.of(FrontAnswer(front.question, [], evaluated=0, seconds=0, algorithm="none"))
    assert alone.landmarks.bargains() == []


def test_smaller_is_stronger() -> None:
    front = sf.tradeoff(table(), (sf.TCloseness("s"), "t"), recoding=sf.FullDomain("5%"))
    info = front_info(front)
    assert not info.rising
    assert "smaller is stronger" in info.x_axis
    assert [spot.x for spot in info.spots] == sorted((spot.x for spot in info.spots), reverse=True)
    assert any(words.startswith("Halving t") and " more" in words for spot in info.spots for words in spot.words)
    assert requirement_words(front, {"t": "0.2"}) == "the cheapest with t ≤ 0.2"


def test_two_parameters_have_no_knee_and_no_steps() -> None:
    front = sf.tradeoff(table(60), ["k", (sf.DistinctLDiversity("s"), "l")])
    info = front_info(front)
    assert not info.stepped
    assert info.chosen == len(front) // 2
    assert info.shortcuts == ()
    assert not any(words.startswith("Doubling") for spot in info.spots for words in spot.words)
    assert info.title == "What k and l cost"


def test_other_losses_are_named_as_what_they_are() -> None:
    front = sf.tradeoff(table(60), loss=sf.Discernibility())
    info = front_info(front)
    assert info.series[0] == "discernibility, share of the worst"
    assert info.spots[0].words[0].endswith("of the worst (discernibility)")


@pytest.mark.parametrize(
    "loss", [sf.LM(record=2), sf.Discernibility(), sf.Precision(), sf.AverageClassSize(5), sf.NonUniformEntropy()]
)
def test_the_cloud_lies_where_its_costs_say(loss: Loss) -> None:
    front = sf.tradeoff(table(60), loss=loss, recoding=sf.FullDomain("5%"), keep_nodes=True)
    frequencies, cloud = front.problem.data.frequencies, front.cloud or ()
    expected = [(float(node.values[0]), float(loss.relative(node.cost, frequencies))) for node in cloud]
    assert len(expected) > len(front)
    for place, other in zip(front_info(front).cloud, expected, strict=True):
        assert place == pytest.approx(other)


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0%"), (1, "100%"), (0.5, "50.0%"), (0.034, "3.40%"), (1e-6, "<0.01%"), (0.99999, ">99.9%")]
)
def test_shares(share: float, text: str) -> None:
    assert percent(share) == text
