"""A walk among cuts: one value is specialised into its children, or children are generalised to their parent."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from sfumato.hierarchies import Taxonomy
from sfumato.recoding import Cut

Node: TypeAlias = tuple[int, int]  # a quasi-identifier, and a node of its taxonomy


class CutWalk:
    """A cut that moves; both kinds of moves are known at any time, and drawn in constant time."""

    def __init__(self, taxonomies: Sequence[Taxonomy], cut: Cut) -> None:
        self._taxonomies = taxonomies
        self._nodes = [set(nodes) for nodes in cut]
        self._down, self._up = _Bag(), _Bag()  # nodes to be specialised; nodes whose children are all in the cut
        for a, nodes in enumerate(cut):
            self._note(a, nodes)

    @property
    def cut(self) -> Cut:
        """Where the walk is."""
        return tuple(tuple(sorted(nodes)) for nodes in self._nodes)

    @property
    def movable(self) -> bool:
        """Whether there is more than one cut."""
        return bool(len(self._down) + len(self._up))

    def move(self, random: Random) -> Node:
        """Make a random move; returns the node that was specialised, or generalised to."""
        at = random.randrange(len(self._down) + len(self._up))
        node = self._down[at] if at < len(self._down) else self._up[at - len(self._down)]
        self.undo(node)
        return node

    def undo(self, node: Node) -> None:
        """Specialise a node that is in the cut, else generalise to it: each undoes the other."""
        a, chosen = node
        children = self._taxonomies[a].children[chosen]
        old, new = ((chosen,), children) if chosen in self._nodes[a] else (children, (chosen,))
        self._forget(a, old)
        self._nodes[a].difference_update(old)
        self._nodes[a].update(new)
        self._note(a, new)

    def _note(self, a: int, nodes: Sequence[int]) -> None:
        """Nodes have joined the cut: what moves do they make possible?"""
        taxonomy = self._taxonomies[a]
        for node in nodes:
            if taxonomy.children[node]:
                self._down.add((a, node))
        for parent in dict.fromkeys(taxonomy.parent[list(nodes)].tolist()):
            if parent >= 0 and all(child in self._nodes[a] for child in taxonomy.children[parent]):
                self._up.add((a, parent))

    def _forget(self, a: int, nodes: Sequence[int]) -> None:
        for node in nodes:
            self._down.discard((a, node))
            self._up.discard((a, int(self._taxonomies[a].parent[node])))


class _Bag:
    """A set of which any element can be drawn by its number."""

    def __init__(self) -> None:
        self._items: list[Node] = []
        self._place: dict[Node, int] = {}

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, at: int) -> Node:
        return self._items[at]

    def add(self, item: Node) -> None:
        if item not in self._place:
            self._place[item] = len(self._items)
            self._items.append(item)

    def discard(self, item: Node) -> None:
        place = self._place.pop(item, None)
        if place is not None:
            last = self._items.pop()
            if last != item:
                self._items[place] = last
                self._place[last] = place
