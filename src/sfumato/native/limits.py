"""Limits: when a search stops, and what it may use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from sfumato.errors import ProblemError
from sfumato.settings.memory import OVER, left_of, readable_bytes, too_much
from sfumato.settings.wording import setting

_LEAST_MEMORY = 16 << 20  # bytes that a search has in any case


@dataclass(frozen=True)
class Limits:
    """When a search stops, and what it may use."""

    seconds: float = inf
    examined: int | None = None
    memory: int = 1 << 30
    threads: int = 1
    of_process: bool = False  # whether the memory is that of the whole process, or what the search may add to it
    reserved: int = 0  # of the process's, for what a search has in memory in any case

    @property
    def memory_left(self) -> int:
        """What is left for working copies."""
        return (
            left_of(max(self.memory - self.reserved, _LEAST_MEMORY), _LEAST_MEMORY) if self.of_process else self.memory
        )

    def reserving(self, more: float, search: str) -> Limits:
        """The same for a search that takes so many bytes in any case; a ProblemError if the process must not."""
        needed = too_much(self.memory, int(more)) if self.of_process else None
        if needed is not None and more > _LEAST_MEMORY:
            enough = setting("memory_limit", readable_bytes(int(needed * OVER)))
            raise ProblemError(
                f"{search} takes about {readable_bytes(needed)} of memory on so many different records, more than the "
                f"limit allows; raise it to {enough}."
            )
        return replace(self, reserved=int(more))
