"""Groups: neighbours, balanced by rows, nested."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Groups, Hierarchy, HierarchySource, groups
from sfumato.hierarchies.groups import balanced_starts


def test_groups_are_balanced_by_rows() -> None:
    hierarchy = groups(3, 2).build("country", {"a": 6, "b": 5, "c": 10, "d": 1, "e": 1, "f": 8})
    assert hierarchy.rows == (
        ("a", "a..b", "a..b", "*"),
        ("b", "a..b", "a..b", "*"),
        ("c", "c", "c..f", "*"),
        ("d", "d..f", "c..f", "*"),
        ("e", "d..f", "c..f", "*"),
        ("f", "d..f", "c..f", "*"),
    )
    assert isinstance(groups(2), HierarchySource)


def test_a_frequent_value_stands_alone_and_does_not_swallow_the_others() -> None:
    rows = {"Austria": 3, "Brazil": 2, "Chile": 4, "USA": 1000, "Zambia": 3, "Zimbabwe": 4}
    assert groups(4).build("country", rows).labels[1] == ("Austria..Brazil", "Chile", "USA", "Zambia..Zimbabwe")


def test_too_few_rows_for_a_group_join_a_frequent_neighbour() -> None:
    assert balanced_starts([1, 1000, 50, 50, 50, 1000, 1], 5) == [0, 2, 3, 4, 5, 7]
    assert balanced_starts([1, 1000, 1000, 1, 1], 3) == [0, 2, 3, 5]


@pytest.mark.parametrize(
    ("rows", "count", "starts"),
    [
        ([1, 1, 1, 1], 2, [0, 2, 4]),
        ([1, 1, 1, 1], 9, [0, 1, 2, 3, 4]),
        ([5], 3, [0, 1]),
        ([0, 0], 3, [0, 2]),
        ([9, 9], 2, [0, 1, 2]),
        ([100, 1, 1, 1, 1], 3, [0, 1, 3, 5]),
    ],
)
def test_small_cases(rows: list[int], count: int, starts: list[int]) -> None:
    assert balanced_starts(rows, count) == starts


@given(st.lists(st.one_of(st.integers(1, 5), st.integers(1, 2000)), min_size=1, max_size=40), st.integers(1, 12))
def test_no_run_is_hard_to_hide_in(rows: list[int], count: int) -> None:
    starts = balanced_starts(rows, count)
    assert starts[0] == 0
    assert starts[-1] == len(rows)
    assert starts == sorted(set(starts))
    assert len(starts) - 1 <= count
    left, rest, frequent = count, sum(rows), []
    for weight in sorted(rows, reverse=True):
        if left == 1 or weight * left <= rest:
            break
        frequent.append(weight)
        left, rest = left - 1, rest - weight
    least = min(frequent, default=sum(rows) + 1)
    for first, end in pairwise(starts):
        if max(rows[first:end]) < least:
            assert 4 * left * sum(rows[first:end]) >= rest


@given(
    st.dictionaries(st.text(st.sampled_from("ab.'"), min_size=1, max_size=4), st.integers(1, 50)),
    st.sets(st.integers(2, 9), min_size=1),
)
def test_any_values_make_a_tree(occurring: dict[str, int], counts: set[int]) -> None:
    numbers = sorted(counts, reverse=True)
    hierarchy = groups(*numbers).build("letters", occurring)
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    assert set(hierarchy.leaves) == (set(occurring) or {"*"})
    assert all(len(labels) <= most for labels, most in zip(hierarchy.labels[1:], numbers, strict=False))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((), "groups() has no numbers of groups; give at least one, as in groups(20, 5)."),
        ((5, 1), "groups(5, 1): 1 groups say no more than '*'; ask for at least 2."),
        ((5, 5), "groups(5, 5): 5 groups after 5 blur nothing; give fewer at each level, as in groups(20, 5)."),
    ],
)
def test_faults_are_named(counts: tuple[int, ...], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        groups(*counts)
    assert str(caught.value) == message


def test_arguments_are_read_from_text() -> None:
    assert Groups.parse("20, 5") == groups(20, 5)
    assert str(groups(20, 5)) == "groups(20, 5)"
    for text in ("", "few", "5,"):
        with pytest.raises(HierarchyError):
            Groups.parse(text)
