"""Count queries in a report: how well the release answers what somebody asks of it."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.evaluate import CountQuery, QueryReport, count_queries
from sfumato.report.blocks import Block, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import counted, percent

_FEWEST = 100  # true counts below which an error in whole percents would give away the count itself


def parsed(queries: Sequence[CountQuery | str]) -> list[CountQuery]:
    """The queries; a text is one as on the command line."""
    return [CountQuery.parse(one) if isinstance(one, str) else one for one in queries]


def section(findings: Findings) -> Section | None:
    """The answers to the queries, if there are any."""
    if not findings.queries:
        return None
    return queries_section(count_queries(findings.solution, parsed(findings.queries)))


def queries_section(answers: QueryReport) -> Section:
    """What the release lets one estimate, and how far that is from the truth; true counts are not shown."""
    rows, few = [], 0
    for one in answers.results:
        error = "few records" if one.error is None or one.true < _FEWEST else f"{one.error:.0%}"
        few += error == "few records"
        rows.append((str(one.query), f"{float(one.estimate):,.0f}", error))
    errors = [one.error for one in answers.results if one.error is not None and one.true >= _FEWEST]
    blocks: list[Block] = [
        Text(
            "How many records match, as estimated from the release: the records of a label are assumed to be spread "
            "evenly over the values that it stands for. The error is relative to the true count."
        ),
        Grid("Queries", ("records with", "estimate", "relative error"), tuple(rows)),
    ]
    if errors:
        mean, middle = sum(errors) / len(errors), sorted(errors)[len(errors) // 2]
        blocks.append(Text(f"The mean error is {percent(mean)}, the median {percent(middle)}."))
    if few:
        blocks.append(
            Text(
                f"For {counted(few, 'query', 'queries')} no error is shown: fewer than {_FEWEST} records match, and "
                "the error would give away how many."
            )
        )
    return Section("queries", "What can be counted", tuple(blocks))
