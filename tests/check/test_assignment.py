"""Assignments of published rows to originals exist where, and only where, a linear programme finds them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
from scipy.optimize import linprog

from sfumato.check.assignment import unassigned


def most_assigned(copies: list[int], candidates: list[np.ndarray], records: np.ndarray) -> int:
    pairs = [(row, int(original)) for row, some in enumerate(candidates) for original in some]
    if not pairs:
        return 0
    rows = np.array([[pair[0] == row for pair in pairs] for row in range(len(copies))], dtype=float)
    originals = np.array([[pair[1] == original for pair in pairs] for original in range(len(records))], dtype=float)
    best = linprog(-np.ones(len(pairs)), np.vstack([rows, originals]), np.r_[copies, records], method="highs")
    return round(-best.fun)


def test_the_most_that_can_be_assigned(suite: Callable[[int], int]) -> None:
    complete = 0
    for seed in range(suite(3000)):
        random = Random(seed)
        originals = random.randint(1, 8)
        records = np.array([random.randint(1, 5) for _ in range(originals)])
        copies = [random.randint(1, 4) for _ in range(random.randint(1, 8))]
        candidates = [
            np.array(sorted(random.sample(range(originals), random.randint(0, min(originals, 3)))), dtype=np.int64)
            for _ in copies
        ]
        left = unassigned(copies, candidates, records)
        assert left == sum(copies) - most_assigned(copies, candidates, records)
        complete += left == 0
    assert complete >= suite(3000) / 10
    assert complete <= suite(3000) * 0.9


def test_what_is_taken_first_makes_room() -> None:
    """Two rows want the first original; the one that has a choice goes to the second, and so on along a chain."""
    chain = [np.array([i, i + 1]) for i in range(50)]
    assert unassigned([1] * 51, [*chain, np.array([0])], np.ones(51, dtype=np.int64)) == 0
    assert unassigned([1] * 52, [*chain, np.array([0]), np.array([50])], np.ones(51, dtype=np.int64)) == 1
    assert unassigned([], [], np.ones(3, dtype=np.int64)) == 0
