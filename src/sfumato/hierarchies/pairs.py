"""Pairs: a tree as edges from child to parent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sfumato.errors import HierarchyError
from sfumato.hierarchies.tree import Place, count_of, padded_rows


def pair_rows(
    pairs: Sequence[Sequence[str]], source: str, line_of: Mapping[int, int] | None = None
) -> list[tuple[str, ...]]:
    """The rows of the tree with these edges (child, parent); children come in order of first appearance."""
    place = Place(source, line_of)
    if not pairs:
        raise HierarchyError(f"{source} has no rows; give one per edge: child;parent.")
    edge_of: dict[str, int] = {}  # the edge that leads up from a label
    for index, pair in enumerate(pairs):
        _check_pair(pair, index, place)
        earlier = edge_of.setdefault(pair[0], index)
        if earlier != index:
            _refuse_second(pairs[earlier][1], earlier, pair, index, place)
    parent_of = {child: pairs[index][1] for child, index in edge_of.items()}
    _check_cycles(parent_of, edge_of, place)
    labels = list(dict.fromkeys(label for pair in pairs for label in pair))
    roots = [label for label in labels if label not in parent_of]
    if len(roots) > 1:
        shown = ", ".join([f"'{root}'" for root in roots[:3]] + ["…"] * (len(roots) > 3))
        raise HierarchyError(
            f"{source} has {len(roots)} roots ({shown}); add a line for each with one parent such as '*', "
            "and delete a header line if there is one."
        )
    number = {label: index for index, label in enumerate(labels)}
    return padded_rows(labels, [number[parent_of[label]] if label in parent_of else -1 for label in labels])


def _check_pair(pair: Sequence[str], index: int, place: Place) -> None:
    if len(pair) != 2:
        raise HierarchyError(f"{place(index)}: {count_of(len(pair), 'label')} instead of 2; write child;parent.")
    child, parent = pair
    if not child:
        raise HierarchyError(f"{place(index)}: no child; name one, or delete the line (missing values need none).")
    if not parent:
        raise HierarchyError(
            f"{place(index)}: '{child}' has an empty parent; name one, or delete the line if it is the root."
        )
    if child == parent:
        raise HierarchyError(
            f"{place(index)}: '{child}' is its own parent; name another, or delete the line if it is the root."
        )


def _refuse_second(first: str, earlier: int, pair: Sequence[str], index: int, place: Place) -> None:
    child, parent = pair
    if parent == first:
        raise HierarchyError(f"{place(index)}: '{child}' is already in {place.line(earlier)}; keep one of the two.")
    raise HierarchyError(
        f"{place(index)}: '{child}' has two parents ('{first}', '{parent}'); keep one of them (it also stands in "
        f"{place.line(earlier)})."
    )


def _check_cycles(parent_of: Mapping[str, str], edge_of: Mapping[str, int], place: Place) -> None:
    """Going up from any label never comes back to it."""
    seen: dict[str, str] = {}  # label: where the walk began that met it first
    for start in parent_of:
        label = start
        while label in parent_of and label not in seen:
            seen[label] = start
            label = parent_of[label]
        if label in parent_of and seen[label] == start:
            ring = [label]
            while (label := parent_of[label]) != ring[0]:
                ring.append(label)
            names = [f"'{label}'" for label in ring]
            shown = " → ".join([*(names if len(names) < 6 else [*names[:3], "…"]), names[0]])
            raise HierarchyError(
                f"{place(edge_of[ring[0]])}: {names[0]} is its own ancestor ({shown}); give one of them another parent."
            )
