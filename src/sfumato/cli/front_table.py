"""A front on the terminal: its points as a table, and what the marked one costs, in words."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.front.front import ParetoFront
    from sfumato.settings.exact import Number

_PIPED = 200  # columns where there is no terminal to ask


def tell(front: ParetoFront, marked: Mapping[str, Number]) -> None:
    """Print the table, then the words."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from sfumato.plots import asked_words, front_info
    from sfumato.settings.exact import readable

    console = Console(width=None if sys.stdout.isatty() else _PIPED, highlight=False)
    info = front_info(front, front.at(**marked), asked_words(front, marked)) if marked else front_info(front)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in (*front.parameters, "cost", *info.series[:-1]):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column(info.series[-1])
    for i, (point, spot) in enumerate(zip(front, info.spots, strict=True)):
        cells = [*map(readable, point.values.values()), f"{point.cost:,.6g}", *spot.cells]
        table.add_row(*map(Text, cells), style="bold" if i == info.chosen else None)
    console.print(table)
    spot = info.spots[info.chosen]
    console.print(Text(f"\n{spot.words[0]} ({info.mark}).", style="bold"))
    for sentence in spot.words[1:]:
        console.print(Text(f"  {sentence}"))
    console.print(Text(f"\n{_effort(front)}"))


def _effort(front: ParetoFront) -> str:
    from sfumato.questions.answer import counted_off

    looked_at = f"{front.evaluated:,} of {counted_off(front.space)} {front.question.looked_at}"
    effort = f"{len(front):,} points, {looked_at} in {front.seconds:.2f} s"
    if not front.complete:
        return f"{effort}. INCOMPLETE: points may be missing, and costs may not be the least."
    if front.spend_limit:
        return f"{effort}: the whole front of the paper of POkA, where every choice suppresses all that it may."
    return f"{effort}: each point is proved to be the least loss for what it asks."
