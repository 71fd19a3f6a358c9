"""Hierarchy: the tree, its numbering, and every fault that rows can have."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import MISSING, Hierarchy, HierarchyFile, HierarchySource, value_order

EDUCATION = [
    ("Bachelors", "Higher", "*"),
    ("11th", "Secondary", "*"),
    ("Masters", "Higher", "*"),
    ("12th", "Secondary", "*"),
    ("Preschool", "Preschool", "*"),
]


@st.composite
def trees(draw: st.DrawFn) -> list[tuple[str, ...]]:
    """Rows of a random tree, shuffled: labels are drawn from a few names, so that levels share them."""
    height = draw(st.integers(0, 4))
    rows: list[tuple[str, ...]] = [("root",)]
    for _ in range(height):
        widths = draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
        names = iter(draw(st.permutations([f"é{i}" for i in range(sum(widths))])))
        rows = [(next(names), *row) for row, width in zip(rows, widths, strict=True) for _ in range(width)]
    return draw(st.permutations(rows))


def test_rows_come_in_depth_first_order_with_children_by_first_appearance() -> None:
    hierarchy = Hierarchy.from_rows(EDUCATION, "education")
    assert hierarchy.leaves == ("Bachelors", "Masters", "11th", "12th", "Preschool")
    assert hierarchy.height == 2
    assert hierarchy.codes["11th"] == 2
    assert hierarchy.labels == (hierarchy.leaves, ("Higher", "Secondary", "Preschool"), ("*",))
    assert hierarchy.groups.tolist() == [[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 0]]
    assert hierarchy.groups.dtype == np.int32
    assert [sizes.tolist() for sizes in hierarchy.sizes] == [[1, 1, 1, 1, 1], [2, 2, 1], [5]]
    assert all(sizes.dtype == np.int64 for sizes in hierarchy.sizes)


def test_equal_neighbouring_labels_may_be_two_nodes_of_one_name() -> None:
    hierarchy = Hierarchy.from_rows([("a", "a", "*"), ("b", "a", "*"), ("c", "c", "*")], "letters")
    assert hierarchy.labels == (("a", "b", "c"), ("a", "c"), ("*",))
    assert [sizes.tolist() for sizes in hierarchy.sizes] == [[1, 1, 1], [2, 1], [3]]


def test_a_single_label_is_leaf_and_root() -> None:
    hierarchy = Hierarchy.from_rows([("x",)], "one")
    assert hierarchy.height == 0
    assert hierarchy.groups.tolist() == [[0]]
    assert hierarchy.sizes[0].tolist() == [1]


@given(trees())
def test_levels_are_nested_and_monotone(rows: list[tuple[str, ...]]) -> None:
    hierarchy = Hierarchy.from_rows(rows, "random")
    groups = hierarchy.groups
    assert groups.shape == (hierarchy.height + 1, len(rows))
    assert groups[0].tolist() == list(range(len(rows)))
    assert not groups[-1].any()
    for level in range(hierarchy.height + 1):
        # numbered without gaps from left to right, so a node is a range of leaves
        assert set(np.diff(groups[level]).tolist()) <= {0, 1}
        assert hierarchy.sizes[level].sum() == len(rows)
        assert len(hierarchy.sizes[level]) == len(hierarchy.labels[level]) == groups[level, -1] + 1
    for below, above in zip(groups[:-1].tolist(), groups[1:].tolist(), strict=True):
        assert len(set(zip(below, above, strict=True))) == len(set(below))


@given(trees())
def test_nothing_but_the_order_of_the_rows_changes(rows: list[tuple[str, ...]]) -> None:
    hierarchy = Hierarchy.from_rows(rows, "random")
    assert sorted(hierarchy.rows) == sorted(rows)
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    for leaf, *path in rows:
        code = hierarchy.codes[leaf]
        assert [hierarchy.labels[level][hierarchy.groups[level, code]] for level in range(1, len(path) + 1)] == path


@given(trees())
def test_children_come_in_order_of_first_appearance(rows: list[tuple[str, ...]]) -> None:
    hierarchy = Hierarchy.from_rows(rows, "random")
    for level in range(hierarchy.height):
        appearance = [[row[level] for row in rows].index(label) for label in hierarchy.labels[level]]
        parents = [hierarchy.groups[level + 1][hierarchy.groups[level] == g][0] for g in range(len(appearance))]
        assert sorted(zip(parents, appearance, strict=True)) == list(zip(parents, appearance, strict=True))


def test_arrays_and_fields_are_frozen() -> None:
    hierarchy = Hierarchy.from_rows(EDUCATION, "education")
    with pytest.raises(ValueError, match="read-only"):
        hierarchy.groups[0, 0] = 7
    with pytest.raises(ValueError, match="read-only"):
        hierarchy.sizes[0][0] = 7
    with pytest.raises(FrozenInstanceError):
        hierarchy.source = "other"  # type: ignore[misc]


def test_labels_stay_out_of_the_representation() -> None:
    assert repr(Hierarchy.from_rows(EDUCATION, "education")) == "Hierarchy(source='education')"


def test_a_hierarchy_is_a_taxonomy_unless_said_otherwise() -> None:
    assert Hierarchy.from_rows(EDUCATION, "education").kind == "taxonomy"
    assert Hierarchy.from_rows(EDUCATION, "education").with_missing().kind == "taxonomy"


# The missing value


def test_the_missing_value_is_the_last_leaf_directly_below_the_root() -> None:
    hierarchy = Hierarchy.from_rows(EDUCATION, "education").with_missing()
    assert hierarchy.rows[-1] == ("", "", "*")
    assert hierarchy.codes[MISSING] == 5
    assert hierarchy.sizes[1].tolist() == [2, 2, 1, 1]
    assert hierarchy.sizes[2].tolist() == [6]
    assert hierarchy.with_missing() is hierarchy


@pytest.mark.parametrize("label", ["x", "*"])
def test_a_single_label_and_the_missing_value_get_a_root(label: str) -> None:
    hierarchy = Hierarchy.from_rows([(label,)], "one").with_missing()
    assert hierarchy.rows == ((label, "*"), ("", "*"))


@given(trees())
def test_the_missing_value_changes_no_other_code(rows: list[tuple[str, ...]]) -> None:
    plain = Hierarchy.from_rows(rows, "random")
    missing = plain.with_missing()
    assert missing.leaves == (*plain.leaves, MISSING)
    assert np.array_equal(missing.groups[: plain.height, :-1], plain.groups[: plain.height])
    assert missing.sizes[-1].tolist() == [len(rows) + 1]


# Faults


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "f.csv has no rows; give one per value: value;parent;…;*."),
        (
            [("a", "b", "*"), ("c", "*")],
            "f.csv, line 12: 2 labels instead of 3 as in line 11; "
            "give every line the same number, repeating a label where no level lies between.",
        ),
        (
            [("a", "*"), ("c",)],
            "f.csv, line 12: 1 label instead of 2 as in line 11; "
            "give every line the same number, repeating a label where no level lies between.",
        ),
        (
            [("a", "b", "*"), ("c", "", "*")],
            "f.csv, line 12: the label of level 1 is empty; fill it in, for instance by repeating the one before.",
        ),
        ([("", "*")], "f.csv, line 11: no value; name one, or delete the line (missing values need none)."),
        ([()], "f.csv, line 11: no value; name one, or delete the line (missing values need none)."),
        (
            [("a", "b", "*"), ("c", "b", "*"), ("a", "c", "*")],
            "f.csv, line 13: 'a' is already in line 11; keep one of the two.",
        ),
        (
            [("x", "Bachelors", "Higher", "*"), ("y", "Bachelors", "Secondary", "*")],
            "f.csv, line 12: 'Bachelors' has two parents ('Higher', 'Secondary'); give it one parent per level.",
        ),
        (
            [("a", "b"), ("c", "d")],
            "f.csv has 2 roots ('b', 'd'); add a last column with one label such as '*'.",
        ),
        (
            [(label,) for label in "abcde"],
            "f.csv has 5 roots ('a', 'b', 'c', …); add a last column with one label such as '*'.",
        ),
    ],
)
def test_each_fault_says_what_where_and_the_way_out(rows: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        Hierarchy.from_rows(rows, "f.csv", {index: index + 11 for index in range(len(rows))})
    assert str(caught.value) == message


def test_rows_without_a_file_are_counted_from_one() -> None:
    with pytest.raises(HierarchyError, match=r"^memory, row 2: 'a' is already in row 1;"):
        Hierarchy.from_rows([("a", "*"), ("a", "*")], "memory")


def test_a_large_hierarchy_is_checked_without_quadratic_work() -> None:
    rows = [(str(leaf), str(leaf // 2), str(leaf // 1000), "*") for leaf in range(100_000)]
    hierarchy = Hierarchy.from_rows(reversed(rows), "large")
    assert hierarchy.sizes[2].tolist() == [1000] * 100
    with pytest.raises(HierarchyError, match="row 100001: '7' is already in row 8;"):
        Hierarchy.from_rows([*rows, rows[7]], "large")


# Sources


def test_a_hierarchy_is_its_own_source() -> None:
    hierarchy = Hierarchy.from_rows(EDUCATION, "education")
    assert isinstance(hierarchy, HierarchySource)
    assert hierarchy.build("education", {"11th": 3, "Masters": 1}) is hierarchy
    assert hierarchy.build("education", {}) is hierarchy


def test_uncovered_values_are_counted_and_hidden() -> None:
    hierarchy = Hierarchy.from_rows(EDUCATION, "education.csv")
    with pytest.raises(HierarchyError) as caught:
        hierarchy.build("education", {"11th": 3, "secret-b": 15, "secret-a": 2})
    assert str(caught.value) == (
        "education.csv has no path for 2 of the 3 values of 'education' (17 rows); "
        "add a line for each, or see them in the error's hidden_values."
    )
    assert caught.value.hidden_values == ("secret-a", "secret-b")


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 5), min_size=1))
def test_hidden_values_never_reach_the_message(occurring: dict[str, int]) -> None:
    hierarchy = Hierarchy.from_rows([("leaf", "*")], "f.csv")
    secret = {f"§{value}§": rows for value, rows in occurring.items()}
    with pytest.raises(HierarchyError) as caught:
        hierarchy.build("a", secret)
    assert set(caught.value.hidden_values) == set(secret)
    assert not any(value in str(caught.value) for value in secret)


# Writing


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    rows = (("a;b", "Größe", "*"), ('say "x"', "Größe", "*"), ("two\nlines", "日本", "*"), (" c ", "日本", "*"))
    Hierarchy(rows, "here").write(tmp_path / "f.csv")
    assert HierarchyFile(tmp_path / "f.csv").read().rows == rows


def test_a_carriage_return_survives(tmp_path: Path) -> None:
    rows = (("a\rb", "*"), ("c", "*"))
    Hierarchy(rows, "here").write(tmp_path / "f.csv")
    assert HierarchyFile(tmp_path / "f.csv").read().rows == rows


def test_a_file_is_plain_text_without_the_missing_value(tmp_path: Path) -> None:
    Hierarchy.from_rows(EDUCATION[:2], "education").with_missing().write(tmp_path / "f.csv")
    assert (tmp_path / "f.csv").read_bytes() == b"Bachelors;Higher;*\n11th;Secondary;*\n"


# Value order


def test_numbers_are_ordered_as_numbers() -> None:
    assert value_order(["10", "9", "-1", "1e1", "9.5", "+3"]) == ["-1", "+3", "9", "9.5", "10", "1e1"]


def test_equal_numbers_are_ordered_by_text() -> None:
    assert value_order(["1.0", "1", "01"]) == ["01", "1", "1.0"]


@pytest.mark.parametrize("text", ["a", "nan", "inf", "Infinity", "1_000", "", "1e1000000000", "9" * 2000, "٣", "0x1"])
def test_one_text_that_is_no_finite_number_makes_it_code_points(text: str) -> None:
    assert value_order(["10", "9", text]) == sorted(["10", "9", text])


def test_numbers_are_compared_exactly() -> None:
    # equal as floats
    assert value_order(["9007199254740993", "9007199254740992.5"]) == ["9007199254740992.5", "9007199254740993"]


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str), unique=True))
def test_value_order_sorts_numbers(values: list[str]) -> None:
    assert value_order(values) == sorted(values, key=lambda text: (Decimal(text), text))


@given(st.lists(st.text(), unique=True))
def test_value_order_keeps_every_value(values: list[str]) -> None:
    assert sorted(value_order(values)) == sorted(values)
    assert value_order(values) == value_order(reversed(values))


def test_more_levels_than_16_bits_count_are_refused() -> None:
    names = [str(level) for level in range(1, 65_535)]
    assert Hierarchy.from_rows([("a", *names[:-1], "*")], "x").height == 65_534
    with pytest.raises(HierarchyError, match="x: 65,536 levels are more than 65,535; leave levels out"):
        Hierarchy.from_rows([("a", *names, "*")], "x")
