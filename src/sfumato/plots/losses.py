"""How much of its detail each attribute loses."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.plots.bars import Bar, Bars


def losses_info(per_attribute: Mapping[str, float]) -> Bars:
    """The relative loss of each attribute, the largest first; a full bar is all detail."""
    ordered = sorted(per_attribute.items(), key=lambda entry: -entry[1])
    shares = ", ".join(f"{name} {loss:.1%}" for name, loss in ordered)
    return Bars(
        title="Detail lost by column",
        description=f"Share of its detail that each column loses: {shares}.",
        series=("lost",),
        bars=tuple(Bar(name, (loss,), (f"{loss:.1%}",)) for name, loss in ordered),
        most=1.0,
    )
