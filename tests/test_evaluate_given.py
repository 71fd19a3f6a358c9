"""Problem.evaluate: a recoding that somebody gives is a solution like others, or is refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.datasets import census
from sfumato.report.verify import verify
from sfumato.testing.plain_engine import PlainEngine, Row

TREE = sf.Hierarchy.from_outline("*\n  Europe\n    France\n    Italy\n  America\n    Peru\n    Chile")
ROWS: list[Row] = [
    {"country": country, "age": age, "s": "xyz"[place % 3]}
    for country, times in (("France", 6), ("Italy", 4), ("Peru", 5), ("Chile", 1))
    for place, age in enumerate(["20", "30", "40"] * times)
]


def problem(recoding: Any = None, *models: Any, **kinds: Any) -> sf.Problem:
    quasi_identifiers = {"country": TREE, "age": sf.intervals(20)} | kinds
    table = sf.Table(PlainEngine(ROWS), quasi_identifiers=quasi_identifiers, sensitive=["s"])
    return sf.Problem(table, models or [sf.KAnonymity(5)], sf.LM(), recoding or sf.FullDomain())


BOXES = sf.Multidimensional(splits={"age": "every"})


@pytest.mark.parametrize(
    ("recoding", "given", "said"),
    [
        (None, 2, "2 does not say what is published of each column; write {'age': 2, 'sex': 0}"),
        (None, ["Europe"], "a list does not say"),
        (None, {"country": 1}, "says nothing of 'age'; name every quasi-identifier"),
        (None, {"country": 1, "age": 1, "sex": 0}, "'sex' is not a quasi-identifier; choose from country, age"),
        (None, {"country": 3, "age": 1}, "'country' may be published at levels 0 to 2, and 3 is given"),
        (None, {"country": "Europe", "age": 1}, "the level of 'country' = Europe is not a whole number from 0 up"),
        (sf.FullDomain(min_level={"age": 1}), {"country": 1, "age": 0}, "'age' may be published at levels 1 to 2"),
        (None, {"model": "full-subtree", "levels": {}}, "'full-subtree' is given, and the problem's is full-domain"),
        (sf.FullSubtree(), {"country": "Europe", "age": 1}, "The cut of 'country' is 'Europe'; give a list of labels"),
        (sf.FullSubtree(), {"country": ["Asia"], "age": 1}, "1 label of 1 names no node of its hierarchy"),
        (sf.FullSubtree(), {"country": ["Europe", "Italy"], "age": 1}, "a label lies below another"),
        (sf.FullSubtree(max_level={"country": 1}), {"country": ["*"], "age": 1}, "no node of levels 0 to 1 of its"),
        (sf.FullSubtree(), {"model": "full-subtree", "levels": {"country": [[1, 3]], "age": []}}, "not this problem's"),
        (BOXES, "all", "'all' is not a list of boxes"),
        (BOXES, [{"country": "*"}], "says nothing of 'age'"),
        (
            BOXES,
            [{"country": "Europe", "age": "[20, 25]"}],
            "1 label of 'age' is not what a box of this problem prints",
        ),
        (BOXES, [{"country": "Asia", "age": "*"}], "1 label of 'country' is not what a box"),
        (BOXES, {"model": "multidimensional", "boxes": [{"cells": [[0, 1]]}]}, "not this problem's"),
        (BOXES, {"model": "multidimensional", "boxes": [{"cells": [[0, 1], [0, 9]]}]}, "not this problem's"),
        (BOXES, {"model": "multidimensional"}, "not this problem's"),
        (BOXES, {"model": "multidimensional", "boxes": [{"cells": [[0, 1e999], [0, 0]]}]}, "not this problem's"),
        (BOXES, {"model": "multidimensional", "boxes": [{"cells": 5}]}, "not this problem's"),
        (sf.FullSubtree(), {"model": "full-subtree", "levels": 5}, "5 does not say what is published"),
        (sf.FullDomain(), {"model": "full-domain"}, "None does not say what is published"),
        (sf.Local(), {"country": 1, "age": 1}, "local recoding publishes every record by itself"),
    ],
)
def test_what_is_not_in_the_space_is_refused(recoding: Any, given: Any, said: str) -> None:
    with pytest.raises(sf.ProblemError) as refused:
        problem(recoding).evaluate(given)
    assert said in str(refused.value)
    assert "Asia" not in str(refused.value)


def test_what_violates_is_a_solution_that_says_so() -> None:
    solution = problem().evaluate({"country": 0, "age": 1})
    assert (solution.status, solution.cost, solution.bound, solution.recoding) == ("no_solution_found", None, 0, None)
    assert solution.reason == "With this recoding 7 records are left out, and none may be; generalise further."
    with pytest.raises(sf.InfeasibleError, match="7 records are left out"):
        solution.release()
    cut = problem(sf.FullSubtree()).evaluate({"country": 0, "age": 2})
    assert cut.reason.startswith("With this recoding 3 of 48 records violate k-anonymity; generalise further, or allow")
    assert "suppression = 'all-records'" in cut.reason
    left = problem(sf.FullSubtree("all-records")).evaluate({"country": 0, "age": 2})
    assert (left.status, left.suppressed) == ("feasible", 3)
    some = problem(sf.FullDomain("5%")).evaluate({"country": 0, "age": 2})
    assert "3 records are left out, and only 2 may be" in some.reason


def test_a_level_for_a_cut_and_numbers_for_labels() -> None:
    levels = problem(sf.FullSubtree()).evaluate({"country": 1, "age": 2})
    labels = problem(sf.FullSubtree()).evaluate({"age": ["*"], "country": ["America", "Europe"]})
    node = problem().evaluate({"country": 1, "age": 2})
    assert levels.cost == labels.cost == node.cost
    kept = problem(sf.FullSubtree()).evaluate({"country": ["America", "Europe"], "age": [20, 30.0]})
    assert set(kept.cuts["age"]) == {"20", "30", "40"}  # 40 stays as it is


def test_labels_that_name_two_nodes() -> None:
    """Of two nodes with one name the upper one is meant, unless the cut has others below it."""
    tree = sf.Hierarchy.from_rows([("a", "A", "A", "*"), ("b", "A", "A", "*"), ("c", "C", "A", "*")], "twice")
    rows: list[Row] = [{"q": q} for q in "aaabbbccc"]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": tree})
    asked = sf.Problem(table, [sf.KAnonymity(3)], sf.LM(), sf.FullSubtree())
    assert asked.evaluate({"q": ["A"]}).classes == 1
    assert asked.evaluate({"q": ["A", "C"]}).classes == asked.evaluate({"q": ["C", "A"]}).classes == 2


def test_missing_values_and_boxes_with_commas() -> None:
    rows: list[Row] = [{"x": x, "y": y} for x in ("1", "2", None) for y in ("a, b", "b", "c") for _ in range(2)]
    order = sf.ordered(["a, b", "b", "c"])
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": sf.ordered(), "y": order})
    asked = sf.Problem(table, [sf.KAnonymity(2)], sf.Discernibility(), sf.Multidimensional())
    boxes: list[dict[str, object]] = [{"x": None, "y": "*"}, {"x": "[1, 2]", "y": "[a, b, b]"}, {"x": 1, "y": "c"}]
    solution = asked.evaluate([*boxes, {"x": 2.0, "y": "c"}])
    assert solution.cost == 6**2 + 8**2 + 2**2 + 2**2
    printed = pd.DataFrame(solution.release().rows).drop_duplicates().to_dict("records")
    assert asked.evaluate(printed).cost == solution.cost


def test_a_population_is_not_known_of_boxes() -> None:
    model = sf.KMap(3, population=PlainEngine(ROWS))
    with pytest.raises(sf.ProblemError, match="k-map compares with a population, and boxes know the records"):
        problem(BOXES, model).evaluate([{"country": "*", "age": "*"}])
    assert problem(None, model).evaluate({"country": 1, "age": 1}).status == "feasible"


GIVEN: list[tuple[Any, Any]] = [
    (sf.FullDomain("10%"), {"age": 1, "sex": 0}),
    (
        sf.FullSubtree("violating-records"),
        {"age": ["[0, 20)", "[20, 40)", "[40, 60)", "[60, 80)", "[80, 100)"], "sex": 0},
    ),
    (sf.Multidimensional(splits={"age": 3}), None),
    (sf.Multidimensional(splits={"age": 3}, tight=True), None),
]


@pytest.mark.parametrize(("recoding", "given"), GIVEN)
def test_it_is_released_checked_reported_and_verified(recoding: Any, given: Any, tmp_path: Path) -> None:
    data, out, report = tmp_path / "people.csv", tmp_path / "out.csv", tmp_path / "report.json"
    census(400).to_pandas()[["age", "sex", "occupation"]].to_csv(data, index=False)
    table = sf.Table(data, quasi_identifiers={"age": sf.intervals(10, 20), "sex": sf.flat()}, sensitive=["occupation"])
    asked = sf.Problem(table, [sf.LPlusDiversity("occupation", 0.5)], sf.LM(), recoding)
    if given is None:
        given = [{"sex": sex, "age": "*"} for sex in ("Female", "Male")]
        if recoding.tight:  # what is printed is less than the box, which is given all the same
            assert asked.evaluate(given).release()["age"].nunique() > 0
    solution = asked.evaluate(given)
    assert solution.status == "feasible"
    stated = json.loads(json.dumps(solution.to_json()))
    assert (stated["algorithm"], stated["bound"], stated["gap"]) == ("given", 0, None)
    assert asked.evaluate(stated["recoding"]).cost == solution.cost
    solution.write(out)
    solution.report(report.with_suffix(".html"), report, released=out)
    assert verify(report, out, original=data).holds
    page = report.with_suffix(".html").read_text(encoding="utf-8")
    assert "It was given and evaluated; no other choice was looked at" in page
    assert "Whether a given choice meets this, and what it loses; nothing was searched." in page
    assert "the search looks for" not in page
    assert "least loss was published" not in page


BASKETS = [["apple", "pear"], ["apple", "plum"], ["pear", "nut"], ["apple", "pear"], ["apple", "nut"], ["bread"]]
FOOD = sf.Hierarchy.from_outline("*\n  fruit\n    apple\n    pear\n    plum\n  nut\n  bread")


def test_transactions() -> None:
    asked = sf.Problem(sf.Transactions(BASKETS, hierarchy=FOOD), [sf.KmAnonymity(k=2, m=1)])
    assert asked.evaluate(["fruit"]).reason == (
        "With this cut the published sets violate km-anonymity; generalise further."
    )
    solution = asked.evaluate(["*"])
    assert (solution.status, solution.cost, solution.bound) == ("feasible", 1, 0)
    assert solution.release() == [["*"]] * 6
    assert asked.evaluate({"model": "item-cut", "generalised": {"*": 5}}).cost == 1
    for given, said in (
        (["fruit", "apple"], "a label lies below another"),
        (["veg"], "1 label of 1 is neither an item nor a node"),
        ("fruit", "The cut of items is 'fruit'; give a list"),
        (5, "The cut of items is 5; give a list"),
        ({"age": 2}, "The cut of items is a dict; give a list"),
        ({"model": "item-cut", "generalised": 5}, "The cut of items is 5; give a list"),
        ({"model": "item-cut"}, "The cut of items is None; give a list"),
        ({"model": "local-items"}, "'local-items' is given, and the problem's is item-cut"),
    ):
        with pytest.raises(sf.ProblemError) as refused:
            asked.evaluate(given)
        assert said in str(refused.value)
    with pytest.raises(sf.ProblemError, match="has a cut for every part"):
        sf.Problem(asked.data, asked.constraints, recoding=sf.LocalItems()).evaluate(["*"])


def test_a_table_with_sets() -> None:
    frame = pd.DataFrame({"sex": list("ffmmfm"), "basket": [" ".join(items) for items in BASKETS]})
    table = sf.Table(frame, quasi_identifiers={"sex": sf.flat()}, sets={"basket": FOOD}, separator=" ")
    asked = sf.Problem(table, [sf.KAnonymity(2), sf.KmAnonymity(k=2, m=1)], recoding=sf.FullDomain())
    least = asked.evaluate({"sex": 0})
    assert (least.status, least.sets["basket"].status) == ("optimal", "optimal")  # it costs nothing
    whole = asked.evaluate({"sex": 1}, sets={"basket": ["*"]})
    assert (whole.sets["basket"].status, whole.sets["basket"].cost) == ("feasible", 1)
    assert set(whole.release()["basket"]) == {"*"}
    broken = asked.evaluate({"sex": 1}, sets={"basket": ["apple"]})
    assert (broken.status, broken.reason[:43]) == ("no_solution_found", "'basket': With this cut the published sets ")
    for sets, said in (({}, "says nothing of 'basket'"), ({"bag": ["*"]}, "'bag' is not a column of sets")):
        with pytest.raises(sf.ProblemError, match=said):
            asked.evaluate({"sex": 1}, sets=sets)
    with pytest.raises(sf.ProblemError, match="leave it out"):
        problem().evaluate({"country": 1, "age": 2}, sets={"basket": ["*"]})
