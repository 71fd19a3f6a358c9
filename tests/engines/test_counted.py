"""Units and weights: every engine counts the same, and the same as counting by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from math import fsum
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sfumato.engines import Counted, DuckDBEngine, Engine, UnitCounts
from sfumato.engines.counted import unit_text, weight_of
from sfumato.errors import DataError
from sfumato.testing.plain_engine import PlainEngine, Row

UNITS: list[str | None] = ["7", "7.0", " 7", "7.05", "x", "x ", "X", "", None, "007", "-3.00", "-3", "a.0", "1.0.0"]
WEIGHTS: list[str | None] = ["1", "0", "2.5", ".5", "3.", "1e2", "+4", " 1.25 ", "0.1", "0.2"]
NO_WEIGHTS: list[str | None] = ["-1", "-0", "", None, "x", "nan", "inf", "1e999", "1,5", "0x10", "1_0", "٣", "."]
CODES: dict[str, dict[str | None, int]] = {name: {"a": 0, "b": 1, None: 2} for name in "pq"}


def random_rows(random: Random, weights: list[str | None]) -> list[Row]:
    return [
        {
            "p": random.choice(["a", "b", "", None]),
            "q": random.choice(["a", "b"]),
            "who": random.choice(UNITS),
            "w": random.choice(weights),
        }
        for _ in range(random.randint(1, 40))
    ]


def engines(rows: list[Row], folder: Path) -> list[Engine]:
    frame = pd.DataFrame(rows, dtype=object)
    frame.to_csv(folder / "rows.csv", index=False)
    return [PlainEngine(rows), DuckDBEngine(frame), DuckDBEngine(folder / "rows.csv")]


def as_dict(counted: Counted) -> dict[str, Any]:
    """All that was counted, whatever the order of combinations and the numbers of persons."""
    units = counted.units
    assert units is not None
    combinations = [tuple(row) for row in counted.combinations.tolist()]
    places: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for person, combination in zip(units.person.tolist(), units.combination.tolist(), strict=True):
        places[person].add(combinations[combination])
    return {
        "counts": dict(zip(combinations, counted.counts.tolist(), strict=True)),
        "own": dict(zip(combinations, units.own.tolist(), strict=True)),
        "shared": Counter(frozenset(theirs) for theirs in places.values()),
        "unknown": units.unknown,
        "persons": units.persons,
        "weightless": counted.weightless,
    }


def by_hand(rows: list[Row]) -> dict[str, Any]:
    members: dict[tuple[int, ...], list[Row]] = defaultdict(list)
    places: dict[str, set[tuple[int, ...]]] = defaultdict(set)
    for row in rows:
        combination = tuple(CODES[name][row[name] or None] for name in "pq")
        members[combination].append(row)
        if unit := unit_text(row["who"]):
            places[unit].add(combination)
    alone = Counter(min(theirs) for theirs in places.values() if len(theirs) == 1)
    return {
        "counts": {combination: len(some) for combination, some in members.items()},
        "own": {combination: alone[combination] for combination in members},
        "shared": Counter(frozenset(theirs) for theirs in places.values() if len(theirs) > 1),
        "unknown": sum(unit_text(row["who"]) is None for row in rows),
        "persons": len(places),
        "weightless": sum(weight_of(row["w"]) is None for row in rows),
    }


def test_all_engines_count_units_and_weights_as_by_hand(suite: Callable[[int], int], tmp_path: Path) -> None:
    random = Random(8)
    for _ in range(suite(100)):
        rows = random_rows(random, [*WEIGHTS, *random.sample(NO_WEIGHTS, random.randint(0, 2))])
        expected = by_hand(rows)
        sums: dict[tuple[int, ...], list[float]] = defaultdict(list)
        for row in rows:
            sums[tuple(CODES[name][row[name] or None] for name in "pq")].append(weight_of(row["w"]) or 0)
        for engine in engines(rows, tmp_path):
            engine.distinct(["p", "q"])
            counted = engine.count(CODES, unit="who", weight="w")
            assert as_dict(counted) == expected
            assert counted.weights is not None
            for combination, weight in zip(counted.combinations.tolist(), counted.weights.tolist(), strict=True):
                assert weight == pytest.approx(fsum(sums[tuple(combination)]), rel=1e-12)
            assert engine.count(CODES).units is None
            assert engine.count(CODES, unit="who").weights is None
            assert engine.count(CODES, weight="w").units is None


def test_repeats(suite: Callable[[int], int], tmp_path: Path) -> None:
    random = Random(9)
    for _ in range(suite(100)):
        rows = random_rows(random, WEIGHTS)
        known = {name: [row[name] for row in rows if row[name]] for name in ("who", "p")}
        for engine in engines(rows, tmp_path):
            assert engine.repeats(["who", "p"]) == {x: len(some) - len(set(some)) for x, some in known.items()}
            assert engine.repeats([]) == {}


def test_texts_of_units() -> None:
    same = [["7", "7.0", " 7", "7.000\t"], ["-3", "-3.0"], ["x", " x "], ["", None, "  "], ["a.0"], ["7.05"], ["007"]]
    assert [{unit_text(text) for text in texts} for texts in same] == [
        {"7"}, {"-3"}, {"x"}, {None}, {"a.0"}, {"7.05"}, {"007"}
    ]  # fmt: skip


def test_texts_of_weights() -> None:
    assert [weight_of(text) for text in WEIGHTS] == [1, 0, 2.5, 0.5, 3, 100, 4, 1.25, 0.1, 0.2]
    assert [weight_of(text) for text in NO_WEIGHTS] == [None] * len(NO_WEIGHTS)


def test_a_file_that_changes_between_the_scans_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("p,q,who\na,a,1\nb,a,2\n")
    engine = DuckDBEngine(path)
    engine.distinct(["p", "q"])
    path.write_text("p,q,who\na,a,1\n")
    with pytest.raises(DataError, match=r"rows.csv has changed since it was counted; read it again"):
        engine.count(CODES, unit="who")


def test_no_rows(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("p,q,who,w\n")
    for engine in (DuckDBEngine(tmp_path / "rows.csv"), PlainEngine([], ["p", "q", "who", "w"])):
        engine.distinct(["p", "q"])
        counted = engine.count({"p": {}, "q": {}}, unit="who", weight="w")
        assert counted.units is not None
        assert (counted.units.persons, counted.units.unknown, counted.weightless) == (0, 0, 0)
        assert engine.repeats(["who"]) == {"who": 0}


# --- the units of classes


def units() -> UnitCounts:
    """Four combinations: person 0 in the first two, person 1 in the first and the third, the last nobody's."""
    return UnitCounts(np.array([1, 0, 2, 0]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 2]), unknown=3)


def test_units_per_class() -> None:
    assert units().per_class(np.array([0, 1, 2, 3]), 4).tolist() == [3, 1, 3, 1]
    assert units().per_class(np.array([0, 0, 1, 1]), 2).tolist() == [3, 3]
    assert units().per_class(np.array([0, 0, 0, 0]), 1).tolist() == [5]
    assert units().persons == 5


def test_units_taken() -> None:
    taken = units().taken(np.array([2, 1]))
    assert taken.own.tolist() == [2, 0]
    assert taken.per_class(np.array([0, 1]), 2).tolist() == [3, 1]
    assert units().taken(np.array([], dtype=np.int64)).per_class(np.array([], dtype=np.int64), 0).tolist() == []


def test_units_that_are_records() -> None:
    alone = UnitCounts(np.array([1, 3]), np.array([], dtype=np.int64), np.array([], dtype=np.int64))
    assert alone.are_records(np.array([1, 3]))
    assert not alone.are_records(np.array([1, 4]))


@pytest.mark.parametrize("columns", [20, 21, 45])
def test_many_columns_are_counted_as_few_are(columns: int) -> None:
    """Codes of very many columns are looked up a few at a time; rows with a value that has no code are left out."""
    random = Random(columns)
    names = [f"c{i}" for i in range(columns)]
    kinds: list[list[str | None]] = [[random.choice(["a", "b", None]) for _ in names] for _ in range(6)]
    rows: list[Row] = [
        {**dict(zip(names, random.choice(kinds), strict=True)), "who": random.choice("xyz")} for _ in range(80)
    ]
    rows += [dict.fromkeys(names, "a") | {names[-1]: "unknown", "who": "x"}]
    codes = dict.fromkeys(names, CODES["p"])
    plain, counted = (
        [as_rows(engine.count(codes, unit=unit)) for unit in (None, "who")]
        for engine in (PlainEngine(rows[:-1]), DuckDBEngine(pd.DataFrame(rows[:-1], dtype=object)))
    )
    assert counted == plain
    assert as_rows(DuckDBEngine(pd.DataFrame(rows, dtype=object)).count(codes)) == plain[0]


def as_rows(counted: Counted) -> dict[tuple[int, ...], int]:
    """The combinations and their counts."""
    return dict(zip(map(tuple, counted.combinations.tolist()), counted.counts.tolist(), strict=True))
