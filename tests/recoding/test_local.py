from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import sfumato as sf
from sfumato.recoding import LocalRecoding

TREE = sf.Hierarchy.from_rows([(x, "xy"[x > "b"], "*") for x in "abcd"], "tree")
ROWS = {
    "name": [f"p{i}" for i in range(14)],
    "age": [20, 20, 20, 20, 29, 33, 32, 31, 30, 30, 28, 29, 20, 20],
    "note": [f"n{i}" for i in range(14)],
    "s": list("aaaacabccbadaa"),
}


def table(source: object = None) -> sf.Table:
    return sf.Table(
        pd.DataFrame(ROWS) if source is None else source,
        quasi_identifiers={"age": sf.intervals(5, 10, 20)},
        sensitive={"s": TREE},
        identifiers=["name"],
        insensitive=["note"],
    )


def solved(data: sf.Table, seed: int = 0) -> sf.Solution:
    problem = sf.Problem(data, [sf.TauLDiversity("s", 0.5, 3)], sf.RetainedInformation(), sf.Local())
    return problem.solve(seed=seed)


def rows_of(frame: object) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(str, row)) for row in pd.DataFrame(frame).to_numpy().tolist())


def test_every_record_is_published_once_with_its_own_note() -> None:
    solution = solved(table())
    released = solution.release()
    assert sorted(released["note"]) == sorted(ROWS["note"])
    assert list(released.columns) == ["age", "note", "s"]
    value = dict(zip(ROWS["note"], ROWS["s"], strict=True))
    above = {row[0]: set(row) for row in TREE.rows}
    assert all(label in above[value[note]] for note, label in zip(released["note"], released["s"], strict=True))


def test_equal_records_may_be_published_differently() -> None:
    recoding = solved(table()).recoding
    assert isinstance(recoding, LocalRecoding)
    assert len(recoding.entry) > len(set(recoding.entry.tolist()))
    assert recoding.copies.sum() == 14
    assert sum(recoding.generalised["s"].values()) > 0
    assert "sensitive values generalised: s" in str(recoding)
    report = recoding.to_json()
    assert {sum(records) for records in report["levels"].values()} == {14}
    assert report["search"]["model"] == "sequential-sweep"


def test_the_same_in_every_engine(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    expected = rows_of(solved(table(frame)).release())
    assert expected == rows_of(solved(table(frame.sample(frac=1, random_state=3))).release())
    assert expected == rows_of(solved(table(pl.DataFrame(ROWS))).release().to_pandas())
    for name in ("rows.csv", "rows.parquet"):
        solved(table(tmp_path / name)).write(tmp_path / "out.csv")
        assert expected == rows_of(pd.read_csv(tmp_path / "out.csv", dtype=str))


def test_a_seed_decides_and_stays() -> None:
    some = {frozenset(rows_of(solved(table(), seed).release()).items()) for seed in range(8)}
    assert len(some) > 1
    assert rows_of(solved(table(), 5).release()) == rows_of(solved(table(), 5).release())


def test_it_says_nothing_about_other_data() -> None:
    with pytest.raises(sf.ProblemError, match="cannot be applied to other data"):
        solved(table()).apply(pd.DataFrame(ROWS))
    with pytest.raises(sf.ProblemError, match="has no levels"):
        _ = solved(table()).levels


def test_of_nodes_that_would_print_alike_one_is_published() -> None:
    """New York is a city; who lives there or elsewhere in the state is published as the node above the state."""
    places = [("New York", "New York", "USA", "*"), ("Buffalo", "New York", "USA", "*"), ("Boston", "MA", "USA", "*")]
    places += [("Lowell", "MA", "USA", "*"), ("Paris", "France", "Europe", "*")]
    hierarchy = sf.Hierarchy.from_rows(places, "places")
    cities = ["New York", "Buffalo", "Boston", "Lowell"]
    data = sf.Table(pd.DataFrame({"q": cities}), quasi_identifiers={"q": hierarchy})
    solution = sf.Problem(data, [sf.KAnonymity(2)], recoding=sf.Local()).solve()
    assert solution.status == "optimal"
    assert sorted(solution.release()["q"]) == ["MA", "MA", "USA", "USA"]
    twice = sf.Table(pd.DataFrame({"q": cities * 2}), quasi_identifiers={"q": hierarchy})
    solution = sf.Problem(twice, [sf.KAnonymity(2)], recoding=sf.Local()).solve()
    assert solution.cost == 0
    audit = sf.check(solution.release(), quasi_identifiers=["q"], constraints=[sf.KAnonymity(2)])
    assert audit.holds
    assert audit.classes == solution.classes == 4
    data = sf.Table(
        pd.DataFrame({"q": cities * 3, "s": list("uvwwuvvuwuvw")}), quasi_identifiers={"q": hierarchy}, sensitive=["s"]
    )
    model = sf.TauLDiversity("s", "1/2", 3, hierarchy=sf.flat())
    solution = sf.Problem(data, [model], recoding=sf.Local()).solve(sf.SequentialSweep())
    assert (
        sf.check(solution.release(), quasi_identifiers=["q"], constraints=[sf.KAnonymity(1)]).classes
        == solution.classes
    )


def test_what_would_print_alike_is_refused() -> None:
    root = sf.Hierarchy.from_rows([("a", "x", "all"), ("b", "y", "all"), ("all", "y", "all")], "root")
    data = sf.Table(pd.DataFrame({"q": ["a"]}), quasi_identifiers={"q": root})
    with pytest.raises(sf.ProblemError, match="a value is called like the root"):
        sf.Problem(data, [sf.KAnonymity(1)], recoding=sf.Local())
    twice = sf.Hierarchy.from_rows([("a", "x", "*"), ("b", "y", "*"), ("x", "y", "*")], "twice")
    rows = pd.DataFrame({"q": ["a", "b"], "s": ["u", "v"]})
    sensitive = sf.Table(
        rows.rename(columns={"q": "s", "s": "q"}), quasi_identifiers={"q": sf.flat()}, sensitive={"s": twice}
    )
    with pytest.raises(sf.ProblemError, match="1 labels name two nodes"):
        sf.Problem(sensitive, [sf.TauLDiversity("s", 0.5, 2)], recoding=sf.Local()).solve()
    unordered = sf.Table(rows, quasi_identifiers={"q": sf.unordered()}, sensitive=["s"])
    with pytest.raises(sf.ProblemError, match="has no levels"):
        sf.Problem(unordered, [sf.TauLDiversity("s", 0.5, 2)], recoding=sf.Local())


def test_missing_values_and_spellings_stay() -> None:
    rows = pd.DataFrame({"q": [1.0, 1.0, 1.0, None, None, None], "s": ["u", "v", None, "u", "v", None]})
    data = sf.Table(rows, quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    solution = sf.Problem(data, [sf.TauLDiversity("s", 0.5, 3)], sf.RetainedInformation(), sf.Local()).solve()
    released = solution.release()
    assert solution.cost == 0
    assert released["q"].isna().sum() == 3
    assert set(released["q"].dropna()) == {1.0}
