"""The sixteen optima on Adult that three independent implementations agree on, to six digits."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf

ATTRIBUTES = "sex age race marital-status education native-country workclass occupation".split()
OPTIMA = {  # LM / (N · 8) at limits 0, 1%, 5% and 100%
    2: (0.589987, 0.302985, 0.175369, 0.160417),
    5: (0.660842, 0.403491, 0.261757, 0.227062),
    10: (0.660842, 0.474108, 0.331544, 0.266877),
    100: (0.714987, 0.626363, 0.542892, 0.416205),
}


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> sf.Table:
    import pandas as pd

    frame = pd.read_csv(shared_data / "adult-45222.csv.gz", nrows=30_162)
    hierarchies = {name: shared_data / "hierarchies" / "adult" / f"{name}.csv" for name in ATTRIBUTES}
    return sf.Table(frame, quasi_identifiers=hierarchies)


@pytest.mark.parametrize(("k", "optima"), OPTIMA.items())
def test_optima(adult: sf.Table, k: int, optima: tuple[float, ...]) -> None:
    for limit, optimum in zip(("0", "1%", "5%", "100%"), optima, strict=True):
        solution = sf.Problem(adult, [sf.KAnonymity(k)], sf.LM(), sf.FullDomain(limit)).solve()
        assert (solution.status, solution.gap) == ("optimal", 0)
        assert round(solution.relative or 0, 6) == optimum
        assert solution.examined < solution.space / 10


def test_release_attains_what_it_says(adult: sf.Table) -> None:
    solution = sf.Problem(adult, [sf.KAnonymity(5)], sf.LM(), sf.FullDomain("5%")).solve()
    released = solution.release()
    audit = sf.check(released, quasi_identifiers=ATTRIBUTES, constraints=[sf.KAnonymity(5)])
    assert audit.holds
    assert audit.attained == solution.attained
    assert len(released) == 30_162 - solution.suppressed == audit.records


@pytest.mark.parametrize(("k", "optima"), OPTIMA.items())
def test_incognito(adult: sf.Table, k: int, optima: tuple[float, ...]) -> None:
    problem = sf.Problem(adult, [sf.KAnonymity(k)])
    solution = problem.solve(sf.Incognito())
    assert (solution.status, round(solution.relative or 0, 6)) == ("optimal", optima[0])
    assert solution.levels == problem.solve().levels == solution.minimal[0]
    for levels in solution.minimal:
        for name in (name for name, level in levels.items() if level > 0):
            lower = {**levels, name: levels[name] - 1}
            assert (
                sf.Problem(adult, problem.constraints, recoding=sf.FullDomain(min_level=lower, max_level=lower))
                .solve()
                .status
                == "infeasible"
            )


def test_heuristics(adult: sf.Table) -> None:
    """What they find is valid, proves nothing, and costs at least the optimum."""
    for k, optima in OPTIMA.items():
        for limit, optimum in zip(("0", "1%", "5%"), optima, strict=False):
            for algorithm in (sf.Samarati(), sf.Datafly()):
                solution = sf.Problem(adult, [sf.KAnonymity(k)], sf.LM(), sf.FullDomain(limit)).solve(algorithm)
                assert (solution.status, solution.bound) == ("feasible", None)
                assert round(solution.relative or 0, 6) >= optimum
                assert (solution.attained["k-anonymity"]["k"] or 0) >= k
