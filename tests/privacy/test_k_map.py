"""k-map: the definition and its edges, and how a population is named, read and refused."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.data import ClassSummary

PEOPLE = pd.DataFrame({"age": [20, 20, 21, 30, 30, 30, 31, 45], "sex": list("ffmfmmff"), "name": list("abcdefgh")})
DATA = PEOPLE.iloc[[0, 2, 4, 6]].drop(columns="name").assign(disease=list("xyxy"))
AGES = sf.Hierarchy.from_rows(
    [(str(age), f"{age // 10 * 10}s", "*") for age in (20, 21, 22, 30, 31, 45)], "ages"
)  # 22 occurs nowhere


def table(data: Any = DATA, **given: Any) -> sf.Table:
    return sf.Table(data, quasi_identifiers={"age": AGES, "sex": sf.flat()}, sensitive=["disease"], **given)


def problem(k: int, population: object = PEOPLE, limit: object = 0, most: int = 2) -> sf.Problem:
    """most: the highest level of age, of which 1 are decades."""
    recoding = sf.FullDomain(limit, max_level={"age": most})  # type: ignore[arg-type]
    return sf.Problem(table(), [sf.KMap(k, population=population)], recoding=recoding)


@pytest.mark.parametrize(("people", "holds"), [(0, False), (4, False), (5, True), (6, True)])
def test_at_least_k_people(people: int, holds: bool) -> None:
    assert sf.KMap(5, population="people.csv").holds(ClassSummary(1, population=people)) is holds


def test_attained_is_the_smallest_part_of_the_population() -> None:
    classes = [ClassSummary(1, population=7), ClassSummary(9, population=3)]
    assert sf.KMap(2, population="people.csv").attained(classes) == {"k": 3}
    assert sf.KMap(2, population="people.csv").attained([]) == {"k": None}


def test_classes_without_a_population_are_an_error() -> None:
    with pytest.raises(sf.ProblemError, match="use it in a Problem"):
        sf.KMap(5, population="people.csv").holds(ClassSummary(1))


@pytest.mark.parametrize("population", [300_000, "300000", 3e5, None, True])
def test_a_number_of_people_is_no_population(population: object) -> None:
    with pytest.raises(sf.ProblemError, match="an estimate, not a guarantee; give k-map a table"):
        sf.KMap(5, population=population)


def test_a_hand_counted_example() -> None:
    """Four records of eight people. By decade and sex: 20s f 2, 20s m 1, 30s m 2, 30s f 2."""
    assert problem(1).solve().levels == {"age": 0, "sex": 0}
    solution = problem(2, limit="1/4").solve()
    assert solution.levels == {"age": 1, "sex": 0}
    assert solution.suppressed == 1
    assert solution.attained == {"k-map": {"k": 2}}
    # By decade: three people in their 20s, four in their 30s. By sex: five women, three men.
    assert problem(3, most=1).solve().levels == {"age": 1, "sex": 1}
    assert problem(3, most=1).solve().attained == {"k-map": {"k": 3}}
    assert problem(3).solve().levels == {"age": 2, "sex": 0}
    assert problem(8).solve().levels == {"age": 2, "sex": 1}
    assert problem(9).solve().status == "infeasible"
    assert "k-map k = 8, which those levels reach" in problem(9).solve().reason


def test_a_release_is_checked_against_the_population() -> None:
    solution = problem(2, limit="1/4").solve()
    released = solution.release()
    assert sorted(released["age"]) == ["20s", "30s", "30s"]
    given = {"age": AGES, "sex": sf.flat()}
    audit = sf.check(released, quasi_identifiers=given, constraints=[sf.KMap(2, population=PEOPLE)])
    assert audit.holds
    assert audit.attained == {"k-map": {"k": 2}}
    forged = released.assign(age="45")
    assert sf.check(forged, quasi_identifiers=list(given), constraints=solution.question.constraints).violations


@pytest.mark.parametrize("kind", ["csv", "parquet", "table", "path"])
def test_populations_of_any_kind(kind: str, tmp_path: Path) -> None:
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    PEOPLE.to_parquet(tmp_path / "people.parquet")
    population: object = {
        "csv": str(tmp_path / "people.csv"),
        "path": tmp_path / "people.csv",
        "parquet": tmp_path / "people.parquet",
        "table": sf.Table(PEOPLE, quasi_identifiers={"age": sf.intervals(5), "sex": sf.flat()}, identifiers=["name"]),
    }[kind]
    assert problem(3, population).solve().attained == {"k-map": {"k": 3}}


def test_missing_values_of_the_population_alone_count_at_the_root_only() -> None:
    more = pd.concat([PEOPLE, pd.DataFrame({"age": [None, None], "sex": ["f", "m"], "name": ["i", "j"]})])
    assert problem(3, more, most=1).solve().attained == {"k-map": {"k": 3}}
    assert problem(6, more).solve().status == "optimal"
    assert problem(4, more).solve().attained == {"k-map": {"k": 4}}  # six women, four men
    problem(10, more).solve().release()


def test_values_without_a_path_are_counted_but_not_shown() -> None:
    strange = pd.concat([PEOPLE, pd.DataFrame({"age": [77], "sex": ["f"], "name": ["z"]})])
    with pytest.raises(
        sf.HierarchyError, match=r"The population has values .* 1 of the 6 values .* \(1 row\)"
    ) as caught:
        problem(2, strange).solve()
    assert "77" not in str(caught.value)
    assert any("77" in value for value in caught.value.hidden_values)
    # The way out: hierarchies made from the population.
    people = sf.Table(strange, quasi_identifiers={"age": sf.intervals(10), "sex": sf.flat()})
    data = sf.Table(DATA, quasi_identifiers=people.hierarchies)
    assert sf.Problem(data, [sf.KMap(2, population=people)]).solve().status == "optimal"


def test_a_population_needs_the_quasi_identifiers() -> None:
    with pytest.raises(sf.DataError, match="no column 'sex'"):
        problem(2, PEOPLE.drop(columns="sex")).solve()


def test_records_of_nobody_are_warned_of() -> None:
    with pytest.warns(sf.PopulationWarning, match="2 of the 4 records have no match in the population of 3"):
        problem(1, PEOPLE.iloc[[0, 1, 2]]).solve()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem(1).solve()


def test_two_populations_are_too_many() -> None:
    two = [sf.KMap(2, population=PEOPLE), sf.DeltaPresence(0, 1, population=PEOPLE.copy())]
    with pytest.raises(sf.ProblemError, match="k-map and delta-presence name two populations"):
        sf.Problem(table(), two)
    same = [sf.KMap(2, population=PEOPLE), sf.DeltaPresence(0, 1, population=PEOPLE)]
    assert sf.Problem(table(), same).solve().status == "optimal"


def test_people_with_several_records_are_no_population() -> None:
    rows = PEOPLE.assign(name=list("aabcdefg"))
    twice = sf.Table(rows, quasi_identifiers={"age": AGES, "sex": sf.flat()}, unit="name")
    with pytest.raises(sf.ProblemError, match="one record per person"):
        problem(2, twice).solve()


def test_k_counts_people_where_the_data_has_units() -> None:
    data = DATA.assign(person=list("aabb"))
    solution = sf.Problem(table(data, unit="person"), [sf.KMap(3, population=PEOPLE)]).solve()
    assert solution.levels == {"age": 2, "sex": 0}
    assert solution.attained == {"k-map": {"k": 3}}
    solution.release()


def test_apply_compares_new_records_with_the_same_population() -> None:
    solution = problem(3, most=1).solve()
    new = pd.DataFrame({"age": [20, 22, 45], "sex": ["f", "m", "f"], "disease": ["x", "y", "x"]})
    assert sorted(solution.apply(new)["age"]) == ["20s", "20s"]  # nobody but one is in the 40s
    with pytest.raises(sf.PrivacyViolation, match="1 of the 3 new records"):
        solution.apply(new, violations="error")
    # Values that no hierarchy has fit nobody.
    assert sorted(solution.apply(new.assign(age=[20, 99, 45]), unknown="*")["age"]) == ["20s"]


def test_check_needs_hierarchies_or_bound_constraints() -> None:
    released = problem(3).solve().release()
    with pytest.raises(sf.ProblemError, match="Without a hierarchy of 'age' nobody can say"):
        sf.check(released, quasi_identifiers=["age", "sex"], constraints=[sf.KMap(3, population=PEOPLE)])


def test_a_model_shows_no_population() -> None:
    assert repr(sf.KMap(5, population=PEOPLE)) == "KMap(k=5)"
