"""t-closeness: in every class, the earth mover's distance between its sensitive values and the input's is at most t.

N. Li, T. Li, S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", ICDE 2007, Definition 2;
distances as in its Section 4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, ClassVar, Self

from sfumato.data import ClassSummary, FrequencyTable, Reference
from sfumato.errors import ProblemError
from sfumato.hierarchies import Hierarchy
from sfumato.privacy.base import Attained, Monotonicity, RatingTwin, Varying, labels_of
from sfumato.privacy.comparing import ComparingModel
from sfumato.settings.exact import Number, comparable_down, decimal_up, ratio, share
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN
from sfumato.settings.wording import hierarchy_of

# A value's share of the input minus its share of the class, p_s - q_s, in units of 1/(N n).
Surplus = Mapping[str, int]
_FEWEST = 10_000  # the most records that a class is required to have


@dataclass(frozen=True)
class TCloseness(ComparingModel):
    """Whoever knows somebody's class learns little more about the sensitive value than from the table as a whole.

    distance between two values: "equal" (all 1), "ordered" (places between them in numeric order, else in the order of
    the leaves), or "hierarchical" (height of their lowest common ancestor); the largest is 1.
    """

    name: ClassVar[str] = "t-closeness"
    paper: ClassVar[str] = "Li et al., ICDE 2007"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP
    varies: ClassVar[Mapping[str, Varying]] = {"t": Varying(loosest=1, larger=False)}

    t: Number = OPEN
    distance: str = "equal"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.t is not OPEN:
            object.__setattr__(self, "t", comparable_down(share(self.t, "t")))
        if self.distance not in _MEASURES:
            raise ProblemError(f"distance = '{self.distance}' is unknown; choose {', '.join(_MEASURES)}.")

    def bound_to(self, reference: Reference) -> Self:
        bound = super().bound_to(reference)
        if self.distance == "ordered" and bound.input.order is None:
            raise ProblemError(
                f"distance = 'ordered' needs an order, and '{self.sensitive}' has texts; give it a hierarchy whose "
                f"leaves are in order, as in {hierarchy_of('sensitive', self.sensitive)}."
            )
        if self.distance == "hierarchical" and bound.input.hierarchy is None:
            raise ProblemError(
                f"distance = 'hierarchical' needs a hierarchy of '{self.sensitive}'; give it, as in "
                f"{hierarchy_of('sensitive', self.sensitive)}."
            )
        return bound

    def share_limit(self, value: str) -> Fraction:
        """What a value has too much is moved away, at least 1/longest far."""
        of_input = Fraction(self.input.counts.get(value, 0), max(self.input.records, 1))
        return min(Fraction(1), of_input + self._t * self._longest)

    @cached_property
    def fewest(self) -> int:
        """The fewest records whose shares can be near enough to the input's at all.

        What is moved between two different values goes 1/longest at least, so half of the sum of |p_s - q_s| is at most
        t · longest. With n records that is least where n·p_s is rounded down, and up where most is cut off.
        """
        counts, most = list(self.input.counts.values()), self._t * self._longest
        records = sum(counts)
        for n in range(1, min(records, _FEWEST)):
            cut = sorted((n * count % records for count in counts), reverse=True)
            up = sum(cut) // records
            if Fraction(sum(cut[up:]), n * records) <= most:  # what exceeds on one side lacks on the other
                return n
        return max(min(records, _FEWEST), 1)

    @property
    def promise(self) -> str:
        far = f"at most {float(self._t):.4g} away from the mix in the whole table (0: the same, 1: as far as can be)"
        return f"The mix of '{self.sensitive}' among people who look alike is {far}."

    def holds(self, summary: ClassSummary) -> bool:
        return self.distance_of(summary) <= self._t

    def strongest(self, parameter: str, summary: ClassSummary) -> Fraction:
        return self.distance_of(summary)

    def rating(self, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]) -> RatingTwin:
        position, _, *distance = replace(self, t=1).twin(frequencies, sensitive)
        scale = self.input.records * self._longest
        return RatingTwin("DistanceRating", (position, *distance), lambda rate: -rate / scale)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        largest = max((self.distance_of(summary) for summary in summaries), default=None)
        return {"t": None if largest is None else decimal_up(largest)}

    def distance_of(self, summary: ClassSummary) -> Fraction:
        """The earth mover's distance of a class from the input.

        Suppressed values may be any: the distance is the largest over all values that they might have in common, and
        no mixture is farther, for the distance is convex. A value without a place has the largest distance, 1.
        """
        counts = summary.histograms[self.sensitive]
        if not all(map(self._has_place, counts)):
            return Fraction(1)
        unknown = summary.size - sum(counts.values())
        if not unknown:
            return self._distance(counts, summary.size)
        fillings = ({**counts, value: counts.get(value, 0) + unknown} for value in self.input.counts)
        return max((self._distance(filled, summary.size) for filled in fillings), default=Fraction(1))

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...]:
        labels = labels_of(frequencies, self.sensitive)
        records = [self.input.counts.get(label, 0) for label in labels]
        position = sensitive.index(self.sensitive)
        t = self._t
        if self.distance == "equal":
            return (position, ratio(t * self.input.records), records)
        if self.distance == "ordered":
            rank = {value: place for place, value in enumerate(self.input.order or ())}
            return (position, ratio(t * self.input.records * self._longest), records, [rank[label] for label in labels])
        tree = self._tree
        leaves = [self._leaf(label) for label in labels]
        levels = [[level[leaf] for leaf in leaves] for level in tree.nodes]
        return (position, ratio(t * self.input.records * self._longest), records, levels, tree.heights)

    def _has_place(self, value: str) -> bool:
        if self.distance == "equal":
            return True
        return value in self.input.counts or (self.distance == "hierarchical" and self.input.leaf(value) is not None)

    @property
    def _longest(self) -> int:
        """The largest distance between two values, in steps."""
        if self.distance == "equal":
            return 1
        return max(1, len(self.input.order or ()) - 1 if self.distance == "ordered" else self._tree.height)

    @cached_property
    def _t(self) -> Fraction:
        return share(self.t, "t")

    @cached_property
    def _leaf_of(self) -> dict[str, int | None]:
        return {value: self.input.leaf(value) for value in self.input.counts}

    @cached_property
    def _tree(self) -> _Tree:
        if self.input.hierarchy is None:
            raise ProblemError(f"'{self.sensitive}' has no hierarchy; give it one.")
        return _Tree.of(self.input.hierarchy)

    def _distance(self, counts: Mapping[str, int], size: int) -> Fraction:
        p, records = self.input.counts, self.input.records
        surplus = {value: p.get(value, 0) * size - counts.get(value, 0) * records for value in {**p, **counts}}
        return _MEASURES[self.distance](self, surplus) / (records * size)

    def _equal(self, surplus: Surplus) -> Fraction:
        """½ Σ |p_s - q_s|."""
        return Fraction(sum(map(abs, surplus.values())), 2)

    def _ordered(self, surplus: Surplus) -> Fraction:
        """(1/(m - 1)) Σ_i |Σ_{j ≤ i} (p_j - q_j)|."""
        order = self.input.order or ()
        moved = accumulate(surplus[value] for value in order)
        return Fraction(sum(map(abs, moved)), max(1, len(order) - 1))

    def _hierarchical(self, surplus: Surplus) -> Fraction:
        """Σ over inner nodes of height/H · min(pos, neg), the sums of their children's surpluses and deficits."""
        children: dict[int, int] = defaultdict(int)  # node of a level → p - q
        for value, amount in surplus.items():
            children[self._leaf(value)] += amount
        work = 0
        for parent_of, heights in zip(self._tree.parents, self._tree.heights[1:], strict=True):
            nodes, pos, neg = defaultdict[int, int](int), defaultdict[int, int](int), defaultdict[int, int](int)
            for child, amount in children.items():
                nodes[parent_of[child]] += amount
                pos[parent_of[child]] += max(amount, 0)
                neg[parent_of[child]] += max(-amount, 0)
            work += sum(heights[node] * min(pos[node], neg[node]) for node in nodes)
            children = nodes
        return Fraction(work, max(1, self._tree.height))

    def _leaf(self, value: str) -> int:
        leaf = self._leaf_of.get(value) if value in self._leaf_of else self.input.leaf(value)
        if leaf is None:
            raise ProblemError(f"A value of '{self.sensitive}' is not in its hierarchy; add it.", hidden_values=[value])
        return leaf


_MEASURES: dict[str, Callable[[TCloseness, Surplus], Fraction]] = {
    "equal": TCloseness._equal,
    "ordered": TCloseness._ordered,
    "hierarchical": TCloseness._hierarchical,
}


@dataclass(frozen=True)
class _Tree:
    """A hierarchy as a tree: equal neighbouring labels over the same leaves are one node."""

    nodes: list[list[int]]  # nodes[level][leaf]
    parents: list[list[int]]  # parents[level][node]: the node above, along the next level
    heights: list[list[int]]  # heights[level][node]: the longest way down to a leaf

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> _Tree:
        nodes = [level.tolist() for level in hierarchy.groups]
        heights = [[0] * len(hierarchy.leaves)]
        parents = []
        for level, (lower, upper) in enumerate(pairwise(nodes)):
            parents.append(list(dict(zip(lower, upper, strict=True)).values()))
            children: dict[int, list[int]] = {}
            for child, node in enumerate(parents[-1]):
                children.setdefault(node, []).append(child)
            labels = hierarchy.labels[level], hierarchy.labels[level + 1]
            heights.append(
                [
                    heights[-1][first]
                    if not others and labels[0][first] == labels[1][node]
                    else 1 + max(heights[-1][child] for child in (first, *others))
                    for node, (first, *others) in children.items()
                ]
            )
        return cls(nodes, parents, heights)

    @property
    def height(self) -> int:
        """H, the height of the root."""
        return self.heights[-1][0]
