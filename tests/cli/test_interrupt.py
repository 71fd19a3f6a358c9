"""Ctrl-C and time limits in a search that would take minutes: the best so far, with a bound, or nothing at all."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sfumato as sf

pty = pytest.importorskip("pty", reason="progress is watched on a pseudo-terminal")

NAMES = [f"q{i}" for i in range(18)]
# sfumato, but for a file whose header does not come.
READING = """
import sys, time
from sfumato.cli import main
from sfumato.engines.duckdb import csv_file
csv_file.read_header = lambda *_: (print("reading", flush=True), time.sleep(600))
sys.exit(main(sys.argv[1:]))
"""
WAIT = 60  # seconds until a step that takes one or two must have happened


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random values in eighteen columns: nothing guides the search, and classes are hard to find."""
    path = tmp_path_factory.mktemp("hard") / "hard.csv"
    values = np.random.default_rng(1).integers(0, 30, (40_000, len(NAMES)))
    np.savetxt(path, values, fmt="%d", delimiter=",", header=",".join(NAMES), comments="")
    return path


def call(hard: Path, out: Path, *more: str) -> list[str]:
    roles = [word for name in NAMES for word in ("--qi", f"{name}=fanout:3")]
    words = [
        "anonymize",
        str(hard),
        "-o",
        str(out),
        *roles,
        "--require",
        "k-anonymity:k=5",
        "--suppression-limit",
        "5%",
        "--json",
    ]
    return [sys.executable, "-m", "sfumato", *words, *more]


class Search:
    """A search in another process, whose progress is read from its terminal."""

    def __init__(self, words: list[str]) -> None:
        self._terminal, far = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
        self.process = subprocess.Popen(
            words,
            stdout=subprocess.PIPE,
            stderr=far,
            text=True,
            env=environment,
            preexec_fn=_listen_to_interrupts,  # noqa: PLW1509
        )
        os.close(far)
        self.seen = ""

    def wait_for(self, pattern: str) -> None:
        """Read on until the terminal shows something new."""
        start = len(self.seen)
        while not re.search(pattern, self.seen[start:]):
            ready, _, _ = select.select([self._terminal], [], [], WAIT)
            assert ready, f"no '{pattern}' within {WAIT} s, but {self.seen[-300:]!r}"
            self.seen += os.read(self._terminal, 65536).decode(errors="replace")

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> tuple[int, str]:
        out, _ = self.process.communicate(timeout=WAIT)
        return self.process.returncode, out

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self._terminal)


def _listen_to_interrupts() -> None:
    """Whoever runs the tests in the background may have made them deaf to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def search(hard: Path, tmp_path: Path) -> Iterator[Search]:
    running = Search(call(hard, tmp_path / "released.csv"))
    yield running
    running.close()


def test_interrupted_front_says_what_it_is(hard: Path, tmp_path: Path) -> None:
    roles = [word for name in NAMES for word in ("--qi", f"{name}=fanout:3")]
    out = tmp_path / "front.json"
    running = Search(
        [sys.executable, "-m", "sfumato", "tradeoff", str(hard), *roles, "--suppression-limit", "5%", "-o", str(out)]
    )
    try:
        running.wait_for(r"tradeoff +[1-9][\d,]* of [\d,]+ nodes .*Ctrl-C takes the front so far")
        running.interrupt()
        code, printed = running.end()
    finally:
        running.close()
    assert code == 0
    assert "INCOMPLETE: the search was stopped; points may be missing" in printed
    assert "can be had" not in printed
    assert not sf.ParetoFront.load(out, sf.Table(hard, quasi_identifiers=dict.fromkeys(NAMES, sf.fanout(3)))).complete


def holds(out: Path) -> bool:
    return sf.check(out, quasi_identifiers=NAMES, constraints=[sf.KAnonymity(5)]).holds


def test_first_interrupt_takes_the_best_so_far(search: Search, tmp_path: Path) -> None:
    search.wait_for(r"nodes +best [\d,.e+]+ +bound [\d,.e+]+")
    search.interrupt()
    code, out = search.end()
    report = json.loads(out)
    assert (code, report["status"]) == (0, "feasible")
    assert 0 < report["bound"] <= report["loss"]["value"]
    assert report["gap"] == pytest.approx(report["loss"]["value"] / report["bound"] - 1)
    assert os.listdir(tmp_path) == ["released.csv"]
    assert holds(tmp_path / "released.csv")


def test_second_interrupt_leaves_at_once(search: Search, tmp_path: Path) -> None:
    search.wait_for(r"nodes +best [\d,.e+]+")
    search.interrupt()
    search.wait_for(r"\x1b\[\?25h")  # the search is over: its display has given the cursor back
    search.interrupt()
    search.wait_for("interrupted; nothing was written")
    code, out = search.end()
    assert (code, out) == (130, "")
    assert os.listdir(tmp_path) == []


def test_interrupt_before_the_search(hard: Path, tmp_path: Path) -> None:
    """While the data is read there is nothing to keep."""
    process = subprocess.Popen(
        [sys.executable, "-c", READING, *call(hard, tmp_path / "released.csv")[3:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_listen_to_interrupts,  # noqa: PLW1509
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "reading\n"
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=WAIT)
    assert (process.returncode, out) == (130, "")
    assert errors == "sfumato: interrupted; nothing was written.\n"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminated_run_leaves_nothing_behind(
    hard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    (tmp_path / "temporary").mkdir()
    (tmp_path / "out").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    running = Search(call(hard, tmp_path / "out" / "released.csv"))
    try:
        running.wait_for(r"nodes +best [\d,.e+]+")
        assert list((tmp_path / "temporary").glob("sfumato-*"))
        running.process.send_signal(number)
        running.wait_for("sfumato: terminated")
        assert running.end() == (128 + number, "")
    finally:
        running.close()
    assert list((tmp_path / "temporary").iterdir()) == []
    assert list((tmp_path / "out").iterdir()) == []


def test_time_limit(hard: Path, tmp_path: Path) -> None:
    out = tmp_path / "released.csv"
    done = subprocess.run(
        call(hard, out, "--time-limit", "2s"), capture_output=True, text=True, check=True, timeout=WAIT
    )
    report = json.loads(done.stdout)
    assert report["status"] == "feasible"
    assert 0 < report["bound"] <= report["loss"]["value"]
    assert report["records"]["out"] >= 0.95 * 40_000
    assert done.stderr == ""
    assert holds(out)
