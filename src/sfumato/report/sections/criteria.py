"""Singling out, linkability and inference: what was measured about each."""

from __future__ import annotations

from sfumato.report.blocks import Block, Bullets, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import percent


def section(findings: Findings) -> Section | None:
    """The three criteria of the Article 29 Working Party."""
    if findings.classes is None:
        return None
    risks = findings.classes.risks
    blocks: list[Block] = [
        Text(
            "The three criteria of the Article 29 Working Party's Opinion 05/2014, each with what was measured about "
            "it. The figures do not decide whether that is enough: this depends on what others know, and want."
        ),
        Bullets(tuple((f"{name.capitalize()}.", sentence) for name, sentence in risks.criteria.items())),
    ]
    rows = [
        (
            one.column,
            percent(one.blind),
            percent(one.before.expected),
            percent(one.after.expected),
            f"{one.after.certain:,}",
        )
        for one in risks.inference
    ]
    if rows:
        header = (
            "sensitive column",
            "without knowing anything",
            "from the data",
            "from the release",
            "certain, records",
        )
        blocks.append(Grid("How often the best guess is right", header, tuple(rows)))
    return Section("criteria", "Singling out, linkability, inference", tuple(blocks))
