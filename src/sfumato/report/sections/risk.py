"""Risk: how likely people are found, before and after."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.evaluate import Ranking
from sfumato.plots import class_sizes_info, risks_info
from sfumato.report.blocks import Block, Figures, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import percent


def section(findings: Findings) -> Section | None:
    """The risks of prosecutor, marketer and journalist, and the columns that single out most."""
    if findings.classes is None:
        return None
    risks = findings.classes.risks
    before, after = risks.before, risks.after
    who = "persons" if risks.persons else "records"
    measures = (
        (f"{who} who are alone", before.uniques_share, after.uniques_share),
        (f"{who} in groups below {before.k}", before.small_share, after.small_share),
        ("highest chance of being found", before.highest, after.highest),
        ("average chance of being found", before.average, after.average),
        ("share that a list would find", before.marketer, after.marketer),
    )
    bands = [(band.least, band.most, band.records_before, band.records_after or 0) for band in risks.class_sizes]
    rows = (
        ("records", f"{before.records:,}", f"{after.records:,}"),
        ("groups of people who look alike", f"{before.classes:,}", f"{after.classes:,}"),
        (f"smallest group, {who}", f"{before.smallest_class:,}", f"{after.smallest_class:,}"),
        (f"{who} alone in their group", f"{before.uniques:,}", f"{after.uniques:,}"),
        (f"{who} in groups below {before.k}", f"{before.small:,}", f"{after.small:,}"),
        *((name, percent(old), percent(new)) for name, old, new in measures[2:]),
        (f"chance above {percent(before.threshold)}, share of {who}", percent(before.at_risk), percent(after.at_risk)),
        (
            "highest chance without knowing who is in the data",
            *map(percent, (before.journalist.highest, after.journalist.highest)),
        ),
    )
    return Section(
        "risk",
        "Risk before and after",
        (
            Text(
                "The chance that somebody who knows all the columns above of a person, and that the person is in the "
                "data, picks the right record (the prosecutor's risk); what linking everybody to a list would find "
                "(the marketer's); and the chance without knowing who is in the data (the journalist's)."
            ),
            Figures((risks_info(measures), class_sizes_info(bands))),
            Grid("Risk", ("measure", "before", "after"), rows),
            *_ranked(risks.sets_before, "before", who),
            *_ranked(risks.sets_after, "after", who),
            *(Text(note) for note in risks.notes),
        ),
    )


def _ranked(ranking: Ranking | None, when: str, who: str) -> Sequence[Block]:
    """The sets of columns that single out most; nothing is listed where none does."""
    if ranking is None or not ranking.sets:
        return ()
    size, k = len(ranking.sets[0].columns), ranking.sets[0].k
    what = "columns" if size == 1 else f"sets of {size} columns"
    telling = [one for one in ranking.sets if one.small]
    if not telling:
        return (Text(f"The {what} that single out most, {when}: none puts anybody into a group below {k}."),)
    rows = tuple((" + ".join(one.columns), percent(one.alone_share), percent(one.small_share)) for one in telling)
    note = "" if ranking.complete else f", of {ranking.examined:,} that were counted"
    return (Grid(f"The {what} that single out most {who}, {when}{note}", ("columns", "alone", f"below {k}"), rows),)
