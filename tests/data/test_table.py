"""Table: roles, missing values and texts; what is wrong is said without a value of the data."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.data import ClassSummary, EquivalenceClasses
from sfumato.errors import DataError, HierarchyError
from sfumato.testing.plain_engine import PlainEngine, Row

ROWS: list[Row] = [
    {"name": "Ann", "age": "38", "sex": "f", "disease": "flu", "wage": "high", "note": "n1"},
    {"name": "Bob", "age": "39", "sex": "m", "disease": "flu", "wage": "low", "note": "n2"},
    {"name": "Cid", "age": "38", "sex": "m", "disease": "cold", "wage": "low", "note": "n3"},
    {"name": "Dee", "age": "38", "sex": "m", "disease": "cold", "wage": "low", "note": "n4"},
]


def table(rows: list[Row] = ROWS, **roles: Any) -> sf.Table:
    return sf.Table(PlainEngine(rows), **{"quasi_identifiers": {"age": sf.flat(), "sex": sf.flat()}, **roles})


def released(**roles: Any) -> list[Row]:
    rows: list[Row] = sf.Problem(table(**roles), [sf.KAnonymity(1)]).solve().release().rows
    return rows


def test_frequencies() -> None:
    f = table(sensitive=["disease"], target="wage").frequencies
    assert f.records == 4
    assert [column.name for column in f.columns] == ["age", "sex", "disease", "wage"]
    assert [column.labels for column in f.columns] == [("38", "39"), ("f", "m"), ("cold", "flu"), ("high", "low")]
    assert f.codes.tolist() == [[0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]]
    assert f.counts.tolist() == [1, 2, 1]


def test_columns_without_a_role_are_dropped() -> None:
    assert {tuple(row) for row in released()} == {("age", "sex")}


def test_published_in_the_order_of_the_source() -> None:
    rows = released(sensitive=["disease"], target="wage", identifiers=["name"], insensitive=["note"])
    assert {tuple(row) for row in rows} == {("age", "sex", "disease", "wage", "note")}
    assert sorted(map(tuple, map(dict.values, rows))) == sorted(tuple(row.values())[1:] for row in ROWS)


def test_target_may_have_another_role() -> None:
    assert [column.name for column in table(target="age").frequencies.columns] == ["age", "sex"]
    assert [column.name for column in table(target="disease", sensitive=["disease"]).frequencies.others] == ["disease"]
    generalised = sf.Problem(table(target="sex"), [sf.KAnonymity(3)], recoding=sf.FullDomain("25%")).solve()
    assert generalised.levels["sex"] + generalised.levels["age"] > 0
    assert {tuple(row) for row in generalised.release().rows} == {("age", "sex")}


def test_values_come_in_order() -> None:
    rows: list[Row] = [{"q": value, "s": value} for value in ("10", "9", "-1", "9.5")]
    frequencies = table(rows, quasi_identifiers={"q": sf.flat()}, sensitive=["s"]).frequencies
    assert frequencies.others[0].labels == ("-1", "9", "9.5", "10")
    assert frequencies.quasi_identifiers[0].labels == ("-1", "9", "9.5", "10")


def test_sensitive_values_with_a_hierarchy_come_in_its_order(tmp_path: Path) -> None:
    (tmp_path / "disease.csv").write_text("flu;viral;*\npox;viral;*\ncold;other;*\n")
    diseases = table(sensitive={"disease": tmp_path / "disease.csv"})
    assert diseases.frequencies.others[0].labels == ("flu", "cold")
    assert diseases.sensitive == ("disease",)
    (tmp_path / "disease.csv").write_text("flu;viral;*\n")
    with pytest.raises(HierarchyError, match=r"disease.csv has no path for 1 of the 2 values of 'disease' \(2 rows\)"):
        table(sensitive={"disease": tmp_path / "disease.csv"})


@pytest.mark.parametrize("missing", [None, ""])
def test_missing_values_are_values_of_their_own(missing: str | None) -> None:
    rows: list[Row] = [{"q": missing, "s": missing}, {"q": "1", "s": "x"}, {"q": "1", "s": missing}]
    f = table(rows, quasi_identifiers={"q": sf.intervals(5)}, sensitive=["s"]).frequencies
    assert f.quasi_identifiers[0].labels == ("1", None)
    assert f.quasi_identifiers[0].hierarchy.rows == (("1", "[0, 5)", "*"), ("", "", "*"))
    assert f.others[0].labels == ("x", None)
    assert f.counts.tolist() == [1, 1, 1]


def test_missing_values_of_every_kind_are_one() -> None:
    frame = pd.DataFrame({"q": ["a", "", None, np.nan, pd.NA, "a"]})
    people = sf.Table(frame, quasi_identifiers={"q": sf.flat()})
    assert people.codes == {"q": {"a": 0, None: 1}}
    assert people.frequencies.counts.tolist() == [2, 4]


def test_only_missing_values() -> None:
    rows: list[Row] = [{"q": None}, {"q": None}]
    solution = sf.Problem(table(rows, quasi_identifiers={"q": sf.intervals(5)}), [sf.KAnonymity(2)]).solve()
    assert solution.release().rows == [{"q": None}, {"q": None}]


def test_missing_needs_no_line_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("38;30s;*\n39;30s;*\n40;40s;*\n")
    rows: list[Row] = [{"q": "38"}, {"q": None}]
    hierarchy = table(rows, quasi_identifiers={"q": tmp_path / "ages.csv"}).frequencies.quasi_identifiers[0].hierarchy
    assert hierarchy.rows[-1] == ("", "", "*")
    assert len(hierarchy.leaves) == 4


def test_whole_numbers_have_no_decimals() -> None:
    rows: list[Row] = [{"q": text} for text in ("38", "38.0", "38.00", "-5.0", "1.05", "v1.0")]
    numbers = table(rows, quasi_identifiers={"q": sf.flat()})
    (attribute,) = numbers.frequencies.quasi_identifiers
    assert attribute.hierarchy.leaves == ("-5", "1.05", "38", "v1.0")
    assert attribute.labels == ("-5.0", "1.05", "38", "v1.0"), "published in the one spelling that there is"
    assert numbers.frequencies.counts.tolist() == [1, 1, 3, 1]


def test_a_file_may_spell_numbers_as_the_data_does(tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("38.0;*\n39.0;*\n")
    rows: list[Row] = [{"q": "38.0"}, {"q": "39.0"}]
    assert table(rows, quasi_identifiers={"q": tmp_path / "ages.csv"}).codes == {"q": {"38.0": 0, "39.0": 1}}
    (tmp_path / "ages.csv").write_text("38;*\n39;*\n")
    with pytest.raises(HierarchyError, match=r"no path for 1 of the 3 values of 'q' \(1 row\)") as caught:
        table([*rows, {"q": "40.0"}], quasi_identifiers={"q": tmp_path / "ages.csv"})
    assert caught.value.hidden_values == ("40",)


def test_strip() -> None:
    rows: list[Row] = [
        {"q": " a", "s": "flu "},
        {"q": "a ", "s": " flu"},
        {"q": "a", "s": "flu"},
        {"q": "  ", "s": " "},
    ]
    hierarchy = sf.Hierarchy.from_rows([("a", "*"), ("b", "*")], "letters")
    with pytest.raises(HierarchyError, match=r"letters has no path for 3 of the 4 values of 'q' \(3 rows\)"):
        table(rows, quasi_identifiers={"q": hierarchy})
    trimmed = table(rows, quasi_identifiers={"q": hierarchy}, sensitive=["s"], strip=True)
    assert trimmed.frequencies.quasi_identifiers[0].labels == ("a", "b", None)
    assert trimmed.frequencies.others[0].labels == ("flu", None), "one disease, however it is spaced"
    assert trimmed.frequencies.counts.tolist() == [3, 1]
    solution = sf.Problem(trimmed, [sf.DistinctLDiversity("s", 2)]).solve()
    assert solution.levels == {"q": 1}
    assert sorted(row["s"] or "" for row in solution.release().rows) == ["", "flu", "flu", "flu"]


def test_strip_of_a_frame() -> None:
    frame = pd.DataFrame({"q": [" a", "a "], "n": [1, 2], "s": pd.Categorical(["x ", " x"])})
    trimmed = sf.Table(frame, quasi_identifiers={"q": sf.flat(), "n": sf.flat()}, sensitive=["s"], strip=True)
    released = sf.Problem(trimmed, [sf.KAnonymity(1)]).solve().release()
    assert released.sort_values("n").to_dict("list") == {"q": ["a", "a"], "n": [1, 2], "s": ["x", "x"]}


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"quasi_identifiers": {}}, "No quasi-identifiers; name at least one column that an attacker may know"),
        ({"quasi_identifiers": ["age"]}, r"need hierarchies; give a dictionary such as \{'age': sf.flat\(\)\}"),
        ({"quasi_identifiers": {0: sf.flat()}}, "has 0, which is not a text; name columns by texts, as in '0'"),
        ({"sensitive": "disease"}, r"is one text; give a list of column names, as in sensitive=\['disease'\]"),
        ({"identifiers": "name"}, "identifiers = 'name' is one text"),
        ({"insensitive": "note"}, "insensitive = 'note' is one text"),
        ({"sensitive": ["age"]}, "'age' is both quasi-identifier and sensitive; give it one role"),
        ({"identifiers": ["name"], "insensitive": ["name"]}, "'name' is both identifier and insensitive"),
        ({"sensitive": ["disease"], "identifiers": ["disease"]}, "'disease' is both sensitive and identifier"),
        ({"insensitive": ["note", "note"]}, "A column is named twice as insensitive; name it once"),
        ({"target": "name", "identifiers": ["name"]}, "'name' is both target and identifier"),
        ({"target": "note", "insensitive": ["note"]}, "'note' is both target and insensitive"),
        ({"sensitive": ["diseases"]}, r"the list has no column 'diseases'; did you mean 'disease'\?"),
        ({"target": "salary"}, "the list has no column 'salary'; it has name, age, sex, disease, wage, note"),
        ({"identifiers": ["nam"]}, "has no column 'nam'"),
        ({"insensitive": ["text"]}, "has no column 'text'"),
    ],
)  # fmt: skip
def test_roles_that_do_not_go_together(roles: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        table(**roles)


@pytest.mark.parametrize("spec", [None, 5, sf.flat, sf.intervals, ["a"]])
def test_no_hierarchy(spec: object) -> None:
    with pytest.raises(HierarchyError, match="is not a hierarchy; give a file's path"):
        table(quasi_identifiers={"age": spec})


def test_values_without_a_path_are_counted_not_shown() -> None:
    hierarchy = sf.Hierarchy.from_rows([("38", "*")], "ages")
    rows: list[Row] = [{"age": "SECRET"}, {"age": "SECRET"}, {"age": "38"}]
    with pytest.raises(HierarchyError) as caught:
        table(rows, quasi_identifiers={"age": hierarchy})
    assert "ages has no path for 1 of the 2 values of 'age' (2 rows)" in str(caught.value)
    assert "SECRET" not in repr(caught.value)
    assert caught.value.hidden_values == ("SECRET",)


def test_nothing_public_shows_a_value() -> None:
    """Neither the text nor the representation of anything on the way from a table to its release."""
    rows: list[Row] = [{"q": f"SECRET{i}", "s": f"SECRET{i}", "note": f"SECRET{i}"} for i in range(4)]
    data = table(rows, quasi_identifiers={"q": sf.fanout(2)}, sensitive=["s"], insensitive=["note"])
    problem = sf.Problem(data, [sf.KAnonymity(2), sf.DistinctLDiversity("s", 2)])
    solution = problem.solve()
    f = data.frequencies
    classes = EquivalenceClasses(f, f.generalized([1]))
    audit = sf.check(
        solution.release(), quasi_identifiers=["q"], sensitive=["s"], constraints=problem.question.constraints
    )
    things = [data, problem, solution, solution.recoding, solution.plan(), f, *f.columns, classes, audit, data.engine]
    things += [*classes.summaries(["s"]), ClassSummary(1, {"s": {"SECRET": 1}}), f.quasi_identifiers[0].hierarchy]
    things += [solution.to_json(), solution.trace, *problem.question.constraints, problem.loss, problem.recoding]
    for thing in things:
        assert "SECRET" not in f"{thing!r} {thing}", type(thing)
    assert repr(data) == "Table(4 records, 4 distinct; quasi-identifiers: q; sensitive: s; insensitive: note)"


def test_cost_is_about_the_hierarchy_with_its_missing_leaf() -> None:
    rows: list[Row] = [{"q": "1"}, {"q": "2"}, {"q": None}]
    problem = sf.Problem(table(rows, quasi_identifiers={"q": sf.flat()}), [sf.KAnonymity(3)])
    assert problem.solve().exact_cost == Fraction(3)


# --- persons with several records, and weights

VISITS: list[Row] = [
    {"who": "1", "age": "38", "sex": "f", "w": "1.5"},
    {"who": "1", "age": "38", "sex": "f", "w": "2"},
    {"who": "1", "age": "39", "sex": "m", "w": "0"},
    {"who": "2", "age": "39", "sex": "m", "w": "1e1"},
    {"who": None, "age": "39", "sex": "m", "w": "3"},
]


def test_units_of_a_table() -> None:
    visits = table(VISITS, unit="who")
    f = visits.frequencies
    assert f.units is not None
    assert (f.units.persons, f.units.unknown) == (2, 1)
    assert f.units.own.tolist() == [0, 1]
    assert EquivalenceClasses(f, f.generalized([0, 0])).units.tolist() == [1, 2]  # type: ignore[union-attr]
    assert EquivalenceClasses(f, f.generalized([1, 1])).units.tolist() == [2]  # type: ignore[union-attr]
    assert visits.published == ("age", "sex")
    assert repr(visits) == "Table(5 records, 2 distinct; quasi-identifiers: age, sex; unit (dropped): who)"


def test_one_record_per_person_costs_nothing() -> None:
    assert table(ROWS, unit="name").frequencies.units is None
    assert table([*ROWS, {**ROWS[0], "name": None}], unit="name").frequencies.units is not None


def test_only_records_without_a_unit() -> None:
    rows: list[Row] = [{**row, "who": ""} for row in VISITS]
    solution = sf.Problem(table(rows, unit="who"), [sf.KAnonymity(2)]).solve()
    assert solution.status == "infeasible", "they may all be one person's"
    assert sf.Problem(table(rows, unit="who"), [sf.KAnonymity(1)]).solve().attained == {"k-anonymity": {"k": 1}}


def test_weights_of_a_table() -> None:
    visits = table(VISITS, unit="who", weight="w", insensitive=["w"])
    assert visits.frequencies.weights is not None
    assert visits.frequencies.weights.tolist() == [3.5, 13]
    assert visits.insensitive == ("w",) == table(VISITS, weight="w").insensitive
    assert visits.published == ("age", "sex", "w")
    assert "weight: w" in repr(visits)
    assert "insensitive" not in repr(visits)
    released = sf.Problem(visits, [sf.KAnonymity(1)]).solve().release().rows
    assert sorted(row["w"] for row in released) == ["0", "1.5", "1e1", "2", "3"]


def test_no_weight() -> None:
    rows: list[Row] = [{**VISITS[0], "w": text} for text in ("1", "SECRET", "-2", None)]
    with pytest.raises(
        DataError, match=r"'w' is not a weight in 3 of the 4 rows: missing, negative, or not a number"
    ) as caught:
        table(rows, weight="w")
    assert "SECRET" not in str(caught.value)


def test_identifiers_that_repeat_are_warned_of() -> None:
    with pytest.warns(sf.UnitWarning) as caught:
        table(VISITS, identifiers=["who", "w"])
    assert [str(warning.message) for warning in caught] == [
        "'who' repeats in 2 of the 5 rows; if a person has several, give unit='who', or k counts rows, not people."
    ]
    assert caught[0].filename == __file__
    for quiet in ({"identifiers": ["who"], "unit": "who"}, {"identifiers": ["w"]}, {"unit": "who"}):
        table(VISITS, **quiet)  # warnings are errors here


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"unit": "age"}, "'age' is both unit and quasi-identifier; give it one role"),
        ({"unit": "disease", "sensitive": ["disease"]}, "'disease' is both unit and sensitive"),
        ({"unit": "note", "insensitive": ["note"]}, "'note' is both unit and insensitive"),
        ({"unit": "wage", "target": "wage"}, "'wage' is both target and unit"),
        ({"unit": "wage", "weight": "wage"}, "'wage' is both unit and weight"),
        ({"weight": "age"}, "'age' is both weight and quasi-identifier"),
        ({"weight": "name", "identifiers": ["name"]}, "'name' is both weight and identifier"),
        ({"weight": "wage", "target": "wage"}, "'wage' is both target and weight"),
        ({"unit": ["name"]}, r"unit = a list is not a text; name one column"),
        ({"unit": "nam"}, r"has no column 'nam'; did you mean 'name'\?"),
        ({"weight": "weight"}, "has no column 'weight'"),
    ],
)
def test_units_and_weights_that_do_not_go_together(roles: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        table(**roles)
