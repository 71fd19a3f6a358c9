"""Supports: how many sets of items were rare in transactions, before and after."""

from __future__ import annotations

from sfumato.report.blocks import Section
from sfumato.report.findings import Findings
from sfumato.report.set_blocks import supports


def section(findings: Findings) -> Section | None:
    """The rare sets by size; where there is a table, its columns of sets have them."""
    blocks = () if findings.classes is not None else tuple(block for one in findings.sets for block in supports(one))
    return Section("supports", "Rare sets before and after", blocks) if blocks else None
