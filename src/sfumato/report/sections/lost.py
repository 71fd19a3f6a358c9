"""What was lost, by every measure and in each column."""

from __future__ import annotations

from sfumato.plots import losses_info
from sfumato.report.blocks import Figures, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import number, percent


def section(found: Findings) -> Section | None:
    """The losses; of sets they are told with their columns."""
    if found.classes is None:
        return None
    rows = tuple(
        (name, number(loss["value"]), percent(loss["relative"])) for name, loss in found.solution.losses.items()
    )
    minimised = found.solution.question.loss.name
    return Section(
        "lost",
        "What was lost",
        (
            Text(
                f"A column that is published as it is loses nothing of a record; one that is hidden (*), and a record "
                f"that is left out, lose all. Minimised was {minimised}; the other measures are told for comparison."
            ),
            Figures((losses_info(found.solution.loss_per_attribute),)),
            Grid("All losses", ("loss", "value", "share of the worst"), rows),
        ),
    )
