"""Runs that end at any moment: each output is what it was or whole, and nothing protected stays after the next run."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

import duckdb
import pytest

from .canaries import ASK, CANARY, ask_of_sets, leaks, write_baskets, write_people
from .processes import Ended, Processes, choose_calls, processes

OLD = "as it was"


@pytest.fixture(scope="module")
def running() -> Iterator[Processes]:
    with processes() as started:
        yield started


@dataclass(frozen=True)
class Job:
    """A command with a report, and what its release is when nothing goes wrong."""

    running: Processes
    words: tuple[object, ...]
    folder: Path
    name: str
    expected: bytes
    calls: int

    @classmethod
    def of(cls, running: Processes, folder: Path, command: str, ending: str, number: int) -> Job:
        """The job, done once without a fault; calls are counted at which this signal may come."""
        (folder / "out").mkdir()
        if command == "anonymize":
            # In another encoding than UTF-8 there is a copy among the temporary files.
            path = write_people(folder / "people.csv")
            path.write_bytes(path.read_text().encode("utf-16"))
            words: tuple[object, ...] = ("anonymize", path, "--encoding", "utf-16", *ASK)
        else:
            words = ("transactions", write_baskets(folder / "baskets.txt"), *ask_of_sets(folder))
        out = folder / "out" / f"released{ending}"
        words = (*words, "-o", out, "--report", folder / "out" / "report.html", "--memory-limit", "200MB")
        done = running.run(*words, number=number)
        assert (done.code, done.err) == (0, "")
        return cls(running, words, folder, out.name, content(out), done.calls)

    def run(self, number: int = 0, at: int = 0) -> Ended:
        """Once more, over old outputs."""
        for name in (self.name, "report.html", "report.json"):
            (self.folder / "out" / name).write_text(OLD)
        return self.running.run(*self.words, number=number, at=at)

    def require_whole(self) -> None:
        """Each output is as it was before, or as it is to be."""
        out = self.folder / "out"
        if (out / self.name).read_bytes() != OLD.encode():
            assert content(out / self.name) == self.expected
        page = (out / "report.html").read_text()
        assert page == OLD or page.rstrip().endswith("</html>")
        written = (out / "report.json").read_text()
        if written != OLD:
            hashed = json.loads(written)["hashes"]["release"]["sha256"]
            assert self.name.endswith(".duckdb") or hashed == sha256(self.expected).hexdigest()

    def require_clean(self, temporary: Path) -> None:
        """Nothing is there but the outputs, and what must not be published is nowhere."""
        assert sorted(path.name for path in (self.folder / "out").iterdir()) == sorted(
            [self.name, "report.html", "report.json"]
        )
        assert list(leaks(self.folder / "out")) == []
        assert list(temporary.iterdir()) == []


def content(path: Path) -> bytes:
    """What is in a release: its bytes, but the rows of a database, whose files are never the same."""
    if path.suffix != ".duckdb":
        return path.read_bytes()
    with duckdb.connect(str(path), read_only=True) as connection:
        return repr(connection.execute("FROM released").fetchall()).encode()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def said_nothing_protected(ended: Ended) -> None:
    assert "Traceback" not in ended.err
    assert "Exception ignored" not in ended.err
    assert len(ended.err.splitlines()) <= 2
    assert not CANARY.search((ended.out + ended.err).encode())


JOBS = [("anonymize", ".csv"), ("anonymize", ".csv.gz"), ("anonymize", ".parquet"), ("anonymize", ".duckdb"),
        ("transactions", ".txt"), ("transactions", ".csv")]  # fmt: skip


@pytest.mark.parametrize(("command", "ending"), JOBS)
def test_killed_at_any_call(
    command: str, ending: str, running: Processes, suite: Callable[[int], int], tmp_path: Path, temporary: Path
) -> None:
    job = Job.of(running, tmp_path, command, ending, signal.SIGKILL)
    left = False
    for at in choose_calls(Random(f"{command}{ending}"), job.calls, suite(30)):
        ended = job.run(signal.SIGKILL, at)
        assert ended.code in {-signal.SIGKILL, 0}
        job.require_whole()
        left = left or any(leaks(temporary)) or any(leaks(tmp_path / "out"))
    assert left or command == "transactions", "something has to be cleaned up"
    done = job.run()
    assert (done.code, done.err) == (0, "")
    job.require_whole()
    job.require_clean(temporary)


@pytest.mark.parametrize(("number", "codes"), [(signal.SIGTERM, {0, 143}), (signal.SIGINT, {0, 130})])
@pytest.mark.parametrize(("command", "ending"), [JOBS[0], JOBS[3], JOBS[4]])
def test_asked_to_end_at_any_call(
    command: str,
    ending: str,
    number: int,
    codes: set[int],
    running: Processes,
    suite: Callable[[int], int],
    tmp_path: Path,
    temporary: Path,
) -> None:
    """Whoever is asked cleans up at once."""
    job = Job.of(running, tmp_path, command, ending, number)
    for at in choose_calls(Random(f"{command}{ending}{number}"), job.calls, suite(40)):
        ended = job.run(number, at)
        assert ended.code in codes
        said_nothing_protected(ended)
        job.require_whole()
        job.require_clean(temporary)
