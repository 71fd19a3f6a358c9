"""What is said when somebody presses Ctrl-C: which files are there by then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def saying_what_is_written(*outputs: Path | None) -> Iterator[None]:
    """An interruption says which of these files have been written in here, and which have not."""
    paths = [path for path in outputs if path is not None]
    before = {path: _stamp(path) for path in paths}
    try:
        yield
    except KeyboardInterrupt:
        written = [path for path in paths if _stamp(path) != before[path]]
        missing = [path for path in paths if path not in written]
        if not written:
            raise KeyboardInterrupt from None
        lacking = f"; {_listed(missing)} not written" if missing else ""
        raise KeyboardInterrupt(f"{_listed(written)} written{lacking}") from None


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when a file takes the place of another."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _listed(paths: list[Path]) -> str:
    return " and ".join(map(str, paths))
