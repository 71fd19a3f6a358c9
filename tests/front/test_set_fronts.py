"""Fronts of sets of items: over k and m, of transactions and of tables with sets, against brute force."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.testing.brute_force_items import all_cuts, cheapest, ncp, published, random_items

LISTS = [["milk", "bread"], ["brie", "bread"], ["milk", "bread", "wine"], ["brie", "wine"], ["milk"], ["milk", "wine"]]
DAIRY = sf.Hierarchy.from_pairs({"milk": "dairy", "brie": "dairy", "bread": "*", "wine": "*", "dairy": "*"})


def baskets() -> sf.Transactions:
    return sf.Transactions(LISTS * 3, hierarchy=DAIRY)


def visits() -> sf.Table:
    rows = [(20 + 3 * i, "fm"[i % 2], items) for i, items in enumerate(LISTS * 3)]
    return sf.Table(
        pd.DataFrame(rows, columns=["age", "sex", "items"]),
        quasi_identifiers={"age": sf.intervals(10, 20), "sex": sf.flat()},
        sets={"items": DAIRY},
    )


@pytest.mark.parametrize(("parameter", "negative"), [("k", False), ("m", False), ("k", True)])
def test_points_equal_brute_force(parameter: str, negative: bool, suite: Callable[[int], int]) -> None:
    """Every cut, the definition for every value: the same points, and at every value the same optimum as `solve`."""
    random, several = Random(f"set front {parameter} {negative}"), 0
    count = suite(120)
    for _ in range(count):
        case = random_items(random, 5 if negative else 7)
        fixed = random.choice([1, 2, 3])
        longest = max(map(len, case.records))
        values = range(1, (len(case.records) if parameter == "k" else longest) + 1)
        models = {
            x: sf.KmAnonymity(x, fixed, negative) if parameter == "k" else sf.KmAnonymity(fixed, x) for x in values
        }
        made = sf.KmAnonymity(m=fixed, negative=negative) if parameter == "k" else sf.KmAnonymity(k=fixed)
        front = sf.tradeoff(case.transactions, (made, parameter))
        assert front.complete
        cuts = [(ncp(case, cut), published(case, cut)) for cut in all_cuts(case.rows)]
        least = {x: min((c for c, p in cuts if model.holds(p)), default=None) for x, model in models.items()}
        strictest = {c: max(x for x in values if least[x] == c) for c in set(least.values()) - {None}}
        expected = sorted((x, c) for c, x in strictest.items())
        assert [(point.value, point.exact_cost) for point in front] == expected, case
        for x in values:
            if least[x] is not None:
                assert front.at(**{parameter: x}).exact_cost == least[x]
        several += len(front) > 1
    assert several > count / 3


def test_at_is_what_solve_finds_and_can_be_released() -> None:
    front = sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"))
    for k in (1, 2, 3, 4, 7, 18):
        point, alone = front.at(k=k), sf.Problem(baskets(), [sf.KmAnonymity(k, 2)]).solve()
        assert point.exact_cost == alone.exact_cost
        assert point.solution.status == "optimal"
        assert point.solution.attained["km-anonymity"]["k"] == point.k >= k
        assert sf.check(point.release(), constraints=[sf.KmAnonymity(k, 2)]).holds
    with pytest.raises(sf.InfeasibleError, match="No point of the front attains k = 19"):
        front.at(k=19)
    by_m = sf.tradeoff(baskets(), (sf.KmAnonymity(k=4), "m"))
    for m in (1, 2, 3, 50):  # nobody has more than three items
        assert by_m.at(m=m).exact_cost == sf.Problem(baskets(), [sf.KmAnonymity(4, m)]).solve().exact_cost


def test_beside_another_requirement_of_the_same_name() -> None:
    """What a point attains is that of the varied requirement, not that of the fixed one."""
    fixed = sf.KmAnonymity(2, 1)
    front = sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"), constraints=[fixed], algorithm=sf.BestFirstCuts())
    for k in (1, 3, 6, 9, 18):
        alone = sf.Problem(baskets(), [fixed, sf.KmAnonymity(k, 2)]).solve(sf.BestFirstCuts())
        assert front.at(k=k).exact_cost == alone.exact_cost
    assert [point.exact_cost for point in front] == [
        point.exact_cost for point in sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"))
    ]


def test_k_of_whole_sets_and_other_searches() -> None:
    whole = sf.tradeoff(baskets(), "k", recoding=sf.LocalItems())
    assert (whole.complete, whole.algorithm) == (False, "partition")
    for point in whole:
        assert point.solution.attained["k-anonymity"]["k"] == point.k
        assert sf.check(point.release(), constraints=[sf.KAnonymity(point.k)]).holds
    exact = sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"))
    heuristic = sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"), algorithm=sf.AA())
    assert (heuristic.complete, heuristic.algorithm) == (False, "aa")
    assert all(exact.at(k=point.k).exact_cost <= point.exact_cost for point in heuristic)
    assert {point.solution.status for point in heuristic} == {"feasible"}


def test_a_requirement_on_sets_beside_quasi_identifiers() -> None:
    """The loss that is traded is that of the sets of the records that are published."""
    asked = [sf.KAnonymity(2)]
    front = sf.tradeoff(visits(), (sf.KmAnonymity(m=2), "k"), recoding=sf.FullDomain("20%"), constraints=asked)
    assert front.question.posed.loss.name == "ncp"
    for k in range(1, 13):
        alone = sf.Problem(visits(), [*asked, sf.KmAnonymity(k, 2)], recoding=sf.FullDomain("20%")).solve()
        try:
            point = front.at(k=k)
        except sf.InfeasibleError:
            assert alone.recoding is None
            continue
        assert point.exact_cost == alone.sets["items"].exact_cost
        assert point.solution.exact_cost == alone.exact_cost
        assert len(point.release()) == 18 - point.suppressed


def test_tables_without_quasi_identifiers_and_with_several_columns_of_sets(tmp_path: Path) -> None:
    frame = pd.DataFrame({"items": LISTS * 3, "more": [items[:1] for items in LISTS * 3], "d": list("ab") * 9})
    table = sf.Table(frame, sensitive=["d"], sets={"items": DAIRY, "more": DAIRY})
    front = sf.tradeoff(table, (sf.KmAnonymity(m=2), "k"))
    for k in (1, 3, 4, 9, 18):
        alone = sf.Problem(table, [sf.KmAnonymity(k, 2)]).solve()
        assert front.at(k=k).exact_cost == sum(one.exact_cost for one in alone.sets.values())  # type: ignore[misc]
        assert front.at(k=k).relative == pytest.approx(front.at(k=k).cost / 2)
    assert front[0].described == "items: 4 items as they are; more: 2 items as they are"
    assert len(front[-1].release()) == 18
    front.save(tmp_path / "front.json")
    assert sf.ParetoFront.load(tmp_path / "front.json", table).to_json() == front.to_json()


def test_k_of_the_quasi_identifiers_beside_sets() -> None:
    """The loss that is traded is that of the quasi-identifiers; the sets of each point are as `solve` has them."""
    asked = [sf.KmAnonymity(2, 2)]
    front = sf.tradeoff(visits(), "k", recoding=sf.FullDomain("20%"), constraints=asked)
    assert len(front) > 2
    for point in front:
        alone = sf.Problem(visits(), [*asked, sf.KAnonymity(point.k)], recoding=sf.FullDomain("20%")).solve()
        assert (point.exact_cost, point.solution.exact_cost) == (alone.exact_cost, alone.exact_cost)
        assert point.solution.sets["items"].exact_cost == alone.sets["items"].exact_cost
        released = point.release()
        check = {"quasi_identifiers": ["age", "sex"], "sets": ["items"]}
        assert sf.check(released, **check, constraints=[*asked, sf.KAnonymity(point.k)]).holds


def test_words_rows_and_the_picture(tmp_path: Path) -> None:
    front = sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"))
    assert "cuts examined" in str(front)
    assert "items as they are" in str(front)
    assert list(front.to_frame().columns) == ["k", "cost", "relative", "suppressed", "nodes"]
    assert front.to_json()["points"][0]["recodings"][0]["model"] == "item-cut"
    front.plot().save(tmp_path / "front.svg")
    front.plot(k=3).save(tmp_path / "front.html")
    assert "of all detail" in (tmp_path / "front.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("vary", "constraints"),
    [((sf.KmAnonymity(m=2), "k"), [sf.KAnonymity(2)]), ((sf.KmAnonymity(k=2), "m"), [sf.KAnonymity(2)]),
     ("k", [sf.KmAnonymity(2, 2)])],
)  # fmt: skip
def test_saved_and_loaded(vary: Any, constraints: list[Any], tmp_path: Path) -> None:
    front = sf.tradeoff(visits(), vary, recoding=sf.FullDomain("20%"), constraints=constraints)
    front.save(tmp_path / "front.json")
    again = sf.ParetoFront.load(tmp_path / "front.json", visits())
    assert again.to_json() == front.to_json()
    assert [point.solution.status for point in again] == [point.solution.status for point in front]
    assert again[-1].release()["items"].map(sorted).tolist() == front[-1].release()["items"].map(sorted).tolist()
    changed = json.loads((tmp_path / "front.json").read_text())
    changed["points"][0]["exact_cost"] = "1/7"
    (tmp_path / "front.json").write_text(json.dumps(changed))
    with pytest.raises(sf.InputError, match="about other data"):
        sf.ParetoFront.load(tmp_path / "front.json", visits())


def test_transactions_saved_and_loaded(tmp_path: Path) -> None:
    front = sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"))
    front.save(tmp_path / "front.json")
    again = sf.ParetoFront.load(tmp_path / "front.json", baskets())
    assert again.to_json() == front.to_json()
    assert [point.solution.cost for point in again] == [point.cost for point in front]
    parts = sf.tradeoff(baskets(), "k", recoding=sf.LocalItems())
    parts.save(tmp_path / "parts.json")
    with pytest.raises(sf.InputError, match="recodings that no file can state"):
        sf.ParetoFront.load(tmp_path / "parts.json", baskets())


def test_a_front_that_was_stopped_has_what_was_proved() -> None:
    whole = sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"))
    stopped = sf.tradeoff(baskets(), (sf.KmAnonymity(m=2), "k"), time_limit=0)
    assert not stopped.complete
    assert "INCOMPLETE" in str(stopped)
    assert {(p.k, p.exact_cost) for p in stopped} <= {(p.k, p.exact_cost) for p in whole}


@pytest.mark.parametrize(
    ("vary", "more", "message"),
    [
        ((sf.KmAnonymity, "k"), {}, "km-anonymity does not say m; give it"),
        ((sf.KmAnonymity(m=2), "l"), {}, "km-anonymity does not vary 'l'; choose from k, m"),
        ([(sf.KmAnonymity(), "k"), (sf.KmAnonymity(), "m")], {}, "does not say|varies one parameter"),
        ((sf.LmDiversity(2, 2, ["milk"]), "l"), {}, "lm-diversity has no parameter that orders its requirements"),
        ((sf.KmAnonymity(m=2), "k"), {"spend_limit": True}, "spend_limit is about records that may be suppressed"),
        ((sf.KmAnonymity(m=2), "k"), {"keep_nodes": True}, "a front of sets has none"),
        ((sf.KmAnonymity(m=2), "k"), {"algorithm": "complete"}, "algorithm = 'complete' evaluates a lattice"),
        ((sf.KmAnonymity(m=2), "k"), {"algorithm": sf.LatticeSearch()}, "lattice-search anonymizes tables"),
    ],
)
def test_what_cannot_be_varied(vary: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.tradeoff(baskets(), vary, **more)


def test_parameters_are_left_open_only_here() -> None:
    with pytest.raises(sf.ProblemError, match="km-anonymity does not say k; give it"):
        sf.Problem(baskets(), [sf.KmAnonymity(m=2)])
    with pytest.raises(sf.ProblemError, match="km-anonymity does not say m; give it"):
        sf.check(LISTS, constraints=[sf.KmAnonymity(k=2)])


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "baskets.txt"
    data.write_text("\n".join(" ".join(items) for items in LISTS * 3) + "\n", encoding="utf-8")
    call = ["tradeoff", str(data), "--hierarchy", "fanout:2", "--vary", "km-anonymity:k,m=2"]
    assert main([*call, "--json", "-o", str(tmp_path / "front.html")]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    front = sf.tradeoff(sf.Transactions(data, hierarchy=sf.fanout(2)), (sf.KmAnonymity(m=2), "k"))
    assert [(p["values"]["k"], Fraction(p["exact_cost"])) for p in points] == [(p.k, p.exact_cost) for p in front]
    assert main([*call, "--at", "k=3"]) == 0
    assert "cuts examined" in capsys.readouterr().out
    assert main([*call[:-2]]) == 2
    assert "No requirement has a parameter that can be varied" in capsys.readouterr().err


def test_cheapest_is_the_oracle_of_the_searches_too() -> None:
    case = random_items(Random("oracle"))
    model = sf.KmAnonymity(2, 2)
    assert sf.tradeoff(case.transactions, (sf.KmAnonymity(m=2), "k")).at(k=2).exact_cost == cheapest(case, model)[0]
