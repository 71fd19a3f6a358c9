"""Planting: a fault in the searches of the core, to see that a comparison with brute force notices it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sfumato.native import core


@contextmanager
def planted(fault: core.Fault) -> Iterator[None]:
    """Inside, all searches of the process err in this way."""
    core.plant(fault)
    try:
        yield
    finally:
        core.plant(core.Fault.NONE)
