"""The sections of a report, a module each. To add one, write it and put it in its place here."""

from __future__ import annotations

from functools import partial

from sfumato.report.blocks import Section
from sfumato.report.findings import Findings
from sfumato.report.sections import (
    boxes,
    columns,
    criteria,
    cuts,
    distributions,
    items,
    levels,
    local,
    lost,
    prediction,
    queries,
    reproduction,
    requirements,
    risk,
    search,
    set_column,
    supports,
    tradeoff,
    unprotected,
    withheld,
)

_ASKED = (unprotected, requirements, columns)
_BLURRED = (levels, cuts, local, boxes, withheld, items, supports)
_LOST = (lost, risk, criteria, distributions, prediction)
_PROVED = (queries, tradeoff, search, reproduction)


def sections(findings: Findings) -> tuple[Section, ...]:
    """All sections that have something to say; each says so itself."""
    of_sets = [partial(set_column.section, place=place) for place in range(len(findings.sets))]
    parts = [
        *(part.section for part in (*_ASKED, *_BLURRED)),
        *of_sets,
        *(part.section for part in (*_LOST, *_PROVED)),
    ]
    return tuple(section for part in parts if (section := part(findings)) is not None)
