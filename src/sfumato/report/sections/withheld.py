"""Withheld: what was withheld where a cut was not enough, and why, in full-subtree recoding."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sfumato.check.audit import determined_classes
from sfumato.recoding import Scheme
from sfumato.recoding.views import ChosenCut
from sfumato.recoding.withholding import ceilings, violated
from sfumato.report.blocks import Block, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import counted, listed, number, percent

_WHY = {
    Scheme.NONE: "Nothing may be withheld: the cut alone satisfies the requirements.",
    Scheme.VIOLATING_VALUES: "In a group where a value is more frequent than allowed, every occurrence of that value "
    "is printed as *. The records stay.",
    Scheme.ALL_VALUES: "In a group where any value is more frequent than allowed, all values are printed as *, so that "
    "nobody can tell which one was. The records stay.",
    Scheme.VIOLATING_RECORDS: "In a group where a value is more frequent than allowed, as few records as possible are "
    "left out; which of those with the same value go is drawn at random.",
    Scheme.ALL_RECORDS: "All records of a group that does not satisfy the requirements are left out.",
}


def section(findings: Findings) -> Section | None:
    """What was withheld, and why."""
    recoding = None if findings.classes is None else findings.classes.recoding.as_cut
    if recoding is None:
        return None
    solution, f = findings.solution, findings.solution.problem.data.frequencies
    models = solution.question.constraints
    classes = solution.chosen.unsuppressed(f).classes(f)
    broken = violated(classes, models) if not any(model.populated for model in models) else None
    rows: list[tuple[str, str]] = [("records left out", _share(solution.suppressed, f.records))]
    for name, hidden in recoding.withheld.hidden.items():
        rows.append((f"values of '{name}' printed as *", _share(int(recoding.withheld.kept[hidden].sum()), f.records)))
    if broken is not None:
        rows.append(("groups that would violate", f"{int(np.count_nonzero(broken)):,} of {len(broken):,}"))
    blocks: list[Block] = [Text(_WHY[recoding.scheme]), Grid("Withheld", ("what", "how many"), tuple(rows))]
    if recoding.scheme.by_value:
        blocks += _by_value(findings, recoding)
    blocks += [Text(sentence) for sentence in _determined(findings, recoding)]
    return Section("withheld", "What was withheld, and why", tuple(blocks))


def _by_value(findings: Findings, recoding: ChosenCut) -> Iterator[Block]:
    """For each sensitive column, the values that are published somewhere, their limits, and how many were withheld."""
    solution, f = findings.solution, findings.solution.problem.data.frequencies
    for name in dict.fromkeys(str(model.reads) for model in solution.question.constraints):
        column, position = f.columns[f.position(name)], f.position(name)
        stays = recoding.withheld.kept.copy()
        if name in recoding.withheld.hidden:
            stays[recoding.withheld.hidden[name]] = 0
        there, left = np.zeros((2, len(column.labels)), dtype=np.int64)
        np.add.at(there, f.codes[:, position], f.counts)
        np.add.at(left, f.codes[:, position], stays)
        theta = ceilings(solution.question.constraints, f, name)
        rows = [
            (label or "(missing)", number(float(theta[code])), _share(int(there[code] - left[code]), int(there[code])))
            for code, label in enumerate(column.labels)
            if left[code] and there[code] > left[code]
        ]
        silent = int(np.count_nonzero((there > 0) & (left == 0)))
        if rows:
            yield Grid(f"Values of '{name}'", ("value", "largest share of a group", "withheld"), tuple(rows))
        if silent:
            yield Text(f"Values of '{name}' that are not published any more, and not named here: {silent:,}.")


def _determined(findings: Findings, recoding: ChosenCut) -> Iterator[str]:
    """Groups whose * can only be one value, for somebody who knows all values that there are."""
    f = findings.solution.problem.data.frequencies
    hidden = [name for name, stars in recoding.withheld.hidden.items() if stars.any()]
    classes = findings.solution.chosen.classes(f).summaries(hidden) if hidden else []
    telling = {name: determined_classes(classes, name, set(f.distributions[name].counts)) for name in hidden}
    for name, count in telling.items():
        if count:
            yield (
                f"In {counted(count, 'group')} every other value of '{name}' is shown, so that * can only be the one "
                "that is not: anybody who knows all possible values learns it. To suppress all values of such a group, "
                "or its records, does not give it away."
            )
    if hidden and not any(telling.values()):
        yield f"No group gives away what its * of {listed(hidden)} stands for by showing all other values."


def _share(some: int, of: int) -> str:
    return f"{some:,} of {of:,}{f' ({percent(some / of)})' if of else ''}"
