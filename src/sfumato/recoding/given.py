"""Given: levels and cuts that somebody states, as what they mean here; what does not fit is refused in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isnan
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable
from sfumato.errors import ProblemError
from sfumato.hierarchies import MISSING, Hierarchy
from sfumato.hierarchies.tree import count_of
from sfumato.settings.exact import whole
from sfumato.settings.given import brief

_Node = tuple[int, int, int]  # its first leaf, the end of its leaves, the lowest level with these


def own_json(stated: object, recoding: str, names: Collection[str] = ()) -> Mapping[str, Any] | None:
    """What `to_json` of a recoding stated, if that is what is given; names: columns, one of which may be 'model'."""
    if not isinstance(stated, Mapping) or "model" not in stated or "model" in names:
        return None
    if stated["model"] != recoding:
        raise ProblemError(
            f"A recoding of the model {brief(stated['model'])} is given, and the problem's is {recoding}; evaluate it "
            "in a problem with that recoding."
        )
    return stated


def by_attribute(stated: object, frequencies: FrequencyTable, like: str) -> dict[str, Any]:
    """What is given of each quasi-identifier, in their order; `like` is how to write it."""
    names = [attribute.name for attribute in frequencies.quasi_identifiers]
    if not isinstance(stated, Mapping):
        raise ProblemError(f"{brief(stated)} does not say what is published of each column; write {like}.")
    for name in stated:
        if name not in names:
            raise ProblemError(f"{brief(name)} is not a quasi-identifier; choose from {', '.join(names)}.")
    for name in names:
        if name not in stated:
            raise ProblemError(f"What is given says nothing of '{name}'; name every quasi-identifier, as in {like}.")
    return {name: stated[name] for name in names}


def level_at(name: str, given: object, lowest: int, highest: int) -> int:
    """A level of an attribute that the recoding allows."""
    level = whole(given, f"the level of '{name}'", least=0)  # type: ignore[arg-type]
    if not lowest <= level <= highest:
        raise ProblemError(f"'{name}' may be published at levels {lowest} to {highest}, and {level} is given.")
    return level


def levels_at(name: str, hierarchy: Hierarchy, given: object, lowest: int, highest: int) -> NDArray[np.int32]:
    """The level of each leaf in a cut that is given: a level for all, or labels; below none of these a value stays.

    A value that stays is published at the lowest level that is allowed, as it is unless the recoding says otherwise.
    """
    leaves = len(hierarchy.rows)
    if isinstance(given, Integral) and not isinstance(given, bool):
        return np.full(leaves, level_at(name, given, lowest, highest), dtype=np.int32)
    labels = labels_of(given, f"The cut of '{name}'")
    nodes = _nodes_called(labels, hierarchy, lowest, highest)
    if unknown := [label for label in labels if not nodes[label]]:
        within = f"of levels {lowest} to {highest} " if (lowest, highest) != (0, hierarchy.height) else ""
        raise ProblemError(
            f"In the cut of '{name}', {count_of(len(unknown), 'label')} of {len(labels):,} {_call(unknown)} no node "
            f"{within}of its hierarchy; correct the spelling.",
            hidden_values=unknown,
        )
    levels = np.full(leaves, -1, dtype=np.int32)
    # Of two nodes with one name, one below the other, it is the upper one unless the cut has others below that.
    for label in sorted(labels, key=lambda one: nodes[one][0][1] - nodes[one][0][0]):
        free = next((node for node in nodes[label] if (levels[node[0] : node[1]] < 0).all()), None)
        if free is None:
            raise ProblemError(
                f"In the cut of '{name}' a label lies below another; a cut has one node above each value.",
                hidden_values=[label],
            )
        levels[free[0] : free[1]] = free[2]
    levels[levels < 0] = lowest
    return levels


def labels_of(given: object, called: str) -> list[str]:
    """The different labels of a cut; None is the missing value."""
    if isinstance(given, str) or not isinstance(given, Sequence | set | frozenset | np.ndarray):
        raise ProblemError(f"{called} is {brief(given)}; give a list of labels, such as ['Europe', 'America'].")
    return list(dict.fromkeys(map(text_of, given)))


def text_of(value: object) -> str:
    """A label as hierarchies write it: 38.0 is 38, and what is not a number is the missing value."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return MISSING
    is_whole = isinstance(value, Real) and not isinstance(value, bool) and value == value // 1
    return str(int(value)) if is_whole else str(value)  # type: ignore[call-overload]


def _call(labels: Sequence[str]) -> str:
    return "names" if len(labels) == 1 else "name"


def _nodes_called(labels: Sequence[str], hierarchy: Hierarchy, lowest: int, highest: int) -> dict[str, list[_Node]]:
    """By label, the nodes with that name, the highest first."""
    named: dict[str, list[_Node]] = {label: [] for label in labels}
    for level in range(highest, lowest - 1, -1):
        ends = np.cumsum(hierarchy.sizes[level]).tolist()
        for label, size, end in zip(hierarchy.labels[level], hierarchy.sizes[level].tolist(), ends, strict=True):
            if label in named:
                alike = named[label]
                if alike and alike[-1][:2] == (end - size, end):
                    alike.pop()  # the same node, one level higher
                alike.append((end - size, end, level))
    return named
