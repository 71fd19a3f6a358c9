"""All cuts of a small item hierarchy, judged by the definitions alone; and random transactions to try searches on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

from sfumato.data import Transactions
from sfumato.engines.items import ItemRecords
from sfumato.hierarchies import Hierarchy
from sfumato.privacy import ItemsetModel

Cut = tuple[str, ...]  # for each leaf, the label that it is published as


@dataclass(frozen=True)
class ItemCase:
    """Transactions in words, with the rows of their hierarchy."""

    records: tuple[frozenset[str], ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def transactions(self) -> Transactions:
        """The same for a problem."""
        hierarchy = Hierarchy.from_rows(self.rows, "random")
        coded = Counter(tuple(sorted(hierarchy.codes[item] for item in record)) for record in self.records)
        return Transactions.of(ItemRecords.of(sorted(coded.items())), hierarchy)


def random_items(random: Random, most_items: int = 9) -> ItemCase:
    """A few transactions over an uneven hierarchy: absent leaves, single children, leaves at different depths."""
    leaves = [f"i{n}" for n in range(random.randint(3, most_items))]
    columns, number = [list(leaves)], 0
    for _ in range(random.randint(1, 3)):
        below, above, label = columns[-1], list[str](), ""
        for place, name in enumerate(below):
            if place == 0 or (name != below[place - 1] and random.random() < 0.45):
                number += 1
                label = f"n{number}"
            above.append(label)
        single = {label: {b for b, a in zip(below, above, strict=True) if a == label} for label in above}
        keep = {label: random.random() < 0.5 for label in above}
        columns.append([b if len(single[a]) == 1 and keep[a] else a for b, a in zip(below, above, strict=True)])
    columns.append(["*"] * len(leaves))
    absent = set(random.sample(leaves, random.randint(0, 1)))
    present = [leaf for leaf in leaves if leaf not in absent]
    weights = [random.random() ** 2 + 0.15 for _ in present]
    records = []
    for _ in range(random.choice([6, 15, 25, 35, 50])):
        size = min(random.choice([1, 1, 1, 2, 2, 3, 4]), len(present))
        records.append(frozenset(random.choices(present, weights, k=size)))
    return ItemCase(tuple(records), tuple(zip(*columns, strict=True)))


def all_cuts(rows: Sequence[tuple[str, ...]]) -> Iterator[Cut]:
    """Every cut: each node is published whole, or cut through its children. Different cuts may publish the same."""

    def ways(level: int, chosen: Sequence[tuple[str, ...]]) -> Iterator[Cut]:
        yield (chosen[0][level],) * len(chosen)
        if level:
            groups: dict[str, list[tuple[str, ...]]] = {}
            for row in chosen:
                groups.setdefault(row[level - 1], []).append(row)
            for parts in product(*(list(ways(level - 1, group)) for group in groups.values())):
                yield tuple(label for part in parts for label in part)

    ordered = Hierarchy.from_rows(rows, "brute force").rows
    yield from dict.fromkeys(ways(len(ordered[0]) - 1, ordered))


def published(case: ItemCase, cut: Cut, kept: Sequence[str] = ()) -> Counter[frozenset[str]]:
    """The transactions that a cut publishes; some items are kept as they are."""
    leaves = [row[0] for row in Hierarchy.from_rows(case.rows, "brute force").rows]
    image = dict(zip(leaves, cut, strict=True)) | {item: item for item in kept}
    return Counter(frozenset(image[item] for item in record) for record in case.records if record)


def ncp(case: ItemCase, cut: Cut) -> Fraction:
    """The loss of a cut, by its definition."""
    leaves = [row[0] for row in Hierarchy.from_rows(case.rows, "brute force").rows]
    covered = Counter(cut)
    image = dict(zip(leaves, cut, strict=True))
    occurrences = [item for record in case.records for item in record]
    lost = sum((covered[image[item]] for item in occurrences if covered[image[item]] > 1), 0)
    return Fraction(lost, len(leaves) * len(occurrences))


def cheapest(case: ItemCase, model: ItemsetModel) -> tuple[Fraction | None, Counter[str]]:
    """The least loss of a valid cut, None if there is none; and how many cuts there are, valid and not."""
    costs = []
    seen: Counter[str] = Counter()
    for cut in all_cuts(case.rows):
        valid = model.holds(published(case, cut, model.sensitive_items))
        seen["valid" if valid else "violating"] += 1
        if valid:
            costs.append(ncp(case, cut))
    return min(costs, default=None), seen
