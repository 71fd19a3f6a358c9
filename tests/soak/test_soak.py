"""The soak in short: the same runs whenever the tests are run, and others in the whole suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from . import definitions
from .__main__ import one

RUNS = 60


@pytest.mark.parametrize("part", range(5))
def test_runs_have_no_difference(part: int, suite: Callable[[int], int]) -> None:
    seen: Counter[str] = Counter()
    for number in range(part * 10_000, part * 10_000 + suite(RUNS)):
        differences, done = one(number)
        assert not differences, f"python -m tests.soak --only {number}: {differences}"
        seen += done
    assert seen["released"] or seen["in other clothes"], seen


def test_rare_sets_are_counted() -> None:
    baskets = [frozenset("ab"), frozenset("ab"), frozenset("ac")]
    assert definitions.rare_sets(baskets, 2, 1) == 1, "c"
    assert definitions.rare_sets(baskets, 2, 2) == 2, "c and ac"


def test_a_planted_class_is_seen() -> None:
    from sfumato import KAnonymity, LDiversity

    rows = [{"q": "a", "s": "x"}, {"q": "a", "s": "x"}, {"q": "b", "s": "y"}]
    groups = definitions.classes(rows, ["q"])
    assert definitions.violations(KAnonymity(2), groups, {}) == 1
    assert definitions.violations(LDiversity("s", 2), groups, {}) == 2
