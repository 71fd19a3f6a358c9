"""What partitions cost, and at least cost below a cut: l+-Optimize's formulas, as the paper has them.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Sections III, V and VII. For literal_lplus.py
beside this: whole numbers of one unit, thresholds as fractions, and nothing of the package but what a problem says.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm
from typing import TypeAlias

from sfumato.problem import Problem
from sfumato.recoding import Scheme
from sfumato.testing.plain_engine import Row

IMPOSSIBLE = 10**40  # what a violation costs where nothing may be suppressed: more than any cut
Records: TypeAlias = Counter[tuple[str, str]]  # how many have this sensitive value and this class label


@dataclass(eq=False)
class Value:
    """A node of a taxonomy tree. Without children it is a leaf, or else a value that is never specialised."""

    attribute: int
    label: str
    place: tuple[int, int]  # from left to right
    price: int  # what LM asks of a record that is published with it
    occurrences: int
    children: tuple[Value, ...] = ()
    lowest: frozenset[Value] = field(init=False, repr=False)  # the most specific values below it

    def __post_init__(self) -> None:
        self.lowest = frozenset(low for child in self.children for low in child.lowest) or frozenset([self])


@dataclass(frozen=True, eq=False)
class Group:
    """Records that no cut tells apart: those with the same most specific values."""

    lowest: tuple[Value, ...]
    records: Records


class Costs:
    """The costs of one problem of l+-diversity, and the bounds of Theorems 4 to 6."""

    def __init__(self, problem: Problem, records: int) -> None:
        question, self._records = problem.question, records
        self._models, self._scheme = question.constraints, question.recoding.suppressing.scheme
        self._loss, self._theta = question.loss, dict[str, Fraction]()
        self.label = question.loss.reads(problem.data.frequencies)
        attributes = problem.data.frequencies.quasi_identifiers
        weights = getattr(question.loss, "weights", None) or {}
        weight = [Fraction(weights.get(a.name, 1)) for a in attributes]
        self._per_leaf = [w / max(1, len(a.hierarchy.rows) - 1) for w, a in zip(weight, attributes, strict=True)]
        given = [getattr(question.loss, name, None) for name in ("record", "value")]
        suppressed = [sum(weight) * Fraction(1 if price is None else price) for price in given]
        self.unit = lcm(*(price.denominator for price in (*self._per_leaf, *suppressed)))
        self._record, self._value = (int(price * self.unit) for price in suppressed)
        if self._loss.name != "lm":
            self.unit, self._record = 1, {"discernibility": records, "classification": 1}[self._loss.name]

    def price(self, attribute: int, leaves: int) -> int:
        """Section VII-A."""
        return int(self._per_leaf[attribute] * (leaves - 1) * self.unit) if self._loss.name == "lm" else 0

    def cost(self, records: Records, price: int) -> int:
        """The cost of a partition whose records are published at this price each, suppression included."""
        values = _sums(records)
        violated = self._violated(values)
        whole = self._published(records, price)
        if not violated:
            return whole
        n = records.total()
        if self._scheme is Scheme.NONE:
            return IMPOSSIBLE
        if self._scheme is Scheme.VIOLATING_VALUES:
            return whole + self._value * sum(values[s] for s in violated)
        if self._scheme is Scheme.ALL_VALUES:
            return whole + self._value * n
        kept = self._kept(records, values) if self._scheme is Scheme.VIOLATING_RECORDS else Counter[tuple[str, str]]()
        return self._published(kept, price) + self._record * (n - kept.total())

    def least(self, groups: Sequence[Group], values: Sequence[Value], opened: Sequence[bool]) -> int:
        """LB_cost of a partition, where these of its values are open."""
        parts = self._most_specific(groups, values, opened)
        if len(parts) == 1:  # homogeneous: the suppression is the same at every cut below
            return self.cost(*parts[0])
        whole = Counter[tuple[str, str]]()
        for records, _ in parts:
            whole.update(records)
        removed = sum(self.removed(_sums(whole)).values())
        generalised = sum(self._published(records, price) for records, price in parts)
        if self._scheme is Scheme.NONE:  # Observation 2: what violates here violates in some part below
            return IMPOSSIBLE if removed else generalised
        if self._scheme.of_values:  # Theorem 5
            return self._value * removed + generalised
        if self._scheme is Scheme.ALL_RECORDS or self._loss.name == "lm":  # Theorem 6, by Corollary 7
            return self._record * removed + self._cheapest(parts, whole.total() - removed)
        return max(self._record * removed, generalised)  # Theorem 4: without the independence property

    def removed(self, values: Mapping[str, int]) -> Counter[str]:
        """#MinRm of each sensitive value, by Lemma 3; where records are suppressed, until there is no violation."""
        left, gone = Counter(values), Counter[str]()
        while violated := self._violated(left):
            n = left.total()
            for s in violated if self._scheme.of_values else violated[:1]:
                theta = self.theta(s)
                gone[s] += (least := ceil((left[s] - theta * n) / (1 - theta)))
                left[s] -= least
            if self._scheme.of_values:
                break
        return gone

    def theta(self, s: str) -> Fraction:
        """The threshold of a sensitive value."""
        if s not in self._theta:
            self._theta[s] = min(Fraction(model.ceiling(s) or 0) for model in self._models)
        return self._theta[s]

    def _violated(self, values: Mapping[str, int]) -> list[str]:
        n = sum(values.values())
        return [s for s in sorted(values) if values[s] * self.theta(s).denominator > self.theta(s).numerator * n]

    def _published(self, records: Records, price: int) -> int:
        """cost_g of records that make up one anonymized partition."""
        n = records.total()
        if self._loss.name == "lm":
            return n * price
        return n * n if self._loss.name == "discernibility" else n - max(_sums(records, 1).values(), default=0)

    def _kept(self, records: Records, values: Mapping[str, int]) -> Records:
        """vioRec: as many as can stay, of the label that most can have; their prices are the same."""
        size = next(n for n in range(records.total(), -1, -1) if self._staying(values, n).total() >= n)
        stay = self._staying(values, size)
        options = []
        for wanted in {label for _, label in records}:
            kept, left = Counter[tuple[str, str]](), Counter(stay)
            for s, label in sorted(records, key=lambda key: key[1] != wanted):
                kept[s, label] = min(records[s, label], left[s])
                left[s] -= kept[s, label]
            options.append(kept)
        return max(options, key=lambda kept: max(_sums(kept, 1).values(), default=0))

    def _staying(self, values: Mapping[str, int], size: int) -> Counter[str]:
        return Counter({s: min(count, floor(self.theta(s) * size)) for s, count in values.items()})

    def _most_specific(
        self, groups: Sequence[Group], values: Sequence[Value], opened: Sequence[bool]
    ) -> list[tuple[Records, int]]:
        """The parts of a partition at Cut_spec, each with its price."""
        parts: dict[tuple[Value, ...], Records] = defaultdict(Counter)
        for group in groups:
            own = zip(group.lowest, values, opened, strict=True)
            parts[tuple(low if free else value for low, value, free in own)].update(group.records)
        return [(records, sum(value.price for value in key)) for key, records in parts.items()]

    def _cheapest(self, parts: Iterable[tuple[Records, int]], number: int) -> int:
        """The sum of so many of the smallest terms of cost_g, one for each record."""
        terms: Counter[int] = Counter()
        for records, price in parts:
            n, whole = records.total(), self._published(records, price)
            if self._loss.name == "classification":
                terms.update({1: whole, 0: n - whole})
            else:
                terms[whole // n] += n
        total = 0
        for term, n in sorted(terms.items()):
            total += term * min(n, number)
            number -= min(n, number)
        return total


def _sums(records: Records, place: int = 0) -> Counter[str]:
    """How many there are of each sensitive value, or of each label."""
    sums = Counter[str]()
    for key, n in records.items():
        sums[key[place]] += n
    return sums


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """The values of an attribute: those of the most general cut, and the most specific one above each leaf."""

    tops: tuple[Value, ...]
    lowest: Mapping[str, Value]


def taxonomies(problem: Problem, rows: Sequence[Row], costs: Costs) -> list[Taxonomy]:
    """The taxonomy trees of the quasi-identifiers, as far as the recoding allows."""
    attributes = problem.data.frequencies.quasi_identifiers
    ranges = problem.question.recoding.ranges(problem.data.frequencies)
    trees = []
    for a, (attribute, (least, most)) in enumerate(zip(attributes, ranges, strict=True)):
        tree = _Tree(a, least, Counter(row[attribute.name] or "" for row in rows), costs)
        tops = tuple(tree.value(paths, most) for paths in _split(list(enumerate(attribute.hierarchy.rows)), most))
        trees.append(Taxonomy(tops, tree.lowest))
    return trees


Paths: TypeAlias = list[tuple[int, tuple[str, ...]]]  # from leaf to root, each with its place


@dataclass(eq=False)
class _Tree:
    """A taxonomy tree that is being made."""

    attribute: int
    least: int  # the lowest level that may be published
    occurrences: Counter[str]
    costs: Costs
    lowest: dict[str, Value] = field(default_factory=dict)

    def value(self, paths: Paths, level: int) -> Value:
        """The value of a level over these leaves. One with a single child is one value with it."""
        while level > self.least and len(_split(paths, level - 1)) == 1:
            level -= 1
        n = sum(self.occurrences[path[0]] for _, path in paths)
        below = _split(paths, level - 1) if level > self.least and n else []
        children = tuple(self.value(part, level - 1) for part in below)
        place, first = paths[0]
        price = self.costs.price(self.attribute, len(paths))
        made = Value(self.attribute, first[level], (self.attribute, place), price, n, children)
        self.lowest.update({path[0]: made for _, path in paths if not children})
        return made


def _split(paths: Paths, level: int) -> list[Paths]:
    parts: dict[str, Paths] = defaultdict(list)
    for place, path in paths:
        parts[path[level]].append((place, path))
    return list(parts.values())
