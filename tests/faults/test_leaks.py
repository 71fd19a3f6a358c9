"""Canaries in data of every kind: whatever goes well or wrong, none is shown, written or left behind."""

from __future__ import annotations

import gzip
import json
import logging
import stat
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.engines import DuckDBEngine

from .canaries import ASK, CANARY, FOOD, baskets, leaks, rows, write_baskets, write_items, write_people


def frame() -> pd.DataFrame:
    """People, each with a set of items that is the person's own."""
    people = pd.DataFrame(rows())
    people["items"] = [" ".join(items) for items in baskets(count=len(people))]
    return people


def as_csv(folder: Path) -> Path:
    frame().to_csv(folder / "people.csv", index=False)
    return folder / "people.csv"


def as_gzip(folder: Path) -> Path:
    (folder / "people.csv.gz").write_bytes(gzip.compress(as_csv(folder).read_bytes()))
    return folder / "people.csv.gz"


def as_parquet(folder: Path) -> Path:
    frame().to_parquet(folder / "people.parquet")
    return folder / "people.parquet"


def as_database(folder: Path) -> Path:
    with duckdb.connect(str(folder / "people.duckdb")) as connection:
        connection.register("frame", frame())
        connection.execute("CREATE TABLE people AS SELECT * FROM frame")
    return folder / "people.duckdb"


def as_relation(folder: Path) -> Any:
    connection = duckdb.connect()
    connection.register("people", frame())
    return connection.sql("SELECT * FROM people")


FILES: dict[str, Callable[[Path], Any]] = {
    "csv": as_csv,
    "gzip": as_gzip,
    "parquet": as_parquet,
    "database": as_database,
}
KINDS: dict[str, Callable[[Path], Any]] = {
    **FILES,
    "utf-16": lambda folder: sf.CsvFile(_in_utf_16(as_csv(folder)), encoding="utf-16"),
    "pandas": lambda _: frame(),
    "categorical": lambda _: frame().astype("category"),
    "polars": lambda _: pl.from_pandas(frame()),
    "lazy": lambda _: pl.from_pandas(frame()).lazy(),
    "arrow": lambda _: pa.Table.from_pandas(frame()),
    "relation": as_relation,
}


def _in_utf_16(path: Path) -> Path:
    path.write_bytes(path.read_text().encode("utf-16"))
    return path


def roles(**changed: Any) -> dict[str, Any]:
    quasi = {"age": sf.intervals(5, 10, 20, 40), "town": sf.flat()}
    return {"quasi_identifiers": quasi, "sensitive": ["disease"], "identifiers": ["name"], **changed}


def _towns(folder: Path, *known: str) -> Path:
    (folder / "towns.csv").write_text("".join(f"{town};*\n" for town in known))
    return folder / "towns.csv"


def solved(source: Any, k: int = 3, models: tuple[Any, ...] = (), **changed: Any) -> sf.Solution:
    recoding = sf.FullDomain("10%", max_level={"town": 0})
    return sf.Problem(sf.Table(source, **roles(**changed)), [sf.KAnonymity(k), *models], recoding=recoding).solve()


QI = {"age": sf.intervals(5, 10, 20, 40)}
# Each is to be refused; the folder may hold a file with the hierarchy of towns.
FAULTS: dict[str, Callable[[Any, Path], Any]] = {
    "values without a path": lambda it, folder: solved(
        it, quasi_identifiers={**QI, "town": _towns(folder, "north", "south")}
    ),
    "texts in intervals": lambda it, _: solved(it, quasi_identifiers={"age": sf.flat(), "town": sf.intervals(5, 10)}),
    "texts as dates": lambda it, _: solved(it, quasi_identifiers={**QI, "note": sf.dates("month")}),
    "texts as weights": lambda it, _: solved(it, weight="note"),
    "a model of other values": lambda it, _: solved(it, models=(sf.LPlusDiversity("disease", {"flu": 0.5}),)),
    "no distances of texts": lambda it, _: solved(it, models=(sf.TCloseness("disease", 0.2, distance="hierarchical"),)),
    "a column that is not there": lambda it, _: solved(it, sensitive=["qzname"]),
    "nothing but notes": lambda it, _: solved(it, quasi_identifiers={"nobody": sf.flat()}),
    "infeasible": lambda it, _: solved(it, k=1000).release(),
    "items without a path": lambda it, folder: solved(it, sets={"items": _towns(folder, *FOOD)}),
    "an output of no format": lambda it, folder: solved(it).write(folder / "released.xlsx"),
    "a query for nothing": lambda it, folder: solved(it).report(folder / "r.json", queries=["town"]),
    "other data with other values": lambda it, folder: solved(write_people(folder / "few.csv", count=9), k=1).apply(it),
    "a check that fails": lambda it, _: sf.check(
        it, quasi_identifiers=["town"], constraints=[sf.KAnonymity(3)]
    ).raise_if_violated(),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_refused_shows_nothing(
    fault: str,
    suite: Callable[[int], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Of data of all kinds in the whole suite, and of some otherwise."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    caplog.set_level(logging.DEBUG)
    for kind in Random(fault).sample(list(KINDS), min(suite(40), len(KINDS))):
        folder = tmp_path / kind
        folder.mkdir()
        source = KINDS[kind](folder)
        before = set(folder.iterdir())
        with warnings.catch_warnings(record=True, action="always") as warned, pytest.raises(sf.SfumatoError) as refused:
            FAULTS[fault](source, folder)
        shown = [*traceback.format_exception(refused.value), *map(str, warned), *capfd.readouterr(), caplog.text]
        assert not CANARY.search("".join(shown).encode())
        assert len(str(refused.value).splitlines()) <= 2
        assert {path.name for path in set(folder.iterdir()) - before} <= {"towns.csv", "few.csv"}
        del source, refused
        assert list(leaks(temporary)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_released_shows_nothing_that_was_left_out(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """On the way too: what is being written is for its user alone."""
    for name in ("temporary", "out"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    seen = []
    recode = DuckDBEngine.recode

    def watched(self: Any, *words: Any, **more: Any) -> Any:
        written = recode(self, *words, **more)
        there = [*(tmp_path / "temporary").iterdir(), *(tmp_path / "out").iterdir()]
        seen.extend(stat.S_IMODE(path.stat().st_mode) for path in there)
        return written

    monkeypatch.setattr(DuckDBEngine, "recode", watched)
    solution = solved(KINDS[kind](tmp_path), sets={"items": write_items(tmp_path / "items.csv", 200)},
                      models=(sf.KmAnonymity(3, 2),))  # fmt: skip
    assert (solution.suppressed or 0) >= 5
    out = tmp_path / "out"
    for ending in (".csv", ".csv.gz", ".parquet", ".duckdb"):
        solution.write(out / f"o{ending}", progress=lambda _: None)
    solution.report(out / "r.html", out / "r.json", released=out / "o.csv")
    assert len(seen) >= 8
    assert set(seen) <= {0o700, 0o644}
    assert list(leaks(out)) == []
    assert not CANARY.search(gzip.decompress((out / "o.csv.gz").read_bytes()))
    shown = [str(solution), repr(solution), repr(solution.problem), repr(solution.problem.data), solution.reason]
    shown += [json.dumps(solution.to_json()), repr(solution.release()), *capfd.readouterr()]
    assert not CANARY.search("".join(shown).encode())


# --- on the command line


COMMANDS: list[tuple[list[str], int]] = [
    ([], 0),
    (["--json"], 0),
    (["--require", "k-anonymity:k=1000"], 1),
    (["--qi", "town=intervals:5"], 2),
    (["--qi", "town=dates:month"], 2),
    (["--sensitive", "nothing"], 2),
    (["--weight", "note"], 2),
    (["--set", "items=masking:2"], 2),
    (["--unit", "qz"], 2),
    (["--require", "t-closeness:t=0.1,distance=ordered"], 2),
]


@pytest.mark.parametrize(("more", "expected"), COMMANDS)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_commands_show_nothing(
    kind: str,
    more: list[str],
    expected: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in ("temporary", "out"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    words = ["anonymize", FILES[kind](tmp_path), *ASK, "-o", tmp_path / "out" / "o.csv"]
    code = main(list(map(str, [*words, "--report", tmp_path / "out" / "r.html", "--without-reference", *more])))
    shown = capfd.readouterr()
    assert code == expected
    assert not CANARY.search((shown.out + shown.err).encode())
    assert len(shown.err.splitlines()) <= 2
    assert list(leaks(tmp_path / "out")) == []
    assert (code == 0) == bool(list((tmp_path / "out").iterdir()))
    assert list(leaks(tmp_path / "temporary")) == []


DAMAGES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a cell too many": lambda lines: [*lines[:9], lines[9].rstrip() + b",qzextra1qz\n", *lines[10:]],
    "a quotation mark": lambda lines: [*lines[:9], b'"' + lines[9], *lines[10:]],
    "another encoding": lambda lines: [*lines[:9], lines[9].rstrip() + b"\xff\xfe\n", *lines[10:]],
    "no header": lambda lines: lines[1:],
    "a zero": lambda lines: [*lines[:9], lines[9][:4] + b"\0" + lines[9][4:], *lines[10:]],
}


def damaged(path: Path, how: str) -> None:
    """The lines of a text are damaged; of any other file, half is there."""
    if path.suffix in {".parquet", ".duckdb"}:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        return
    packed = path.suffix == ".gz"
    lines = (gzip.decompress(path.read_bytes()) if packed else path.read_bytes()).splitlines(keepends=True)
    content = b"".join(DAMAGES[how](lines))
    path.write_bytes(gzip.compress(content) if packed else content)


@pytest.mark.parametrize(
    ("kind", "how"), [*((kind, how) for kind in ("csv", "gzip") for how in DAMAGES), ("parquet", ""), ("database", "")]
)
@pytest.mark.parametrize("command", ["anonymize", "init", "tradeoff", "check"])
def test_damaged_files_are_not_quoted(
    command: str, kind: str, how: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = FILES[kind](tmp_path)
    damaged(path, how)
    words = {
        "anonymize": ["anonymize", path, *ASK, "-o", tmp_path / "o.csv"],
        "init": ["init", path, "--directory", tmp_path / "project"],
        "tradeoff": ["tradeoff", path, "--qi", "age=fanout:2"],
        "check": ["check", path, "--qi", "town", "--require", "k-anonymity:k=3"],
    }[command]
    code = main(list(map(str, words)))
    shown = capfd.readouterr()
    assert code in {0, 1, 2}
    assert "internal error" not in shown.err
    assert not CANARY.search((shown.out + shown.err).encode())
    assert len(shown.err.splitlines()) <= 2 or code == 0


TRANSACTION_FAULTS = [
    ("", []),
    ("", ["--json"]),
    ("", ["--require", "km-anonymity:k=1000,m=2"]),
    ("", ["--hierarchy", "intervals:5"]),
    ("", ["--hierarchy", "towns.csv"]),
    ("", ["--transaction", "t", "--item", "i"]),
    ("", ["--separator", "z"]),
    ("\nqzitem1qz \0 bread\n", []),
    ("qzitem1qz\x1fqzitem2qz\n", []),
]


@pytest.mark.parametrize(("added", "more"), TRANSACTION_FAULTS)
def test_transactions_show_nothing(
    added: str, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    _towns(tmp_path, *FOOD)
    data = write_baskets(tmp_path / "baskets.txt")
    data.write_text(data.read_text() + added)
    words = ["transactions", data, "--hierarchy", write_items(tmp_path / "items.csv"), "-o", "out/o.txt"]
    asked = ["--require", "km-anonymity:k=3,m=2", "--report", "out/r.html"]
    code = main(list(map(str, [*words, *asked, *more])))
    shown = capfd.readouterr()
    assert code in {0, 1, 2}
    assert "internal error" not in shown.err
    assert len(shown.err.splitlines()) <= 2
    assert not CANARY.search((shown.out + shown.err).encode())
    assert list(leaks(tmp_path / "out")) == []
    assert (code == 0) == bool(list((tmp_path / "out").iterdir()))
