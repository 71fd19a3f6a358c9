"""LocalSearch on Adult: below what ARX's local recoding loses, above the bounds that are known."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf

QI = "sex age race marital-status education native-country workclass occupation".split()


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> sf.Table:
    frame = pd.read_csv(shared_data / "adult-45222.csv.gz", nrows=30_162, usecols=QI)
    files = {name: shared_data / "hierarchies" / "adult" / f"{name}.csv" for name in QI}
    return sf.Table(frame, quasi_identifiers=files)


def test_less_is_lost_than_known(adult: sf.Table) -> None:
    problem = sf.Problem(adult, [sf.KAnonymity(5)], sf.LM(), sf.Local())
    solution = problem.solve(sf.LocalSearch(steps=50_000, rounds=0))
    assert solution.exact_bound is not None
    assert float(problem.question.loss.relative(solution.exact_bound, adult.frequencies)) == pytest.approx(
        0.02895, abs=5e-6
    )
    assert (solution.relative or 1) < 0.0563
    audit = sf.check(solution.release(), quasi_identifiers=QI, constraints=problem.question.constraints)
    assert audit.holds
    assert audit.records == 30_162
