"""Progress of scans: shown on the terminal, or passed to a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sfumato.engines.protocol import Watched
from sfumato.settings.status_line import status_line

Watcher = bool | Callable[[float], object]  # True shows progress on the terminal


@contextmanager
def watched(engine: Watched, doing: str, progress: Watcher) -> Iterator[None]:
    """Progress of what the engine does meanwhile is shown or passed on; `doing` names it, as in `reading`."""
    if not progress:
        yield
        return
    before = engine.progress
    try:
        if progress is True:
            with status_line(f"{doing} {engine.name} …") as update:
                engine.progress = lambda share: update(f"{doing} {engine.name}  {share:.0%}")
                yield
        else:
            engine.progress = progress
            yield
            progress(1.0)
    finally:
        engine.progress = before
