"""Items: how those of transactions were blurred."""

from __future__ import annotations

from sfumato.report.blocks import Section
from sfumato.report.findings import Findings
from sfumato.report.set_blocks import blurring


def section(findings: Findings) -> Section | None:
    """The published levels, and the cut as a tree; where there is a table, its columns of sets have it."""
    if findings.classes is not None:
        return None
    return Section("cut", "How items were blurred", tuple(block for one in findings.sets for block in blurring(one)))
