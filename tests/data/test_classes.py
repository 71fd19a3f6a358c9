"""Equivalence classes equal a count by hand, also with keys that no machine word holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest

import sfumato as sf
from sfumato.data import EquivalenceClasses
from sfumato.testing.plain_engine import PlainEngine, Row


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
