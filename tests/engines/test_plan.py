"""Release plans: every engine publishes the same rows in the same order, and the order reveals nothing."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.engines import DuckDBEngine, Engine, ReleasePlan
from sfumato.engines.ordering import places
from sfumato.engines.plan import ReleasePlan as Plan
from sfumato.errors import DataError
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_problems import random_problem

Rows = list[tuple[str | None, ...]]


def random_plan(random: Random, rows: list[Row], kept: tuple[str, ...]) -> ReleasePlan:
    """Some records of a combination are published one way, some another way, some not at all."""
    columns = [name for name in rows[0] if name not in kept]
    values = {name: sorted({row[name] for row in rows}, key=lambda x: (x is None, x)) for name in columns}
    codes = {name: {text: code for code, text in enumerate(texts)} for name, texts in values.items()}
    counted = PlainEngine(rows).count(codes)
    order = np.lexsort(counted.combinations.T[::-1])
    combinations, counts = counted.combinations[order], counted.counts[order]
    labels = {name: [*texts, f"{name}/some", "*", None] for name, texts in values.items()}
    entries: list[tuple[int, list[int], int]] = []
    for combination, left in enumerate(counts.tolist()):
        for copies in random_split(random, left):
            published = [
                random.choice([code, *range(len(values[name]), len(labels[name]))])
                for name, code in zip(columns, combinations[combination].tolist(), strict=True)
            ]
            entries.append((combination, published, copies))
    return Plan(
        columns=tuple(columns),
        codes=codes,
        combinations=combinations,
        counts=counts,
        entry=np.array([entry for entry, _, _ in entries], dtype=np.int64),
        published=np.array([row for _, row, _ in entries], dtype=np.int32).reshape(len(entries), len(columns)),
        copies=np.array([copies for _, _, copies in entries], dtype=np.int64),
        labels=labels,
        unchanged=frozenset(),
        kept=kept,
        order=tuple(rows[0]),
        seed=random.randint(0, 3),
    )


def random_split(random: Random, count: int) -> list[int]:
    """Up to three positive numbers whose sum is `count` at most."""
    borders = sorted({0, *(random.randint(0, count) for _ in range(random.randint(0, 3)))})
    return [high - low for low, high in pairwise(borders)]


def random_rows(random: Random) -> list[Row]:
    """Many equal rows, missing values, and a number that only insensitive columns show."""

    def cell(values: list[str | None]) -> str | None:
        return random.choice(values)

    return [
        {
            "note": cell(["x", "ü, y", None, str(i)]),
            "a": cell(["1", "2", None]),
            "b": cell(["p q", 'r"s']),
            "id": str(i % 7),
        }
        for i in range(random.randint(1, 40))
    ]


def written_by(engine: Engine, plan: ReleasePlan, path: Path) -> Rows:
    engine.recode(plan, path)
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == plan.order
    return [tuple(cell or None for cell in row) for row in rows]


def returned_by(engine: Engine, plan: ReleasePlan) -> Rows:
    released = engine.recode(plan)
    if isinstance(released, PlainEngine):
        return [tuple(row.values()) for row in released.rows]
    return [
        tuple(x if isinstance(x, str) else None for x in row) for row in released.itertuples(index=False, name=None)
    ]


def engines(rows: list[Row], folder: Path) -> list[Engine]:
    frame = pd.DataFrame(rows, dtype=object)
    frame.to_csv(folder / "rows.csv", index=False)
    return [PlainEngine(rows), DuckDBEngine(folder / "rows.csv"), DuckDBEngine(frame)]


@pytest.mark.parametrize("kept", [(), ("note",), ("note", "id")])
def test_engines_agree_on_any_plan(kept: tuple[str, ...], suite: Callable[[int], int], tmp_path: Path) -> None:
    random = Random(len(kept))
    several = 0
    for _ in range(suite(150)):
        rows = [{name: row[name] for name in row if name in {"a", "b", *kept}} for row in random_rows(random)]
        plan = random_plan(random, rows, kept)
        several += not plan.whole
        expected = returned_by(PlainEngine(rows), plan)
        for engine in engines(rows, tmp_path):
            assert returned_by(engine, plan) == expected
            assert written_by(engine, plan, tmp_path / "released.csv") == expected
    assert several > suite(150) / 3


def published_rows(plan: ReleasePlan) -> Rows:
    return [
        tuple(plan.labels[column][p] for column, p in zip(plan.columns, row, strict=True))
        for row in plan.published.tolist()
    ]


def test_every_entry_gets_its_copies(suite: Callable[[int], int], tmp_path: Path) -> None:
    random = Random(10)
    for _ in range(suite(100)):
        rows = [{"a": row["a"], "b": row["b"]} for row in random_rows(random)]
        plan = random_plan(random, rows, ())
        expected: Counter[tuple[str | None, ...]] = Counter()
        for row, copies in zip(published_rows(plan), plan.copies.tolist(), strict=True):
            expected[row] += copies
        for engine in engines(rows, tmp_path):
            assert Counter(returned_by(engine, plan)) == expected


def test_what_is_kept_stays_with_its_record(suite: Callable[[int], int], tmp_path: Path) -> None:
    """Every record has a name of its own here, so that it can be followed into the release."""
    random = Random(11)
    for _ in range(suite(100)):
        rows: list[Row] = [{"a": row["a"], "b": row["b"], "id": str(i)} for i, row in enumerate(random_rows(random))]
        plan = random_plan(random, rows, ("id",))
        texts = {name: {code: text for text, code in plan.codes[name].items()} for name in plan.columns}
        expected: Counter[tuple[tuple[str | None, ...], tuple[str | None, ...]]] = Counter()
        for entry, row, copies in zip(plan.entry.tolist(), published_rows(plan), plan.copies.tolist(), strict=True):
            codes = plan.combinations[entry].tolist()
            expected[tuple(texts[c][code] for c, code in zip(plan.columns, codes, strict=True)), row] += copies
        for engine in engines(rows, tmp_path):
            released = returned_by(engine, plan)
            names = [row[-1] for row in released]
            assert len(set(names)) == len(names), "a record is published twice"
            behind = [rows[int(name or "")] for name in names]
            pairs = Counter(((row["a"], row["b"]), out[:2]) for row, out in zip(behind, released, strict=True))
            assert pairs == expected


@pytest.mark.parametrize("kept", [(), ("note", "id")])
def test_input_order_does_not_matter_and_the_seed_does(kept: tuple[str, ...], tmp_path: Path) -> None:
    random = Random(3)
    rows = [{name: row[name] for name in row if name in {"a", "b", *kept}} for row in random_rows(random) * 4]
    plan = random_plan(random, rows, kept)
    expected = [returned_by(engine, plan) for engine in engines(rows, tmp_path)]
    for _ in range(5):
        random.shuffle(rows)
        assert [returned_by(engine, plan) for engine in engines(rows, tmp_path)] == expected
    orders = {tuple(returned_by(PlainEngine(rows), replace(plan, seed=seed))) for seed in range(5)}
    assert len(orders) == 5


def test_order_depends_on_what_is_published_alone(suite: Callable[[int], int]) -> None:
    """Other values behind the same published rows: the same release. So undoing the shuffle reveals nothing of them."""
    random = Random(8)
    leaves = [f"{i:02}" for i in range(12)]
    hierarchy = sf.Hierarchy.from_rows([(leaf, f"third {i // 4}", "*") for i, leaf in enumerate(leaves)], "thirds")
    for _ in range(suite(100)):
        thirds = [random.randrange(3) for _ in range(40)]
        sensitive = [random.choice("uvw") for _ in thirds]
        releases = set()
        for _ in range(2):
            rows: list[Row] = [
                {"q": leaves[4 * third + random.randrange(4)], "s": s}
                for third, s in zip(thirds, sensitive, strict=True)
            ]
            table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": hierarchy}, sensitive=["s"])
            problem = sf.Problem(
                table, [sf.KAnonymity(1)], recoding=sf.FullDomain(min_level={"q": 1}, max_level={"q": 1})
            )
            releases.add(tuple(tuple(row.values()) for row in problem.solve().release().rows))
        assert len(releases) == 1


def test_rows_are_shuffled() -> None:
    """Equal rows do not stand together, and neighbours do not predict each other."""
    rows: list[Row] = [{"q": str(i % 2)} for i in range(400)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()})
    released = [row["q"] for row in sf.Problem(table, [sf.KAnonymity(2)]).solve().release().rows]
    changes = sum(one != two for one, two in pairwise(released))
    assert 150 < changes < 250


def test_engines_agree_on_random_problems(suite: Callable[[int], int], tmp_path: Path) -> None:
    """A second engine is one file: the same problem, solved and released through each, is the same release."""
    random = Random(2026)
    released = 0
    for seed in range(suite(150)):
        case = random_problem(random)
        for row in case.rows:
            row["note"] = random.choice(["x", "y", None])
        kept = random.choice([[], ["note"]])
        hierarchies = {a.name: a.hierarchy for a in case.problem.data.frequencies.quasi_identifiers}
        releases = []
        for engine in engines(case.rows, tmp_path):
            table = sf.Table(engine, quasi_identifiers=hierarchies, sensitive=["s"], insensitive=kept)
            problem = sf.Problem(table, case.problem.constraints, case.problem.loss, case.problem.recoding)
            solution = problem.solve(seed=seed)
            if solution.recoding is not None:
                releases.append(returned_by(engine, solution.plan()))
                assert written_by(engine, solution.plan(), tmp_path / "released.csv") == releases[0]
        assert all(rows == releases[0] for rows in releases)
        released += len(releases)
    assert released > suite(150)


def test_very_many_rows_are_ordered_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same order, with as many records at a time as you like; the files go when the engine does."""
    random = Random(6)
    rows = [{"a": row["a"], "b": row["b"]} for _ in range(20) for row in random_rows(random)]
    plan = random_plan(random, rows, ())
    order = places(plan)
    assert len(order) == plan.copies.sum() > 100
    for many, block in [(50_000_000, 3), (10, 100_000), (10, 3), (len(order), 1), (len(order) - 1, 1)]:
        monkeypatch.setattr("sfumato.engines.ordering._MANY", many)
        monkeypatch.setattr("sfumato.engines.ordering._BLOCK", block)
        (tmp_path / "order").unlink(missing_ok=True)
        assert places(plan, tmp_path).tolist() == order.tolist()
        assert (tmp_path / "order").exists() == (many < len(order))
        assert not (tmp_path / "keys").exists()
        assert places(plan).tolist() == order.tolist()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    engine = DuckDBEngine(pd.DataFrame(rows, dtype=object))
    assert returned_by(engine, plan) == returned_by(PlainEngine(rows), plan)
    assert len(list(tmp_path.glob("sfumato-*/order"))) == 1
    del engine
    assert not list(tmp_path.glob("sfumato-*"))


def test_starts_of_entries() -> None:
    rows: list[Row] = [{"a": "1" if i < 5 else "2"} for i in range(8)]
    plan = random_plan(Random(0), rows, ())
    entry, copies = np.array([0, 0, 1, 1, 1]), np.array([2, 3, 1, 1, 1])
    assert replace(plan, entry=entry, copies=copies).starts.tolist() == [0, 2, 0, 1, 2]
    assert replace(plan, entry=entry[:0], copies=copies[:0]).starts.tolist() == []


def test_plan_shows_no_value() -> None:
    rows: list[Row] = [{"q": "SECRET", "s": "SECRET"}]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    assert "SECRET" not in repr(sf.Problem(table, [sf.KAnonymity(1)]).solve().plan())


def test_whole() -> None:
    rows: list[Row] = [{"a": "1", "b": "1"}] * 2 + [{"a": "2", "b": "1"}]
    plan = random_plan(Random(0), rows, ())
    one = replace(plan, entry=np.array([0]), published=np.array([[0, 0]], dtype=np.int32), copies=np.array([2]))
    assert one.whole
    assert not replace(one, copies=np.array([1])).whole
    two = replace(one, entry=np.array([0, 0]), published=np.zeros((2, 2), np.int32), copies=np.array([1, 1]))
    assert not two.whole
    assert (two.printed.copies.tolist(), two.printed.number.tolist()) == ([2], [0, 0])


def test_released_rows_are_counted(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a,note\n1,x\n1,y\n")
    table = sf.Table(tmp_path / "rows.csv", quasi_identifiers={"a": sf.flat()}, insensitive=["note"])
    plan = sf.Problem(table, [sf.KAnonymity(2)]).solve().plan()
    with pytest.raises(DataError, match="has changed since it was counted"):
        table.engine.recode(replace(plan, copies=np.array([3])))
