"""What the release does not protect from, given what was asked."""

from __future__ import annotations

from sfumato.report.blocks import Bullets, Section
from sfumato.report.findings import Findings
from sfumato.report.limits import limits


def section(findings: Findings) -> Section:
    """All that it leaves open, the most likely to matter first."""
    entries = tuple((limit.lead, limit.sentence) for limit in limits(findings))
    return Section("unprotected", "What it does not protect from", (Bullets(entries),))
