"""Commands in processes of their own that begin without the time of a start, and end where a test wants them to.

A process has imported everything and waits; each command runs in a copy of it, which may be sent a signal at a call
that is chosen by its number, or be allowed files of some size only.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

GUARD = 300  # seconds after which a test gives up; no test depends on it
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, or the negative number of the signal that killed it."""

    code: int
    out: str
    err: str
    calls: int  # that it made, as far as they were counted


class Processes:
    """Runs commands, one at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )

    def run(self, *words: object, number: int = 0, at: int = 0, largest: int | None = None) -> Ended:
        """Runs a command; `number` is the signal it gets at call `at`, `largest` the bytes that a file may have.

        Signals that a process handles come in code of sfumato only: Python's own may be left with a lock held.
        """
        streams = {name: str(self.folder / name) for name in ("out", "err", "calls")}
        order = {"words": [str(word) for word in words], "number": number, "at": at, "largest": largest, **streams}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**order, "temporary": tempfile.gettempdir()}) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        out, err, calls = (Path(path).read_text(encoding="utf-8") for path in streams.values())
        return Ended(code, out, err, int(calls or 0))

    def close(self) -> None:
        """Ends the process that waits."""
        self._process.communicate("", timeout=GUARD)


@contextmanager
def processes() -> Iterator[Processes]:
    """Commands can be run in here."""
    with tempfile.TemporaryDirectory() as folder:
        running = Processes(Path(folder))
        try:
            yield running
        finally:
            running.close()


def serve() -> None:
    """What the process that waits does: a copy for each order, whose exit code it prints."""
    import_all()
    for line in sys.stdin:
        order = json.loads(line)
        for name in ("out", "err", "calls"):
            Path(order[name]).write_bytes(b"")
        child = os.fork()
        if not child:
            sys.exit(obey(order))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(code, flush=True)  # noqa: T201


def import_all() -> None:
    """Whatever a command imports when it needs it."""
    import sfumato.cli.app
    import sfumato.front.tradeoff
    import sfumato.profile
    import sfumato.project
    import sfumato.report.html  # noqa: F401


def obey(order: dict[str, Any]) -> int:
    """The command, in the copy."""
    from sfumato.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(order[name], os.O_WRONLY), stream)
    tempfile.tempdir = order["temporary"]
    if order["largest"] is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["largest"], order["largest"]))
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += order["number"] == signal.SIGKILL or is_own(frame)
        if calls == order["at"] and order["at"]:
            order["at"] = 0
            os.kill(os.getpid(), order["number"])

    sys.setprofile(count)
    try:
        return main(order["words"])
    finally:
        sys.setprofile(None)
        if order["largest"] is None:
            Path(order["calls"]).write_text(str(calls))


def is_own(frame: FrameType) -> bool:
    """Whether it is sfumato that calls, or is called."""
    return str(frame.f_globals.get("__name__")).startswith("sfumato")


def choose_calls(random: Any, calls: int, many: int) -> Sequence[int]:
    """The numbers of calls at which something happens: half of them among the last third, where files are written."""
    return [random.randint(calls * 2 // 3 if i % 2 else 1, calls) for i in range(many)]


if __name__ == "__main__":
    serve()
