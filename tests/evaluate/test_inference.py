"""Inference equals guessing by hand, class by class."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

import pandas as pd
import pytest

import sfumato as sf
from sfumato.evaluate import Guess
from sfumato.testing.plain_engine import Row

from .rows import Labels, printing, released_rows, solved


def guess_of(rows: list[Row], of: Callable[[Row], Labels]) -> Guess:
    values: dict[Labels, Counter[str | None]] = defaultdict(Counter)
    for row in rows:
        values[of(row)][row["s"]] += 1
    best = {key: max(counts.values()) for key, counts in values.items()}
    sizes = {key: counts.total() for key, counts in values.items()}
    return Guess(
        sum(best.values()) / max(len(rows), 1),
        max((best[key] / sizes[key] for key in best), default=0.0),
        sum(sizes[key] for key in best if best[key] == sizes[key]),
    )


def test_equals_guessing_by_hand(suite: Callable[[int], int]) -> None:
    harder = 0
    for seed in range(suite(1500)):
        drawn, solution = solved(seed)
        if solution.recoding is None:
            continue
        inference = sf.evaluate.risks(solution).inference[0]
        assert inference.column == "s"
        assert inference.blind == max(Counter(row["s"] for row in drawn.rows).values()) / len(drawn.rows)
        assert inference.before == guess_of(drawn.rows, printing(drawn, [0] * len(solution.levels)))
        kept = released_rows(drawn, solution)
        assert inference.after == guess_of(kept, printing(drawn, list(solution.levels.values())))
        assert sf.evaluate.compare(drawn.problem.data, solution.release()).inference == (inference,)
        harder += inference.after.expected < inference.before.expected
    assert harder > suite(1500) / 5


def test_suppressed_values_are_no_values() -> None:
    original = pd.DataFrame({"age": [1, 1, 1, 2], "disease": ["flu", "flu", "pox", "pox"]})
    released = pd.DataFrame({"age": [1, 1, 1, 2], "disease": ["flu", "*", "*", "*"]})
    report = sf.evaluate.compare(original, released, quasi_identifiers=["age"], sensitive=["disease"])
    (inference,) = report.inference
    assert inference.before == Guess(3 / 4, 1.0, 1)
    assert inference.after == Guess(1 / 4, pytest.approx(1 / 3), 0)
    assert inference.blind == 0.5


def test_nothing_sensitive() -> None:
    frame = pd.DataFrame({"age": [1, 2]})
    report = sf.evaluate.compare(frame, frame, quasi_identifiers=["age"])
    assert report.inference == ()
    assert report.criteria["inference"] == "Nothing was measured, for no column was said to be sensitive."


def test_a_sensitive_column_that_was_left_out() -> None:
    frame = pd.DataFrame({"age": [1, 2], "disease": ["flu", "pox"]})
    report = sf.evaluate.compare(frame, frame[["age"]], quasi_identifiers=["age"], sensitive=["disease"])
    assert report.inference == ()
    assert any("'disease' is not in" in note and "it is taken as left out" in note for note in report.notes)
    assert report.criteria["inference"] == "Nothing was measured, for no sensitive column is in the release."
