"""What was asked and what is attained, by the search and by the independent check."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.privacy.base import keys
from sfumato.report.blocks import Block, Bullets, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.set_blocks import requirements
from sfumato.report.statement import part_json
from sfumato.report.words import counted, parameters


def section(findings: Findings) -> Section:
    """The requirements on classes, or on transactions; those on sets in a table stand with their columns."""
    if findings.classes is None:
        return Section("requirements", "Asked and attained", tuple(_of_sets(findings)))
    attained, checked = findings.solution.attained, findings.audit
    rows = []
    models = findings.solution.question.constraints
    for key, model in zip(keys(models), models, strict=True):
        required = {name: value for name, value in part_json(model).items() if name != "model"}
        read = parameters(checked.attained[key])
        verdict = f"holds ({read})" if read else "holds"
        if key in checked.violations:
            verdict = f"VIOLATED by {counted(checked.violations[key].records, 'record')}"
        rows.append((key, parameters(required), parameters(attained[key]) or "holds", verdict, model.promise))
    header = ("requirement", "asked", "attained", "independent check", "in plain words")
    blocks: list[Block] = [Grid("Requirements", header, tuple(rows), words=frozenset({1, 2, 3, 4}))]
    blocks += [Text(note) for note in checked.notes]
    if findings.solution.problem.data.unit is not None:
        blocks.append(
            Text(
                f"'{findings.solution.problem.data.unit}' says whose record each is, so k counts persons. The "
                "published file does not have it, so the independent check counts records."
            )
        )
    return Section("requirements", "Asked and attained", tuple(blocks))


def _of_sets(findings: Findings) -> Iterator[Block]:
    for one in findings.sets:
        yield requirements(one, findings.audit)
        dropped = ((one.empty, "empty transactions"), (one.repeated, "repeated items within a transaction"))
        entries = [(f"{n:,} {what}", "were left out before anything was counted.") for n, what in dropped if n]
        if entries:
            yield Bullets(tuple(entries))
    yield from (Text(note) for note in findings.audit.notes)
