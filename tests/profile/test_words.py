"""Words in the names of columns."""

from __future__ import annotations

import pytest

from sfumato.profile import words
from sfumato.profile.words import hints


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("marital-status", ["marital", "status"]),
        ("maritalStatus", ["marital", "status"]),
        ("PatientID", ["patient", "id"]),
        ("Größe (cm)", ["grosse", "cm"]),
        ("année2", ["annee"]),
        ("zip_code_5", ["zip", "code"]),
        ("年齢", ["年齢"]),
        ("", []),
    ],
)
def test_words(name: str, said: list[str]) -> None:
    assert words.words(name) == said


@pytest.mark.parametrize(
    ("name", "kind", "word"),
    [
        ("e-mail", "names", "email"),
        ("Age", "known", "age"),
        ("Geschlecht", "known", "geschlecht"),
        ("patientdiagnosis2", "sensitive", "diagnosis"),
        ("class", "outcome", "class"),
        ("subclassification", "outcome", "class"),
    ],
)
def test_hints(name: str, kind: str, word: str) -> None:
    lexicon = {
        "names": words.NAMES_PEOPLE,
        "known": words.WELL_KNOWN,
        "sensitive": words.SENSITIVE,
        "outcome": words.OUTCOME,
    }
    assert hints(name, lexicon)[kind] == word


@pytest.mark.parametrize("name", ["workclass", "average", "tidy", "message"])
def test_words_do_not_count_inside_others(name: str) -> None:
    """No age in average, no id in tidy, no class in a work class."""
    assert not hints(name, {"outcome": words.OUTCOME, "id": words.MAY_NAME_PEOPLE, "names": words.NAMES_PEOPLE})
    assert not hints(name.replace("workclass", "x"), {"known": words.WELL_KNOWN})
