"""Fronts of Adult with the POkA paper's attributes: the numbers of points that independent trials agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf

ATTRIBUTES = "age workclass education marital-status race sex native-country salary-class".split()
LABELS = "salary-class"
LIMIT = sf.FullDomain("1%")


@pytest.fixture(scope="module")
def frame(shared_data: Path) -> object:
    import pandas as pd

    return pd.read_csv(shared_data / "adult-45222.csv.gz", nrows=30_162, dtype=str)


def table(frame: object, folder: Path, *, labels: bool = False) -> sf.Table:
    names = [name for name in ATTRIBUTES if not (labels and name == LABELS)]
    files = {name: folder / "hierarchies" / "adult-poka" / f"{name}.csv" for name in names}
    return sf.Table(frame, quasi_identifiers=files, target=LABELS if labels else None)


@pytest.mark.parametrize(
    ("loss", "points", "nodes"),
    [(sf.LM(), 36, 17_920), (sf.Discernibility(), 31, 17_920), (sf.Classification(), 21, 8_960)],
    ids=["GLM", "DCN", "CE"],
)
def test_the_papers_fronts(loss: sf.Loss, points: int, nodes: int, frame: object, shared_data: Path) -> None:
    data = table(frame, shared_data, labels=loss.name == "classification")
    front = sf.tradeoff(data, loss=loss, recoding=LIMIT, spend_limit=True, algorithm="complete")
    assert (len(front), front.evaluated, front.space, front.complete) == (points, nodes, nodes, True)


def test_the_exact_front(frame: object, shared_data: Path) -> None:
    data = table(frame, shared_data)
    front = sf.tradeoff(data, recoding=LIMIT)
    assert len(front) == 49
    paper = sf.tradeoff(data, recoding=LIMIT, spend_limit=True, algorithm="complete")
    assert all(front.at(k=point.k).exact_cost <= point.exact_cost for point in paper)
    for k in (2, 5, 10, 50, 100, 1000):
        assert front.at(k=k).exact_cost == sf.Problem(data, [sf.KAnonymity(k)], recoding=LIMIT).solve().exact_cost


def test_pruned(frame: object, shared_data: Path) -> None:
    data = table(frame, shared_data)
    pruned = sf.tradeoff(data, recoding=LIMIT, spend_limit=True, algorithm="pruned")
    complete = sf.tradeoff(data, recoding=LIMIT, spend_limit=True, algorithm="complete")
    assert [point.to_json() for point in pruned] == [point.to_json() for point in complete]
    assert pruned.evaluated <= 0.06 * pruned.space


def test_pages_state_how_many_nodes_are_evaluated(frame: object, shared_data: Path) -> None:
    """Pruned the fewest; what is taken unless something else is asked for evaluates more, and faster."""
    data = table(frame, shared_data)
    problem = {"recoding": LIMIT, "spend_limit": True}
    pruned = sf.tradeoff(data, algorithm="pruned", threads=1, **problem).evaluated
    alone, both = (sf.tradeoff(data, threads=threads, **problem).evaluated for threads in (1, 2))
    assert (pruned, alone) == (862, 6_816)
    assert both == pytest.approx(10_370, rel=0.02)  # threads do not always take turns alike
    for page in ("papers/poka.md", "algorithms/poka.md"):
        text = (Path(__file__).resolve().parents[2] / "docs" / page).read_text(encoding="utf-8")
        assert all(number in text for number in ("862 (4.8%)", "6,816", "10,370"))


def test_poka_finds_the_papers_points_of_ce_from_below_the_plateau(frame: object, shared_data: Path) -> None:
    data = table(frame, shared_data, labels=True)
    true = sf.tradeoff(data, loss=sf.Classification(), recoding=LIMIT, spend_limit=True)
    from_top = sf.tradeoff(data, loss=sf.Classification(), recoding=LIMIT, algorithm=sf.POkA(3))
    assert (from_top.evaluated, len(from_top.against(true).found)) == (8, 1)
    below = sf.tradeoff(data, loss=sf.Classification(), recoding=LIMIT, algorithm=sf.POkA(3, start={"age": 5}))
    comparison = below.against(true)
    assert (below.evaluated, len(comparison.found)) == (1543, 19)
    assert [point.k for point in comparison.missed] == [1, 30_162]
    assert [point.k for point in comparison.wrong] == [2255, 4289, 6747]
