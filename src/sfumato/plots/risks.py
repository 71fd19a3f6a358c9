"""The chance of finding somebody, before and after."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.plots.bars import Bar, Bars


def risks_info(risks: Sequence[tuple[str, float | None, float | None]]) -> Bars:
    """Risks (name, before, after) as chances; a full bar is certainty. One that is unknown is not drawn."""
    measures = [(name, old, new) for name, old, new in risks if old is not None and new is not None]
    shares = "; ".join(f"{name}: {before:.2%} before, {after:.2%} after" for name, before, after in measures)
    return Bars(
        title="Risk of being found, before and after",
        description=f"{shares}.",
        series=("before", "after"),
        bars=tuple(Bar(name, (before, after), (_percent(before), _percent(after))) for name, before, after in measures),
        most=1.0,
    )


def _percent(share: float) -> str:
    """A share as a percentage that is 0% only if the share is zero."""
    return f"{share:.1%}" if share == 0 or share >= 0.0005 else "<0.1%"
