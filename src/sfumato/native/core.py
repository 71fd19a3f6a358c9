"""The core, loaded when it is first used: help texts, messages and verification do without it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def __getattr__(name: str) -> Any:
    return getattr(_loaded(), name)


@cache
def _loaded() -> Any:
    with _signals_later():
        from sfumato import _core

        return _core


@contextmanager
def _signals_later() -> Iterator[None]:
    """Signals that are handled come when this is done: the process would be aborted if they came while it loads."""
    if threading.current_thread() is not threading.main_thread():  # no other handles any
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    handlers = {number: handler for number, handler in before.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)
