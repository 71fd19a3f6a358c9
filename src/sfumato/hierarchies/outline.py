"""Outlines: a tree as indented text, the root first, children below their parent and further to the right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.errors import HierarchyError
from sfumato.hierarchies.tree import padded_rows


@dataclass(frozen=True)
class _Line:
    """A line that is not blank."""

    number: int
    indent: str
    label: str


def outline_rows(text: str, source: str) -> list[tuple[str, ...]]:
    """The rows of the tree that an outline draws, in its order.

    A line belongs to the last line above it that is indented less. Spaces and tabs both indent; an indentation must
    begin like the one it lies in. Spaces around a label are none of it.
    """
    labels: list[str] = []
    parents: list[int] = []
    lines: list[_Line] = []
    above: list[int] = []  # the path from the root to the line before
    for line in _lines(text):
        above = _parents(line, above, lines, source)
        if not above and lines:
            raise HierarchyError(
                f"{source}, line {line.number}: '{line.label}' is a second root besides '{labels[0]}'; indent it, "
                "or put one root such as '*' above all."
            )
        parents.append(above[-1] if above else -1)
        above.append(len(lines))
        lines.append(line)
        labels.append(line.label)
    if not lines:
        raise HierarchyError(f"{source} has no lines; begin with the root, and indent what lies below it.")
    _check_names(lines, parents, source)
    return padded_rows(labels, parents)


def _lines(text: str) -> Iterator[_Line]:
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        label = line.strip()
        if label:
            yield _Line(number, line[: len(line) - len(line.lstrip())], label)


def _parents(line: _Line, above: list[int], lines: list[_Line], source: str) -> list[int]:
    """The path of the lines that this one is below."""
    path = [index for index in above if len(lines[index].indent) < len(line.indent)]
    beside = above[len(path)] if len(path) < len(above) else None
    # Without a line beside it the line is the first child; else it must stand exactly where that line does.
    fits = line.indent.startswith(lines[path[-1]].indent) if path else True
    if not fits or (beside is not None and lines[beside].indent != line.indent):
        raise HierarchyError(
            f"{source}, line {line.number}: the indentation of '{line.label}' fits no line above; "
            "give children of one parent the same spaces or tabs."
        )
    return path


def _check_names(lines: list[_Line], parents: list[int], source: str) -> None:
    """Every label names one node, except that a leaf may be called like its parent."""
    inner = sorted(set(parents) - {-1})
    named: dict[str, int] = {}
    for node in inner:
        other = named.setdefault(lines[node].label, node)
        if other != node:
            _refuse(node, other, lines, parents, source)
    leaves: dict[str, int] = {}
    for node in sorted({*range(len(lines))} - {*inner}):
        other = leaves.setdefault(lines[node].label, node)
        if other == node:
            other = named.get(lines[node].label, node)
        if other not in (node, parents[node]):
            _refuse(max(node, other), min(node, other), lines, parents, source)


def _refuse(node: int, other: int, lines: list[_Line], parents: list[int], source: str) -> None:
    """Say what is wrong with the second of two lines of one label."""
    label, line, earlier = lines[node].label, lines[node].number, lines[other].number
    below = node
    while below > other:  # a parent's line comes first
        below = parents[below]
    if below == other:
        raise HierarchyError(
            f"{source}, line {line}: '{label}' lies below itself (line {earlier}); rename one of the two."
        )
    first, second = (lines[parents[index]].label for index in (other, node))
    if first != second:
        raise HierarchyError(
            f"{source}, line {line}: '{label}' has two parents ('{first}' in line {earlier}, '{second}'); "
            "keep one, or give the two different names."
        )
    raise HierarchyError(f"{source}, line {line}: '{label}' is already in line {earlier}; keep one of the two.")
