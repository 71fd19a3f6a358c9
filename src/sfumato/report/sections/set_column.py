"""A column of sets: what was asked and attained, how items were blurred, which sets are rare."""

from __future__ import annotations

from sfumato.report.blocks import Section, Text
from sfumato.report.findings import Findings
from sfumato.report.set_blocks import blurring, requirements, supports
from sfumato.report.words import percent


def section(findings: Findings, place: int) -> Section | None:
    """All about one column; transactions have no columns, and sections for each of these."""
    one = findings.sets[place]
    if one.name is None:
        return None
    proof = "the least of all cuts for these records" if one.status == "optimal" else "not proved to be the least"
    said = Text(
        f"{percent(one.cost)} of all detail is lost (NCP), {proof}; found by {one.algorithm}. "
        f"{one.empty:,} records of the data have no items; a transaction is a record that has some."
    )
    blocks = (requirements(one, findings.audit), said, *blurring(one), *supports(one))
    return Section(f"sets-{place + 1}", f"The sets of '{one.name}'", blocks)
