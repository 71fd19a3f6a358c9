"""The count tree of Terrovitis et al. (Algorithm 1), and OA, DA and AA on it, word by word: slow, and plain.

Trees count their nodes, as the paper's figures of memory do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from sfumato.data import Transactions
from sfumato.loss import NCP


@dataclass
class CountNode:
    """A node of the tree: how many transactions have the set that its path spells, and longer paths below it."""

    count: int = 0
    children: dict[int, CountNode] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The nodes below it."""
        return sum(1 + child.size for child in self.children.values())


class Literal:
    """Transactions with a cut in the making: closed nodes of the taxonomy, each with all below it."""

    def __init__(self, transactions: Transactions, k: int, m: int) -> None:
        items = transactions.items
        tree = items.taxonomy
        self.k, self.m = k, m
        self.parent = items.parent.tolist()
        self.children = tree.children
        self.leaves = (tree.end - tree.first).tolist()
        self.depth = [0] * len(tree)
        for node in range(1, len(tree)):
            self.depth[node] = self.depth[self.parent[node]] + 1
        self.records = list(items.records.sets())
        self.costs, self.whole = NCP().units(items)
        self.closed: set[int] = set()
        self.tree_nodes = 0  # of the largest count tree so far
        support = [sum(n for items, n in self.records if node in self.above(items)) for node in range(len(tree))]
        order = sorted(range(len(tree)), key=lambda v: (-support[v], -self.leaves[v], self.depth[v], v))
        self.rank = {node: place for place, node in enumerate(order)}

    def path(self, node: int) -> list[int]:
        """The node and all above it, but the root."""
        nodes = []
        while node:
            nodes.append(node)
            node = self.parent[node]
        return nodes

    def above(self, items: Sequence[int]) -> set[int]:
        """An expanded transaction: its items and all above them."""
        return {0, *(node for item in items for node in self.path(item))}

    def alive(self, node: int) -> bool:
        """Whether a node is at or above the cut."""
        return node == 0 or self.parent[node] not in self.closed

    def close(self, node: int) -> None:
        if self.children[node]:
            self.closed.add(node)
            for child in self.children[node]:
                self.close(child)

    def cost(self, closed: set[int]) -> int:
        """What the cut costs that closes these nodes."""
        top = [v for v in closed if v == 0 or self.parent[v] not in closed]
        return sum(self.costs[v] for v in top)

    def support(self, nodes: Sequence[int]) -> int:
        return sum(n for items, n in self.records if set(nodes) <= self.above(items))

    def antichain(self, nodes: Sequence[int]) -> bool:
        return not any(u in self.path(v) or v in self.path(u) for u, v in combinations(nodes, 2))

    def tree(self, sizes: Sequence[int]) -> CountNode:
        """The count tree of sets of these sizes, of nodes at or above the cut; the root of all items is left out."""
        root = CountNode()
        for items, times in self.records:
            expanded = sorted((v for v in self.above(items) if v and self.alive(v)), key=self.rank.__getitem__)
            for size in sizes:
                for chosen in combinations(expanded, size):
                    if self.antichain(chosen):
                        node = root
                        for v in chosen:
                            node = node.children.setdefault(v, CountNode())
                        node.count += times
        self.tree_nodes = max(self.tree_nodes, root.size)
        return root

    def scan(self, node: CountNode, path: tuple[int, ...], leaf_only_at: int | None) -> None:
        """DA on a tree: rare leaves are generalised as they are met, in preorder."""
        for v in sorted(node.children, key=self.rank.__getitem__):
            if not all(map(self.alive, (*path, v))):
                continue
            child = node.children[v]
            self.scan(child, (*path, v), leaf_only_at)
            leaf = not child.children and leaf_only_at in (None, len(path) + 1)
            if leaf and child.count < self.k and all(map(self.alive, (*path, v))):
                self.repair((*path, v))

    def repair(self, members: tuple[int, ...]) -> None:
        """Commits the cheapest generalization of the members that gives them support k."""
        choices = []
        for targets in product(*([*self.path(v), 0] for v in members)):
            settled = tuple(next((t for t in sorted(targets) if t in (*self.path(own), 0)), own) for own in targets)
            moved = [t for t, v in zip(settled, members, strict=True) if t != v]
            closed = set(self.closed)
            before, self.closed = self.closed, closed
            for target in moved:
                self.close(target)
            price = self.cost(closed) - self.cost(before)
            self.closed = before
            choices.append((price, len(moved), settled))
        for _, _, targets in sorted(set(choices)):
            if self.support(targets) >= self.k:
                for target, member in zip(targets, members, strict=True):
                    if target != member:
                        self.close(target)
                return
        raise AssertionError("not even the root has support k")


def literal_da(transactions: Transactions, k: int, m: int) -> Literal:
    """Algorithm 3; the cut is in `closed`."""
    state = Literal(transactions, k, m)
    state.scan(state.tree(range(1, m + 1)), (), None)
    return state


def literal_aa(transactions: Transactions, k: int, m: int) -> Literal:
    """Algorithm 4; the cut is in `closed`."""
    state = Literal(transactions, k, m)
    for size in range(1, m + 1):
        state.scan(state.tree([size]), (), size)
    return state


def expansions(state: Literal) -> Iterator[set[int]]:
    """Figure 6: the expanded transactions, without the root."""
    for items, times in state.records:
        for _ in range(times):
            yield state.above(items) - {0}
