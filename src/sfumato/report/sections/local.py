"""Local recoding in a report: how far values were blurred, which sensitive values were, and what they still tell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ClassSummary
from sfumato.hierarchies import HierarchyFile
from sfumato.recoding.intervals import Intervals
from sfumato.recoding.views import ChosenEntries
from sfumato.report.blocks import Block, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import percent


def section(findings: Findings) -> Section | None:
    """The records published at each level of each column, and the sensitive values that were generalised."""
    recoding = None if findings.classes is None else findings.classes.recoding.as_entries
    if recoding is None:
        return None
    f = findings.solution.problem.data.frequencies
    rows = []
    for a, (name, levels) in enumerate(recoding.by_level(f).items()):
        tree = recoding.trees[name]
        share = "; ".join(f"level {level}: {percent(n / f.records)}" for level, n in levels.items() if n)
        if isinstance(tree, Intervals):
            share = _lengths(tree, recoding.nodes[:, a], recoding.copies)
        what = "as it is" if name in findings.solution.chosen.intact else share
        rows.append((name, what, percent(findings.solution.loss_per_attribute[name])))
    drawn = any(isinstance(tree, Intervals) for tree in recoding.trees.values())
    blocks: list[Block] = [
        Text(
            "Every record is blurred by itself, as much as its group needs, so that equal records may be published "
            "differently. Level 0 is the value as it is; the percentages are shares of the records."
            + (" Intervals have bounds of their own, so that those of one column may overlap." if drawn else "")
        ),
        Grid("Levels", ("column", "what becomes of values", "detail lost"), tuple(rows), words=frozenset({1})),
        *_proved(findings),
        *_generalised(findings, recoding),
        *_induced(findings, recoding),
    ]
    return Section("local", "How values were blurred", tuple(blocks))


def _lengths(tree: Intervals, nodes: NDArray[np.int32], copies: NDArray[np.int64]) -> str:
    """How many records have one cell of an order, some of its cells, or all."""
    length = np.array([tree.axis.length(block) for block in tree.blocks])[nodes]
    one, every = length == 1, length == tree.axis.cells
    some, records = ~one & ~every, int(copies.sum())
    mean = (length[some] * copies[some]).sum() / max(int(copies[some].sum()), 1)
    kinds = (("one value", one), (f"intervals, of {mean:.1f} values on average", some), ("any value", every))
    cells = "value" if tree.axis.cells == len(tree.hierarchy.leaves) else "part"
    return "; ".join(
        f"{kind.replace('value', cells)}: {percent(int(copies[which].sum()) / records)}"
        for kind, which in kinds
        if which.any()
    )


def _proved(findings: Findings) -> Iterator[Block]:
    """The loss against the least that any such recoding could have."""
    solution = findings.solution
    if not solution.cost or solution.bound is None or solution.gap is None or solution.relative is None:
        return
    least = solution.relative * solution.bound / solution.cost
    yield Text(
        f"Blurred like this, record by record, no release that satisfies the requirements can lose less than "
        f"{percent(least)} of all detail ({solution.question.loss.name}): that is proved. This one loses "
        f"{percent(solution.relative)}, at most {percent(solution.gap)} more than the least possible."
    )


def _generalised(findings: Findings, recoding: ChosenEntries) -> Iterator[Block]:
    records = findings.solution.problem.data.frequencies.records
    rows = [
        (name, label, f"{n:,}", percent(n / records))
        for name, by_label in recoding.generalised.items()
        for label, n in by_label.items()
    ]
    if rows:
        header = ("sensitive column", "generalised to", "records", "share")
        yield Grid("Sensitive values that were generalised", header, tuple(rows), words=frozenset({1}))
    elif recoding.raised:
        yield Text("No sensitive value was generalised.")


def _induced(findings: Findings, recoding: ChosenEntries) -> Iterator[Block]:
    """How likely each base value is, in the input and after what is published."""
    problem = findings.solution.problem
    f = problem.data.frequencies
    published = recoding.published(f).distributions
    shown = set()
    for model in findings.solution.question.constraints:
        required = model.induces()
        if required is None or required.values.name in shown:
            continue
        values = required.values
        shown.add(values.name)
        before = values.frequencies(ClassSummary(f.records, {values.name: f.distributions[values.name].counts}))
        after = values.frequencies(ClassSummary(f.records, {values.name: published[values.name].counts}))
        # Labels of a file may be shown; values of the data only if the release prints them.
        is_file = isinstance(problem.data.sources.get(values.name), HierarchyFile)
        rows = [
            (label or "(missing)", percent(float(share)), percent(float(after[label])))
            for label, share in sorted(before.items(), key=lambda entry: -entry[1])
            if is_file or label in published[values.name].counts
        ]
        header = ("value", "share of the input", "likely after the release")
        yield Grid(f"What the release tells about '{values.name}', all groups together", header, tuple(rows))
