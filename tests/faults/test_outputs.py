"""What goes wrong with outputs: a full disk, protected files and folders, several processes that write the same."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.cli import main

from .canaries import ASK, CANARY, ask_of_sets, leaks, write_baskets, write_people
from .processes import GUARD, Processes, processes

OLD = "as it was"
FULL = "is there room on the disk?"


@pytest.fixture(scope="module")
def running() -> Iterator[Processes]:
    with processes() as started:
        yield started


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def anonymize(folder: Path, name: str, count: int = 200) -> list[object]:
    return ["anonymize", write_people(folder / "people.csv", count=count), *ASK, "-o", folder / "out" / name]


def transactions(folder: Path, name: str, count: int = 100) -> list[object]:
    words = ["transactions", write_baskets(folder / "baskets.txt", count=count), *ask_of_sets(folder, count)]
    return [*words, "-o", folder / "out" / name]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- a full disk: here no file may become larger than it says


@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.parametrize(
    ("command", "name", "largest"),
    [
        (anonymize, "o.csv", 4096),
        (anonymize, "o.csv.gz", 200),
        (anonymize, "o.parquet", 200),
        (anonymize, "o.duckdb", 4096),
        (transactions, "o.txt", 4096),
        (transactions, "o.txt.gz", 100),
        (transactions, "o.csv", 4096),
        (transactions, "o.parquet", 200),
    ],
)
def test_no_room_for_a_release(
    command: object, name: str, largest: int, existing: bool, running: Processes, tmp_path: Path, temporary: Path
) -> None:
    (tmp_path / "out").mkdir()
    words = command(tmp_path, name, 1000)  # type: ignore[operator]
    if existing:
        (tmp_path / "out" / name).write_text(OLD)
    before = contents(tmp_path)
    ended = running.run(*words, largest=largest)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"sfumato: The release cannot be written; {FULL}\n"
    assert contents(tmp_path) == before
    assert list((tmp_path / "out").iterdir()) == ([tmp_path / "out" / name] if existing else [])
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("command", [anonymize, transactions])
def test_no_room_for_a_report(command: object, running: Processes, tmp_path: Path, temporary: Path) -> None:
    (tmp_path / "out").mkdir()
    words = command(tmp_path, "o.csv")  # type: ignore[operator]
    (tmp_path / "out" / "r.json").write_text(OLD)
    before = contents(tmp_path)
    ended = running.run(*words, "--report", tmp_path / "out" / "r.html", largest=15_000)
    assert (ended.code, ended.out) == (2, "")
    assert len(ended.err.splitlines()) == 1
    assert FULL in ended.err
    assert contents(tmp_path) == before
    assert list(temporary.iterdir()) == []


def test_no_room_for_a_project(running: Processes, tmp_path: Path, temporary: Path) -> None:
    data = write_people(tmp_path / "people.csv")
    before = contents(tmp_path)
    ended = running.run("init", data, "--directory", tmp_path / "project", largest=1500)
    assert (ended.code, ended.out) == (2, "")
    assert len(ended.err.splitlines()) == 1
    assert FULL in ended.err
    assert contents(tmp_path) == before
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("name", ["f.html", "f.svg", "f.json"])
def test_no_room_for_a_trade_off(name: str, running: Processes, tmp_path: Path) -> None:
    words = ["tradeoff", write_people(tmp_path / "people.csv"), "--qi", "age=fanout:2", "--suppression-limit", "10%"]
    before = contents(tmp_path)
    ended = running.run(*words, "-o", tmp_path / name, largest=1500)
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1
    assert FULL in ended.err
    assert contents(tmp_path) == before


def test_no_room_for_a_copy_of_the_data(running: Processes, tmp_path: Path, temporary: Path) -> None:
    """It is copied where it is in another encoding than UTF-8."""
    words = anonymize(tmp_path, "o.csv", 1000)
    data = tmp_path / "people.csv"
    data.write_bytes(data.read_text().encode("utf-16"))
    (tmp_path / "out").mkdir()
    ended = running.run(*words, "--encoding", "utf-16", largest=4096)
    assert (ended.code, ended.out) == (2, "")
    assert FULL in ended.err
    assert len(ended.err.splitlines()) == 1
    assert not CANARY.search(ended.err.encode())
    assert list(temporary.iterdir()) == []


# --- modes of files


def mask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
@pytest.mark.parametrize("name", ["o.csv", "o.parquet", "o.duckdb"])
def test_new_outputs_have_the_usual_mode(name: str, umask: int, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    words = [*anonymize(tmp_path, name), "--report", tmp_path / "out" / "r.html"]
    before = os.umask(umask)
    try:
        assert main(list(map(str, words))) == 0
    finally:
        os.umask(before)
    assert mask() == before
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").iterdir()}
    assert modes == dict.fromkeys([name, "r.html", "r.json"], 0o666 & ~umask)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_outputs_keep_their_mode(mode: int, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    outputs = [tmp_path / "out" / name for name in ("o.csv", "r.html", "r.json")]
    for output in outputs:
        output.write_text(OLD)
        output.chmod(mode)
    assert main(list(map(str, [*anonymize(tmp_path, "o.csv"), "--report", outputs[1]]))) == 0
    assert [stat.S_IMODE(output.stat().st_mode) for output in outputs] == [mode] * 3
    assert OLD not in outputs[0].read_text()


@pytest.mark.parametrize("protected", ["o.csv", "r.html", "r.json"])
def test_write_protected_outputs_stay(protected: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").mkdir()
    output = tmp_path / "out" / protected
    output.write_text(OLD)
    output.chmod(0o444)
    words = [*anonymize(tmp_path, "o.csv"), "--report", tmp_path / "out" / "r.html"]
    before = contents(tmp_path)
    assert main(list(map(str, words))) == 2
    assert capfd.readouterr() == (
        "",
        f"sfumato: '{output}' is write-protected; choose another path, or make it writable.\n",
    )
    assert contents(tmp_path) == before


def test_write_protected_outputs_stay_in_python(tmp_path: Path) -> None:
    table = sf.Table(write_people(tmp_path / "people.csv"), quasi_identifiers={"age": sf.fanout(2)})
    solution = sf.Problem(table, [sf.KAnonymity(3)]).solve()
    front = sf.tradeoff(table)
    for name, write in {
        "o.csv": solution.write,
        "r.json": solution.report,
        "f.json": front.save,
        "f.svg": front.plot().save,
    }.items():
        (tmp_path / name).write_text(OLD)
        (tmp_path / name).chmod(0o444)
        with pytest.raises(sf.DataError, match="is write-protected; choose another path"):
            write(tmp_path / name)
        assert (tmp_path / name).read_text() == OLD


# --- several processes at a time


@pytest.mark.parametrize("name", ["o.csv", "o.parquet"])
def test_several_processes_write_the_same_output(name: str, tmp_path: Path, temporary: Path) -> None:
    """Each asks for something else; what is there in the end is all of one of them."""
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / name
    words, alone = anonymize(tmp_path, name), set()
    calls = [[*words, "--require", f"k-anonymity:k={k}", "--threads", 1] for k in (3, 12, 30)]
    for call in calls:
        assert main(list(map(str, call))) == 0
        alone.add(out.read_bytes())
    assert len(alone) == 3
    environment = {**os.environ, "TMPDIR": str(temporary)}
    together = [
        subprocess.Popen(
            [sys.executable, "-m", "sfumato", *map(str, call)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for call in calls
    ]
    for process in together:
        _, errors = process.communicate(timeout=GUARD)
        assert (process.returncode, errors) == (0, "")
    assert out.read_bytes() in alone
    assert list((tmp_path / "out").iterdir()) == [out]
    assert list(leaks(tmp_path / "out")) == []
    assert list(temporary.iterdir()) == []
