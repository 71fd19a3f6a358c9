"""Drafts: which columns are taken, what is asked for, what is written as a file."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sfumato.datasets import census
from sfumato.errors import DataError
from sfumato.hierarchies import Dates, Intervals, Masking
from sfumato.profile import Role, draft, profile
from sfumato.profile.draft import MOST_QUASI_IDENTIFIERS, diversity_of, source_of

N = 400


def names(drafted: object, role: Role) -> list[str]:
    return [column.name for column in drafted.having(role)]  # type: ignore[attr-defined]


def test_census() -> None:
    drafted = draft(profile(census(3000).to_pandas()))
    assert names(drafted, Role.QUASI_IDENTIFIER) == [
        "age", "sex", "zipcode", "birthplace", "education", "marital-status", "workclass"
    ]  # fmt: skip
    assert drafted.target == "income"
    assert drafted.diversity == {"occupation": 3, "income": 2}
    assert isinstance(source_of(drafted.profile.columns["age"]), Intervals)
    assert isinstance(source_of(drafted.profile.columns["zipcode"]), Masking)
    assert set(drafted.files) == {"birthplace", "education", "marital-status", "workclass"}
    for name, tree in drafted.files.items():
        assert set(tree.leaves) == set(drafted.profile.columns[name].rows or ())
    assert set(drafted.rankings) == {1, 2, 3}
    assert all(ranking.complete for ranking in drafted.rankings.values())
    assert not drafted.strip


def test_many_quasi_identifiers() -> None:
    random = np.random.default_rng(1)
    frame = pd.DataFrame({f"c{i}": random.integers(0, 4, N) for i in range(12)} | {"age": random.integers(0, 50, N)})
    drafted = draft(profile(frame))
    chosen = names(drafted, Role.QUASI_IDENTIFIER)
    assert len(chosen) == MOST_QUASI_IDENTIFIERS
    assert "age" in chosen  # its name is a better reason than none
    assert len(names(drafted, Role.NONE)) == 5
    assert "8 quasi-identifiers are enough" in drafted.guesses["c11"].why


def test_columns_that_say_the_same() -> None:
    ages = np.random.default_rng(1).integers(20, 40, N)
    frame = pd.DataFrame({"age": ages, "birth": 2020 - ages, "group": ages // 10, "sex": ["f", "m"] * (N // 2)})
    drafted = draft(profile(frame))
    assert names(drafted, Role.QUASI_IDENTIFIER) == ["age", "sex"]
    assert drafted.guesses["birth"].why == "it says what age says, in finer or coarser words"
    few = draft(profile(frame[:60]))  # among a few records this may be chance
    assert names(few, Role.QUASI_IDENTIFIER) == ["age", "birth", "group", "sex"]


@pytest.mark.parametrize(
    ("shares", "l"),
    [([90, 10], 1), ([81, 19], 1), ([80, 20], 2), ([50, 50], 2), ([40, 30, 30], 3), ([79, 10, 11], 2), ([1] * 100, 3),
     ([100], 1)],
)  # fmt: skip
def test_diversity(shares: list[int], l: int) -> None:
    values = [f"v{i}" for i, share in enumerate(shares) for _ in range(share)]
    column = profile(pd.DataFrame({"disease": values, "x": ["a", "b"] * 50})).columns["disease"]
    assert diversity_of(column) == l


def test_sensitive_columns_that_are_left_out() -> None:
    even, uneven = ["a", "b", "c", "d"] * 100, ["a"] * 390 + ["b"] * 10
    frame = pd.DataFrame(
        {"religion": even, "debt": even, "disease": even, "hiv": uneven, "age": [i % 40 for i in range(N)]}
    )
    drafted = draft(profile(frame))
    assert names(drafted, Role.SENSITIVE) == ["religion", "disease"]
    assert drafted.guesses["debt"].why.endswith("2 sensitive columns are enough to begin with")
    assert drafted.guesses["hiv"].why.endswith("left out because 98% of the records have one and the same value")


def test_a_target_that_cannot_be_protected() -> None:
    frame = pd.DataFrame({"age": [i % 40 for i in range(N)], "income": ["low"] * 390 + ["high"] * 10})
    drafted = draft(profile(frame))
    assert (drafted.target, drafted.diversity) == ("income", {})
    assert "not protected, because 98% of the records" in drafted.guesses["income"].why


def test_dates_stay_generators() -> None:
    frame = pd.DataFrame({"birthday": pd.date_range("1950-01-01", periods=N, freq="7D")})
    drafted = draft(profile(frame))
    assert isinstance(source_of(drafted.profile.columns["birthday"]), Dates)
    assert not drafted.files


def test_nothing_to_blur() -> None:
    with pytest.raises(DataError, match="No column of the DataFrame looks like something that others may know"):
        draft(profile(pd.DataFrame({"id": range(N)})))
