"""The earth mover's distance by min-cost flow, in whole amounts and exact distances.

The oracle of t-closeness, whose distances have closed forms: this knows only how far apart two values are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from sfumato.data import Distribution
from sfumato.hierarchies import Hierarchy

Distance: TypeAlias = Callable[[str, str], Fraction]
Node: TypeAlias = tuple[frozenset[str], str]  # of a hierarchy: its leaves and its name


def earth_movers(reference: Distribution, counts: Mapping[str, int], kind: str) -> Fraction:
    """The least work that turns the input's shares into those of a class; kind as in `TCloseness`."""
    size = sum(counts.values())
    supply = {value: n * size for value, n in reference.counts.items()}
    demand = {value: n * reference.records for value, n in counts.items() if n}
    return least_work(supply, demand, _distance(reference, kind)) / (size * reference.records)


def least_work(supply: Mapping[str, int], demand: Mapping[str, int], distance: Distance) -> Fraction:
    """Σ amount · distance of the cheapest way to move a supply to an equal demand.

    Successive shortest paths: each path, forward along ways and back along what was moved, is a cheapest one, so the
    flow stays a cheapest one of its amount.
    """
    left, wanted = dict(supply), dict(demand)
    if sum(left.values()) != sum(wanted.values()):
        raise ValueError("supply and demand are not equal")
    apart = {(x, y): distance(x, y) for x in supply for y in demand}
    moved = dict.fromkeys(apart, 0)
    while any(left.values()):
        path = _shortest(left, wanted, apart, moved)
        start, end = path[0][0], path[-1][1]
        back = [(x, y) for x, y, forward in path if not forward]
        amount = min([left[start], wanted[end], *(moved[way] for way in back)])
        for x, y, forward in path:
            moved[x, y] += amount if forward else -amount
        left[start] -= amount
        wanted[end] -= amount
    return sum((n * apart[way] for way, n in moved.items()), Fraction(0))


def _shortest(
    left: Mapping[str, int],
    wanted: Mapping[str, int],
    apart: Mapping[tuple[str, str], Fraction],
    moved: Mapping[tuple[str, str], int],
) -> list[tuple[str, str, bool]]:
    """The cheapest path from a supply to a demand, by Bellman and Ford: ways, and whether they are gone forward."""
    far: dict[tuple[bool, str], Fraction] = {(True, x): Fraction(0) for x, n in left.items() if n}
    before: dict[tuple[bool, str], tuple[str, str]] = {}
    changed = True
    while changed:
        changed = False
        for (x, y), length in apart.items():
            here, there = (True, x), (False, y)
            if here in far and (there not in far or far[here] + length < far[there]):
                far[there], before[there], changed = far[here] + length, (x, y), True
            if moved[x, y] and there in far and (here not in far or far[there] - length < far[here]):
                far[here], before[here], changed = far[there] - length, (x, y), True
    end = min((y for y, n in wanted.items() if n), key=lambda y: far[False, y])
    path: list[tuple[str, str, bool]] = []
    at = (False, end)
    while at in before:
        x, y = before[at]
        path.append((x, y, not at[0]))
        at = (False, y) if at[0] else (True, x)
    return path[::-1]


def _distance(reference: Distribution, kind: str) -> Distance:
    if kind == "equal":
        return lambda x, y: Fraction(x != y)
    if kind == "ordered":
        order = list(reference.order or ())
        return lambda x, y: Fraction(abs(order.index(x) - order.index(y)), max(1, len(order) - 1))
    hierarchy = reference.hierarchy
    if hierarchy is None:
        raise ValueError("a hierarchical distance needs a hierarchy")
    leaf = {
        value: hierarchy.leaves[place] for value in reference.counts if (place := reference.leaf(value)) is not None
    }
    return lambda x, y: ground_distance(hierarchy, leaf.get(x, x), leaf.get(y, y))


def ground_distance(hierarchy: Hierarchy, x: str, y: str) -> Fraction:
    """The height of the lowest common ancestor of two leaves, over that of the root."""
    common = next(node for node in _above(hierarchy, x) if y in node[0])
    below = max(_above(hierarchy, leaf).index(common) for leaf in common[0])
    return Fraction(below, max(1, *(len(_above(hierarchy, leaf)) - 1 for leaf in hierarchy.leaves)))


def _above(hierarchy: Hierarchy, leaf: str) -> list[Node]:
    """The nodes above a leaf, itself first; equal neighbours over the same leaves are one."""
    row = hierarchy.rows[hierarchy.codes[leaf]]
    nodes = [
        (frozenset(other[0] for other in hierarchy.rows if other[level] == label), label)
        for level, label in enumerate(row)
    ]
    return list(dict.fromkeys(nodes))
