"""Every registered loss: what the core adds up equals the definition, and what searches assume survives refutation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from sfumato import _core, loss
from sfumato.data import ClassSummary
from sfumato.loss import CoreLoss, Loss
from sfumato.native.tables import NativeProblem
from sfumato.settings.registry import about
from sfumato.testing.brute_force import classes
from sfumato.testing.conformance import of_boxes
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_parts import LOSSES
from sfumato.testing.random_problems import RandomProblem, any_problem

Of = Callable[[Sequence[int]], int]  # what a class costs, given its records per value


def registered() -> list[type[Any]]:
    parts = [getattr(loss, name) for name in loss.__all__]
    return [
        part
        for part in parts
        if isinstance(part, type) and hasattr(part, "paper") and about(part) == "classes" and not of_boxes(part)
    ]


def test_every_loss_is_drawn() -> None:
    assert set(LOSSES) == set(registered())


# --- a release, added up in whole numbers


@dataclass(frozen=True, eq=False)
class Sum:
    """A loss as a search would add it up: by level, by class, and a price for what is suppressed."""

    case: RandomProblem
    loss: Loss

    @cached_property
    def core(self) -> CoreLoss:
        return self.loss.core(self.case.problem.data.frequencies)

    @cached_property
    def native(self) -> NativeProblem:
        return NativeProblem.of(self.case.problem.data.frequencies, [], self.core)

    @cached_property
    def parts(self) -> list[tuple[_core.ClassLoss, int, str | None]]:
        """The losses of classes, so many times, and what they read."""
        return [
            (getattr(_core, part.name)(*(() if part.reads is None else (0,)), *part.arguments), part.factor, part.reads)
            for part in self.core.classes
        ]

    @cached_property
    def price(self) -> int:
        """Of a suppressed record."""
        return sum(part.suppressed for part in self.core.values) + sum(n * part.suppressed for part, n, _ in self.parts)

    @property
    def saving(self) -> int:
        """What suppressing a record can save at most, by what the core says of the dearest values."""
        dearest = self.native.loss.dearest(self.native.frequencies)
        heights = [attribute.hierarchy.height for attribute in self.case.problem.data.frequencies.quasi_identifiers]
        ends = list(accumulate(height + 1 for height in heights))
        total = sum(max(dearest[end - height - 1 : end]) for end, height in zip(ends, heights, strict=True))
        return max(total - self.native.loss.suppressed_by_values, 0)

    def units(self, levels: Sequence[int], kept: Mapping[tuple[str, ...], ClassSummary]) -> int:
        """The cost of publishing these classes at these levels, and suppressing all other records."""
        published = sum(summary.size for summary in kept.values())
        return self._values(levels, kept) + self._classes(kept) + (len(self.case.rows) - published) * self.price

    def _values(self, levels: Sequence[int], kept: Mapping[tuple[str, ...], ClassSummary]) -> int:
        f = self.case.problem.data.frequencies
        paths = [{row[0]: row for row in attribute.hierarchy.rows} for attribute in f.quasi_identifiers]
        leaves: list[Counter[int]] = [Counter() for _ in paths]
        for row in self.case.rows:
            cells = [row[attribute.name] or "" for attribute in f.quasi_identifiers]
            if tuple(path[cell][j] for path, cell, j in zip(paths, cells, levels, strict=True)) in kept:
                for a, cell in enumerate(cells):
                    leaves[a][f.quasi_identifiers[a].hierarchy.codes[cell]] += 1
        counts = [[leaves[a][leaf] for leaf in np.unique(f.codes[:, a]).tolist()] for a in range(len(paths))]
        costs = self.native.loss.level_costs(self.native.frequencies, counts)
        begin = np.cumsum([0, *(attribute.hierarchy.height + 1 for attribute in f.quasi_identifiers)])
        return sum(costs[start + level] for start, level in zip(begin.tolist(), levels, strict=False))

    def _classes(self, kept: Mapping[tuple[str, ...], ClassSummary]) -> int:
        return sum(
            factor * part.of(summary.size, self._histogram(summary, reads))
            for summary in kept.values()
            for part, factor, reads in self.parts
        )

    def _histogram(self, summary: ClassSummary, reads: str | None) -> np.ndarray[Any, Any]:
        labels = [] if reads is None else list(self.case.problem.data.frequencies.distributions[reads].counts)
        return np.array([summary.histograms[str(reads)].get(label, 0) for label in labels], dtype=np.int64)


def random_levels(random: Random, case: RandomProblem) -> tuple[int, ...]:
    return tuple(random.randint(0, a.hierarchy.height) for a in case.problem.data.frequencies.quasi_identifiers)


def raised(random: Random, case: RandomProblem, levels: tuple[int, ...]) -> tuple[int, ...]:
    """Levels at or above the given ones."""
    attributes = case.problem.data.frequencies.quasi_identifiers
    return tuple(random.randint(j, a.hierarchy.height) for a, j in zip(attributes, levels, strict=True))


def cases(kind: type[Any], seed: int, count: int) -> list[tuple[Random, RandomProblem, Sum]]:
    """Random tables, and a loss of this kind for each."""
    random = Random(f"{kind.name} {seed}")
    drawn = []
    for _ in range(count):
        case = any_problem(random)
        names = [attribute.name for attribute in case.problem.data.frequencies.quasi_identifiers]
        drawn.append((random, case, Sum(case, LOSSES[kind](random, names))))
    return drawn


@pytest.mark.parametrize("kind", registered())
def test_the_core_equals_the_definition(kind: type[Any], suite: Callable[[int], int]) -> None:
    """At random nodes, with random classes suppressed; from nothing published to everything."""
    costs = set()
    for random, case, total in cases(kind, 1, suite(400)):
        levels = random_levels(random, case)
        summaries = classes(case.problem, case.rows, levels)
        share = random.choice([0, 0.3, 0.7, 1])
        kept = {labels: summary for labels, summary in summaries.items() if random.random() < share}
        suppressed = len(case.rows) - sum(summary.size for summary in kept.values())
        expected = total.loss.cost(case.problem.data.frequencies, kept.values(), suppressed)
        assert total.core.exact(total.units(levels, kept)) == expected
        costs.add(expected)
    assert len(costs) > suite(400) / 10


@pytest.mark.parametrize("kind", registered())
def test_the_core_orders_releases_as_the_definition_does(kind: type[Any], suite: Callable[[int], int]) -> None:
    """More units never cost less: the least that a search finds is the least there is, and its bounds are bounds."""
    for random, case, total in cases(kind, 2, suite(200)):
        nodes = [random_levels(random, case), random_levels(random, case)]
        units = [total.units(levels, classes(case.problem, case.rows, levels)) for levels in nodes]
        some = sorted([*units, 0, total.price * len(case.rows), random.randint(0, max(units))])
        exact = [total.core.exact(n) for n in some]
        assert exact == sorted(exact)


# --- what searches assume


@pytest.mark.parametrize("kind", registered())
def test_a_finer_node_costs_no_more(kind: type[Any], suite: Callable[[int], int]) -> None:
    dearer = 0
    for random, case, total in cases(kind, 3, suite(300)):
        low = random_levels(random, case)
        high = raised(random, case, low)
        fine, coarse = (total.units(j, classes(case.problem, case.rows, j)) for j in (low, high))
        assert fine <= coarse, (total.loss, low, high)
        dearer += fine < coarse
    assert dearer > suite(300) / 10


@pytest.mark.parametrize("kind", registered())
def test_suppressing_a_class_saves_no_more_than_its_bound(kind: type[Any], suite: Callable[[int], int]) -> None:
    """And nothing at all, unless the price of a suppressed record was set so low."""
    saved = 0
    for random, case, total in cases(kind, 4, suite(300)):
        levels = raised(random, case, random_levels(random, case))
        summaries = classes(case.problem, case.rows, levels)
        labels = random.choice(list(summaries))
        rest = {key: summary for key, summary in summaries.items() if key != labels}
        saving = total.units(levels, summaries) - total.units(levels, rest)
        assert saving <= total.saving * summaries[labels].size, (total.loss, levels)
        saved += saving > 0
        assert total.saving == 0 or (isinstance(total.loss, sf.LM) and Fraction(total.loss.record) < 1)
    assert (saved > 0) == (kind is sf.LM)


@pytest.mark.parametrize("kind", registered())
def test_values_cost_more_at_higher_levels(kind: type[Any], suite: Callable[[int], int]) -> None:
    for _, case, total in cases(kind, 5, suite(100)):
        attributes = case.problem.data.frequencies.quasi_identifiers
        for part in total.core.values:
            assert all(unit >= 0 for unit in part.unit)
            for attribute, levels in zip(attributes, part.weights, strict=True):
                of_leaf = [weights[groups] for weights, groups in zip(levels, attribute.hierarchy.groups, strict=True)]
                assert all((low <= high).all() for low, high in pairwise(of_leaf))


def split_refuted(of: Of, random: Random, counts: Sequence[int]) -> bool:
    """Whether two parts of a class cost more than the class."""
    some = [random.randint(0, n) for n in counts]
    others = [n - part for n, part in zip(counts, some, strict=True)]
    return any(some) and any(others) and of(some) + of(others) > of(counts)


CLASS_LOSSES: dict[str, Callable[[], _core.ClassLoss]] = {
    "Discernibility": lambda: _core.Discernibility(40),
    "Classification": lambda: _core.Classification(0),
    "AverageClassSize": _core.AverageClassSize,
}


def test_every_loss_of_classes_is_asked() -> None:
    known = {
        kind.__name__ for kind in vars(_core).values() if isinstance(kind, type) and kind.__base__ is _core.ClassLoss
    }
    assert set(CLASS_LOSSES) == known


@pytest.mark.parametrize("name", CLASS_LOSSES)
def test_splitting_a_class_never_costs_more(name: str, suite: Callable[[int], int]) -> None:
    random, part = Random(6), CLASS_LOSSES[name]()

    def of(counts: Sequence[int]) -> int:
        return part.of(sum(counts), np.array(counts, dtype=np.int64))

    for _ in range(suite(20_000)):
        counts = [random.choice([0, 0, 1, 2, 5, 9]) for _ in range(4)]
        if any(counts):
            assert not split_refuted(of, random, counts)
            assert 0 <= of(counts) <= sum(counts) * part.suppressed


def test_a_wrong_loss_would_be_refuted() -> None:
    """The size of the largest group, or a price for every class: both fall when classes merge."""
    random = Random(7)
    for wrong in (lambda counts: 3, lambda counts: 10 * len(counts) - max(counts), lambda counts: -(sum(counts) ** 2)):
        assert any(split_refuted(wrong, random, [random.randint(0, 5) for _ in range(4)]) for _ in range(100))


# --- relative


@pytest.mark.parametrize("kind", registered())
def test_relative_is_a_share(kind: type[Any], suite: Callable[[int], int]) -> None:
    for random, case, total in cases(kind, 7, suite(200)):
        f = case.problem.data.frequencies
        top = tuple(attribute.hierarchy.height for attribute in f.quasi_identifiers)
        shares = [
            total.loss.relative(total.loss.cost(f, classes(case.problem, case.rows, levels).values(), 0), f)
            for levels in (random_levels(random, case), top)
        ]
        assert 0 <= shares[0] <= shares[1] <= 1
        if kind in {sf.Discernibility, sf.AverageClassSize}:
            assert shares[1] == 1
        nothing = total.loss.relative(total.loss.cost(f, [], f.records), f)
        if kind not in {sf.LM, sf.AverageClassSize}:  # LM by its price; without a class, sizes have no average
            assert shares[1] <= nothing <= 1


def test_an_empty_table_costs_nothing() -> None:
    empty = sf.Table(PlainEngine([], ["a", "t"]), quasi_identifiers={"a": sf.flat()}, target="t")
    random = Random(8)
    for kind in registered():
        drawn = LOSSES[kind](random, ["a"])
        if isinstance(drawn, sf.Classification):
            drawn = sf.Classification()
        solution = sf.Problem(empty, [sf.KAnonymity(2)], drawn).solve()
        assert solution.status == "optimal"
        assert solution.classes == 0
        assert solution.exact_cost == drawn.cost(empty.frequencies, [], 0)
