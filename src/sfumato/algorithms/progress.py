"""Progress on a terminal: nodes, incumbent and bound, on one line of standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sfumato.algorithms.base import Progress


@contextmanager
def shown(name: str, space: int) -> Iterator[Callable[[Progress], object]]:
    """A display that follows a search, and leaves nothing behind."""
    from rich.console import Console  # noqa: PLC0415 - only who asks for progress pays for it

    with Console(stderr=True).status(f"{name} …") as display:

        def show(now: Progress) -> None:
            cost = "none yet" if now.cost is None else f"{now.cost:,.6g}"
            gap = "" if not now.cost or not now.bound else f"  gap {now.cost / now.bound - 1:.2%}"
            display.update(
                f"{name}  {now.examined:,} of {space:,} nodes  best {cost}  bound {now.bound:,.6g}{gap}  "
                f"{now.seconds:.0f} s  (Ctrl-C takes the best so far)"
            )

        yield show
