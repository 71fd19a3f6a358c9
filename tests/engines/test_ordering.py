"""Every engine publishes the same rows in the same order, byte for byte: that of a hash that anybody can work out."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import sfumato as sf
from sfumato import _text
from sfumato.engines import (
    DuckDBEngine,
    ItemRecords,
    ReleasePlan,
    SetLabels,
    TransactionSource,
    open_transactions,
    ordering,
)
from sfumato.engines.ordering import places, settled
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.plain_transactions import PlainTransactions

MARKS = "\x1d\x1e\x1f"
CHARACTERS = ["a", "b", "ü", "年", "👩", '"', ",", "#", "\n", " ", "=", *MARKS]
# Whether an empty text is a missing one is the source's affair.
cells = st.none() | st.text(st.sampled_from(CHARACTERS), min_size=1, max_size=3)


@st.composite
def releases(draw: st.DrawFn) -> tuple[list[dict[str, str | None]], ReleasePlan]:
    """Rows, and any plan for them: combinations go to several places, or nowhere."""
    kept = draw(st.sampled_from([(), ("note",), ("first", "last")]))
    counted = draw(st.sampled_from([("a",), ("a", "b")]))
    order = tuple(draw(st.permutations((*counted, *kept))))
    rows = draw(
        st.lists(
            st.fixed_dictionaries(
                {name: cells if name in kept else st.sampled_from(["1", "2", None]) for name in order}
            ),
            min_size=1,
            max_size=12,
        )
    )
    codes = {name: {"1": 0, "2": 1, None: 2} for name in counted}
    totals = PlainEngine(rows).count(codes)
    labels = {name: draw(st.lists(cells, min_size=1, max_size=4)) for name in counted}
    entries: list[tuple[int, int]] = []
    for combination, records in enumerate(totals.counts.tolist()):
        left = records if draw(st.booleans()) else draw(st.integers(0, records))
        while left:
            copies = left if draw(st.booleans()) else draw(st.integers(1, left))
            entries.append((combination, copies))
            left -= copies
    published = [[draw(st.integers(0, len(labels[name]) - 1)) for name in counted] for _ in entries]
    plan = ReleasePlan(
        columns=counted,
        codes=codes,
        combinations=totals.combinations,
        counts=totals.counts,
        entry=np.array([combination for combination, _ in entries], dtype=np.int64),
        published=np.array(published, dtype=np.int32).reshape(len(entries), len(counted)),
        copies=np.array([copies for _, copies in entries], dtype=np.int64),
        labels=labels,
        unchanged=frozenset(),
        kept=kept,
        order=order,
        seed=draw(st.integers(0, 2**70)),
    )
    return rows, plan


def same_files(one: Any, other: Any, plan: ReleasePlan, endings: tuple[str, ...], *, safe: bool = False) -> None:
    """The engines write the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        for ending in endings:
            first, second = Path(folder) / f"one{ending}", Path(folder) / f"other{ending}"
            one.recode(plan, first, safe=safe)
            other.recode(plan, second, safe=safe)
            assert first.read_bytes() == second.read_bytes()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(releases())
def test_tables_are_published_alike(release: tuple[list[dict[str, str | None]], ReleasePlan]) -> None:
    rows, plan = release
    plain, duck = PlainEngine(rows), DuckDBEngine(pd.DataFrame(rows, dtype=object))
    same_files(plain, duck, plan, (".csv", ".parquet"))
    expected = plain.recode(plan)
    assert isinstance(expected, PlainEngine)
    frame = duck.recode(plan)
    assert list(frame.columns) == list(plan.order)
    released = [[None if pd.isna(cell) else cell for cell in row] for row in frame.itertuples(index=False, name=None)]
    assert released == [list(row.values()) for row in expected.rows]


@settings(max_examples=40, deadline=None)
@given(releases(), st.booleans())
def test_rows_of_a_file_are_published_alike(
    release: tuple[list[dict[str, str | None]], ReleasePlan], safe: bool
) -> None:
    rows, plan = release
    with tempfile.TemporaryDirectory() as folder:
        pd.DataFrame(rows, dtype=object).to_csv(Path(folder) / "rows.csv", index=False, lineterminator="\n")
        duck, plain = DuckDBEngine(sf.CsvFile(Path(folder) / "rows.csv", ",")), PlainEngine(rows)
        duck.recode(plan, Path(folder) / "one.csv", safe=safe)
        plain.recode(plan, Path(folder) / "other.csv", safe=safe)
        assert (Path(folder) / "one.csv").read_bytes() == (Path(folder) / "other.csv").read_bytes()
        same_files(plain, duck, plan, (".parquet",))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.lists(st.sampled_from(["w", "ü x", "y", "=z", "-5", "-0"]), max_size=3), cells
        ),
        min_size=6,
        max_size=14,
    ),
    st.integers(0, 5),
    st.booleans(),
    st.booleans(),
)
def test_tables_with_sets_are_published_alike(
    drawn: list[tuple[str, list[str], str | None]], seed: int, with_notes: bool, as_lists: bool
) -> None:
    rows: list[dict[str, Any]] = [
        {"q": q, "bought": items if as_lists else ",".join(items) or None, "note": note} for q, items, note in drawn
    ]
    releases = []
    for source in (PlainEngine(rows), pd.DataFrame(rows, dtype=object)):
        table = sf.Table(
            source,
            quasi_identifiers={"q": sf.flat()},
            sets={"bought": sf.fanout(2)},
            insensitive=["note"] * with_notes,
            separator=",",
        )
        problem = sf.Problem(table, [sf.KAnonymity(2), sf.KmAnonymity(2, 1)], recoding=sf.FullDomain("50%"))
        solution = problem.solve(seed=seed)
        if solution.recoding is None:
            return
        releases.append((table.engine, solution.plan()))
    (plain, plan), (duck, same) = releases
    assert plan.labels == same.labels
    for one, other in zip(*[(x.combinations, x.entry, x.published, x.copies) for x in (plan, same)], strict=True):
        assert np.array_equal(one, other)
    same_files(plain, duck, plan, (".csv", ".parquet"))
    same_files(plain, duck, plan, (".csv",), safe=True)
    assert isinstance(plain, PlainEngine)
    expected = plain.recode(plan)
    assert isinstance(expected, PlainEngine)
    frame = duck.recode(plan).astype(object)
    frame = frame.where(frame.notna(), None)
    assert frame.to_dict("records") == expected.rows


RECODINGS = [sf.FullDomain("20%"), sf.FullSubtree(), sf.Multidimensional(splits={"age": 4}), sf.Local()]


def typed_rows(random: Random) -> pd.DataFrame:
    """Numbers, dates, truth values and texts, with cells that are missing; copies of rows, too."""
    kinds: dict[str, list[Any]] = {
        "age": [20, 21, 22, 23],
        "word": ["ü", "年", None, "a,b", '"', "-5"],
        "whole": [1, 2, -3],
        "real": [0.1, 2.0, 1e-7, 1e20, -0.0, 123456789.125, float("nan")],
        "day": [pd.Timestamp("2020-01-01"), pd.Timestamp("1999-12-31 10:00:01"), None],
        "true": [True, False],
    }
    rows = [[random.choice(cells) for cells in kinds.values()] for _ in range(14)]
    return pd.DataFrame([random.choice(rows) for _ in range(40)], columns=list(kinds))


@pytest.mark.parametrize("recoding", RECODINGS, ids=lambda one: one.name)
@pytest.mark.parametrize("seed", range(3))
def test_solutions_of_typed_rows_are_published_alike(recoding: Any, seed: int, tmp_path: Path) -> None:
    """The plain engine has the cells as a CSV file shows them: with them it finds and publishes the same."""
    frame = typed_rows(Random(seed))
    roles: dict[str, Any] = {
        "quasi_identifiers": {"age": sf.intervals(2, 4), "word": sf.flat()},
        "insensitive": ["whole", "real", "day", "true"],
    }
    sf.Problem(sf.Table(frame, **roles), [sf.KAnonymity(1)]).solve().write(tmp_path / "shown.csv")
    shown = pd.read_csv(tmp_path / "shown.csv", dtype=str, keep_default_na=False).to_dict("records")
    rows = [{str(name): cell or None for name, cell in row.items()} for row in shown]
    solutions = [
        sf.Problem(sf.Table(source, **roles), [sf.KAnonymity(3)], recoding=recoding).solve(seed=seed)
        for source in (frame, PlainEngine(rows))
    ]
    several = len(solutions[0].plan().entry) > len(np.unique(solutions[0].plan().entry))
    assert several == (recoding.name == "local")
    for name, solution in zip(("duck", "plain"), solutions, strict=True):
        solution.write(tmp_path / f"{name}.csv")
        solution.write(tmp_path / f"{name}.parquet")
    assert (tmp_path / "duck.csv").read_bytes() == (tmp_path / "plain.csv").read_bytes()
    # Here numbers are numbers, there texts: the same rows in the same order, as texts.
    duck, plain = (DuckDBEngine(tmp_path / f"{name}.parquet") for name in ("duck", "plain"))
    assert duck.columns == plain.columns
    columns = [name for name in duck.columns if name not in {"real", "day"}]
    assert duck.rows_of(columns) == plain.rows_of(columns)


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(st.frozensets(st.integers(0, 5), min_size=1), st.integers(1, 4), max_size=6),
    st.integers(0, 2**70),
    st.sampled_from([["a", "b", "ü", "年", "👩", '"'], ["a b", "#", "x,y", "=1", "\n", "a\x1db"]]),
)
def test_transactions_are_published_alike(sets: dict[frozenset[int], int], seed: int, items: list[str]) -> None:
    records = ItemRecords.of(sorted((tuple(sorted(one)), times) for one, times in sets.items()))
    each = np.arange(len(records))
    plan = ReleasePlan(
        columns=("item",),
        codes={},
        combinations=each.astype(np.int32)[:, None],
        counts=records.weight,
        entry=each,
        published=each.astype(np.int32)[:, None],
        copies=records.weight,
        labels={"item": SetLabels(records, items)},
        unchanged=frozenset(),
        order=("item",),
        seed=seed,
    )
    plain, duck = PlainTransactions(TransactionSource([["x"]])), open_transactions([["x"]])
    assert plain.recode(plan) == duck.recode(plan)
    lines = (".txt",) if items[0] == "a" else ()
    same_files(plain, duck, plan, (*lines, ".csv", ".parquet"))
    same_files(plain, duck, plan, (".csv", ".parquet"), safe=True)


def test_plain_transactions_are_read_as_others() -> None:
    lists = [["b", "a", "b"], ["a"], [], ["a"], ["c", "a"]]
    engines = [PlainTransactions(TransactionSource(lists)), open_transactions(lists)]
    for counted in (False, True):
        labels = [engine.occurring(counted) for engine in engines]
        assert labels[0] == labels[1]
        codes = {label: i for i, label in enumerate(sorted(labels[0]))}
        assert list(engines[0].merged(codes).sets()) == list(engines[1].merged(codes).sets())
    assert [(engine.empty, engine.repeated) for engine in engines] == [(1, 1)] * 2


def plan_of(rows: list[tuple[str | None, ...]], copies: list[int], seed: int = 0) -> ReleasePlan:
    """These rows are published, so many times."""
    columns = tuple(f"c{i}" for i in range(len(rows[0])))
    each = np.arange(len(rows))
    return ReleasePlan(
        columns=columns,
        codes={name: {} for name in columns},
        combinations=np.zeros((len(rows), len(columns)), dtype=np.int32),
        counts=np.array(copies),
        entry=each,
        published=np.repeat(each[:, None], len(columns), axis=1).astype(np.int32),
        copies=np.array(copies),
        labels={name: [row[i] for row in rows] for i, name in enumerate(columns)},
        unchanged=frozenset(),
        order=columns,
        seed=seed,
    )


def order_of(plan: ReleasePlan) -> list[tuple[str | None, ...]]:
    published = plan.published[plan.printed.entries[places(plan)]].tolist()
    return [tuple(plan.labels[name][at] for name, at in zip(plan.columns, row, strict=True)) for row in published]


def test_the_hash_is_the_one_that_is_documented() -> None:
    rows = [("39", None), ("40", "x\x1fy")]
    texts = {("39", None): "39\x1f\x1e", ("40", "x\x1fy"): "40\x1fx\x1dy"}
    expected = sorted(
        (hashlib.md5(f"7\x1f{texts[row]}\x1f{copy}".encode()).hexdigest(), row) for row in rows for copy in range(3)
    )
    assert order_of(plan_of(rows, [3, 3], seed=7)) == [row for _, row in expected]


@pytest.mark.parametrize("length", [0, 1, 30, 46, 47, 48, 52, 53, 54, 55, 56, 57, 63, 64, 65, 120, 128, 200])
def test_messages_of_any_length(length: int) -> None:
    """The number of the copy may be in the last block, in one of its own, or in both."""
    rows = [("x" * length + mark,) for mark in ("", "é", "yz")]
    expected = sorted(
        (hashlib.md5(f"0\x1f{row[0]}\x1f{copy}".encode()).hexdigest(), row) for row in rows for copy in range(120)
    )
    assert order_of(plan_of(rows, [120] * 3)) == [row for _, row in expected]


def test_equal_rows_of_several_entries_are_counted_together() -> None:
    plan = plan_of([("x",), ("y",), ("x",)], [2, 1, 3])
    assert order_of(plan) == order_of(plan_of([("x",), ("y",)], [5, 1]))


def test_rows_that_control_characters_make_alike_are_in_the_order_of_their_cells() -> None:
    rows: list[tuple[str | None, ...]] = [(None, "a"), ("\x1e", "a"), ("b\x1fc", "d"), ("b\x1dc", "d")]
    for seed in range(20):
        ordered = order_of(plan_of(rows, [1] * 4, seed))
        assert [row for row in ordered if row[1] == "a"] == rows[:2]
        assert [row for row in ordered if row[1] == "d"] == rows[2:]


def test_hashes_that_start_alike_are_looked_at_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast way sorts by eight bytes. Here nobody knows more than the first, and the order is the same."""
    plan = plan_of([(f"row {i}",) for i in range(40)], [Random(i).randint(1, 9) for i in range(40)])
    expected = order_of(plan)
    sort, starts = _text.sort_by_keys, []

    def coarse(keys: Any, numbers: Any, threads: int) -> list[tuple[int, int]]:
        keys >>= np.uint64(56)
        runs: list[tuple[int, int]] = sort(keys, numbers, threads)
        starts.extend(runs)
        return runs

    def first_byte(plan: ReleasePlan, numbers: Any, start: bytes) -> list[int]:
        return settled(plan, numbers, start[-1:])

    monkeypatch.setattr(_text, "sort_by_keys", coarse)
    monkeypatch.setattr(ordering, "settled", first_byte)
    assert order_of(plan) == expected
    assert len(starts) > 10


@pytest.mark.parametrize("records", [0, 1, 1000, 1023, 1025, 300_000])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_sorting_by_keys(records: int, threads: int) -> None:
    random = np.random.default_rng(records)
    keys = random.integers(0, 2**64, records, dtype=np.uint64)
    if records > 1000:
        keys[: records // 2] &= np.uint64(0xFF0000FFFF)  # many that share a byte, and some that share all
    numbers = random.integers(0, 50, records).astype(np.int32)
    expected = sorted(zip(keys.tolist(), numbers.tolist(), strict=True))
    runs = _text.sort_by_keys(keys, numbers, threads)
    assert list(zip(keys.tolist(), numbers.tolist(), strict=True)) == expected
    shared = Counter(keys.tolist())
    different = {key for key in shared if len({n for k, n in expected if k == key}) > 1} if records < 2000 else None
    assert all(len(set(keys[first:last].tolist())) == 1 for first, last in runs)
    assert different is None or {int(keys[first]) for first, _ in runs} == different


@pytest.mark.parametrize("threads", [0, 1, 2, 3, 64])
def test_threads_change_nothing(threads: int) -> None:
    plan = plan_of([(f"row {i}", "x" * (i % 70)) for i in range(200)], [Random(i).randint(0, 30) for i in range(200)])
    expected = places(plan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordering, "_MOST_THREADS", threads)
        patch.setattr("os.cpu_count", lambda: threads)
        assert places(plan).tolist() == expected.tolist()


def test_sizes_that_do_not_fit_are_refused() -> None:
    column = [(b"ab", np.array([1, 2], dtype=np.uint64))]
    keys, numbers = np.empty(3, np.uint64), np.empty(3, np.int32)
    labels, copies = np.array([[0], [1]], dtype=np.int32), np.array([1, 2])
    _text.hash_copies(b"0", column, labels, copies, 0, keys, numbers, 1)
    with pytest.raises(ValueError, match="not as many as each other"):
        _text.hash_copies(b"0", column, labels, copies, 0, keys[:2], numbers[:2], 1)
    with pytest.raises(ValueError, match="no fewer than no copies"):
        _text.hash_copies(b"0", column, labels, np.array([4, -1]), 0, keys, numbers, 1)
    with pytest.raises(IndexError, match="no such label"):
        _text.hash_copies(b"0", column, labels + np.int32(1), copies, 0, keys, numbers, 2)
    with pytest.raises(ValueError, match="not as many as each other"):
        _text.sort_by_keys(keys, numbers[:2], 1)


def test_the_seed_decides() -> None:
    plan = plan_of([(str(i),) for i in range(30)], [1] * 30)
    assert order_of(plan) == order_of(plan)
    assert len({tuple(order_of(replace(plan, seed=seed))) for seed in range(5)}) == 5
