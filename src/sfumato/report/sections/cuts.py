"""Cuts: how each hierarchy was cut, in full-subtree recoding."""

from __future__ import annotations

from sfumato.report.blocks import Code, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import counted, percent


def section(findings: Findings) -> Section | None:
    """The cut of each column as a tree, with the records of every published label."""
    recoding = None if findings.classes is None else findings.classes.recoding.as_cut
    if recoding is None:
        return None
    intact = findings.solution.chosen.intact
    trees = [Code(f"The cut of '{name}'", tree) for name, tree in recoding.trees().items() if name not in intact]
    rows = []
    for name, labels in recoding.published_cuts.items():
        what = "as it is" if name in intact else counted(len(labels), "published label")
        hierarchy = recoding.hierarchies[recoding.names.index(name)].source
        rows.append((name, what, percent(findings.solution.loss_per_attribute[name]), hierarchy))
    header = ("column", "what becomes of values", "detail lost", "hierarchy")
    return Section(
        "cuts",
        "How values were blurred",
        (
            Text(
                "Every value is replaced by the label above it in a cut through its column's hierarchy, the same "
                "wherever it occurs. No published label covers another, so any tool can count and compare them. The "
                "trees end at the cut; beside a label stand its published records. Labels that no published record "
                "has are counted, not named."
            ),
            Grid("Cuts", header, tuple(rows), words=frozenset({1, 3})),
            *trees,
        ),
    )
