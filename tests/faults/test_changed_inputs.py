"""Data and hierarchies that change between reading and release: nothing is published that is of neither."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.engines import DuckDBEngine
from sfumato.release import drafted

from .canaries import ASK, ask_of_sets, rows, write_baskets, write_items, write_people

CHANGED = "has changed since it was read; read it again, and solve anew"


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(path.read_bytes().splitlines(keepends=True)[-1])


def replace(path: Path) -> None:
    """By a file of the same bytes: it is another."""
    shutil.copy(path, path.with_name("other"))
    os.replace(path.with_name("other"), path)


def rewrite(path: Path) -> None:
    """Of the same length, and in place."""
    content, before = path.read_bytes(), path.stat().st_mtime_ns
    path.write_bytes(content.replace(b"north", b"south"))
    os.utime(path, ns=(before + 1, before + 1))


def remove(path: Path) -> None:
    path.unlink()


CHANGES = [append, replace, rewrite, remove]


def problem(source: Any, town: Any = None, **more: Any) -> sf.Problem:
    table = sf.Table(
        source,
        quasi_identifiers={"age": sf.intervals(5, 10, 20, 40), "town": sf.flat() if town is None else town},
        sensitive=["disease"],
        **more,
    )
    return sf.Problem(table, [sf.KAnonymity(3)], recoding=sf.FullDomain("10%"))


def refuses(solution: sf.Solution, folder: Path, name: str) -> None:
    """Neither release nor report is written, and none comes back."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    message = f"^{name} {CHANGED}"
    with pytest.raises(sf.DataError, match=message):
        solution.write(folder / "released.csv")
    with pytest.raises(sf.DataError, match=message):
        solution.report(folder / "report.html", folder / "report.json")
    with pytest.raises(sf.DataError, match=message):
        solution.release()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("change", CHANGES)
def test_a_table_that_changes(change: Callable[[Path], None], tmp_path: Path) -> None:
    path = write_people(tmp_path / "people.csv")
    solution = problem(path).solve()
    change(path)
    refuses(solution, tmp_path, "people.csv")


def test_a_table_that_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_people(tmp_path / "people.csv")
    monkeypatch.chdir(tmp_path)
    solution = problem("people.csv").solve()
    path.read_bytes()
    path.chmod(0o600)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    solution.write("released.csv")
    solution.report("report.json", released="released.csv")
    assert len(solution.release()) == 200 - solution.suppressed


@pytest.mark.parametrize(
    "change", [append, replace, remove, lambda path: shutil.copy(path, path.with_name("c.parquet"))]
)
def test_a_folder_of_parts_that_changes(change: Callable[[Path], None], tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    frame = pd.DataFrame(rows())
    for name, part in (("a", frame[:100]), ("b", frame[100:])):
        part.to_parquet(folder / f"{name}.parquet")
    for source in (folder, f"{tmp_path}/people/*.parquet"):
        kept = tmp_path / "kept"
        shutil.copytree(folder, kept)
        solution = problem(source).solve()
        change(folder / "b.parquet")
        with pytest.raises(sf.DataError, match=CHANGED):
            solution.write(tmp_path / "released.csv")
        del solution
        shutil.rmtree(folder)
        kept.rename(folder)
    assert not (tmp_path / "released.csv").exists()


@pytest.mark.parametrize("change", CHANGES)
def test_a_hierarchy_that_changes(change: Callable[[Path], None], tmp_path: Path) -> None:
    path = write_people(tmp_path / "people.csv")
    towns = tmp_path / "towns.csv"
    towns.write_text("".join(f"{town};*\n" for town in sorted({row["town"] for row in rows()})))
    solution = problem(path, town=towns).solve()
    change(towns)
    refuses(solution, tmp_path, "towns.csv")


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("which", ["baskets.txt", "items.csv"])
def test_transactions_that_change(change: Callable[[Path], None], which: str, tmp_path: Path) -> None:
    path = write_baskets(tmp_path / "baskets.txt")
    data = sf.Transactions(path, hierarchy=write_items(tmp_path / "items.csv"))
    solution = sf.Problem(data, [sf.KmAnonymity(3, 2)]).solve()  # type: ignore[arg-type]
    change(tmp_path / which)
    refuses(solution, tmp_path, which)


def test_other_data_that_changes_while_it_is_recoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = problem(write_people(tmp_path / "people.csv")).solve()
    other = write_people(tmp_path / "other.csv", count=100)
    recode = DuckDBEngine.recode

    def changing(self: Any, *words: Any, **more: Any) -> Any:
        append(other)
        return recode(self, *words, **more)

    monkeypatch.setattr(DuckDBEngine, "recode", changing)
    with pytest.raises(sf.DataError, match=f"other.csv {CHANGED}"):
        solution.apply(other)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("command", ["anonymize", "transactions"])
def test_a_command_whose_data_changes(
    change: Callable[[Path], None],
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It changes when the search is over: old output stays, of release and report alike."""
    path = write_people(tmp_path / "p.csv") if command == "anonymize" else write_baskets(tmp_path / "b.txt")
    outputs = [tmp_path / "out" / f"o{path.suffix}", tmp_path / "out" / "r.html", tmp_path / "out" / "r.json"]
    (tmp_path / "out").mkdir()
    for output in outputs:
        output.write_text("before")

    def changing(*words: Any, **more: Any) -> Any:
        change(path)
        return drafted(*words, **more)

    monkeypatch.setattr("sfumato.release.drafted", changing)
    ask = ASK if command == "anonymize" else ask_of_sets(tmp_path)
    words = [command, path, "-o", outputs[0], "--report", outputs[1], *ask]
    assert main(list(map(str, words))) == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    assert shown.err == f"sfumato: {path.name} {CHANGED}.\n"
    assert [output.read_text() for output in outputs] == ["before"] * 3
    assert len(list((tmp_path / "out").iterdir())) == 3
