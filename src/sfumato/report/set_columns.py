"""Columns of sets in the report on a table: what was asked and attained, how items were blurred, what is rare."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.report.blocks import Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.items import blurring, supports
from sfumato.report.statement import part_json
from sfumato.report.words import parameters, percent
from sfumato.set_table_solution import SetTableSolution


def set_sections(found: Findings) -> Iterator[Section]:
    """A section for each column of sets."""
    if not isinstance(found.solution, SetTableSolution):
        return
    for number, (name, one) in enumerate(found.solution.sets.items(), start=1):
        rows = []
        for key, model in zip(one.attained, one.problem.constraints, strict=True):
            asked = {field: value for field, value in part_json(model).items() if field != "model"}
            asked.pop("sensitive_items", None)  # they are values of the data
            checked = found.audit.attained.get(f"{key} ({name})", {})
            broken = f"{key} ({name})" in found.audit.violations
            verdict = "VIOLATED" if broken else f"holds ({parameters(checked)})" if checked else "holds"
            rows.append((key, parameters(asked), parameters(one.attained[key]) or "holds", verdict, model.promise))
        header = ("requirement", "asked", "attained", "independent check", "in plain words")
        grid = Grid("Requirements", header, tuple(rows), words=frozenset({1, 2, 3, 4}))
        empty = found.solution.problem.data.sets[name].empty
        proof = "the least of all cuts for these records" if one.status == "optimal" else "not proved to be the least"
        said = Text(
            f"{percent(one.cost or 0.0)} of all detail is lost (NCP), {proof}; found by {one.algorithm}. "
            f"{empty:,} records of the data have no items; a transaction is a record that has some."
        )
        blocks = (grid, said, *blurring(one).blocks, *(block for some in supports(one) for block in some.blocks))
        yield Section(f"sets-{number}", f"The sets of '{name}'", blocks)
