"""The census: the same bytes for the same seed, believable people, hierarchies that cover them."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from sfumato.datasets import Census, census, census_hierarchies, write_hierarchies
from sfumato.datasets.census_people import AGES
from sfumato.datasets.census_weights import DEPENDENT, INDEPENDENT
from sfumato.errors import DataError

COLUMNS = [
    "age",
    "sex",
    "zipcode",
    "birthplace",
    "education",
    "marital-status",
    "workclass",
    "occupation",
    "income",
]
QUASI_IDENTIFIERS = COLUMNS[:7]
HIERARCHIES = census_hierarchies()


@pytest.fixture(scope="module")
def people() -> Census:
    return census()


def csv_bytes(table: Census, directory: Path) -> bytes:
    table.write_csv(directory / "census.csv")
    return (directory / "census.csv").read_bytes()


def share(people: Census, attribute: str, value: str, where: npt.NDArray[np.bool_]) -> float:
    return float(np.mean(people.columns[attribute][where] == value))


def test_same_seed_same_bytes_everywhere(tmp_path: Path) -> None:
    written = csv_bytes(census(rows=2_000, seed=7), tmp_path)
    assert hashlib.sha256(written).hexdigest() == "346e529e1d6cb979013299a491044c032efb55cdd2072a4816b2d57f58e13149"


def test_different_seeds_differ(tmp_path: Path) -> None:
    assert csv_bytes(census(rows=100, seed=1), tmp_path) != csv_bytes(census(rows=100, seed=2), tmp_path)


def test_a_smaller_census_is_the_beginning_of_a_larger_one() -> None:
    small, large = census(rows=50), census(rows=500)
    for name in COLUMNS:
        assert small.columns[name].tolist() == large.columns[name][:50].tolist()


@pytest.mark.parametrize("rows", [0, 1, 1_000])
def test_shape(rows: int, tmp_path: Path) -> None:
    table = census(rows=rows)
    assert list(table.columns) == COLUMNS
    assert len(table) == rows
    assert {len(column) for column in table.columns.values()} == {rows}
    assert csv_bytes(table, tmp_path).count(b"\n") == rows + 1


def test_negative_rows_are_refused() -> None:
    with pytest.raises(DataError, match="ask for 0 to 100,000,000"):
        census(rows=-1)


def test_csv_reads_back(tmp_path: Path) -> None:
    table = census(rows=1_000)
    header, *rows = csv.reader(csv_bytes(table, tmp_path).decode("utf-8").splitlines())
    assert header == COLUMNS
    for name, cells in zip(header, zip(*rows, strict=True), strict=True):
        assert list(cells) == ["" if value is None else str(value) for value in table.columns[name]]


def test_to_pandas_keeps_columns_and_missing_values() -> None:
    pytest.importorskip("pandas")
    table = census(rows=1_000)
    frame = table.to_pandas()
    assert list(frame.columns) == COLUMNS
    assert frame["age"].dtype.kind == "i"
    assert frame["workclass"].isna().sum() == sum(value is None for value in table.columns["workclass"])


def test_every_combination_of_values_can_be_continued() -> None:
    for attribute, tables in DEPENDENT.items():
        weights = np.ones(1, dtype=np.int64)
        for table in tables.values():
            weights = weights[..., None, :] * table
        assert (weights.sum(axis=-1) > 0).all(), attribute


def test_columns_depend_on_earlier_columns_only() -> None:
    drawn = {*INDEPENDENT}
    for attribute, tables in DEPENDENT.items():
        assert tables.keys() <= drawn
        drawn.add(attribute)
    assert drawn == set(COLUMNS)


def test_only_workclass_and_birthplace_miss_a_few_values(people: Census) -> None:
    for name, column in people.columns.items():
        missing = sum(value is None for value in column) / len(people)
        assert 0.003 < missing < 0.007 if name in ("workclass", "birthplace") else missing == 0


def test_ages(people: Census) -> None:
    age = people.columns["age"]
    assert (age.min(), age.max()) == (AGES[0], AGES[-1]) == (17, 90)
    assert np.mean((age >= 40) & (age < 60)) > 2 * np.mean(age >= 75)


def test_places_are_skewed(people: Census) -> None:
    codes = Counter(people.columns["zipcode"])
    assert len(codes) == 120
    assert len({code[:3] for code in codes}) == 8
    assert max(codes.values()) > 20 * min(codes.values())
    birthplaces = Counter(people.columns["birthplace"])
    assert len(birthplaces) == 37 + 1
    assert 0.8 < birthplaces["Italy"] / len(people) < 0.9


def test_most_people_are_unique_as_they_are(people: Census) -> None:
    classes = Counter(zip(*(people.columns[name].tolist() for name in QUASI_IDENTIFIERS), strict=True))
    assert sum(size == 1 for size in classes.values()) > 0.6 * len(people)


def test_the_young_are_neither_widowed_retired_nor_graduated(people: Census) -> None:
    young = people.columns["age"] < 20
    assert young.sum() > 500
    assert not {"Widowed", "Divorced"} & set(people.columns["marital-status"][young])
    assert not {"Bachelor", "Master", "Doctorate"} & set(people.columns["education"][young])
    assert not {"Retired", "Business owner"} & set(people.columns["workclass"][young])
    assert "Manager" not in people.columns["occupation"][young]


def test_columns_are_correlated(people: Census) -> None:
    age, sex, education = (people.columns[name] for name in ("age", "sex", "education"))
    old, middle = age >= 75, (age >= 30) & (age < 50)
    graduate = np.isin(education, ["Bachelor", "Master", "Doctorate"])
    female = sex == "Female"
    city = np.array([code.startswith("381") for code in people.columns["zipcode"]])
    assert share(people, "education", "Primary", old) > 5 * share(people, "education", "Primary", middle)
    assert share(people, "marital-status", "Widowed", old) > 10 * share(people, "marital-status", "Widowed", middle)
    assert share(people, "workclass", "Retired", old) > 0.9
    assert share(people, "sex", "Female", age >= 80) > 0.55
    assert share(people, "occupation", "Driver", ~female) > 4 * share(people, "occupation", "Driver", female)
    assert share(people, "occupation", "Engineer", graduate) > 4 * share(people, "occupation", "Engineer", ~graduate)
    assert share(people, "income", "over 50k", graduate) > 3 * share(people, "income", "over 50k", ~graduate)
    assert share(people, "birthplace", "Italy", city) < share(people, "birthplace", "Italy", ~city) - 0.03


def test_hierarchies_are_given_for_all_but_age_and_income() -> None:
    assert set(HIERARCHIES) == set(COLUMNS) - {"age", "income"}


@pytest.mark.parametrize("attribute", HIERARCHIES)
def test_hierarchy_covers_the_values(attribute: str, people: Census) -> None:
    assert set(people.columns[attribute]) - {None} == {path[0] for path in HIERARCHIES[attribute]}


@pytest.mark.parametrize("attribute", HIERARCHIES)
def test_hierarchy_is_a_tree(attribute: str) -> None:
    paths = HIERARCHIES[attribute]
    assert len({path[0] for path in paths}) == len(paths)
    assert len({len(path) for path in paths}) == 1
    assert {path[-1] for path in paths} == {"*"}
    for lower, upper in pairwise(zip(*paths, strict=True)):
        assert len(set(zip(lower, upper, strict=True))) == len(set(lower))


@pytest.mark.parametrize("attribute", HIERARCHIES)
def test_no_label_stands_for_two_nodes(attribute: str) -> None:
    levels = [set(level) for level in zip(*HIERARCHIES[attribute], strict=True)]
    assert sum(map(len, levels)) == len(set.union(*levels))


@pytest.mark.parametrize("attribute", HIERARCHIES)
def test_leaves_of_a_node_are_neighbours(attribute: str) -> None:
    for level in zip(*HIERARCHIES[attribute], strict=True):
        changes = 1 + sum(left != right for left, right in pairwise(level))
        assert changes == len(set(level))


def test_zipcodes_are_masked_from_the_right() -> None:
    assert HIERARCHIES["zipcode"][0] == ("38101", "3810*", "381**", "38***", "3****", "*")
    assert [path[0] for path in HIERARCHIES["zipcode"]] == sorted(path[0] for path in HIERARCHIES["zipcode"])


def test_write_hierarchies(tmp_path: Path) -> None:
    write_hierarchies(tmp_path / "new" / "hierarchies")
    files = sorted((tmp_path / "new" / "hierarchies").iterdir())
    assert [file.name for file in files] == sorted(f"{attribute}.csv" for attribute in HIERARCHIES)
    for file in files:
        lines = file.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
        assert [tuple(line.split(";")) for line in lines] == HIERARCHIES[file.stem]
