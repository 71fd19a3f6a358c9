"""Marginals equal those of the rows: of the data with the release's labels, and of the release itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import InfeasibleError
from sfumato.evaluate.marginals import Marginal, Marginals, _amounts

AGES = sf.Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(20, 60)], "ages")


def survey(count: int, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": random.integers(20, 60, count),
            "sex": random.choice(["f", "m", None], count, p=[0.5, 0.4, 0.1]),
            "disease": random.choice(["flu", "cold", "pox"], count, p=[0.6, 0.3, 0.1]),
            "weight": random.integers(1, 100_000, count) / 10,
        }
    )


def solved(source: Any, k: int, limit: str, **roles: Any) -> sf.Solution:
    table = sf.Table(source, quasi_identifiers={"age": AGES, "sex": sf.flat()}, sensitive=["disease"], **roles)
    return sf.Problem(table, [sf.KAnonymity(k)], recoding=sf.FullDomain(limit)).solve()


def shares(frame: pd.DataFrame, column: str, weight: pd.Series) -> dict[str | None, float]:
    labels = frame[column].astype(object).where(frame[column].notna(), "(missing)").astype(str)
    sums = weight.groupby(labels).sum()
    return {None if label == "(missing)" else label: value / sums.sum() for label, value in sums.items()}


def labelled(frame: pd.DataFrame, solution: sf.Solution) -> pd.DataFrame:
    """The data with the labels of the release, nothing suppressed."""
    age = {int(row[0]): row[solution.levels["age"]] for row in AGES.rows}
    sex = frame["sex"] if solution.levels["sex"] == 0 else "*"
    return frame.assign(age=[age[x] for x in frame["age"]], sex=sex)


def test_shares_equal_those_of_the_rows(suite: Callable[[int], int]) -> None:
    differ = 0
    for seed in range(suite(150)):
        frame = survey(20 + seed % 70, seed)
        solution = solved(frame, k=2 + seed % 4, limit=["10%", "25%", "60%"][seed % 3], weight="weight")
        if solution.recoding is None or solution.suppressed == len(frame):
            continue
        released = solution.release()
        marginals = {(m.column, m.by): m for m in sf.evaluate.marginals(solution)}
        assert set(marginals) == {(x, by) for x in ("age", "sex", "disease") for by in ("records", "weight")}
        for (column, by), marginal in marginals.items():
            whole = labelled(frame, solution)
            before = shares(whole, column, whole["weight"] if by == "weight" else pd.Series(1, whole.index))
            after = shares(released, column, released["weight"] if by == "weight" else pd.Series(1, released.index))
            published = {share.label: (share.original, share.released) for share in marginal.shares}
            assert set(published) == set(before)
            gaps = []
            for label, share in before.items():
                assert published[label] == pytest.approx((share, after.get(label, 0)), abs=1e-12)
                gaps.append(abs(after.get(label, 0) - share))
            assert marginal.largest == pytest.approx(max(gaps), abs=1e-12)
            assert marginal.total_variation == pytest.approx(sum(gaps) / 2, abs=1e-12)
            differ += marginal.total_variation > 0
    assert differ > 0


FOUR = pd.DataFrame({"age": [20, 20, 20, 30], "sex": "f", "disease": ["a", "b", "b", "c"], "w": [1, 0.5, 0.5, 8]})


def test_worked_example() -> None:
    """One of four is suppressed, with 8 of the 10 weight."""
    solution = solved(FOUR, k=3, limit="25%", weight="w")
    assert solution.suppressed == 1
    by = {(m.column, m.by): m for m in sf.evaluate.marginals(solution)}
    assert by["disease", "records"].shares[0].original == 0.25
    assert [share.released for share in by["disease", "records"].shares] == [
        float(Fraction(1, 3)),
        float(Fraction(2, 3)),
        0,
    ]
    assert [share.original for share in by["disease", "w"].shares] == [0.1, 0.1, 0.8]
    assert [share.difference for share in by["disease", "w"].shares] == [0.4, 0.4, -0.8]
    assert (by["disease", "w"].largest, by["disease", "w"].total_variation) == (0.8, 0.8)
    assert (by["sex", "w"].largest, by["sex", "records"].total_variation) == (0, 0)


def test_nothing_suppressed_nothing_changed(tmp_path: Path) -> None:
    survey(100, 1).to_csv(tmp_path / "survey.csv", index=False)
    marginals = sf.evaluate.marginals(solved(tmp_path / "survey.csv", k=3, limit="0%"))
    assert [m.by for m in marginals] == ["records"] * 3
    assert all(m.largest == m.total_variation == 0 for m in marginals)


def test_rows_frame_and_text() -> None:
    marginals = sf.evaluate.marginals(solved(FOUR, k=3, limit="25%", weight="w"))
    assert isinstance(marginals, Marginals)
    assert all(isinstance(marginal, Marginal) for marginal in marginals)
    frame = marginals.to_frame()
    assert frame.to_dict("records") == marginals.rows()
    assert list(frame.columns) == ["column", "by", "label", "original", "released", "difference"]
    assert str(marginals).splitlines()[0].split() == "column by labels largest difference total variation".split()
    assert str(marginals).splitlines()[-1].split() == ["disease", "w", "3", "80.0000%", "80.0000%"]


def test_no_label_in_what_is_printed() -> None:
    """The labels of a release are published, and yet a log need not have them."""
    solution = solved(FOUR.assign(disease=["SECRET", "b", "b", "SECRET"]), k=3, limit="25%")
    marginals = sf.evaluate.marginals(solution)
    assert "SECRET" not in f"{marginals!r} {marginals} {marginals.columns[0]!r} {marginals.columns[2].shares[0]!r}"


def test_nothing_to_compare() -> None:
    with pytest.raises(InfeasibleError, match="There is nothing to release: infeasible"):
        sf.evaluate.marginals(solved(FOUR, k=9, limit="0%"))
    with pytest.raises(InfeasibleError, match="no shares to compare: no record is published; suppress fewer"):
        sf.evaluate.marginals(solved(FOUR, k=9, limit="100%"))
    with pytest.raises(InfeasibleError, match="what is published has the weight 0 by 'w'"):
        sf.evaluate.marginals(solved(FOUR.assign(w=0), k=3, limit="25%", weight="w"))


def test_a_divided_combination_takes_its_share_of_the_weight() -> None:
    solution = solved(FOUR, k=1, limit="0%", weight="w")
    weights = solution.problem.data.frequencies.weights
    plan = solution.plan()
    assert weights is not None
    divided = replace(plan, copies=np.where(plan.counts == 2, 1, plan.copies))
    assert _amounts(divided, 2, weights) == {"a": 1, "b": Fraction(1, 2), "c": 8}
    assert _amounts(divided, 2, plan.counts) == {"a": 1, "b": 1, "c": 1}
