"""Levels: how far each column was blurred, with examples that tell nothing new about the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sfumato.data import QuasiIdentifier
from sfumato.hierarchies import MISSING, HierarchyFile
from sfumato.report.findings import Findings

_EXAMPLES = 3
_Entry = TypeVar("_Entry")


@dataclass(frozen=True)
class Level:
    """One column's level, and what that does to its values."""

    column: str
    level: int
    highest: int
    hierarchy: str
    labels: int  # that can be published at this level
    examples: tuple[str, ...]
    kept: bool = False


def levels(findings: Findings) -> tuple[Level, ...]:
    """The level of every quasi-identifier."""
    table = findings.solution.problem.data
    return tuple(
        Level(
            attribute.name,
            level := findings.solution.levels[attribute.name],
            attribute.hierarchy.height,
            attribute.hierarchy.source,
            len(attribute.hierarchy.labels[level]),
            _examples(findings, attribute, level, shown=isinstance(table.sources[attribute.name], HierarchyFile)),
            kept=level == 0,
        )
        for attribute in table.frequencies.quasi_identifiers
    )


def _examples(findings: Findings, attribute: QuasiIdentifier, level: int, *, shown: bool) -> tuple[str, ...]:
    """A few labels, with a leaf before each if the hierarchy is a file: leaves of a generated one are the data's.

    Without the file, only labels that the release prints are shown, and none that is a value itself.
    """
    tree = attribute.hierarchy
    if level == 0:
        return ()
    if len(tree.labels[level]) == 1:
        return (f"all values → {tree.labels[level][0]}",)
    if shown:
        first: dict[str, str] = {}
        for row in tree.rows:
            if row[0] not in {MISSING, row[level]}:
                first.setdefault(row[level], row[0])
        return tuple(f"{leaf} → {label}" for label, leaf in _some(list(first.items())))
    plan = findings.solution.plan() if findings.classes is None else findings.classes.plan
    i = plan.columns.index(attribute.name)
    printed = {plan.labels[attribute.name][place] for place in plan.published[:, i].tolist()}
    return tuple(_some([label for label in tree.labels[level] if label in printed and label not in tree.codes]))


def _some(entries: Sequence[_Entry]) -> list[_Entry]:
    """The first, one from the middle, and the last."""
    if len(entries) <= _EXAMPLES:
        return list(entries)
    return [entries[0], entries[len(entries) // 2], entries[-1]]
