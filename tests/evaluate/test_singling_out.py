"""Singling out, against counting by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.engines import Counted
from sfumato.evaluate import SinglingOut, rank, singled_out
from sfumato.testing.plain_engine import PlainEngine


def random_table(seed: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    columns = int(random.integers(1, 7))
    rows = int(random.integers(0, 60))
    values = random.integers(1, 12, size=columns)
    codes = np.stack([random.integers(0, v, size=rows) for v in values], axis=1).astype(np.int32)
    codes, counts = np.unique(codes, axis=0, return_counts=True)
    return [f"c{i}" for i in range(columns)], codes, counts.astype(np.int64)


def by_hand(columns: list[str], chosen: tuple[int, ...], codes: np.ndarray, counts: np.ndarray, k: int) -> SinglingOut:
    sizes: Counter[tuple[int, ...]] = Counter()
    for row, count in zip(codes.tolist(), counts.tolist(), strict=True):
        sizes[tuple(row[i] for i in chosen)] += count
    return SinglingOut(
        tuple(columns[i] for i in chosen),
        sum(counts.tolist()),
        len(sizes),
        sum(size == 1 for size in sizes.values()),
        sum(size for size in sizes.values() if size < k),
        k,
    )


def test_equals_counting(suite: Callable[[int], int]) -> None:
    for seed in range(suite(2000)):
        columns, codes, counts = random_table(seed)
        k = seed % 6 + 1
        everything = tuple(range(len(columns)))
        assert singled_out(columns, codes, counts, k) == by_hand(columns, everything, codes, counts, k)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_worst_sets_are_ranked_first(suite: Callable[[int], int], size: int) -> None:
    pruned = 0
    for seed in range(suite(2000)):
        columns, codes, counts = random_table(seed)
        top = seed % 4 + 1
        sets = list(combinations(range(len(columns)), size))
        expected = [by_hand(columns, chosen, codes, counts, 5) for chosen in sets]
        worst = sorted(((m.alone, m.small) for m in expected), reverse=True)[:top]
        ranking = rank(columns, codes, counts, size=size, top=top)
        assert ranking.complete
        assert [(m.alone, m.small) for m in ranking.sets] == worst
        assert all(m in expected for m in ranking.sets)
        everything = sum(len(list(combinations(columns, members))) for members in range(1, size + 1))
        assert ranking.examined <= everything
        pruned += ranking.examined < everything
    assert pruned  # the bounds rule something out


def with_units(seed: int) -> tuple[list[str], Counted, list[dict[str, str | None]]]:
    """A table of rows that are somebody's, some of them nobody's, as an engine counts it."""
    random = Random(seed)
    names = [f"c{i}" for i in range(random.randint(1, 5))]
    persons = [f"p{i}" for i in range(random.randint(1, 30))] + [None]
    rows = [
        {name: str(random.randint(0, 3)) for name in names} | {"who": random.choice(persons)}
        for _ in range(random.randint(1, 50))
    ]
    codes = {name: {str(value): value for value in range(4)} for name in names}
    return names, PlainEngine(rows).count(codes, unit="who"), rows


def persons_by_hand(chosen: tuple[str, ...], rows: list[dict[str, str | None]], k: int) -> SinglingOut:
    members: dict[tuple[str | None, ...], set[str | None]] = defaultdict(set)
    for row in rows:
        members[tuple(row[name] for name in chosen)].add(row["who"])
    sizes = {key: max(1, len(persons - {None})) for key, persons in members.items()}
    least: dict[object, int] = {key: 1 for key, persons in members.items() if persons == {None}}
    for key, persons in members.items():
        for who in persons - {None}:
            least[who] = min(least.get(who, sizes[key]), sizes[key])
    small = sum(size < k for size in least.values())
    return SinglingOut(chosen, len(least), len(members), list(least.values()).count(1), small, k)


def test_persons_equal_counting(suite: Callable[[int], int]) -> None:
    differs = 0
    for seed in range(suite(1500)):
        names, counted, rows = with_units(seed)
        k, size, top = seed % 6 + 1, min(seed % 3 + 1, len(names)), seed % 4 + 1
        codes, counts = counted.combinations, counted.counts
        singled = singled_out(names, codes, counts, k, counted.units)
        assert singled == persons_by_hand(tuple(names), rows, k)
        differs += singled != singled_out(names, codes, counts, k)
        expected = [persons_by_hand(chosen, rows, k) for chosen in combinations(names, size)]
        ranking = rank(names, codes, counts, size=size, top=top, k=k, units=counted.units)
        worst = sorted(((m.alone, m.small) for m in expected), reverse=True)[:top]
        assert [(m.alone, m.small) for m in ranking.sets] == worst
        assert all(m in expected for m in ranking.sets)
    assert differs > suite(1500) / 2


def test_says_if_it_stopped_early() -> None:
    random = np.random.default_rng(1)
    codes = random.integers(0, 3, size=(500, 8)).astype(np.int32)
    counts = np.ones(500, dtype=np.int64)
    names = list("abcdefgh")
    ranking = rank(names, codes, counts, size=3, most=10)
    assert not ranking.complete
    assert ranking.examined == 28  # 8 columns, then 10 sets of each size
    assert len(ranking.sets) == 5
    assert rank(names, codes, counts, size=3).complete


def test_too_many_columns_to_list_their_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.evaluate.singling_out._MOST_CANDIDATES", 20)
    random = np.random.default_rng(1)
    codes = np.stack([random.integers(0, v, size=300) for v in (2, 2, 9, 9, 9, 2, 2, 2)], axis=1).astype(np.int32)
    ranking = rank(list("abcdefgh"), codes, np.ones(300, dtype=np.int64), size=3, top=1)
    assert not ranking.complete
    assert ranking.sets[0].columns == ("c", "d", "e")


def test_shares() -> None:
    codes, counts = np.array([[0], [1], [2]], dtype=np.int32), np.array([1, 3, 6])
    singled = singled_out(["a"], codes, counts)
    assert (singled.alone_share, singled.small_share, singled.classes) == (0.1, 0.4, 3)
    empty = singled_out(["a"], codes[:0], counts[:0])
    assert (empty.alone_share, empty.small_share, empty.classes) == (0.0, 0.0, 0)


def test_wide_tables_and_many_values() -> None:
    random = np.random.default_rng(5)
    codes = random.integers(0, 1 << 30, size=(50, 4)).astype(np.int64)
    counts = np.full(50, 2, dtype=np.int64)
    assert singled_out(list("abcd"), codes, counts).small == 100
    assert singled_out(list("abcd"), codes, counts, k=2).small == 0


@pytest.mark.parametrize(
    ("columns", "codes", "counts"),
    [
        (5, 5, 5),
        (["a"], [[1]], [1, 2]),
        (["a", "b"], [[1]], [1]),
        ("a", [[1]], [1]),
        (["a"], [["x"]], [1]),
        (["a"], None, [1]),
    ],
)
def test_what_is_no_frequency_table_is_refused(columns: Any, codes: Any, counts: Any) -> None:
    for measure in (lambda: singled_out(columns, codes, counts), lambda: rank(columns, codes, counts, size=1)):
        with pytest.raises(sf.InputError, match=r"^What is given is not a frequency table; give codes with a column"):
            measure()
    with pytest.raises(sf.ProblemError, match=r"^size = -1 is not a whole number from 0 up"):
        rank(["a"], np.array([[0]]), np.array([1]), size=-1)
