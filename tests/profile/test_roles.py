"""Guesses of roles."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sfumato.profile import Role, guess_roles, profile

N = 200


def guessed(**data: object) -> dict[str, str]:
    """The roles of these columns, next to two ordinary ones."""
    frame = pd.DataFrame({"age": [20 + i % 50 for i in range(N)], **data, "sex": ["f", "m"] * (N // 2)})
    roles = guess_roles(list(profile(frame).columns.values()))
    assert all(guess.why for guess in roles.values())
    assert roles["age"].role is roles["sex"].role is Role.QUASI_IDENTIFIER
    return {name: roles[name].role.value for name in data}


FEW = [f"v{i % 4}" for i in range(N)]
TEXTS = [f"text number {i} {'x' * (i % 7)}" for i in range(N)]


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("patient_id", [f"P{i // 2}" for i in range(N)], "identifier"),
        ("Fallnr", [str(4_000_000 + i // 2) for i in range(N)], "identifier"),
        ("PatID", [f"P{i // 2}" for i in range(N)], "identifier"),
        ("Kundennummer", [str(i // 2) for i in range(N)], "identifier"),
        ("covid", [f"v{i // 2}" for i in range(N)], "quasi-identifier"),
        ("Name", [f"Ann {i % 30}" for i in range(N)], "identifier"),
        ("Name", FEW, "quasi-identifier"),
        ("hospital_id", FEW, "quasi-identifier"),
        ("country_name", [f"c{i % 90}" for i in range(N)], "quasi-identifier"),
        ("email", FEW, "identifier"),
        ("Nachname", FEW, "identifier"),
        ("phone", TEXTS, "identifier"),
        ("note", TEXTS, "left out"),
        ("diag", [f"v{i % 40}" for i in range(N)], "sensitive"),
        ("code_1", [f"{'EIJ'[i % 3]}{i % 10}0.{i % 4}" for i in range(N)], "sensitive"),
        ("ward", [f"{'EIJ'[i % 3]}{i % 10}0" for i in range(N)], "quasi-identifier"),
        ("cost_eur", [f"{i}.{i % 90 + 10}" for i in range(N)], "left out"),
        ("measured", [f"{i}.{i % 90 + 10}" for i in range(N)], "left out"),
        ("price", [1000 + i for i in range(N)], "left out"),
        ("price", [i % 9 for i in range(N)], "quasi-identifier"),
        ("row", list(range(N)), "identifier"),
        ("seen", pd.date_range("2020-01-01", periods=N), "quasi-identifier"),
        ("zipcode", [10000 + i for i in range(N)], "quasi-identifier"),
        ("Geburtsdatum", pd.date_range("1950-01-01", periods=N), "quasi-identifier"),
        ("diagnosis", FEW, "sensitive"),
        ("Krankheit", FEW, "sensitive"),
        ("religion", FEW, "sensitive"),
        ("monthly_income", [1000 + i for i in range(N)], "sensitive"),
        ("class", FEW, "target"),
        ("salary-class", FEW, "target"),
        ("target", [i % 100 for i in range(N)], "quasi-identifier"),
        ("workclass", FEW, "quasi-identifier"),
        ("fnlwgt", list(range(N)), "left out"),
        ("instance weight", list(range(N)), "left out"),
        ("version", ["same"] * N, "insensitive"),
        ("sparse", ["same"] + [None] * (N - 1), "quasi-identifier"),
        ("nothing", [None] * N, "left out"),
        ("colour", FEW, "quasi-identifier"),
    ],
)
def test_roles(name: str, values: object, role: str) -> None:
    assert guessed(**{name: values}) == {name: role}


def test_few_records_are_not_nearly_unique() -> None:
    roles = guess_roles(
        list(profile(pd.DataFrame({"a": range(10), "b": [f"x{i}" for i in range(10)]})).columns.values())
    )
    assert {guess.role for guess in roles.values()} == {Role.QUASI_IDENTIFIER}


def test_an_outcome_that_sounds_sensitive_comes_last() -> None:
    frame = pd.DataFrame({"age": np.arange(N) % 50, "income": FEW})
    roles = guess_roles(list(profile(frame).columns.values()))
    assert (roles["income"].role, roles["income"].sensitive) == (Role.TARGET, True)
    roles = guess_roles(list(profile(frame[["income", "age"]]).columns.values()))
    assert roles["income"].role is Role.SENSITIVE


def test_one_target() -> None:
    roles = guess_roles(list(profile(pd.DataFrame({"class": FEW, "label": FEW, "age": FEW})).columns.values()))
    assert [roles[name].role.value for name in ("class", "label")] == ["quasi-identifier", "target"]


def test_reasons_hold_no_value() -> None:
    frame = pd.DataFrame({"name": [f"SECRET{i}" for i in range(N)], "disease": ["SECRET", "other"] * (N // 2)})
    roles = guess_roles(list(profile(frame).columns.values()))
    assert "SECRET" not in str(roles)
    assert "SECRET" not in repr(profile(frame).columns)
