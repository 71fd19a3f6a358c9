"""How far from optimal: the result of the search and its proof."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.plots import progress_info
from sfumato.questions.answer import counted_off
from sfumato.report.blocks import Block, Figures, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import number


def section(findings: Findings) -> Section:
    """Cost, bound and gap, and how many choices were examined."""
    solution = findings.solution
    choice = solution.question.recoding.candidate(bounded=solution.bound is not None)
    rows = (
        ("status", solution.status.value),
        ("search", solution.algorithm),
        (f"cost ({solution.question.loss.spelled})", number(solution.cost)),
        ("lower bound on every choice", number(solution.bound)),
        ("gap", "–" if solution.gap is None else _gap(solution.gap)),
        ("choices examined", f"{solution.examined:,} of {counted_off(solution.space)}"),
        ("seconds", f"{solution.seconds:.2f}"),
    )
    return Section(
        "search",
        "How far from optimal",
        (
            Text(
                f"A choice is {choice}. "
                + (
                    "This search proves no lower bound: other choices may lose less."
                    if solution.bound is None
                    else "No choice costs less than the lower bound: that is proved, also for those that were not "
                    "looked at. The gap is how far the cost is above it: at 0%, nothing that satisfies the "
                    "requirements loses less."
                )
            ),
            Grid("Search", ("measure", "value"), rows),
            *_progress(findings),
        ),
    )


def _gap(gap: float) -> str:
    """Small gaps are shown to four digits; none is 0%."""
    return f"{gap:.4%}" if gap else "0%"


def _progress(findings: Findings) -> Sequence[Block]:
    """How the gap closed, of searches of boxes: they may be stopped at any time."""
    solution = findings.solution
    if findings.classes is None or findings.classes.recoding.as_boxes is None:
        return ()
    info = progress_info(solution.question.loss.name, [(one.seconds, one.cost, one.bound) for one in solution.trace])
    return () if info is None else (Figures((info,)),)
