"""Distributions of the published labels, before and after."""

from __future__ import annotations

from sfumato.plots import Bars, distribution_info
from sfumato.report.blocks import Figures, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import percent


def section(findings: Findings) -> Section | None:
    """The shares of each column's labels, and how far they are from each other."""
    if findings.classes is None:
        return None
    figures: list[Bars] = []
    rows = []
    for one in findings.classes.risks.distributions:
        rows.append((one.column, f"{len(one.shares):,}", percent(one.total_variation), percent(one.withheld or 0)))
        if len(one.shares) > 1:
            shares = [(share.label, share.original, share.released) for share in one.shares]
            figures.append(distribution_info(one.column, shares, one.withheld or 0.0))
    return Section(
        "distributions",
        "Distributions before and after",
        (
            Text(
                "The share of each published label: in the data, blurred in the same way, and in the release. Only the "
                "records that were left out make a difference. Total variation is half the sum of all differences. "
                "Labels that are not published are not named."
            ),
            *((Figures(tuple(figures)),) if figures else ()),
            Grid(
                "Distance of each column",
                ("column", "labels", "total variation", "share of labels not published"),
                tuple(rows),
            ),
        ),
    )
