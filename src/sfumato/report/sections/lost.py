"""What was lost, by every measure and in each column."""

from __future__ import annotations

from sfumato.plots import losses_info
from sfumato.report.blocks import Figures, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import number, percent


def section(findings: Findings) -> Section | None:
    """The losses; those of sets stand with their columns."""
    if findings.classes is None:
        return None
    rows = tuple(
        (name, number(loss["value"]), percent(loss["relative"])) for name, loss in findings.solution.losses.items()
    )
    minimised = findings.solution.question.loss.spelled
    return Section(
        "lost",
        "What was lost",
        (
            Text(
                "A value that is published as it is loses no detail; one that is hidden (*), or whose record is left "
                f"out, loses all. The search minimised {minimised}; the other measures are for comparison."
            ),
            Figures((losses_info(findings.solution.loss_per_attribute),)),
            Grid("All losses", ("loss", "value", "share of the worst"), rows),
        ),
    )
