"""Levels: how far each column was blurred, in full-domain recoding."""

from __future__ import annotations

from sfumato.report.blocks import Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.levels import levels
from sfumato.report.words import percent


def section(findings: Findings) -> Section | None:
    """The level of each column, with examples."""
    if findings.classes is None or findings.classes.recoding.as_node is None:
        return None
    rows = []
    for one in levels(findings):
        what = "as it is" if one.kept else "; ".join(one.examples) or "blurred"
        rows.append(
            (
                one.column,
                f"{one.level} of {one.highest}",
                what,
                percent(findings.solution.loss_per_attribute[one.column]),
                one.hierarchy,
            )
        )
    header = ("column", "level", "what becomes of values", "detail lost", "hierarchy")
    return Section(
        "levels",
        "How values were blurred",
        (
            Text(
                "All values of a column are replaced by those of one level of its hierarchy; level 0 is the value as "
                "it is. Examples with an arrow are lines of a hierarchy file; of hierarchies generated from the data, "
                "only published labels are shown."
            ),
            Grid("Levels", header, tuple(rows), words=frozenset({2, 4})),
        ),
    )
