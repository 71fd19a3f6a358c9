"""A front on the terminal: its points as a table, and what the marked one costs, in words."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sfumato.front.front import ParetoFront
from sfumato.front.point import FrontPoint
from sfumato.hierarchies.tree import count_of
from sfumato.plots import Curve, front_info
from sfumato.plots.front import called, percent
from sfumato.settings.exact import readable

_PIPED = 200  # columns where there is no terminal to ask


def tell(front: ParetoFront, mark: tuple[FrontPoint, str] | None) -> None:
    """Print the table, then the words."""
    console = Console(width=None if sys.stdout.isatty() else _PIPED, highlight=False)
    info = front_info(front, *mark) if mark else front_info(front)
    listed = front.landmarks.listed(info.chosen)
    console.print(_table(front, info, listed))
    if len(listed) < len(front):
        console.print(
            Text(f"\n{len(listed)} of {len(front):,} points are shown; --csv prints all, -o front.html draws them.")
        )
    names = ", ".join(front.question.names)
    if names:
        space = "" if len(listed) < len(front) else "\n"
        console.print(Text(f"{space}Levels are of {names}; level 0 leaves values as they are."))
    spot = info.spots[info.chosen]
    console.print(Text(f"\n{spot.words[0]} ({info.mark}).", style="bold"))
    for sentence in (*spot.words[1:], *_knee(front)):
        console.print(Text(f"  {sentence}"))
    console.print(Text(f"\n{_effort(front)}"))


def _table(front: ParetoFront, info: Curve, listed: Sequence[int]) -> Table:
    """The points, the marked one in bold; levels are digits, for their names would not fit beside each other."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in (*front.parameters, "cost", *info.series):
        table.add_column(name, justify="right", no_wrap=True)
    for i in listed:
        point, (lost, left_out, described) = front[i], info.spots[i].cells
        levels = " ".join(map(str, point.levels.values())) or described
        cells = [*map(readable, point.values.values()), f"{point.cost:,.6g}", lost, left_out, levels]
        table.add_row(*map(Text, cells), style="bold" if i == info.chosen else None)
    return table


def _knee(front: ParetoFront) -> Iterator[str]:
    """The knee is no more than a remark: it may lie at a k that nobody would ask for."""
    if front.landmarks.bends:
        knee = front.knee()
        yield f"The curve bends most at {called(knee)} (its knee), which costs {percent(knee.relative)}."


def _effort(front: ParetoFront) -> str:
    from sfumato.questions.answer import counted_off

    looked_at = f"{front.evaluated:,} of {counted_off(front.space)} {front.question.looked_at}"
    effort = f"{count_of(len(front), 'point')}, {looked_at} in {front.seconds:.2f} s"
    if front.stopped:
        return f"{effort}. INCOMPLETE: the search was stopped; points may be missing, and costs may not be the least."
    if not front.complete:
        return f"{effort}. INCOMPLETE: points may be missing, and costs may not be the least."
    if front.spend_limit:
        return f"{effort}: the whole front of the paper of POkA, where every choice suppresses all that it may."
    return f"{effort}: each point is proved to be the least loss for what it asks."
