"""Sequential Sweep once more, record by record and in fractions, as SPEC and paper write it: what the core must equal.

Shares nothing with the core or the models: trees, frequencies, order and hashes are written down again from the
hierarchies' rows. Meant for small tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from sfumato.data import FrequencyTable
from sfumato.hierarchies import Hierarchy

Path = tuple[tuple[int, int, str], ...]  # from the root down to a leaf: first leaf, end, label
Node = tuple[int, int, str]
# What is published of a record: its quasi-identifiers, its sensitive values, and everything else as it was.
Published = tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]
_MASK = (1 << 64) - 1


def mixed(x: int) -> int:
    """splitmix64."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def paths_of(hierarchy: Hierarchy) -> list[Path]:
    """The nodes above each leaf, the root first; equal neighbouring labels over the same leaves are one node."""
    rows = hierarchy.rows
    paths = []
    for leaf, row in enumerate(rows):
        path: list[Node] = []
        for level in reversed(range(len(row))):
            first, end = leaf, leaf + 1
            while first > 0 and rows[first - 1][level:] == row[level:]:
                first -= 1
            while end < len(rows) and rows[end][level:] == row[level:]:
                end += 1
            node = (first, end, row[level])
            if not path or path[-1] != node:
                path.append(node)
        paths.append(tuple(path))
    return paths


def level_information(tree: Sequence[Path], occurring: set[Path], given: Mapping[str, Fraction]) -> list[Fraction]:
    """I(S_j) of the paper for every level that an occurring value reaches: the mean of 1/leaves over its values.

    A value weighs what is given for it, else what the base values below it weigh together: what is given for them,
    else 1 if they occur.
    """
    base = {path[-1]: given.get(path[-1][2], Fraction(path in occurring)) for path in tree}
    levels = []
    for j in range(max(map(len, occurring))):
        weights = {
            node: given.get(node[2], sum((w for leaf, w in base.items() if node[0] <= leaf[0] < node[1]), Fraction(0)))
            for node in {path[j] for path in tree if len(path) > j}
        }
        mean = sum((weight / (node[1] - node[0]) for node, weight in weights.items()), Fraction(0))
        levels.append(mean / sum(weights.values()))
    return levels


@dataclass(frozen=True)
class Requirement:
    """psi and the weights of base values, of one sensitive attribute."""

    psi: Sequence[Fraction]  # psi(1), psi(2), …; 1 from there on
    weights: Mapping[int, Fraction]  # by leaf; only those that are not 0
    places: Sequence[int]  # by leaf: its place in the hierarchy's file, which decides between equals

    def induced(self, value: Node) -> dict[int, Fraction]:
        """The frequency of each base value that a published value induces."""
        below = {leaf: weight for leaf, weight in self.weights.items() if value[0] <= leaf < value[1]}
        return {leaf: weight / sum(below.values()) for leaf, weight in below.items()}

    def frequencies(self, values: Sequence[Node]) -> list[tuple[int, Fraction]]:
        """Base values with their induced frequencies, the dominant one first; of equal ones the first in order."""
        total: dict[int, Fraction] = {}
        for value in values:
            for leaf, share in self.induced(value).items():
                total[leaf] = total.get(leaf, Fraction(0)) + share
        return sorted(((leaf, f / len(values)) for leaf, f in total.items()), key=lambda x: (-x[1], self.places[x[0]]))

    def diverse(self, values: Sequence[Node]) -> bool:
        """F(k) ≤ psi(k) for every k."""
        falling = [f for _, f in self.frequencies(values)]
        return all(sum(falling[:k]) <= limit for k, limit in enumerate(self.psi, start=1))


@dataclass
class Record:
    """One record, on its way."""

    hash: int
    quasi_identifiers: tuple[Path, ...]
    sensitive: list[Node]  # as it is published
    above: tuple[Path, ...]  # the paths of the sensitive values
    rest: tuple[int, ...]

    def up(self, s: int) -> None:
        """The sensitive value becomes its parent."""
        path = self.above[s]
        self.sensitive[s] = path[path.index(self.sensitive[s]) - 1]

    def depth(self, s: int) -> int:
        """How deep the published sensitive value is."""
        return self.above[s].index(self.sensitive[s])


def literal_sweep(
    frequencies: FrequencyTable,
    requirements: Mapping[str, Requirement],
    *,
    seed: int = 0,
    least: int = 1,
    price: Fraction | None = None,
    weights: Mapping[str, Mapping[str, Fraction]] | None = None,
) -> tuple[Counter[Published], list[int]]:
    """The published records, and the sizes of the classes. weights: p'(v) of labels, by quasi-identifier."""
    sweep = _Sweep(frequencies, requirements, seed, least, price, weights or {})
    closed = sweep.run()
    rows: Counter[Published] = Counter()
    for labels, members in closed:
        for record in members:
            rows[labels, tuple(value[2] for value in record.sensitive), record.rest] += 1
    return rows, sorted(len(members) for _, members in closed)


class _Sweep:
    def __init__(
        self,
        frequencies: FrequencyTable,
        requirements: Mapping[str, Requirement],
        seed: int,
        least: int,
        price: Fraction | None,
        weights: Mapping[str, Mapping[str, Fraction]],
    ) -> None:
        self.requirements = list(requirements.values())
        self.least, self.price = least, price
        self.trees = [paths_of(attribute.hierarchy) for attribute in frequencies.quasi_identifiers]
        self.records = _records(frequencies, list(requirements), seed)
        self.weights = [weights.get(attribute.name, {}) for attribute in frequencies.quasi_identifiers]
        self.occurring = [{record.quasi_identifiers[a] for record in self.records} for a in range(len(self.trees))]

    def run(self) -> list[tuple[tuple[str, ...], list[Record]]]:
        """Steps 1 to 23 of the paper's Figure 4."""
        self._generalise(self.records)
        order = self._order()
        waiting: dict[tuple[int, ...], list[Record]] = {}
        place = {id(record): -1 for record in self.records}

        def send(record: Record) -> None:
            """To the next class: the first later item whose levels are not below the record's leaves."""
            depths = [len(path) - 1 for path in record.quasi_identifiers]
            for item in range(place[id(record)] + 1, len(order)):
                if all(level <= depth for level, depth in zip(order[item], depths, strict=True)):
                    place[id(record)] = item
                    waiting.setdefault(order[item], []).append(record)
                    return

        for record in self.records:
            send(record)
        closed: list[tuple[int, tuple[Node, ...], list[Record]]] = []
        for item, levels in enumerate(order):
            classes: dict[tuple[Node, ...], list[Record]] = {}
            for record in waiting.pop(levels, []):
                nodes = tuple(path[j] for path, j in zip(record.quasi_identifiers, levels, strict=True))
                classes.setdefault(nodes, []).append(record)
            for nodes, members in classes.items():
                if item == len(order) - 1:
                    self._generalise(members)
                    self._join(members, closed, item)
                    closed.append((item, nodes, members))
                    continue
                stay, swept = self._swept(members)
                if self._rather(members, len(swept)):
                    self._generalise(members)
                    stay, swept = members, []
                for record in swept:
                    send(record)
                if stay:
                    closed.append((item, nodes, stay))
        return [(tuple(node[2] for node in nodes), members) for _, nodes, members in closed]

    def _order(self) -> list[tuple[int, ...]]:
        """All level vectors, those that retain the most information first."""
        retained = [level_information(*one) for one in zip(self.trees, self.occurring, self.weights, strict=True)]
        vectors = product(*(range(len(levels)) for levels in retained))

        def key(vector: tuple[int, ...]) -> tuple[Fraction, tuple[int, ...]]:
            information = sum((levels[j] for levels, j in zip(retained, vector, strict=True)), Fraction(0))
            return information / len(retained), vector

        return sorted(vectors, key=key, reverse=True)

    def _swept(self, members: Sequence[Record]) -> tuple[list[Record], list[Record]]:
        """Those that stay, and those that are swept on."""
        stay, swept = list(members), []
        while stay:
            violated = self._violated(stay)
            if violated is None and len(stay) >= self.least:
                break
            s = violated or 0
            requirement = self.requirements[s]
            dominant, _ = requirement.frequencies([record.sensitive[s] for record in stay])[0]

            def worst(record: Record, s: int = s, dominant: int = dominant) -> tuple[Fraction, int]:
                return -self.requirements[s].induced(record.sensitive[s]).get(dominant, Fraction(0)), record.hash

            gone = min(stay, key=worst)
            stay.remove(gone)
            swept.append(gone)
        return stay, swept

    def _violated(self, members: Sequence[Record]) -> int | None:
        for s, requirement in enumerate(self.requirements):
            if not requirement.diverse([record.sensitive[s] for record in members]):
                return s
        return None

    def _generalise(self, members: Sequence[Record]) -> None:
        """Sensitive values become more general, until the class is diverse."""
        for s, requirement in enumerate(self.requirements):
            while not requirement.diverse([record.sensitive[s] for record in members]):
                for dominant, _ in requirement.frequencies([record.sensitive[s] for record in members]):
                    able = [r for r in members if r.depth(s) > 0 and dominant in requirement.induced(r.sensitive[s])]
                    if able:
                        min(able, key=lambda record, s=s: (-record.depth(s), record.hash)).up(s)  # type: ignore[misc]
                        break
                else:
                    raise ValueError("not eligible")

    def _rather(self, members: Sequence[Record], swept: int) -> bool:
        """Whether generalising in place loses no more than sweeping, at its price."""
        if self.price is None or not swept or len(members) < self.least:
            return False
        before = [list(record.sensitive) for record in members]
        self._generalise(members)
        lost = sum(
            (
                Fraction(1, old[1] - old[0]) - Fraction(1, new[1] - new[0])
                for record, values in zip(members, before, strict=True)
                for old, new in zip(values, record.sensitive, strict=True)
            ),
            Fraction(0),
        )
        for record, values in zip(members, before, strict=True):
            record.sensitive = values
        return lost <= self.price * swept

    def _join(self, members: list[Record], closed: list[tuple[int, tuple[Node, ...], list[Record]]], last: int) -> None:
        """As long as the last class is too small, the smallest other class joins it."""
        while len(members) < self.least:
            chosen = min(closed, key=lambda known: (len(known[2]), -known[0], known[1]))
            closed.remove(chosen)
            members += chosen[2]


def _records(frequencies: FrequencyTable, sensitive: Sequence[str], seed: int) -> list[Record]:
    d = len(frequencies.quasi_identifiers)
    trees = [paths_of(attribute.hierarchy) for attribute in frequencies.quasi_identifiers]
    above = {}
    for name in sensitive:
        column = frequencies.columns[frequencies.position(name)]
        assert column.hierarchy is not None
        paths = paths_of(column.hierarchy)
        above[name] = [paths[column.hierarchy.codes[label or ""]] for label in column.labels]
    ranks = [{code: i for i, code in enumerate(sorted(set(frequencies.codes[:, a].tolist())))} for a in range(d)]
    records = []
    for row, count in zip(frequencies.codes.tolist(), frequencies.counts.tolist(), strict=True):
        known = mixed(seed)
        for position, code in enumerate(row):
            known = mixed(known ^ (ranks[position][code] if position < d else code))
        own = tuple(above[name][row[frequencies.position(name)]] for name in sensitive)
        rest = [code for p, code in enumerate(row) if p >= d and frequencies.columns[p].name not in sensitive]
        leaves = tuple(tree[code] for tree, code in zip(trees, row[:d], strict=True))
        values = [path[-1] for path in own]
        records += [Record(mixed(known ^ copy), leaves, list(values), own, tuple(rest)) for copy in range(count)]
    return records
