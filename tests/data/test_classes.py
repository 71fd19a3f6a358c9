"""Equivalence classes equal a count by hand, also with keys that no machine word holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import sfumato as sf
from sfumato.data import EquivalenceClasses
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_problems import random_problem


@pytest.mark.parametrize("attributes", [1, 3, 40])
def test_classes_equal_a_count_by_hand(attributes: int) -> None:
    random = Random(attributes)
    rows: list[Row] = [
        {**{f"q{a}": str(random.randrange(3)) for a in range(attributes)}, "s": random.choice(["x", "y", None])}
        for _ in range(60)
    ]
    rows += rows[:20]
    names = [f"q{a}" for a in range(attributes)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={name: sf.fanout(2) for name in names}, sensitive=["s"])
    f = table.frequencies
    for level in (0, 1, 2):
        levels = [min(level, attribute.hierarchy.height) for attribute in f.quasi_identifiers]
        paths = [{row[0]: row[l] for row in q.hierarchy.rows} for q, l in zip(f.quasi_identifiers, levels, strict=True)]
        expected: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for row in rows:
            expected[tuple(path[row[name] or ""] for path, name in zip(paths, names, strict=True))][row["s"] or ""] += 1
        summaries = EquivalenceClasses(f, f.generalized(levels)).summaries(["s"])
        assert sorted((summary.size, sorted(summary.histograms["s"].items())) for summary in summaries) == sorted(
            (histogram.total(), sorted(histogram.items())) for histogram in expected.values()
        )


def test_no_records_no_classes() -> None:
    table = sf.Table(PlainEngine([], ["q", "s"]), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    classes = EquivalenceClasses(table.frequencies, table.frequencies.generalized([0]))
    assert classes.summaries(["s"]) == []


def test_units_equal_sets_of_persons(suite: Callable[[int], int]) -> None:
    random = Random(12)
    with_units = 0
    for _ in range(suite(500)):
        case = random_problem(random, units=True)
        f = case.problem.data.frequencies
        levels = [random.randint(0, attribute.hierarchy.height) for attribute in f.quasi_identifiers]
        names = [attribute.name for attribute in f.quasi_identifiers]
        paths = [{row[0]: row[l] for row in q.hierarchy.rows} for q, l in zip(f.quasi_identifiers, levels, strict=True)]
        members: dict[tuple[str, ...], list[str | None]] = defaultdict(list)
        for row in case.rows:
            published = tuple(path[row[name] or ""] for path, name in zip(paths, names, strict=True))
            members[published].append(row["person"])
        expected = sorted((len(some), max(1, len(set(some) - {None}))) for some in members.values())
        classes = EquivalenceClasses(f, f.generalized(levels))
        assert sorted((summary.size, summary.persons) for summary in classes.summaries(["s"])) == expected
        kinds, kind_of = classes.kinds()
        assert sorted((kinds[kind].size, kinds[kind].persons) for kind in kind_of.tolist()) == expected
        assert len({(kind.size, kind.persons) for kind in kinds}) == len(kinds)
        with_units += f.units is not None
    assert with_units > 0


def test_a_table_cut_down_in_some_columns_only_is_refused() -> None:
    f = random_problem(Random(2), units=True).problem.data.frequencies
    assert f.units is not None
    with pytest.raises(ValueError, match="units and weights are those of other combinations"):
        replace(f, codes=f.codes[:1], counts=f.counts[:1])
    assert f.taken(np.array([0])).records == f.counts[0]
