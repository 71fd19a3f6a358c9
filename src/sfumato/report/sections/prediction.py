"""Prediction: how well the target can be learnt from the release, beside how well it could from the data."""

from __future__ import annotations

from importlib.util import find_spec

from sfumato.evaluate import classification
from sfumato.report.blocks import Block, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import counted, listed, percent

_MOST = 100_000  # different records that a tree is trained on while somebody waits for a report
_FEWEST = 30  # records below which an error says nothing


def section(findings: Findings) -> Section | None:
    """The error of a decision tree before and after, if there is a target; or why it is not shown."""
    if findings.classes is None:
        return None
    table = findings.solution.problem.data
    if table.target is None or table.pre_generalised or table.frequencies.records < _FEWEST:
        return None
    return Section("prediction", f"Prediction of '{table.target}'", _blocks(findings, table.target))


def _blocks(findings: Findings, target: str) -> tuple[Block, ...]:
    different = len(findings.solution.problem.data.frequencies.counts)
    if find_spec("sklearn") is None:
        return (Text("Not measured: it needs scikit-learn; install sfumato[ml], and write the report again."),)
    if different > _MOST:
        what = counted(different, "different record")
        return (Text(f"Not measured: {what} take long for a report; call sfumato.evaluate.classification for it."),)
    prediction = classification(findings.solution, target=target, seed=findings.solution.seed)
    rows = (
        ("predicted wrongly, share of the test", percent(prediction.before), percent(prediction.after)),
        ("records trained on", f"{prediction.trained:,}", f"{prediction.trained_after:,}"),
        ("records tested on", f"{prediction.tested:,}", f"{prediction.tested_after:,}"),
    )
    return (
        Text(
            f"A decision tree (CART) predicts '{target}' from {listed(prediction.features)}. It is trained on two "
            "thirds of the records, drawn at random, and tested on the others: once as they were, and once as they are "
            f"published. Always predicting the most frequent label would be wrong for {percent(prediction.blind)}. "
            "Records that are left out are used for neither."
        ),
        Grid("Decision tree", ("measure", "before", "after"), rows),
        *(Text(note) for note in prediction.notes),
    )
