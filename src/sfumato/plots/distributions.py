"""The shares of a column's published labels, in the data and in the release."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.plots.bars import Bar, Bars

_MOST = 8  # bars


def distribution_info(column: str, shares: Sequence[tuple[str | None, float, float]], withheld: float = 0.0) -> Bars:
    """The largest shares (label, before, after), and what remains together; None is the missing value.

    withheld: the share of the data whose labels are not published at all, and so are not named here.
    """
    ordered = sorted(shares, key=lambda one: -max(one[1], one[2]))
    room = _MOST - (withheld > 0)
    shown = ordered if len(ordered) <= room else ordered[: room - 1]
    bars = [_bar("(missing)" if label is None else label, before, after) for label, before, after in shown]
    rest = ordered[len(shown) :]
    if rest:
        bars.append(_bar(f"{len(rest):,} more", sum(one[1] for one in rest), sum(one[2] for one in rest)))
    if withheld:
        bars.append(_bar("(not published)", withheld, 0.0))
    apart = max((abs(after - before) for _, before, after in shares), default=0.0)
    return Bars(
        title=f"Distribution of {column}",
        description=f"Shares of the published labels of {column}; the largest difference is {apart:.2%}.",
        series=("before", "after"),
        bars=tuple(bars),
        most=max((amount for bar in bars for amount in bar.amounts), default=0.0),
    )


def _bar(label: str, before: float, after: float) -> Bar:
    return Bar(label, (before, after), (f"{before:.1%}", f"{after:.1%}"))
