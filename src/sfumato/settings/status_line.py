"""A line that follows what is done, and then goes: on standard error, or below the cell of a notebook."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

_EVERY = 0.2  # seconds between two updates of a notebook


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], object]]:
    """Shows a text; what is entered replaces it."""
    from rich.console import Console  # only who wants to see progress pays for it

    console = Console(stderr=True)
    if console.is_jupyter and find_spec("ipywidgets") is None:  # which rich would ask for at every search
        with _below_the_cell(text) as update:
            yield update
    else:
        with console.status(text) as status:
            yield status.update


@contextmanager
def _below_the_cell(text: str) -> Iterator[Callable[[str], object]]:
    """The same by what every notebook can show."""
    handle = import_module("IPython.display").display({"text/plain": text}, raw=True, display_id=True)
    last = time.monotonic()

    def update(words: str) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            handle.update({"text/plain": words}, raw=True)

    try:
        yield update
    finally:
        handle.update({"text/plain": ""}, raw=True)
