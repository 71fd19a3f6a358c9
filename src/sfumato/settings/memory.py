"""Memory of the process: what is in use, and what a limit leaves."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

OVER = 1.1  # times a limit are not yet worth a refusal
_STATM = Path("/proc/self/statm")
_MEMINFO = Path("/proc/meminfo")


def resident() -> int:
    """Bytes of memory that the process has in use; 0 where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def available() -> int:
    """Bytes of memory that the machine has to spare; as many as there can be where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    return sys.maxsize


def left_of(limit: int, least: int) -> int:
    """What a limit of the whole process leaves for more; `least` at least, or the limit if that is less."""
    return max(limit - resident(), min(limit, least))


def too_much(limit: int, more: int) -> int | None:
    """What the process would take with so much more, if a limit of it does not allow that."""
    needed = resident() + more
    return needed if needed > OVER * limit else None


def readable_bytes(amount: int) -> str:
    """An amount of memory as people write it, rounded up."""
    unit, size = ("GB", 10**9) if amount >= 10**10 else ("MB", 10**6)
    return f"{-(-amount // size):,}{unit}".replace(",", "")
