"""Taxonomies: which nodes cuts are made of, how many cuts there are, and what they print."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from sfumato.hierarchies import Hierarchy, Taxonomy

COUNTRY = Hierarchy.from_outline("*\n Europe\n  UK\n  France\n America\n  USA\n  Canada")


def taxonomy(
    hierarchy: Hierarchy, present: Sequence[str] | None = None, lowest: int = 0, highest: int | None = None
) -> Taxonomy:
    occurring = np.array([present is None or leaf in present for leaf in hierarchy.leaves])
    return Taxonomy.of(hierarchy, occurring, lowest, highest)


def printed(tree: Taxonomy) -> list[tuple[str, ...]]:
    return [tuple(map(tree.label, cut)) for cut in tree.cuts()]


def test_every_cut_is_listed_once() -> None:
    tree = taxonomy(COUNTRY)
    assert tree.space == 5
    assert printed(tree) == [
        ("*",),
        ("Europe", "America"),
        ("Europe", "USA", "Canada"),
        ("UK", "France", "America"),
        ("UK", "France", "USA", "Canada"),
    ]
    assert tuple(map(tree.label, tree.bottom)) == COUNTRY.leaves
    assert tree.top == (0,)


def test_a_node_with_one_child_is_one_node_with_it() -> None:
    """`World` has the leaves of the root, `Malta` those of `South`: neither makes a cut of its own."""
    chained = Hierarchy.from_rows(
        [("UK", "North", "World", "*"), ("Eire", "North", "World", "*"), ("Malta", "South", "World", "*")], "chained"
    )
    assert printed(taxonomy(chained)) == [("World",), ("North", "Malta"), ("UK", "Eire", "Malta")]


def test_absent_values_are_never_specialised() -> None:
    assert printed(taxonomy(COUNTRY, ["UK"])) == [("*",), ("Europe", "America"), ("UK", "France", "America")]
    assert printed(taxonomy(COUNTRY, [])) == [("*",)]


def test_uneven_leaves() -> None:
    uneven = Hierarchy.from_rows([("a", "a", "*"), ("b", "B", "*"), ("c", "B", "*")], "uneven")
    assert printed(taxonomy(uneven)) == [("*",), ("a", "B"), ("a", "b", "c")]


def test_the_missing_value_is_a_child_of_the_root() -> None:
    assert printed(taxonomy(COUNTRY.with_missing(), ["UK", ""])) == [
        ("*",),
        ("Europe", "America", ""),
        ("UK", "France", "America", ""),
    ]


@pytest.mark.parametrize(
    ("lowest", "highest", "expected"),
    [
        (1, 2, [("*",), ("Europe", "America")]),
        (0, 1, [("Europe", "America"), ("Europe", "USA", "Canada"), ("UK", "France", "America"), COUNTRY.leaves]),
        (1, 1, [("Europe", "America")]),
        (0, 0, [COUNTRY.leaves]),
    ],
)
def test_levels_bound_the_cuts(lowest: int, highest: int, expected: list[tuple[str, ...]]) -> None:
    tree = taxonomy(COUNTRY, lowest=lowest, highest=highest)
    assert printed(tree) == expected
    assert tree.space == len(expected)


def test_a_cut_says_the_level_of_every_leaf() -> None:
    tree = taxonomy(COUNTRY)
    cut = next(cut for cut in tree.cuts() if len(cut) == 3)
    assert tree.levels(cut).tolist() == [1, 1, 0, 0]
    assert tree.levels(reversed(cut)).tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("nodes", [(), (1,), (0, 1), (1, 2, 3)])
def test_what_is_no_cut_is_refused(nodes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not a cut"):
        taxonomy(COUNTRY).levels(nodes)


def test_very_many_cuts_are_counted() -> None:
    wide = Hierarchy.from_rows([(f"{i}", f"{i // 10}0s", "*") for i in range(3000)], "wide")
    assert taxonomy(wide).space == 1 + 2**300
