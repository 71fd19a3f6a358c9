"""Trade-offs: the worked example, what may be varied and how it is asked for, points, files, limits and errors."""

from __future__ import annotations

import json
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.testing.plain_engine import PlainEngine, Row

ROWS: list[Row] = [{"a": "1", "b": "1"}, {"a": "1", "b": "2"}, {"a": "1", "b": "1"}]
A = sf.Hierarchy.from_rows([("1",)], "a")
B = sf.Hierarchy.from_rows([("1", "A", "*"), ("2", "A", "*"), ("3", "B", "*")], "b")


@pytest.fixture(scope="module")
def three() -> sf.Table:
    return sf.Table(PlainEngine(ROWS), quasi_identifiers={"a": A, "b": B})


@pytest.fixture(scope="module")
def people() -> sf.Table:
    frame = pd.DataFrame(
        {
            "age": [20 + i * 7 % 40 for i in range(60)],
            "sex": ["f" if i % 3 else "m" for i in range(60)],
            "disease": [("flu", "cold", "asthma", "flu")[(i + i // 4) % 4] for i in range(60)],
            "sick": ["yes" if i % 5 else "no" for i in range(60)],
        }
    )
    return sf.Table(
        frame,
        quasi_identifiers={"age": sf.intervals(5, 10, 20), "sex": sf.flat()},
        sensitive=["disease"],
        target="sick",
    )


def test_loss_falls_on_the_way_up_where_records_are_suppressed(three: sf.Table) -> None:
    """The three rows of the specification: raising b once takes k from 2 to 3 and the loss from 2 to 1.5."""
    front = sf.tradeoff(three, recoding=sf.FullDomain("1/3"), keep_nodes=True)
    cloud = {(point.nodes[0], *point.values): point.cost for point in front.cloud or ()}
    assert cloud[(0, 0), 2] == 2
    assert cloud[(0, 1), 3] == Fraction(3, 2)
    assert [(point.k, point.exact_cost) for point in front] == [(1, 0), (3, Fraction(3, 2))]
    paper = sf.tradeoff(three, recoding=sf.FullDomain("1/3"), spend_limit=True)
    assert [(point.k, point.cost) for point in paper] == [(3, 1.5)]


def test_points(people: sf.Table) -> None:
    front = sf.tradeoff(people, loss=sf.LM(), recoding=sf.FullDomain("10%"))
    assert front.complete
    assert front.evaluated <= front.space == 10
    assert len(front) == len(list(front)) == len(front.points) > 2
    assert [point.k for point in front] == sorted(point.k for point in front)
    assert [point.cost for point in front] == sorted(point.cost for point in front)
    for point in front:
        assert point.k == point.value == point.values["k"]
        assert point.levels == point.nodes[0]
        released = point.release()
        assert len(released) == 60 - point.suppressed
        assert (point.solution.attained["k-anonymity"]["k"] or 0) == point.k
        assert point.solution.status == "optimal"
        assert point.solution.bound == point.cost
        assert point.relative == pytest.approx(point.cost / 120)
    with pytest.raises(AttributeError, match="no 'l'; it varies k"):
        _ = front[0].l


def test_at_is_what_solve_finds(people: sf.Table) -> None:
    recoding = sf.FullDomain("10%")
    front = sf.tradeoff(people, loss=sf.Discernibility(), recoding=recoding)
    for k in range(1, 61):
        problem = sf.Problem(people, [sf.KAnonymity(k)], sf.Discernibility(), recoding)
        assert front.at(k=k).exact_cost == problem.solve().exact_cost
    with pytest.raises(sf.InfeasibleError, match=r"No point of the front attains k = 61; ask for less .*k = 60"):
        front.at(k=61)
    with pytest.raises(sf.ProblemError, match="does not vary 'l'; ask for k"):
        front.at(l=2)
    with pytest.raises(sf.ProblemError, match="k = 0 is not a whole number from 1 up"):
        front.at(k=0)


def test_other_recodings_are_refused(people: sf.Table) -> None:
    with pytest.raises(sf.ProblemError, match="full-domain recoding, not full-subtree"):
        sf.tradeoff(people, recoding=sf.FullSubtree())


def test_write(people: sf.Table, tmp_path: Path) -> None:
    point = sf.tradeoff(people, recoding=sf.FullDomain("10%")).at(k=5)
    point.write(tmp_path / "released.csv")
    assert len(pd.read_csv(tmp_path / "released.csv")) == 60 - point.suppressed


def test_the_paper_spends_the_limit(people: sf.Table) -> None:
    """One k per node: no point is on the paper's front that some node does not attain at most."""
    exact = sf.tradeoff(people, recoding=sf.FullDomain("10%"))
    paper = sf.tradeoff(people, recoding=sf.FullDomain("10%"), spend_limit=True, algorithm="complete")
    for how in ("bounded", "pruned"):
        fewer = sf.tradeoff(people, recoding=sf.FullDomain("10%"), spend_limit=True, algorithm=how)
        assert fewer.algorithm == f"{how}-evaluation"
        assert [point.to_json() for point in paper] == [point.to_json() for point in fewer]
    assert all(exact.at(k=point.k).exact_cost <= point.exact_cost for point in paper)
    assert {point.solution.status for point in paper} == {"feasible"}
    assert {point.solution.bound for point in paper} == {None}


def test_knee() -> None:
    """With a chord from (1, 1) to (100, 100), the point (10, 2) is farther from it than (50, 40)."""
    from sfumato.native.front_question import AttainedPoint, FrontAnswer

    table = sf.Table(PlainEngine(ROWS), quasi_identifiers={"a": A, "b": B})
    question = sf.tradeoff(table).question

    def front(*points: tuple[int, int]) -> sf.ParetoFront:
        attained = [AttainedPoint((k,), Fraction(cost), ((0, 0),), 0) for k, cost in points]
        return sf.ParetoFront.of(FrontAnswer(question, attained, evaluated=1, seconds=0, algorithm="none"))

    assert front((1, 1), (10, 2), (50, 40), (100, 100)).knee().k == 10
    assert front((1, 1), (10, 30), (50, 60), (100, 100)).knee().k == 10
    assert front((1, 0), (2, 1), (20, 3), (30, 30)).knee().k == 20  # no logarithm of nothing
    assert front((1, 5), (2, 6)).knee().k == 1
    assert front((1, 0)).knee().k == 1
    with pytest.raises(sf.InfeasibleError, match="The front has no point"):
        front().knee()


def test_frame_and_text(people: sf.Table) -> None:
    front = sf.tradeoff(people, recoding=sf.FullDomain("10%"))
    frame = front.to_frame()
    assert list(frame.columns) == ["k", "cost", "relative", "suppressed", "nodes", "age", "sex"]
    assert frame["k"].tolist() == [point.k for point in front]
    lines = str(front).splitlines()
    assert lines[0].startswith(f"front of k and lm: {len(front)} points, {front.evaluated} of 10 nodes evaluated")
    assert lines[1].split() == ["k", "cost", "relative", "suppressed", "levels"]
    assert len(lines) == 2 + len(front)


VARY: list[Any] = [
    "k",
    (sf.KAnonymity, "k"),
    (sf.EntropyLDiversity("disease"), "l"),
    (sf.LDiversity, "l"),
    (sf.DistinctLDiversity("disease", 3), "l"),
    (sf.RecursiveLDiversity("disease", c=3), "l"),
    (sf.TCloseness("disease"), "t"),
    (sf.LPlusDiversity("disease"), "theta"),
    (sf.AlphaKAnonymity("1/2", 2, "disease"), "alpha"),
    (sf.BetaLikeness("disease"), "beta"),
    (sf.TauLDiversity("disease", l=3), "tau"),
    (sf.TauLDiversity("disease", "2/3"), "l"),
    (sf.DeltaDisclosure("disease"), "delta"),
    ["k", (sf.TCloseness("disease"), "t")],
    ((sf.KAnonymity, "k"), (sf.EntropyLDiversity("disease"), "l")),
]


@pytest.mark.parametrize("vary", VARY)
def test_save_and_load(vary: Any, people: sf.Table, tmp_path: Path) -> None:
    front = sf.tradeoff(people, vary, sf.Classification(), sf.FullDomain("5%"), [sf.KAnonymity(2)])
    assert len(front) > 0
    front.save(tmp_path / "front.json")
    again = sf.ParetoFront.load(tmp_path / "front.json", people)
    assert str(again) == str(front)
    assert again.to_json() == front.to_json()
    assert again[0].values == front[0].values
    assert len(again[0].release()) == 60 - again[0].suppressed


def test_load_refuses_what_is_no_front(people: sf.Table, three: sf.Table, tmp_path: Path) -> None:
    path = tmp_path / "front.json"
    with pytest.raises(sf.InputError, match="There is no file"):
        sf.ParetoFront.load(path, people)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(sf.InputError, match="is not a front"):
        sf.ParetoFront.load(path, people)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(sf.InputError, match="cannot be read as JSON"):
        sf.ParetoFront.load(path, people)
    sf.tradeoff(people).save(path)
    with pytest.raises(sf.InputError, match="about other data"):
        sf.ParetoFront.load(path, three)
    saved = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**saved, "front": 99}), encoding="utf-8")
    with pytest.raises(sf.InputError, match="newer version"):
        sf.ParetoFront.load(path, people)
    path.write_text(json.dumps({**saved, "points": [{"k": 1}]}), encoding="utf-8")
    with pytest.raises(sf.InputError, match="is damaged"):
        sf.ParetoFront.load(path, people)
    cheaper = [{**point, "exact_cost": "1/7"} for point in saved["points"]]
    path.write_text(json.dumps({**saved, "points": cheaper}), encoding="utf-8")
    with pytest.raises(sf.InputError, match="about other data"):
        sf.ParetoFront.load(path, people)


def test_units_count_persons() -> None:
    rows: list[Row] = [{"a": "1", "b": str(1 + i % 2), "who": f"p{i // 3}"} for i in range(9)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": A, "b": B}, unit="who")
    assert max(point.k for point in sf.tradeoff(table)) == 3


def test_other_constraints_hold_at_every_point(people: sf.Table) -> None:
    alone = sf.tradeoff(people, recoding=sf.FullDomain("10%"))
    front = sf.tradeoff(people, recoding=sf.FullDomain("10%"), constraints=sf.DistinctLDiversity("disease", 3))
    assert front[0].cost > alone[0].cost
    for point in front:
        assert (point.solution.attained["distinct-l-diversity"]["l"] or 0) >= 3
    nothing = sf.tradeoff(people, constraints=[sf.DistinctLDiversity("disease", 9)])
    assert len(nothing) == 0
    with pytest.raises(sf.InfeasibleError, match="No point of the front attains k = 1; ask for less"):
        nothing.at(k=1)


def test_two_parameters(people: sf.Table) -> None:
    front = sf.tradeoff(people, ["k", (sf.TCloseness("disease"), "t")], recoding=sf.FullDomain("5%"))
    point = front.at(k=5, t="1/4")
    assert point.k >= 5
    assert point.t <= Fraction(1, 4)
    asked = [sf.KAnonymity(5), sf.TCloseness("disease", "1/4")]
    assert point.exact_cost == sf.Problem(people, asked, recoding=sf.FullDomain("5%")).solve().exact_cost
    assert front.at(k=5).exact_cost == sf.tradeoff(people, recoding=sf.FullDomain("5%")).at(k=5).exact_cost
    with pytest.raises(sf.ProblemError, match="has no knee"):
        front.knee()


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ("l", 'vary is "k", or a model and its parameter'),
        ((sf.TCloseness("disease"), "k"), "t-closeness does not vary 'k'; choose from t"),
        ((sf.TCloseness("illness"), "t"), "'illness', which is not sensitive"),
        ((3, "k"), "int is not a model"),
        (["k", "k"], "one parameter, or two of different names, not k, k"),
        (["k", "k", "k"], "one parameter, or two"),
        ([], "one parameter, or two"),
    ],
)
def test_what_cannot_be_varied(vary: Any, message: str, people: sf.Table) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.tradeoff(people, vary)


def test_calls_that_are_wrong(people: sf.Table, three: sf.Table) -> None:
    with pytest.raises(sf.InputError, match="is not a Table; wrap data as"):
        sf.tradeoff(pd.DataFrame())  # type: ignore[arg-type]
    with pytest.raises(sf.ProblemError, match="name the sensitive attribute"):
        sf.tradeoff(three, (sf.LDiversity, "l"))
    with pytest.raises(sf.ProblemError, match="lets a release be empty"):
        sf.tradeoff(people, recoding=sf.FullDomain("100%"))
    with pytest.raises(sf.ProblemError, match="algorithm = 'fast' is unknown"):
        sf.tradeoff(people, algorithm="fast")
    with pytest.raises(sf.ProblemError, match="does not search for fronts"):
        sf.tradeoff(people, algorithm=sf.LatticeSearch())
    for asked in ({"spend_limit": False}, {"spend_limit": True, "loss": sf.Discernibility()}):
        with pytest.raises(sf.ProblemError, match="'pruned' leaves nodes out only where that is proved: with spend"):
            sf.tradeoff(people, algorithm="pruned", **asked)  # type: ignore[arg-type]
    for asked in ({"vary": ["k", (sf.TCloseness("disease"), "t")]}, {"keep_nodes": True}):
        with pytest.raises(sf.ProblemError, match="'bounded' leaves nodes out only where that is proved: one param"):
            sf.tradeoff(people, algorithm="bounded", **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("model", [sf.KAnonymity(), sf.TCloseness("disease"), sf.LPlusDiversity("disease")])
def test_parameters_are_left_open_only_here(model: sf.ClassModel, people: sf.Table) -> None:
    with pytest.raises(sf.ProblemError, match=f"{model.name} does not say (k|t|theta); give it"):
        sf.Problem(people, [model])
    with pytest.raises(sf.ProblemError, match=f"{model.name} does not say (k|t|theta); give it"):
        sf.check(people.engine, quasi_identifiers=["age"], constraints=[model])


def test_a_front_that_was_stopped_says_so(people: sf.Table) -> None:
    stopped = sf.tradeoff(people, time_limit=0)
    assert not stopped.complete
    assert stopped.evaluated < stopped.space
    assert [point.k for point in stopped] == [60]  # the most general node
    assert "INCOMPLETE" in str(stopped)
    assert "INCOMPLETE" not in str(sf.tradeoff(people))
    assert all(not point.optimal for point in stopped)


def test_a_large_lattice_tells_its_progress_and_can_be_stopped() -> None:
    """Sixteen attributes of four levels: four billion nodes."""
    letters = "abcdefghijklmnop"
    frame = pd.DataFrame({name: [(i * (j + 3)) % 16 for i in range(200)] for j, name in enumerate(letters)})
    table = sf.Table(frame, quasi_identifiers={name: sf.intervals(2, 8) for name in letters})
    examined: list[int] = []
    asked = {"recoding": sf.FullDomain("1%"), "time_limit": 0.5}
    whole = sf.tradeoff(table, **asked)
    assert whole.complete
    assert whole.evaluated < 10_000
    front = sf.tradeoff(table, algorithm="complete", progress=lambda now: examined.append(now.examined), **asked)
    assert not front.complete
    assert 0 < front.evaluated < front.space == 4**16
    assert examined
    assert max(examined) <= front.evaluated


def test_threads_may_ask_at_once(people: sf.Table) -> None:
    fronts: list[str] = []

    def ask() -> None:
        fronts.append(json.dumps(sf.tradeoff(people, recoding=sf.FullDomain("10%")).to_frame().to_dict("list")))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fronts) == 4
    assert len(set(fronts)) == 1


def shades() -> sf.Table:
    rows = [{"a": str(i % 4), "b": str(i % 3), "s": "uuvw"[i * i % 4]} for i in range(60)]
    return sf.Table(PlainEngine(rows), quasi_identifiers={"a": sf.flat(), "b": sf.flat()}, sensitive=["s"])


def test_a_model_without_the_parameter_that_is_varied() -> None:
    front = sf.tradeoff(shades(), vary=(sf.AlphaKAnonymity(k=2, sensitive="s"), "alpha"))
    assert [point.value for point in front] == sorted((point.value for point in front), reverse=True)
    with pytest.raises(sf.ProblemError, match="tau-l-diversity does not say tau"):
        sf.Problem(shades(), [sf.TauLDiversity("s", l=3)])
    with pytest.raises(sf.ProblemError, match="alpha-k-anonymity does not say alpha"):
        sf.Problem(shades(), [sf.AlphaKAnonymity(k=2, sensitive="s")]).solve()
    with pytest.raises(sf.ProblemError, match="sensitive is not given"):
        sf.AlphaKAnonymity(0.5, 2)


def test_tau_and_l_of_tau_l_diversity(people: sf.Table) -> None:
    taus = sf.tradeoff(people, vary=(sf.TauLDiversity("disease", l=3), "tau"))
    assert [point.tau for point in taus] == sorted((point.tau for point in taus), reverse=True)
    assert taus[-1].tau < 1
    for tau in ("3/4", "2/3", "1/2"):
        assert (
            taus.at(tau=tau).exact_cost == sf.Problem(people, [sf.TauLDiversity("disease", tau, 3)]).solve().exact_cost
        )
    ls = sf.tradeoff(people, vary=(sf.TauLDiversity("disease", "3/5"), "l"))
    assert ls.at(l=3).exact_cost == sf.Problem(people, [sf.TauLDiversity("disease", "3/5", 3)]).solve().exact_cost


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ((sf.TauLDiversity, "tau"), "tau-l-diversity does not say l; give it, as in sf.TauLDiversity"),
        ((sf.TauLDiversity, "l"), "tau-l-diversity does not say tau; give it, as in sf.TauLDiversity"),
        ((sf.TauLDiversity("s", psi=[0.5, 1], tau=0.5, l=2), "tau"), "has no parameter that orders its requirements"),
        ((sf.RecursiveLDiversity, "l"), "RecursiveLDiversity needs c too; give a model with it"),
        ((sf.AlphaKAnonymity, "alpha"), "alpha-k-anonymity does not say k"),
    ],
)
def test_classes_that_need_more_than_an_attribute(vary: tuple[type, str], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.tradeoff(shades(), vary=vary)
