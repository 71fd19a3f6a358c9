"""TOML values, written and read back; kinds of fields by their annotations."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import pytest
from hypothesis import given, strategies as st

from sfumato.settings.exact import Number
from sfumato.settings.toml import key_text, kind_of, value_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(TEXTS, VALUES)
def test_what_is_written_is_read_back(name: str, value: Any) -> None:
    assert tomllib.loads(f"{key_text(name)} = {value_text(value)}\n") == {name: value}


@dataclass
class Part:
    whole: int
    share: Number
    text: str | None
    switch: bool
    entries: Mapping[str, Number] | None
    either: Number | Mapping[str, Number]
    other: frozenset[str]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("whole", [5], ["5", 5.0, True, {}, []]),
        ("share", [1, 0.5, "5%"], [True, {}, []]),
        ("text", ["a"], [5, {}]),
        ("switch", [True], [1, "true"]),
        ("entries", [{"a": 1}], [1, "a", []]),
        ("either", [{"a": 1}, 0.5, "1/3"], [True, []]),
        ("other", [1, [], {}], []),
    ],
)
def test_kinds_of_fields(name: str, good: list[Any], bad: list[Any]) -> None:
    kind = kind_of(next(field for field in fields(Part) if field.name == name))
    assert all(map(kind.accepts, good))
    assert not any(map(kind.accepts, bad))
