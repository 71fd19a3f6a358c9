"""What data entry leaves behind: spellings, numbers that mean 'unknown', and the hierarchies drafted of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.profile import draft, profile
from sfumato.profile.cleaning import cleaned, suggestion, tree


def unknown(*values: str) -> set[str]:
    return set(cleaned("age", dict.fromkeys(values, 5)).unknown)


def test_numbers_that_mean_unknown() -> None:
    ages = [str(n) for n in range(90)]
    assert unknown(*ages, "999") == {"999"}
    assert unknown(*ages, "999", "-1", "9999") == {"999", "-1", "9999"}
    assert unknown(*ages, "99") == set()  # somebody may be as old
    assert unknown(*ages, "9") == set()
    assert unknown("-5", *ages, "-1") == set()
    assert unknown("1", "2", "3", "99") == {"99"}
    assert unknown("0", "999") == set()
    assert unknown(*ages, "999", "about 40") == set()  # that says something
    assert unknown(*ages, "999", "n/a", "k.A.", "-", "Unknown") == {"999", "n/a", "k.A.", "-", "Unknown"}
    assert unknown("n/a", "-", "yes", "no") == set()


def test_spellings_of_one_value() -> None:
    found = cleaned("sex", {"F": 70, "f": 20, "Female": 10, "m": 30, "M": 60, "Mann": 1, "x": 2})
    assert found.meant == {"F": "F", "f": "F", "Female": "F", "m": "M", "M": "M", "Mann": "M", "x": "x"}
    assert found.rows == {"F": 100, "M": 91, "x": 2}
    assert found.spellings == 4
    towns = cleaned("town", {"Köln": 5, "KÖLN": 2, "Koln": 1, "Bad  Ems": 3, "Bad Ems": 4, "f": 1, "female": 1})
    assert towns.rows == {"Köln": 8, "Bad Ems": 7, "f": 1, "female": 1}  # short forms are those of sexes alone


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("sex", {"F": 70, "f": 20, "Female": 10, "m": 30, "M": 60}),
        ("town", {f"{word}{i}": i + 1 for i in range(40) for word in ("town", "Town", "TOWN")}),
        ("age", {str(n): 3 for n in [*range(90), 999, -1]}),
        ("age", {str(n): 3 for n in range(90)} | {"n/a": 2, "unknown": 2, "-1": 1}),
        ("few", {"1": 3, "2": 4, "3": 5, "999": 6}),
    ],
)
def test_the_hierarchy_holds_every_value_and_puts_together_what_belongs_so(name: str, rows: dict[str, int]) -> None:
    values = cleaned(name, rows)
    built = tree(name, values, suggestion(name, values))
    again = sf.Hierarchy.from_rows(built.rows, "again")
    assert set(built.leaves) == set(rows)
    assert again.rows == built.rows
    level = {row[0]: row[1] for row in built.rows}
    if values.spellings:
        assert {text: level[text] for text in rows} == dict(values.meant)
    assert len({level[text] for text in values.unknown}) <= 1
    if built.height > 1:
        assert all(level[text] == "unknown" for text in values.unknown)


def test_the_draft_says_what_to_look_at_and_shows_no_value(tmp_path: Path) -> None:
    lines = [
        f"P{i // 2:03},{999 if i % 50 == 0 else 20 + i % 60},{['F', 'f', 'Female', 'M'][i % 4]},E1{i % 7}.{i % 3},"
        f"seen by the doctor and SECRET{i},{i}.{10 + i % 80},{'Flu' if i % 3 else 'flu'}"
        for i in range(400)
    ]
    header = "patient_id,age,sex,diag,note,cost,disease"
    (tmp_path / "visits.csv").write_text("\n".join([header, *lines]) + "\n")
    found = draft(profile(tmp_path / "visits.csv"))
    said = {remark.column: remark.text for remark in found.remarks}
    assert list(said)[:5] == ["patient_id", "age", "sex", "note", "cost"]
    assert found.unit == "patient_id"
    assert said["patient_id"].startswith("200 values in 400 records: persons have several records, so k counts persons")
    assert said["age"].startswith("8 records have no number, or one that usually means 'unknown'")
    assert said["sex"].startswith("4 values seem to be 2 in several spellings; they are put together")
    assert "free text may name people" in said["note"]
    assert "round it first" in said["cost"]
    assert found.spelled == ["sex"]
    assert found.guesses["diag"].role == "sensitive"
    assert not any(value in text for text in said.values() for value in ("SECRET", "Female", "E1"))


def test_sensitive_values_that_tell_records_apart_are_named(tmp_path: Path) -> None:
    lines = [f"P{i // 2},Ann {i % 150},{20 + i % 60},{'fm'[i % 2]},£{10_000 + 7 * i}" for i in range(400)]
    (tmp_path / "staff.csv").write_text("\n".join(["person_id,full name,age,sex,salary", *lines]) + "\n")
    drafted = draft(profile(tmp_path / "staff.csv"))
    said = {remark.column: remark.text for remark in drafted.remarks}
    assert said["salary"].startswith("it is published as it is, and has 100% as many values as records")
    assert drafted.unit == "person_id"
    assert "full name" not in said  # there is a unit


def test_spellings_of_sensitive_values_are_named(tmp_path: Path) -> None:
    lines = [f"{20 + i % 60},{'fm'[i % 2]},{['Flu', 'flu', 'cold', 'asthma'][i % 4]}" for i in range(400)]
    (tmp_path / "people.csv").write_text("\n".join(["age,sex,disease_name", *lines, "21,f,flu"]) + "\n")
    found = draft(profile(tmp_path / "people.csv"))
    sensitive = [r.text for r in found.remarks if r.column == "disease_name"]
    assert "count as different values, also for l-diversity" in sensitive[0]


def test_the_unit_is_what_numbers_persons(tmp_path: Path) -> None:
    lines = [f"V{i // 2},P{i // 3},S{i // 4},{20 + i % 60},{'fm'[i % 2]}" for i in range(400)]
    (tmp_path / "visits.csv").write_text("\n".join(["visit_id,patient_id,surname,age,sex", *lines]) + "\n")
    assert draft(profile(tmp_path / "visits.csv")).unit == "patient_id"
