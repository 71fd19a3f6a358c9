"""Columns: what each column of the data is, and what becomes of it, also of those that are left out."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.report.blocks import Grid, Section
from sfumato.report.findings import Findings
from sfumato.report.words import counted


def section(findings: Findings) -> Section | None:
    """All columns of a table, by their roles; those without a role are the last."""
    if findings.classes is None:
        return None
    rows = tuple(_rows(findings))
    total = counted(len(findings.solution.problem.data.engine.columns), "column")
    grid = Grid(f"{total} by role", ("role", "columns", "what becomes of them"), rows, words=frozenset({1, 2}))
    return Section("columns", "Columns", (grid,))


def _rows(findings: Findings) -> Iterator[tuple[str, str, str]]:
    table = findings.solution.problem.data
    intact = set(findings.solution.chosen.intact)
    linkable = [attribute.name for attribute in table.frequencies.quasi_identifiers]
    protected = {model.reads for model in findings.solution.question.constraints}
    target = [] if table.target is None else [table.target]
    with_role = {*table.published, *table.identifiers, *([table.unit] if table.unit else [])}
    roles = (
        (
            "quasi-identifier",
            [name for name in linkable if name not in intact],
            "blurred: others may know them",
        ),
        (
            "quasi-identifier",
            [name for name in linkable if name in intact],
            "published as they are: blurring was not needed",
        ),
        ("sensitive", [name for name in table.sensitive if name in protected], "published, and protected as required"),
        (
            "sensitive",
            [name for name in table.sensitive if name not in protected],
            "published; no requirement protects them",
        ),
        ("sets of items", list(table.sets), "blurred and protected by themselves"),
        ("target", target, "published: what models are to predict"),
        ("insensitive", list(table.insensitive), "published as they are"),
        ("unit", [table.unit] if table.unit else [], "left out: says whose record each is"),
        ("identifier", [name for name in table.identifiers if name != table.unit], "left out: names people"),
        ("no role", [name for name in table.engine.columns if name not in with_role], "left out"),
    )
    for role, names, what in roles:
        if names:
            yield role, ", ".join(names), what
