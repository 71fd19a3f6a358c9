"""Releases: checked before they appear, whole or not at all, with nothing in them that is not published."""

from __future__ import annotations

import csv
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import sfumato as sf
import sfumato.release
from sfumato.engines import DuckDBEngine
from sfumato.errors import DataError, HierarchyError, InfeasibleError, PrivacyViolation, ProblemError
from sfumato.release import appearing, writable
from sfumato.testing.answers import answered
from sfumato.testing.plain_engine import PlainEngine, Row

AGES = sf.Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(20, 60)], "ages")


def people(count: int = 60, seed: int = 1) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": random.integers(20, 60, count),
            "sex": random.choice(["f", "m"], count),
            "disease": random.choice(["flu", "cold", "pox"], count),
            "note": [f"note {i}" for i in range(count)],
            "name": [f"name {i}" for i in range(count)],
        }
    )


def problem(source: Any, k: int = 3, limit: str = "10%", **roles: Any) -> sf.Problem:
    roles = {"quasi_identifiers": {"age": AGES, "sex": sf.flat()}, "sensitive": ["disease"], **roles}
    return sf.Problem(sf.Table(source, **roles), [sf.KAnonymity(k)], recoding=sf.FullDomain(limit))


def solution(source: Any = None, **settings: Any) -> sf.Solution:
    return problem(people() if source is None else source, **settings).solve()


# --- what is in it


def test_kinds() -> None:
    assert isinstance(solution().release(), pd.DataFrame)
    rows = [{str(k): str(v) for k, v in row.items()} for row in people().to_dict("records")]
    assert isinstance(solution(PlainEngine(rows)).release(), PlainEngine)


def test_file_in_frame_out(tmp_path: Path) -> None:
    people().to_csv(tmp_path / "people.csv", index=False)
    frame = solution(tmp_path / "people.csv").release()
    assert isinstance(frame, pd.DataFrame)
    solution(tmp_path / "people.csv").write(tmp_path / "released.csv")
    pd.testing.assert_frame_equal(frame, pd.read_csv(tmp_path / "released.csv", dtype=str))


def test_release_without_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people().to_csv(tmp_path / "people.csv", index=False)
    solved = solution(tmp_path / "people.csv")

    monkeypatch.setitem(sys.modules, "pandas", None)  # as if it were not there
    with pytest.raises(DataError, match=r"A release in memory needs pandas; install it .*, or write the release to"):
        solved.release()


def test_what_is_kept_is_equal_and_in_its_row() -> None:
    frame = people()
    solved = solution(frame, insensitive=["note"])
    released = solved.release()
    original = frame.set_index("note").loc[released["note"]]
    level = solved.levels["age"]
    labels = {int(row[0]): row[level] for row in AGES.rows}
    assert released["age"].tolist() == [labels[age] for age in original["age"]]
    assert released["disease"].tolist() == original["disease"].tolist()
    assert len(released) == len(frame) - solved.suppressed


@pytest.mark.parametrize("kept", [[], ["note"]])
def test_rows_shuffled_in_same_bytes_out(kept: list[str], tmp_path: Path) -> None:
    frame = people(200)
    written = set()
    for seed in range(4):
        shuffled = frame.sample(frac=1, random_state=seed)
        shuffled.to_csv(tmp_path / "people.csv", index=False)
        solution(tmp_path / "people.csv", insensitive=kept).write(tmp_path / "released.csv")
        written.add((tmp_path / "released.csv").read_bytes())
        solution(shuffled, insensitive=kept).write(tmp_path / "released.csv")
        written.add((tmp_path / "released.csv").read_bytes())
    assert len(written) == 1


@pytest.mark.parametrize("kept", [[], ["note"]])
def test_seed_decides_the_order_and_nothing_else(kept: list[str], tmp_path: Path) -> None:
    case = problem(people(), insensitive=kept)
    texts = []
    for seed in (0, 1, 1):
        case.solve(seed=seed).write(tmp_path / "released.csv")
        texts.append((tmp_path / "released.csv").read_text())
    assert texts[1] == texts[2] != texts[0]
    assert sorted(texts[0].splitlines()) == sorted(texts[1].splitlines())


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False), st.booleans(), st.sampled_from(["csv", "frame", "category", "plain"]))
def test_nothing_but_published_values_in_the_bytes(
    tmp_path_factory: pytest.TempPathFactory, random: Random, kept: bool, kind: str
) -> None:
    """Every cell is marked; the marks of what is generalised, suppressed or dropped are nowhere in the release."""
    folder = tmp_path_factory.mktemp("marks")
    leaves = [(f"leaf{i}~", f"node{i // 3}~", "*") for i in range(9)]
    rows: list[Row] = [
        {"q": random.choice(leaves)[0], "s": f"s{random.randrange(3)}~", "note": f"note{i}~", "name": f"name{i}~"}
        for i in range(random.randint(5, 30))
    ]
    rows.append({"q": leaves[0][0], "s": "rare~", "note": "rare~", "name": "rare~"})
    source: Any = PlainEngine(rows)
    if kind != "plain":
        source = pd.DataFrame(rows, dtype="category" if kind == "category" else object)
        source.attrs["rows"] = rows
    if kind == "csv":
        source.to_csv(folder / "rows.csv", index=False)
        source = folder / "rows.csv"
    table = sf.Table(
        source,
        quasi_identifiers={"q": sf.Hierarchy.from_rows(leaves, "q")},
        sensitive=["s"],
        identifiers=["name"],
        insensitive=["note"] if kept else [],
    )
    solved = sf.Problem(table, [sf.KAnonymity(3)], recoding=sf.FullDomain("50%")).solve()
    if solved.recoding is None:
        return
    solved.write(folder / "released.csv")
    with open(folder / "released.csv", encoding="utf-8", newline="") as file:
        cells = {cell for row in csv.reader(file) for cell in row}
    level = solved.levels["q"]
    allowed = (
        {path[level] for path in leaves}
        | {row["s"] for row in rows}
        | ({row["note"] for row in rows} if kept else set())
    )
    assert cells <= allowed | {"q", "s", "note"}
    marks = {str(cell) for row in [*leaves, *(tuple(row.values()) for row in rows)] for cell in row if "~" in str(cell)}
    absent = {mark for mark in marks if mark not in cells}
    written = (folder / "released.csv").read_text()
    released = solved.release()
    shown = repr(released.__dict__) if isinstance(released, PlainEngine) else _everything_in(released)
    for mark in absent:
        assert mark not in written
        assert mark not in shown


def _everything_in(frame: pd.DataFrame) -> str:
    categories = [
        list(frame[name].cat.categories) for name in frame if isinstance(frame[name].dtype, pd.CategoricalDtype)
    ]
    return repr(
        [frame.to_dict("list"), categories, frame.attrs, list(frame.index), frame.index.names, frame.columns.names]
    )


# --- how it is written


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class Stop(BaseException):
    pass


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, Stop])
@pytest.mark.parametrize("existing", [False, True])
def test_an_error_while_writing_leaves_nothing(
    error: type[BaseException], existing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = solution()
    target = tmp_path / "released.csv"
    if existing:
        target.write_text("before")
    before = listing(tmp_path)

    def fail(self: DuckDBEngine, plan: object, path: Path, **_: object) -> None:
        Path(path).write_text("half a row")
        raise error

    monkeypatch.setattr(DuckDBEngine, "recode", fail)
    with pytest.raises(error):
        solved.write(target)
    assert listing(tmp_path) == before
    assert not existing or target.read_text() == "before"


@pytest.mark.parametrize("existing", [False, True])
def test_a_failed_check_leaves_nothing(existing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = solution()
    target = tmp_path / "released.csv"
    if existing:
        target.write_text("before")

    def one_row_short(self: DuckDBEngine, plan: object, path: Path, **_: object) -> Path:
        Path(path).write_text("age,sex,disease\n30s,f,flu\n")
        return Path(path)

    monkeypatch.setattr(DuckDBEngine, "recode", one_row_short)
    with pytest.raises(PrivacyViolation, match="k-anonymity: violated in 1 of 1 classes"):
        solved.write(target)
    assert listing(tmp_path) == (["released.csv"] if existing else [])
    assert not existing or target.read_text() == "before"


def test_a_failed_check_returns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = solution()
    monkeypatch.setattr(DuckDBEngine, "recode", lambda *_: pd.DataFrame({"age": [1], "sex": [1], "disease": [1]}))
    with pytest.raises(PrivacyViolation):
        solved.release()


def test_an_existing_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "released.csv"
    target.write_text("before")
    solution().write(target)
    assert target.read_text().startswith("age,sex,disease\n")
    assert listing(tmp_path) == ["released.csv"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~current_umask()


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize(
    "name", ["released.csv", "released.tsv", "released.TXT", "a b.csv", "it's.csv", "[x]*?.csv", "ü.csv"]
)
def test_names_of_files(name: str, tmp_path: Path) -> None:
    solution().write(str(tmp_path / name))
    assert listing(tmp_path) == [name]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("released.xlsx", "'released.xlsx' names no known format; end the name in .csv, .csv.gz, .parquet or .duckdb"),
        ("released", "'released' names no known format"),
        ("released.parquet.gz", "names no known format"),
        ("no/released.csv", "cannot be written: there is no folder '.*no'; make it first"),
        ("folder.csv", "is a folder; give the path of a file in it"),
    ],
)
def test_places_where_no_file_can_be(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match=message):
        solution().write(tmp_path / name)
    assert listing(tmp_path) == ["folder.csv"]


def test_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DataError, match="is read-only for you; choose another folder"):
        writable(tmp_path / "released.csv")
    monkeypatch.undo()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    with (
        pytest.raises(DataError, match=r"cannot be written \(Permission denied\); choose another folder"),
        appearing(tmp_path / "released.csv"),
    ):
        pass


def test_nothing_to_release(tmp_path: Path) -> None:
    solved = solution(k=1000)
    assert solved.status == "infeasible"
    for ask in (solved.release, lambda: solved.write(tmp_path / "released.csv"), lambda: solved.apply(people())):
        with pytest.raises(
            InfeasibleError, match=r"There is nothing to release: infeasible\. Even at the highest levels"
        ):
            ask()
    assert listing(tmp_path) == []


# --- the same recoding on other data


def fixed(limit: str = "0%", k: int = 1) -> sf.Solution:
    """Ages by tens, sex as it is."""
    table = sf.Table(
        people(200), quasi_identifiers={"age": AGES, "sex": sf.flat()}, sensitive=["disease"], insensitive=["note"]
    )
    recoding = sf.FullDomain(limit, min_level={"age": 1}, max_level={"age": 1, "sex": 0})
    return sf.Problem(table, [sf.KAnonymity(k)], recoding=recoding).solve()


def rows_of(frame: pd.DataFrame) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(str, row)) for row in frame.itertuples(index=False, name=None))


def test_apply_recodes_other_rows() -> None:
    other = people(50, seed=2)
    recoded = fixed().apply(other)
    expected = other.assign(age=[f"{age // 10}0s" for age in other["age"]])[["age", "sex", "disease", "note"]]
    assert rows_of(recoded) == rows_of(expected)
    assert recoded["disease"].dtype == other["disease"].dtype


def test_apply_to_the_same_rows_is_the_release(tmp_path: Path) -> None:
    solved = fixed("50%", k=8)
    assert solved.recoding is not None
    pd.testing.assert_frame_equal(solved.apply(people(200)), solved.release())
    people(200).to_csv(tmp_path / "people.csv", index=False)
    from_file = solved.apply(tmp_path / "people.csv")
    assert rows_of(from_file) == rows_of(solved.release())


def test_apply_keeps_the_kind() -> None:
    rows = [{str(k): str(v) for k, v in row.items()} for row in people().to_dict("records")]
    recoded = solution(PlainEngine(rows)).apply(rows)
    assert isinstance(recoded, PlainEngine)


def test_apply_to_no_rows() -> None:
    assert list(fixed().apply(people(0)).columns) == ["age", "sex", "disease", "note"]


def test_apply_suppresses_what_violates() -> None:
    solved = fixed(k=5)
    other = pd.DataFrame({"age": [20] * 5 + [30], "sex": "f", "disease": "flu", "note": "x", "extra": 1})
    assert len(solved.apply(other)) == 5
    assert len(solved.apply(other, violations="suppress")) == 5
    assert len(solved.apply(other, violations="keep")) == 6
    with pytest.raises(
        PrivacyViolation, match=r"1 of the 6 new records are in classes that violate; suppress them with"
    ):
        solved.apply(other, violations="error")
    assert len(solved.apply(other[:5], violations="error")) == 5


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", ["int", "object", "plain"])
def test_apply_to_unknown_values(missing: bool, kind: str) -> None:
    other = pd.DataFrame({"age": [20, 21, 99, 98], "sex": ["f", "m", "x", "f"], "disease": "flu", "note": "x"})
    if missing:
        other.loc[4] = [None, None, "flu", "x"]
        other.loc[5] = [20, None, "flu", "x"]
    source: Any = other if kind == "int" else other.astype(object)
    if kind == "plain":
        records = other.to_dict("records")
        source = PlainEngine(
            [{k: None if pd.isna(v) else str(v).removesuffix(".0") for k, v in r.items()} for r in records]
        )
    with pytest.raises(HierarchyError, match=r"ages has no path for 2 of the 4 values of 'age' \(2 rows\)"):
        fixed().apply(source)
    recoded = fixed().apply(source, unknown="*")
    cells = (
        [(row["age"], row["sex"]) for row in recoded.rows]
        if isinstance(recoded, PlainEngine)
        else list(zip(recoded["age"], recoded["sex"], strict=True))
    )
    expected = [("20s", "f"), ("20s", "m"), ("*", "*"), ("*", "f")]
    if missing:
        expected += [(None, None), ("20s", None)]
    assert Counter(tuple(x if isinstance(x, str) else None for x in row) for row in cells) == Counter(expected)


def test_apply_at_level_0_publishes_unknown_numbers_as_star() -> None:
    frame = pd.DataFrame({"age": [20, 20, 21, 21]})
    solved = sf.Problem(sf.Table(frame, quasi_identifiers={"age": AGES}), [sf.KAnonymity(2)]).solve()
    assert solved.levels == {"age": 0}
    assert solved.apply(frame)["age"].dtype == "int64"
    other = solved.apply(pd.DataFrame({"age": [20, 20, 99, 98]}), unknown="*")
    assert sorted(other["age"]) == ["*", "*", "20", "20"]


def test_apply_checks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = fixed(k=5)
    monkeypatch.setattr(DuckDBEngine, "recode", lambda *_: people(3))
    with pytest.raises(PrivacyViolation, match="violated"):
        solved.apply(people())
    assert len(solved.apply(people(), violations="keep")) == 3


def test_apply_wrongly() -> None:
    with pytest.raises(ProblemError, match=r"unknown = 'ignore' is not a choice; give 'error' or '\*'"):
        fixed().apply(people(), unknown="ignore")
    with pytest.raises(ProblemError, match="violations = 'drop' is not a choice; give 'suppress', 'error' or 'keep'"):
        fixed().apply(people(), violations="drop")
    with pytest.raises(DataError, match="has no column 'sex'"):
        fixed().apply(people().drop(columns="sex"))


def test_apply_equals_the_recoding_of_random_rows(suite: Callable[[int], int]) -> None:
    """The release of other rows is what their own recoding to the same levels would be."""
    random = Random(4)
    for seed in range(suite(100)):
        other = people(random.randint(1, 60), seed)
        recoded = fixed(k=3).apply(other)
        labels = other.assign(age=[f"{age // 10}0s" for age in other["age"]])
        large = labels.groupby(["age", "sex"])["age"].transform("size") >= 3
        assert rows_of(recoded) == rows_of(labels[large][["age", "sex", "disease", "note"]])


# --- persons with several records, and weights


def visits(count: int = 80, seed: int = 3) -> pd.DataFrame:
    """Half as many people as visits; a person may be seen at several ages, some visits are nobody's."""
    random = np.random.default_rng(seed)
    who = random.integers(0, count // 2, count).astype(float)
    who[random.random(count) < 0.05] = np.nan
    return people(count, seed).assign(patient=who, weight=random.integers(1, 2000, count) / 100)


def persons_per_class(released: pd.DataFrame, original: pd.DataFrame) -> pd.Series:
    """Persons behind the published classes, by the notes, which are unique."""
    whose = released.merge(original[["note", "patient"]], on="note")
    return whose.groupby(["age", "sex"])["patient"].nunique().clip(lower=1)


@pytest.mark.parametrize("limit", ["0%", "10%", "50%"])
def test_released_classes_have_k_persons(limit: str) -> None:
    frame = visits()
    solved = solution(frame, k=4, limit=limit, unit="patient", insensitive=["note"])
    released = solved.release()
    assert list(released.columns) == ["age", "sex", "disease", "note"]
    persons = persons_per_class(released, frame)
    assert persons.min() >= 4
    assert solved.attained == {"k-anonymity": {"k": persons.min()}}
    assert solved.suppressed <= len(frame) * float(limit[:-1]) / 100, "limits count records"
    assert len(released) == len(frame) - solved.suppressed


def test_units_are_nowhere_in_the_release(tmp_path: Path) -> None:
    frame = visits().assign(patient=lambda x: "patient-" + x["patient"].astype(str))
    solution(frame, unit="patient").write(tmp_path / "released.csv")
    assert "patient" not in (tmp_path / "released.csv").read_text()
    assert "patient-" not in repr(solution(frame, unit="patient").release().to_dict())


def test_a_release_with_too_few_persons_is_not_handed_out(tmp_path: Path) -> None:
    """Classes have records enough, so the published values alone would pass: the persons behind them are counted."""
    frame = pd.DataFrame({"age": [20] * 3 + [30] * 3, "sex": "f", "disease": "flu", "patient": [1, 1, 1, 4, 5, 6]})
    solved = problem(frame, unit="patient", limit="50%").solve()
    assert solved.suppressed == 3
    forged = answered(solved, recoding=solved.chosen.unsuppressed(solved.problem.data.frequencies))
    message = "violated in 1 of 2 classes, by 3 of 6 records \\(k = 1\\)\nPersons are counted in the data"
    with pytest.raises(PrivacyViolation, match=message):
        forged.release()
    with pytest.raises(PrivacyViolation, match=message):
        forged.write(tmp_path / "released.csv")
    assert listing(tmp_path) == []


def test_apply_counts_persons() -> None:
    solved = solution(visits(200), k=3, limit="100%", unit="patient", insensitive=["note"])
    other = visits(60, seed=9)
    assert persons_per_class(solved.apply(other), other).min() >= 3
    with pytest.raises(PrivacyViolation, match="new records are in classes that violate"):
        solved.apply(other.assign(patient=1), violations="error")
    assert len(solved.apply(other.assign(patient=1))) == 0
    assert len(solved.apply(other.assign(patient=1), violations="keep")) == 60
    with pytest.raises(DataError, match="has no column 'patient'"):
        solved.apply(other.drop(columns="patient"))


def test_weights_are_published_as_they_are() -> None:
    frame = visits()
    released = solution(frame, weight="weight", insensitive=["note"]).release()
    assert released["weight"].dtype == frame["weight"].dtype
    original = frame.set_index("note").loc[released["note"]]
    assert released["weight"].tolist() == original["weight"].tolist()
    assert solution(frame, weight="weight").apply(frame).columns.tolist() == ["age", "sex", "disease", "weight"]
