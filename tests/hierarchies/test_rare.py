"""Rare values: a new level puts them together below their parent."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Hierarchy, flat, ordered

EDUCATION = Hierarchy.from_rows(
    [
        ("Doctorate", "Higher", "*"),
        ("Bachelors", "Higher", "*"),
        ("Masters", "Higher", "*"),
        ("Preschool", "Preschool", "*"),
    ],
    "education",
)


def test_rare_siblings_are_one_node_after_the_others() -> None:
    merged = EDUCATION.merge_rare({"Bachelors": 50, "Masters": 4, "Doctorate": 3, "Preschool": 1}, 5)
    assert merged.rows == (
        ("Bachelors", "Bachelors", "Higher", "*"),
        ("Doctorate", "other Higher", "Higher", "*"),
        ("Masters", "other Higher", "Higher", "*"),
        ("Preschool", "Preschool", "Preschool", "*"),
    )
    assert merged.source == "education"


def test_the_rarest_sibling_joins_until_they_are_no_longer_rare() -> None:
    counts = {"US": 90, "MX": 8, "DE": 1, "FR": 2}
    merged = flat().build("country", counts).merge_rare(counts, 5)
    assert merged.rows == (("US", "US", "*"), ("DE", "other", "*"), ("FR", "other", "*"), ("MX", "other", "*"))


def test_if_all_come_together_the_node_is_their_parent() -> None:
    assert EDUCATION.merge_rare({"Bachelors": 1, "Masters": 1, "Preschool": 9}, 5).labels[1] == ("Higher", "Preschool")


def test_a_leaf_without_a_sibling_and_frequent_leaves_stay() -> None:
    merged = EDUCATION.merge_rare(dict.fromkeys(EDUCATION.leaves, 5), 5)
    assert [row[1] for row in merged.rows] == list(EDUCATION.leaves)


def test_the_missing_value_stays_the_last_leaf() -> None:
    counts = {"a": 1, "b": 1, "c": 9}
    merged = flat().build("letter", counts).with_missing().merge_rare(counts | {"": 1}, 2)
    assert merged.rows == (("c", "c", "*"), ("a", "other", "*"), ("b", "other", "*"), ("", "", "*"))


def test_a_label_of_its_own_even_if_values_are_called_so() -> None:
    counts = {"other": 9, "other'": 9, "a": 1, "b": 1}
    merged = flat().build("letter", counts).merge_rare(counts, 2)
    assert merged.labels[1] == ("other", "other'", "other''")


def test_a_lone_label_has_nothing_to_merge() -> None:
    lone = Hierarchy.from_rows([("x",)], "one")
    assert lone.merge_rare({"x": 1}, 5) is lone


def test_what_cannot_be_merged_is_refused() -> None:
    with pytest.raises(HierarchyError, match="at_least = 0 calls nothing rare; give a number of rows from 1 up"):
        EDUCATION.merge_rare({}, 0)
    with pytest.raises(
        HierarchyError, match=r"ordered\(\) has no levels to merge rare values by; use flat\(\) instead"
    ):
        ordered().build("income", {"1": 1}).merge_rare({}, 2)


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcxyz")), unique_by=lambda pair: pair[0], min_size=1
    ),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 9)),
    st.integers(1, 12),
    st.booleans(),
)
def test_every_new_node_is_frequent_if_its_parent_is(
    edges: list[tuple[str, str]], counts: dict[str, int], at_least: int, missing: bool
) -> None:
    plain = Hierarchy.from_rows([(leaf, parent, "*") for leaf, parent in edges], "random")
    plain = plain.with_missing() if missing else plain
    merged = plain.merge_rare(counts, at_least)
    assert Hierarchy.from_rows([row for row in merged.rows if row[0]], "again").rows == tuple(
        row for row in merged.rows if row[0]
    )
    assert {row[0]: row[2:] for row in merged.rows} == {row[0]: row[1:] for row in plain.rows}
    below: dict[tuple[str, str], list[str]] = {}
    for leaf, label, parent, _ in merged.rows:
        if leaf:
            below.setdefault((label, parent), []).append(leaf)
    for (_, parent), leaves in below.items():
        siblings = [leaf for leaf, other in edges if other == parent]
        if len(siblings) > 1 and sum(counts.get(leaf, 0) for leaf in siblings) >= at_least:
            assert sum(counts.get(leaf, 0) for leaf in leaves) >= at_least
        if len(leaves) > 1:
            assert min(counts.get(leaf, 0) for leaf in leaves) < at_least
