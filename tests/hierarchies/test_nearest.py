"""Nearest labels: shown to those who may see the data, and hinted at for all."""

from __future__ import annotations

import pytest

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Hierarchy, flat

EDUCATION = Hierarchy.from_rows(
    [(label, "*") for label in ("Bachelors", "Some college", "Doctorate", " 11th")], "e.csv"
)


def refused(*values: str) -> HierarchyError:
    with pytest.raises(HierarchyError) as caught:
        EDUCATION.build("education", dict.fromkeys(values, 1))
    return caught.value


@pytest.mark.parametrize(
    ("value", "label", "difference"),
    [
        ("Bachelors ", "Bachelors", "spaces around the value, which strip=True trims"),
        ("11th", " 11th", "spaces around the label, which HierarchyFile(…, strip=True) trims"),
        ("BACHELORS", "Bachelors", "case or spaces"),
        ("some  College", "Some college", "case or spaces"),
        ("Doctorat", "Doctorate", None),
        ("Q-secret", None, None),
    ],
)
def test_what_a_value_was_meant_to_be(value: str, label: str | None, difference: str | None) -> None:
    error = refused(value)
    hint = f"it differs from a label only by {difference}; " if difference else ""
    assert str(error) == (
        f"e.csv has no path for 1 of the 1 value of 'education' (1 row); {hint}"
        "add a line for each, or see them in the error's hidden_values."
    )
    assert error.hidden_values == (f"{value} (nearest label: {label})" if label else value,)


def test_kinds_of_differences_are_counted() -> None:
    error = refused("bachelors", "DOCTORATE", " Doctorate", "zzz", "Bachelors")
    assert "; 1 of them differs from a label only by spaces around the value" in str(error)
    assert "; 2 of them differ from a label only by case or spaces; add a line" in str(error)
    assert "; all differ from a label only by case" in str(refused("bachelors", "DOCTORATE"))


def test_labels_that_are_data_stay_hidden_too() -> None:
    """A generated hierarchy is made of values: its labels are as secret as they are."""
    generated = flat().build("name", {"Alice Miller": 1, "Bob": 1})
    with pytest.raises(HierarchyError) as caught:
        generated.build("name", {"alice miller": 1, "Bop": 1})
    assert "Alice" not in str(caught.value)
    assert "Bob" not in str(caught.value)


def test_many_values_and_labels_are_compared_quickly() -> None:
    large = Hierarchy.from_rows([(f"{number:06}", "*") for number in range(100_000)], "large")
    with pytest.raises(HierarchyError) as caught:
        large.build("code", {f" {number:06}x": 1 for number in range(100_000)})
    assert len(caught.value.hidden_values) == 100_000
