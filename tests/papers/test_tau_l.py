"""Tian and Zhang, ITNG 2009: the tables of Figures 1 and 2, and the utilities on Adult."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf

DISEASES = sf.Hierarchy.from_rows(
    [
        ("hepatitis", "hemal disease", "*"),
        ("anemia", "hemal disease", "*"),
        ("phthisis", "respiratory disease", "*"),
        ("flu", "respiratory disease", "*"),
    ],
    "disease",
)
MICRODATA = pd.DataFrame(
    {
        "age": [20, 20, 20, 20, 29, 33, 32, 31, 30, 30, 28, 29],
        "zipcode": [10000, 10001, 10002, 10003, 10004, 10004, 10005, 10006, 10007, 10005, 10019, 10017],
        "disease": ["hepatitis"] * 4 + ["phthisis", "hepatitis"] + ["phthisis"] * 3 + ["anemia", "hepatitis", "flu"],
    }
)
# Figure 2(a), by the tuples of Figure 1(a) in their order.
PUBLISHED = pd.DataFrame(
    {
        "age": ["[20,29]", "[20,29]", "[20,39]", "[20,29]", "[20,29]", "[30,39]", "[30,39]", "[30,39]", "[20,39]",
                "[30,39]", "[20,39]", "[20,39]"],
        "zipcode": ["1000*", "1000*", "100**", "1000*", "1000*", "1000*", "1000*", "1000*", "100**", "1000*", "100**",
                    "100**"],
        "disease": ["hemal disease", "hemal disease", "hepatitis", "hepatitis", "phthisis", "hepatitis", "phthisis",
                    "phthisis", "phthisis", "anemia", "hepatitis", "flu"],
    }
)  # fmt: skip
INPUT = {"disease": MICRODATA["disease"].value_counts().to_dict()}
QI = ["age", "zipcode"]


def test_figure_1_allows_little_diversity() -> None:
    """Half of the patients have hepatitis: simple 2-diversity at most, and even that tells much."""
    table = sf.Table(MICRODATA, quasi_identifiers={"age": sf.flat(), "zipcode": sf.flat()}, sensitive=["disease"])
    assert sf.Problem(table, [sf.LDiversity("disease", 2)]).solve().status == "optimal"
    assert sf.Problem(table, [sf.LDiversity("disease", "2.01")]).solve().status == "infeasible"


def test_figure_1_d_tells_two_values_with_nine_tenths() -> None:
    large = ["hepatitis"] * 5 + ["phthisis"] * 4 + ["anemia"]
    small = ["hepatitis", "flu"]
    released = pd.DataFrame({"age": ["[20,39]"] * 10 + ["[20,29]"] * 2, "disease": large + small})
    asked = [sf.LDiversity("disease", 2), sf.TauLDiversity("disease", 0.5, 3, hierarchy=DISEASES)]
    audit = sf.check(released, quasi_identifiers=["age"], constraints=asked, reference=INPUT)
    assert list(audit.violations) == ["tau-l-diversity"]
    model = asked[1].bound_to(sf.Problem(paper_table(), [asked[1]]).data.frequencies.distributions)
    assert isinstance(model, sf.TauLDiversity)
    totals = model.cumulative(sf.ClassSummary(10, {"disease": {"hepatitis": 5, "phthisis": 4, "anemia": 1}}))
    assert totals == [Fraction(1, 2), Fraction(9, 10), 1, 1]


def paper_table() -> sf.Table:
    decades = sf.intervals(10, 20, 40)
    return sf.Table(
        MICRODATA, quasi_identifiers={"age": decades, "zipcode": sf.masking()}, sensitive={"disease": DISEASES}
    )


def test_figure_2_satisfies_half_three_diversity_exactly() -> None:
    asked = [sf.TauLDiversity("disease", 0.5, 3, hierarchy=DISEASES)]
    audit = sf.check(PUBLISHED, quasi_identifiers=QI, constraints=asked, reference=INPUT)
    assert (audit.holds, audit.classes, audit.records) == (True, 3, 12)
    assert audit.attained == {"tau-l-diversity": {"tau": 0.5, "l": 3, "excess": 0}}


def test_figure_2_b_induced_distribution() -> None:
    (model,) = sf.Problem(paper_table(), [sf.TauLDiversity("disease", 0.5, 3)]).question.constraints
    assert isinstance(model, sf.TauLDiversity)
    expected = [
        (("hepatitis", 2), ("phthisis", 1), ("anemia", 1), ("flu", 0)),
        (("phthisis", 2), ("hepatitis", 1), ("anemia", 1), ("flu", 0)),
        (("hepatitis", 2), ("phthisis", 1), ("flu", 1), ("anemia", 0)),
    ]
    classes = [frame["disease"].value_counts().to_dict() for _, frame in PUBLISHED.groupby(QI, sort=False)]
    by_class = [classes[0], classes[2], classes[1]]  # in the order of the paper
    for counts, shares in zip(by_class, expected, strict=True):
        summary = sf.ClassSummary(4, {"disease": counts})
        assert model.values.frequencies(summary) == {value: Fraction(n, 4) for value, n in shares}
        assert model.cumulative(summary) == [Fraction(1, 2), Fraction(3, 4), 1, 1]
        assert model.excess(summary) == 0


def test_the_sweep_finds_such_a_table() -> None:
    problem = sf.Problem(paper_table(), [sf.TauLDiversity("disease", 0.5, 3)], sf.RetainedInformation(), sf.Local())
    solution = problem.solve(sf.SequentialSweep())
    released = solution.release()
    assert len(released) == 12
    assert solution.classes >= 3
    assert sf.check(released, quasi_identifiers=QI, constraints=problem.question.constraints).holds


# --- Adult, 45,222 records

ATTRIBUTES = "sex age race marital-status education native-country workclass".split()
UTILITIES = {(0.5, 3): 0.933, (0.4, 4): 0.902, (0.3, 5): 0.852, (0.25, 6): 0.799, (0.2, 7): 0.704, (0.15, 10): 0.617}


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> sf.Table:
    frame = pd.read_csv(shared_data / "adult-45222.csv.gz", usecols=[*ATTRIBUTES, "occupation"])
    tree = {name: shared_data / "hierarchies" / "adult" / f"{name}.csv" for name in [*ATTRIBUTES, "occupation"]}
    return sf.Table(
        frame,
        quasi_identifiers={name: tree[name] for name in ATTRIBUTES},
        sensitive={"occupation": tree["occupation"]},
    )


@pytest.mark.parametrize(("tau", "l"), UTILITIES)
def test_utilities(adult: sf.Table, tau: float, l: int) -> None:
    problem = sf.Problem(adult, [sf.TauLDiversity("occupation", tau, l)], sf.RetainedInformation(), sf.Local())
    solution = problem.solve(sf.SequentialSweep())
    assert 1 - (solution.cost or 0) == pytest.approx(UTILITIES[tau, l], abs=0.002)
    first = problem.solve(sf.SequentialSweep(sa_first=1, min_class=5))
    assert (first.cost or 0) <= (solution.cost or 0)
    assert first.recoding is not None
    assert first.recoding.classes(adult.frequencies).sizes.min() >= 5


def test_releases_pass_the_independent_check(adult: sf.Table) -> None:
    problem = sf.Problem(adult, [sf.TauLDiversity("occupation", 0.3, 5)], sf.RetainedInformation(), sf.Local())
    for algorithm, asked in (
        (sf.SequentialSweep(), problem.question.constraints),
        (sf.SequentialSweep(sa_first=1, min_class=5), [*problem.question.constraints, sf.KAnonymity(5)]),
    ):
        solution = problem.solve(algorithm)
        audit = sf.check(solution.release(), quasi_identifiers=ATTRIBUTES, constraints=asked)
        assert (audit.holds, audit.records) == (True, 45_222)
        assert audit.attained["tau-l-diversity"] == solution.attained["tau-l-diversity"]
